// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "proc/cgroupnames.h"

#define MANY	  16384u
#define SWEEP	  1024u
#define FORGET_NS (2 * SM_CGROUP_RENEW_NS)

struct name {
	uint64_t time_ns; /* time of the last record */
	struct sm_poolstr *path;
};

int sm_cgroup_names_init(struct sm_cgroup_names *n, struct sm_strpool *pool)
{
	*n = (struct sm_cgroup_names){.pool = pool};
	return sm_map_init(&n->paths, 64);
}

static void forget(struct sm_cgroup_names *n, uint64_t key)
{
	struct name *name = sm_map_del(&n->paths, key);

	if (name)
		sm_strpool_put(n->pool, name->path);
	free(name);
}

static void forget_old(struct sm_cgroup_names *n, uint64_t now_ns)
{
	const struct name *name;

	for (size_t i = 0; i < n->paths.cap; i++)
		while ((name = n->paths.slots[i].val) &&
			name->time_ns + FORGET_NS < now_ns)
			forget(n, n->paths.slots[i].key);
}

/* Turns "c\0b\0a\0" into "/a/b/c". */
static size_t turn_round(const char *names, size_t n, char *path)
{
	size_t end = n, begin, len = 0;

	while (end > 0) {
		for (begin = end - 1; begin > 0 && names[begin - 1]; begin--)
			;
		path[len++] = '/';
		memcpy(path + len, names + begin, end - 1 - begin);
		len += end - 1 - begin;
		end = begin;
	}
	if (len == 0)
		path[len++] = '/';
	return len;
}

static void store(struct sm_cgroup_names *n, const struct sm_cgroup_raw *raw,
	const char *path, size_t len)
{
	struct sm_poolstr *s = sm_strpool_get(n->pool, path, len, 0);
	struct name *name = s ? malloc(sizeof(*name)) : NULL;

	forget(n, raw->key);
	if (!name) {
		sm_strpool_put(n->pool, s);
		return;
	}
	*name = (struct name){raw->time_ns, s};
	if (sm_map_put(&n->paths, raw->key, name) < 0) {
		sm_strpool_put(n->pool, s);
		free(name);
	}
}

bool sm_cgroup_names_add(struct sm_cgroup_names *n, const void *record, size_t len)
{
	const char *names = (const char *)record + sizeof(struct sm_cgroup_raw);
	char path[SM_CGROUP_NAMES_BYTES + 1];
	struct sm_cgroup_raw raw;

	if (len < sizeof(raw))
		return false;
	memcpy(&raw, record, sizeof(raw));
	if (raw.kind != SM_CGROUP_RAW || raw.bytes > len - sizeof(raw) ||
		raw.bytes > SM_CGROUP_NAMES_BYTES ||
		(raw.bytes && names[raw.bytes - 1] != '\0'))
		return false;
	if (n->paths.used >= MANY && n->paths.used % SWEEP == 0)
		forget_old(n, raw.time_ns);
	store(n, &raw, path, turn_round(names, raw.bytes, path));
	return true;
}

struct sm_poolstr *sm_cgroup_names_get(const struct sm_cgroup_names *n, uint64_t key)
{
	const struct name *name =
		key && n->paths.slots ? sm_map_get(&n->paths, key) : NULL;

	return name ? name->path : NULL;
}

void sm_cgroup_names_fini(struct sm_cgroup_names *n)
{
	struct name *name;

	for (size_t i = 0; n->paths.slots && (name = sm_map_next(&n->paths, &i));) {
		sm_strpool_put(n->pool, name->path);
		free(name);
	}
	if (n->paths.slots)
		sm_map_fini(&n->paths);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(SM_STATIC) && defined(__GLIBC__)
#include <nss.h>
#endif

#include "base/parse.h"
#include "cli/ids.h"

/* A passwd line is small; a group with many members can be large. */
#define NSS_FIRST_CAP 1024u
#define NSS_MAX_CAP   (1024u * 1024u)
#define TTY_NAME_CAP  32u

void sm_ids_static(void)
{
#if defined(SM_STATIC) && defined(__GLIBC__)
	(void)__nss_configure_lookup("passwd", "files");
	(void)__nss_configure_lookup("group", "files");
	(void)__nss_configure_lookup("initgroups", "files");
#endif
}

int sm_ids_init(struct sm_ids *u)
{
	int err;

	*u = (struct sm_ids){0};
	err = sm_map_init(&u->users, 16);
	if (!err)
		err = sm_map_init(&u->groups, 16);
	if (!err)
		err = sm_map_init(&u->ttys, 16);
	if (err)
		sm_ids_fini(u);
	return err;
}

static void free_names(struct sm_map *m)
{
	size_t i = 0;
	void *name;

	while ((name = sm_map_next(m, &i)))
		free(name);
	sm_map_fini(m);
}

void sm_ids_fini(struct sm_ids *u)
{
	free_names(&u->users);
	free_names(&u->groups);
	free_names(&u->ttys);
}

/* Stores name in the cache, which takes ownership.  Returns "?" if out of memory. */
static const char *remember(struct sm_map *m, uint64_t key, char *name)
{
	if (name && sm_map_put(m, key, name) == 0)
		return name;
	free(name);
	return "?";
}

static char *decimal(uint32_t id)
{
	char text[12];

	snprintf(text, sizeof(text), "%u", id);
	return strdup(text);
}

struct query {
	uint32_t id;	  /* ID to look up, or the result of query_uid() */
	const char *name; /* valid while the buffer is; NULL: not found */
};

/* Makes one NSS query into buf; ERANGE requests a larger buffer. */
typedef int query_fn(struct query *q, char *buf, size_t cap);

static int query_user(struct query *q, char *buf, size_t cap)
{
	struct passwd pw, *found = NULL;
	int err = getpwuid_r(q->id, &pw, buf, cap, &found);

	q->name = found ? found->pw_name : NULL;
	return err;
}

static int query_group(struct query *q, char *buf, size_t cap)
{
	struct group gr, *found = NULL;
	int err = getgrgid_r(q->id, &gr, buf, cap, &found);

	q->name = found ? found->gr_name : NULL;
	return err;
}

static int query_uid(struct query *q, char *buf, size_t cap)
{
	struct passwd pw, *found = NULL;
	int err = getpwnam_r(q->name, &pw, buf, cap, &found);

	if (found)
		q->id = found->pw_uid;
	else if (err != ERANGE)
		q->name = NULL;
	return err;
}

/* Returns the buffer that q->name may point to; the caller frees it.  NULL: out of
 * memory. */
static char *ask(query_fn *query, struct query *q)
{
	char *buf = NULL;
	int err = ERANGE;

	for (size_t cap = NSS_FIRST_CAP; err == ERANGE && cap <= NSS_MAX_CAP; cap *= 4) {
		free(buf);
		buf = malloc(cap);
		if (!buf)
			return NULL;
		err = query(q, buf, cap);
	}
	if (err)
		q->name = NULL;
	return buf;
}

/* Returns a copy of the name; NULL if the ID is unknown, or out of memory. */
static char *look_up_name(query_fn *query, uint32_t id)
{
	struct query q = {.id = id};
	char *buf = ask(query, &q);
	char *copy = buf && q.name && *q.name ? strdup(q.name) : NULL;

	free(buf);
	return copy;
}

static const char *id_name(struct sm_map *m, query_fn *query, uint32_t id)
{
	char *name = sm_map_get(m, id);

	if (name)
		return name;
	name = look_up_name(query, id);
	return remember(m, id, name ? name : decimal(id));
}

const char *sm_ids_user(struct sm_ids *u, uid_t uid)
{
	return id_name(&u->users, query_user, uid);
}

const char *sm_ids_group(struct sm_ids *u, gid_t gid)
{
	return id_name(&u->groups, query_group, gid);
}

/* Minor numbers of one driver: name and number, counted from the first minor. */
struct tty_range {
	unsigned int major, first_minor, last_minor, first_number;
	const char *name;
};

#define MINOR_MAX 0xfffffu

/* Pseudo-terminals have major 136 with 20 bits of minor today; with 8 bits, 137 to 143
 * continued them. */
static const struct tty_range tty_ranges[] = {
	{4, 0, 63, 0, "tty"},
	{4, 64, MINOR_MAX, 0, "ttyS"},
	{136, 0, MINOR_MAX, 0, "pts/"},
	{137, 0, MINOR_MAX, 256, "pts/"},
	{138, 0, MINOR_MAX, 512, "pts/"},
	{139, 0, MINOR_MAX, 768, "pts/"},
	{140, 0, MINOR_MAX, 1024, "pts/"},
	{141, 0, MINOR_MAX, 1280, "pts/"},
	{142, 0, MINOR_MAX, 1536, "pts/"},
	{143, 0, MINOR_MAX, 1792, "pts/"},
	{166, 0, MINOR_MAX, 0, "ttyACM"},
	{188, 0, MINOR_MAX, 0, "ttyUSB"},
	{204, 64, MINOR_MAX, 0, "ttyAMA"},
	{229, 0, MINOR_MAX, 0, "hvc"},
};

static const struct tty_range *find_tty_range(unsigned int major, unsigned int minor)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(tty_ranges); i++) {
		const struct tty_range *t = &tty_ranges[i];

		if (t->major == major && minor >= t->first_minor &&
			minor <= t->last_minor)
			return t;
	}
	return NULL;
}

/* Decodes the kernel's new_encode_dev(): minor bits 7-0, major 12 bits, minor bits
 * 19-8. */
static char *format_tty(uint32_t dev)
{
	unsigned int major = dev >> 8 & 0xfffu;
	unsigned int minor = (dev & 0xffu) | (dev >> 12 & 0xfff00u);
	const struct tty_range *t = find_tty_range(major, minor);
	char text[TTY_NAME_CAP];

	if (major == 5 && minor == 1)
		return strdup("console");
	if (t)
		snprintf(text, sizeof(text), "%s%u", t->name,
			minor - t->first_minor + t->first_number);
	else
		snprintf(text, sizeof(text), "%u:%u", major, minor);
	return strdup(text);
}

const char *sm_ids_tty(struct sm_ids *u, int tty_nr)
{
	uint32_t dev = (uint32_t)tty_nr;
	char *name;

	if (dev == 0)
		return "?";
	name = sm_map_get(&u->ttys, dev);
	return name ? name : remember(&u->ttys, dev, format_tty(dev));
}

static int look_up_uid(const char *name, uid_t *uid)
{
	struct query q = {.name = name};
	char *buf = ask(query_uid, &q);

	free(buf);
	if (!buf)
		return -ENOMEM;
	if (!q.name)
		return -ENOENT;
	*uid = q.id;
	return 0;
}

int sm_ids_lookup(const char *name, uid_t *uid)
{
	struct sm_str s = {name, strlen(name)};
	uint64_t v;

	if (!sm_parse_whole_u64(s, &v))
		return look_up_uid(name, uid);
	/* (uid_t)-1 is not a user: system calls treat it as "leave unchanged". */
	if (v >= UINT32_MAX)
		return -ENOENT;
	*uid = (uid_t)v;
	return 0;
}

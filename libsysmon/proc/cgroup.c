// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/file.h"
#include "base/parse.h"
#include "proc/cgroup.h"

#define LEVELS_MAX 32u
#define CGROUP_CAP 65536u /* 13 hierarchies, paths up to PATH_MAX */

/* Takes the text up to the next separator and the separator, or up to the end. */
static bool take_until(struct sm_str *s, char sep, struct sm_str *part)
{
	const char *at = memchr(s->p, sep, s->n);

	if (!at)
		return false;
	*part = (struct sm_str){s->p, (size_t)(at - s->p)};
	s->n -= part->n + 1;
	s->p = at + 1;
	return true;
}

static bool has_controller(struct sm_str list, const char *name)
{
	struct sm_str one;

	while (take_until(&list, ',', &one))
		if (sm_parse_eq(one, name))
			return true;
	return sm_parse_eq(list, name);
}

/* Splits "4:cpu,cpuacct:/a/b"; only the path may contain further colons. */
static bool split_line(
	struct sm_str line, struct sm_str *id, struct sm_str *list, struct sm_str *path)
{
	if (!take_until(&line, ':', id) || !take_until(&line, ':', list))
		return false;
	*path = line;
	return line.n > 0 && line.p[0] == '/';
}

static bool is_hierarchy(struct sm_str id, struct sm_str list, const char *controller)
{
	return controller ? has_controller(list, controller)
			  : list.n == 0 && sm_parse_eq(id, "0");
}

bool sm_cgroup_find(const char *p, size_t n, const char *controller, struct sm_str *path)
{
	const char *end = p + n;
	struct sm_str line, id, list;

	while (sm_parse_line(&p, end, &line)) {
		if (!split_line(line, &id, &list, path))
			continue;
		if (is_hierarchy(id, list, controller))
			return true;
	}
	return false;
}

/* Finds the first path other than "/" in any hierarchy, otherwise "/". */
static bool find_any(const char *p, size_t n, struct sm_str *path)
{
	const char *end = p + n;
	struct sm_str line, id, list;
	bool found = false;

	while (sm_parse_line(&p, end, &line))
		if (split_line(line, &id, &list, path)) {
			found = true;
			if (!sm_parse_eq(*path, "/"))
				return true;
		}
	*path = SM_STR("/");
	return found;
}

/* Reads the cgroup file of a task into *text, which the caller frees; it would not fit on
 * a small stack (ulimit -s 64).  Returns its length, or -errno with *text NULL. */
static ssize_t slurp_cgroup(const struct sm_root *root, const char *task, char **text)
{
	char path[32];
	ssize_t n;

	*text = malloc(CGROUP_CAP);
	if (!*text)
		return -ENOMEM;
	snprintf(path, sizeof(path), "%s/cgroup", task);
	n = sm_file_slurp_bytes(root->proc, path, *text, CGROUP_CAP);
	if (n >= 0)
		return n;
	free(*text);
	*text = NULL;
	return n == -ESRCH ? -ENOENT : n;
}

/* Preferred hierarchies by controller, in this order; NULL: the unified hierarchy. */
static const char *const hierarchies[] = {NULL, "cpu", "cpuacct", "name=systemd"};

/* Finds the displayed path.  In an unused hierarchy every process is in the root. */
static bool find_used(const char *text, size_t len, struct sm_str *path)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(hierarchies); i++)
		if (sm_cgroup_find(text, len, hierarchies[i], path) &&
			!sm_parse_eq(*path, "/"))
			return true;
	return find_any(text, len, path);
}

ssize_t sm_cgroup_read(const struct sm_root *root, pid_t pid, char *buf, size_t cap)
{
	char *text, task[12];
	struct sm_str path;
	ssize_t n;

	if (pid <= 0)
		return -ENOENT;
	snprintf(task, sizeof(task), "%d", (int)pid);
	n = slurp_cgroup(root, task, &text);
	if (n < 0)
		return n;
	if (find_used(text, (size_t)n, &path)) {
		n = (ssize_t)(path.n < cap ? path.n : cap);
		memcpy(buf, path.p, (size_t)n);
	} else {
		n = -ENODATA;
	}
	free(text);
	return n;
}

bool sm_cgroup_below(const char *prefix, struct sm_str path)
{
	size_t n;

	while (*prefix == '/')
		prefix++;
	n = strlen(prefix);
	while (n && prefix[n - 1] == '/')
		n--;
	if (!n || !path.n)
		return path.n > 0;
	if (path.n < n + 1 || path.p[0] != '/' || memcmp(path.p + 1, prefix, n) != 0)
		return false;
	return path.n == n + 1 || path.p[n + 1] == '/';
}

static void lower(uint64_t quota, uint64_t period, uint64_t *milli)
{
	uint64_t v;

	if (period == 0 || __builtin_mul_overflow(quota, UINT64_C(1000), &v) ||
		__builtin_add_overflow(v, period / 2, &v))
		return;
	v /= period;
	if (v == 0)
		v = 1;
	if (v < *milli)
		*milli = v;
}

/* Reads "max 100000" or "150000 100000", microseconds. */
static void read_limit_v2(struct sm_at dir, uint64_t *milli)
{
	char buf[64];
	const char *p = buf;
	uint64_t quota, period;
	ssize_t n = sm_file_slurp(dir, "cpu.max", buf, sizeof(buf));

	if (n <= 0 || !sm_parse_u64(&p, buf + n, &quota) || *p++ != ' ' ||
		!sm_parse_u64(&p, buf + n, &period))
		return;
	lower(quota, period, milli);
}

static void read_limit_v1(struct sm_at dir, uint64_t *milli)
{
	int64_t quota; /* -1: no limit */
	uint64_t period;

	if (sm_file_read_i64(dir, "cpu.cfs_quota_us", &quota) == 0 && quota > 0 &&
		sm_file_read_u64(dir, "cpu.cfs_period_us", &period) == 0)
		lower((uint64_t)quota, period, milli);
}

static bool is_dots(struct sm_str s)
{
	return sm_parse_eq(s, ".") || sm_parse_eq(s, "..");
}

/* Takes the next component of a path, without its slashes; false at the end. */
static bool next_component(struct sm_str *path, struct sm_str *name)
{
	const char *slash;

	while (path->n && *path->p == '/') {
		path->p++;
		path->n--;
	}
	slash = memchr(path->p, '/', path->n);
	*name = (struct sm_str){path->p, slash ? (size_t)(slash - path->p) : path->n};
	path->p += name->n;
	path->n -= name->n;
	return name->n > 0;
}

/*
 * Rejects "..", with which the kernel shows a cgroup outside the root of the cgroup
 * namespace, and a NUL, which the kernel never writes and which would end a name early.
 */
static bool climbs(struct sm_str path)
{
	struct sm_str name;

	while (next_component(&path, &name))
		if (is_dots(name) || memchr(name.p, '\0', name.n))
			return true;
	return false;
}

/* Replaces *dir by a subdirectory; never follows a link and never goes up. */
static bool descend(int *dir, struct sm_str name)
{
	char text[NAME_MAX + 1];
	int fd;

	if (name.n >= sizeof(text))
		return false;
	memcpy(text, name.p, name.n);
	text[name.n] = '\0';
	fd = openat(*dir, text, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return false;
	sm_base_close_fd(dir);
	*dir = fd;
	return true;
}

/*
 * Finds the minimum of the limits from the mount down to the cgroup.  If the path is not
 * below the mount (a container without a cgroup namespace, whose own cgroup is mounted as
 * the root), only the limit of the root counts.
 */
static void walk(const struct sm_root *root, const char *mount, struct sm_str path,
	void (*read_limit)(struct sm_at dir, uint64_t *milli), uint64_t *milli)
{
	SM_CLOSE_FD int dir = -1;
	struct sm_str name;

	dir = sm_at_open(root->sys, mount, O_PATH | O_DIRECTORY);
	if (dir < 0)
		return;
	read_limit(sm_at_in(root->sys, dir), milli);
	if (climbs(path))
		return;
	while (next_component(&path, &name) && descend(&dir, name))
		read_limit(sm_at_in(root->sys, dir), milli);
}

static void read_limits(
	const struct sm_root *root, const char *text, size_t n, uint64_t *milli)
{
	static const char *const v2[] = {"fs/cgroup", "fs/cgroup/unified"};
	static const char *const v1[] = {
		"fs/cgroup/cpu", "fs/cgroup/cpu,cpuacct", "fs/cgroup/cpuacct,cpu"};
	struct sm_str path;

	if (sm_cgroup_find(text, n, NULL, &path))
		for (size_t i = 0; i < SM_ARRAY_SIZE(v2); i++)
			walk(root, v2[i], path, read_limit_v2, milli);
	if (sm_cgroup_find(text, n, "cpu", &path))
		for (size_t i = 0; i < SM_ARRAY_SIZE(v1); i++)
			walk(root, v1[i], path, read_limit_v1, milli);
}

int sm_cgroup_limit_milli(const struct sm_root *root, uint64_t *out)
{
	uint64_t milli = UINT64_MAX;
	char *text;
	ssize_t n = slurp_cgroup(root, "self", &text);

	if (n < 0)
		return (int)n;
	read_limits(root, text, (size_t)n, &milli);
	free(text);
	if (milli == UINT64_MAX)
		return -ENODATA;
	*out = milli;
	return 0;
}

/* --- memory ------------------------------------------------------------------------- */

static void lower_free(uint64_t limit, uint64_t used, uint64_t *bytes)
{
	uint64_t free = limit > used ? limit - used : 0;

	if (free < *bytes)
		*bytes = free;
}

/* No limit is "max", which does not parse. */
static void read_memory_v2(struct sm_at dir, uint64_t *bytes)
{
	uint64_t limit, used;

	if (sm_file_read_u64(dir, "memory.max", &limit) == 0 &&
		sm_file_read_u64(dir, "memory.current", &used) == 0)
		lower_free(limit, used, bytes);
}

/* No limit is the highest multiple of a page that fits into 63 bits. */
static void read_memory_v1(struct sm_at dir, uint64_t *bytes)
{
	uint64_t limit, used;

	if (sm_file_read_u64(dir, "memory.limit_in_bytes", &limit) == 0 &&
		sm_file_read_u64(dir, "memory.usage_in_bytes", &used) == 0 &&
		limit < (uint64_t)INT64_MAX - (1u << 20))
		lower_free(limit, used, bytes);
}

/*
 * The last file that is read belongs to the group that the memory of the process is
 * charged to: its own group, or, if the memory controller is not enabled there and the
 * file does not exist, the nearest ancestor that has the file.
 */
static void read_kills(struct sm_at dir, const char *file, uint64_t *kills)
{
	static const char key[] = "oom_kill ";
	char buf[512];
	struct sm_str line;
	const char *p = buf;
	ssize_t n = sm_file_slurp(dir, file, buf, sizeof(buf));

	if (n == -ENOENT)
		return;
	*kills = UINT64_MAX;
	while (n > 0 && sm_parse_line(&p, buf + n, &line)) {
		const char *number = line.p + sizeof(key) - 1;

		if (line.n >= sizeof(key) && memcmp(line.p, key, sizeof(key) - 1) == 0 &&
			!sm_parse_u64(&number, line.p + line.n, kills))
			*kills = UINT64_MAX;
	}
}

static void read_kills_v2(struct sm_at dir, uint64_t *kills)
{
	read_kills(dir, "memory.events", kills);
}

static void read_kills_v1(struct sm_at dir, uint64_t *kills)
{
	read_kills(dir, "memory.oom_control", kills);
}

static int walk_memory(const struct sm_root *root, void (*v2)(struct sm_at, uint64_t *),
	void (*v1)(struct sm_at, uint64_t *), uint64_t *out)
{
	static const char *const mounts[] = {"fs/cgroup", "fs/cgroup/unified"};
	struct sm_str path;
	char *text;
	ssize_t n = slurp_cgroup(root, "self", &text);

	*out = UINT64_MAX;
	if (n < 0)
		return (int)n;
	if (sm_cgroup_find(text, (size_t)n, "memory", &path))
		walk(root, "fs/cgroup/memory", path, v1, out);
	else if (sm_cgroup_find(text, (size_t)n, NULL, &path))
		for (size_t i = 0; i < SM_ARRAY_SIZE(mounts) && *out == UINT64_MAX; i++)
			walk(root, mounts[i], path, v2, out);
	free(text);
	return *out == UINT64_MAX ? -ENODATA : 0;
}

int sm_cgroup_memory_free(const struct sm_root *root, uint64_t *bytes)
{
	return walk_memory(root, read_memory_v2, read_memory_v1, bytes);
}

int sm_cgroup_oom_kills(const struct sm_root *root, uint64_t *kills)
{
	return walk_memory(root, read_kills_v2, read_kills_v1, kills);
}

static bool is_there(int dir, const char *hierarchy, const char *path)
{
	char name[PATH_MAX];
	struct stat st;
	int n = snprintf(name, sizeof(name), "%s/./%s", hierarchy, path);

	return n > 0 && (size_t)n < sizeof(name) && fstatat(dir, name, &st, 0) == 0;
}

bool sm_cgroup_exists(const struct sm_root *root, const char *path)
{
	_Alignas(8) char buf[4096];
	const char *name;
	struct sm_dir d;
	bool found;

	if (sm_dir_open(&d, root->sys, "fs/cgroup", buf, sizeof(buf)) < 0)
		return true;
	found = is_there(d.fd, ".", path);
	/* Hierarchies of version 1 are directories. */
	if (!is_there(d.fd, ".", "cgroup.procs"))
		while (!found && (name = sm_dir_next(&d)) != NULL)
			found = is_there(d.fd, name, path);
	sm_dir_close(&d);
	return found;
}

/* Returns the hierarchy of the memory controller in fs/cgroup.  Inode numbers are unique
 * only within a hierarchy. */
static const char *memory_hierarchy(const struct sm_root *root, struct sm_dir *mounts)
{
	struct sm_str path;
	char *text;
	ssize_t n = slurp_cgroup(root, "self", &text);
	bool found = n > 0 && sm_cgroup_find(text, (size_t)n, "memory", &path);

	free(text);
	if (found)
		return "memory";
	return is_there(mounts->fd, ".", "cgroup.procs") ? "." : "unified";
}

/* Searches the levels below this one.  If not found, the path is unchanged.  The buffer
 * is small, because each of 32 levels has one. */
static int find_inode(struct sm_at above, const char *name, uint64_t inode,
	unsigned int levels, struct sm_buf *path)
{
	_Alignas(8) char buf[512];
	size_t len = path->len;
	const char *entry;
	int ret = -ENOENT;
	struct sm_dir d;

	if (levels == 0 || sm_dir_open(&d, above, name, buf, sizeof(buf)) < 0)
		return -ENOENT;
	while (ret == -ENOENT && (entry = sm_dir_next(&d)) != NULL) {
		if (d.type != DT_DIR || is_dots((struct sm_str){entry, strlen(entry)}))
			continue;
		path->len = len;
		sm_buf_chr(path, '/');
		sm_buf_str(path, entry);
		if (d.inode == inode)
			ret = sm_buf_error(path);
		else
			ret = find_inode(
				sm_at_in(above, d.fd), entry, inode, levels - 1, path);
	}
	if (ret < 0)
		path->len = len;
	sm_dir_close(&d);
	return ret;
}

int sm_cgroup_by_inode(const struct sm_root *root, uint64_t inode, struct sm_buf *path)
{
	_Alignas(8) char buf[4096];
	const char *hierarchy;
	struct sm_dir mounts;
	struct stat st;
	int ret = sm_dir_open(&mounts, root->sys, "fs/cgroup", buf, sizeof(buf));

	if (ret < 0)
		return ret;
	hierarchy = memory_hierarchy(root, &mounts);
	if (fstatat(mounts.fd, hierarchy, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		st.st_ino == inode) {
		sm_buf_chr(path, '/');
		ret = sm_buf_error(path);
	} else {
		ret = find_inode(sm_at_in(root->sys, mounts.fd), hierarchy, inode,
			LEVELS_MAX, path);
	}
	sm_dir_close(&mounts);
	return ret;
}

/* --- keys -------------------------------------------------------------------------- */

/* include/linux/proc_ns.h: PROC_CGROUP_INIT_INO */
#define INITIAL_NAMESPACE "cgroup:[4026531835]"
/* Number of the root of a hierarchy (fs/kernfs/dir.c). */
#define ROOT_ID 1

static bool in_initial_namespace(const struct sm_root *root)
{
	char link[64];
	ssize_t n = readlinkat(root->proc.fd, "self/ns/cgroup", link, sizeof(link));

	return n < 0 || sm_parse_eq((struct sm_str){link, (size_t)n}, INITIAL_NAMESPACE);
}

/* Finds a hierarchy's directory in fs/cgroup; list has its controllers. */
static void hierarchy_directory(struct sm_str list, bool hybrid, char name[NAME_MAX + 1])
{
	static const char named[] = "name=";
	size_t skip = sizeof(named) - 1;

	if (list.n == 0)
		list = hybrid ? SM_STR("unified") : SM_STR(".");
	else if (list.n > skip && memcmp(list.p, named, skip) == 0)
		list = (struct sm_str){list.p + skip, list.n - skip};
	snprintf(name, NAME_MAX + 1, "%.*s", (int)list.n, list.p);
}

/* Returns the number of the group that /proc/PID/cgroup shows as the root. */
static uint64_t shown_root(const struct sm_root *root, struct sm_str list)
{
	char name[NAME_MAX + 1];
	SM_CLOSE_FD int dir = -1;
	struct stat st;

	if (in_initial_namespace(root))
		return ROOT_ID;
	dir = sm_at_open(root->sys, "fs/cgroup", O_PATH | O_DIRECTORY);
	if (dir < 0)
		return ROOT_ID;
	hierarchy_directory(list, !is_there(dir, ".", "cgroup.procs"), name);
	return fstatat(dir, name, &st, 0) == 0 ? st.st_ino : ROOT_ID;
}

static void add_hierarchy(const struct sm_root *root, struct sm_str id,
	struct sm_str list, struct sm_cgroup_order *o)
{
	uint64_t number;
	uint8_t *place;

	if (o->n >= SM_CGROUP_HIERARCHIES || !sm_parse_whole_u64(id, &number) ||
		number > UINT32_MAX)
		return;
	place = &o->place[number % SM_CGROUP_NUMBERS];
	if (*place)
		return;
	o->hierarchy[o->n] = (uint32_t)number;
	o->root[o->n] = shown_root(root, list);
	*place = (uint8_t)++o->n;
}

/* Adds the hierarchy of a controller (see sm_cgroup_find()), or with `any` all. */
static void add_hierarchies(const struct sm_root *root, struct sm_str text, bool any,
	const char *controller, struct sm_cgroup_order *o)
{
	const char *p = text.p, *end = p + text.n;
	struct sm_str line, id, list, path;

	while (sm_parse_line(&p, end, &line))
		if (split_line(line, &id, &list, &path) &&
			(any || is_hierarchy(id, list, controller)))
			add_hierarchy(root, id, list, o);
}

int sm_cgroup_order(const struct sm_root *root, struct sm_cgroup_order *o)
{
	struct sm_str text;
	char *own;
	ssize_t n = slurp_cgroup(root, "self", &own);

	*o = (struct sm_cgroup_order){0};
	if (n < 0)
		return (int)n;
	text = (struct sm_str){own, (size_t)n};
	for (size_t i = 0; i < SM_ARRAY_SIZE(hierarchies); i++)
		add_hierarchies(root, text, false, hierarchies[i], o);
	add_hierarchies(root, text, true, NULL, o);
	free(own);
	return o->n ? 0 : -ENOENT;
}

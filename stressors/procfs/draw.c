// SPDX-License-Identifier: GPL-2.0-or-later
#include "procfs/draw.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/dir.h"

#define MAX_DEPTH  16
#define READ_MODES (S_IRUSR | S_IRGRP | S_IROTH)
#define NAME_SIZE  256

/* --- the rules, by name ------------------------------------------------------------- */

static bool is_in(const char *const *list, const char *name)
{
	for (; *list; list++)
		if (strcmp(*list, name) == 0)
			return true;
	return false;
}

static bool ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n >= m && strcmp(name + n - m, end) == 0;
}

bool procfs_may_read(const char *name)
{
	static const char *const left_out[] = {"channel", "event", "kcore", "kmsg", "mem",
		"pagetypeinfo", "stat_refresh", "vmcore", NULL};

	return !is_in(left_out, name) && !ends_with(name, "_pipe");
}

static bool is_process(const char *name)
{
	return *name && name[strspn(name, "0123456789")] == '\0';
}

/* type: DT_REG or another one of dirent.h */
static bool may_draw(bool at_top, const char *name, unsigned char type)
{
	static const char *const top[] = {"irq", "pressure", "sysvipc", NULL};

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return false;
	if (type == DT_REG)
		return procfs_may_read(name);
	return type == DT_DIR && (!at_top || is_in(top, name));
}

static bool may_draw_process(bool at_top, const char *name, unsigned char type)
{
	return at_top && type == DT_DIR && is_process(name);
}

/* --- a step ------------------------------------------------------------------------- */

typedef bool rule(bool at_top, const char *name, unsigned char type);

/* Draws an entry that the rule permits, all with equal probability. */
static int draw_entry(struct procfs_tree *t, const struct stress *s, const char *dir,
	rule *permits, char name[NAME_SIZE])
{
	bool at_top = strcmp(dir, ".") == 0;
	struct sm_dir d;
	uint64_t n = 0;
	const char *entry;
	int r = sm_dir_open(&d, sm_at_fd(t->fd), dir, t->buf, PROCFS_BUF);

	if (r < 0)
		return r;
	while (!stress_stopped(s) && (entry = sm_dir_next(&d)) != NULL)
		if (permits(at_top, entry, d.type) &&
			stress_random(&t->random) % ++n == 0)
			snprintf(name, NAME_SIZE, "%s", entry);
	r = d.err;
	sm_dir_close(&d);
	return r < 0 ? r : n ? 0 : -ENOENT;
}

/* Adds a name to a path, whose top is ".". */
static int append(char path[PROCFS_PATH], const char *name)
{
	size_t used = strcmp(path, ".") == 0 ? 0 : strlen(path);
	int n = snprintf(path + used, PROCFS_PATH - used, "%s%s", used ? "/" : "", name);

	return (size_t)n < PROCFS_PATH - used ? 0 : -ENOENT;
}

/* Returns 1 for a file that may be read, 0 for a directory of procfs, -ENOENT for
 * others. */
static int judge(const struct procfs_tree *t, const char *path)
{
	struct stat st;

	if (fstatat(t->fd, path, &st, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) < 0)
		return -errno;
	if (st.st_dev != t->device)
		return -ENOENT;
	if (S_ISDIR(st.st_mode))
		return 0;
	return S_ISREG(st.st_mode) && st.st_mode & READ_MODES ? 1 : -ENOENT;
}

/* Walks down from path to a file. */
static int descend(struct procfs_tree *t, const struct stress *s, char path[PROCFS_PATH])
{
	char name[NAME_SIZE];
	int r = 0;

	for (unsigned int depth = 0; depth < MAX_DEPTH && r == 0; depth++) {
		r = draw_entry(t, s, path, may_draw, name);
		if (r == 0)
			r = append(path, name);
		if (r == 0)
			r = judge(t, path);
	}
	return r == 0 ? -ENOENT : r;
}

/* --- places ------------------------------------------------------------------------- */

/* Draws a file of another process that needs neither its address space nor one of its
 * locks for long. */
static int draw_other(
	struct procfs_tree *t, const struct stress *s, char path[PROCFS_PATH])
{
	static const char *const files[] = {"cgroup", "comm", "io", "limits", "oom_score",
		"sched", "schedstat", "stat", "statm", "status"};
	char name[NAME_SIZE];
	int r = draw_entry(t, s, path, may_draw_process, name);

	if (r == 0)
		r = append(path, name);
	if (r == 0)
		r = append(path, files[stress_random(&t->random) % SM_ARRAY_SIZE(files)]);
	return r == 0 ? judge(t, path) : r;
}

int procfs_draw(struct procfs_tree *t, const struct stress *s, enum procfs_place place,
	char path[PROCFS_PATH])
{
	static const char *const top[] = {[PROCFS_TOP] = ".",
		[PROCFS_SYS] = "sys",
		[PROCFS_SELF] = "self",
		[PROCFS_OTHERS] = "."};
	int r;

	snprintf(path, PROCFS_PATH, "%s", top[place]);
	r = place == PROCFS_OTHERS ? draw_other(t, s, path) : descend(t, s, path);
	if (r < 0)
		return r;
	return sm_at_open(sm_at_fd(t->fd), path, 0);
}

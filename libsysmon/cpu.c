// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cpu.h"
#include "num.h"
#include "parse.h"

#define ONLINE		 "devices/system/cpu/online"
#define ONLINE_CAP	 4097u		     /* a sysfs attribute is at most a page */
#define KHZ_MAX		 UINT64_C(100000000) /* 100 GHz: above it is a driver's error */
#define CGROUP_CAP	 65536u		     /* 13 hierarchies, paths up to PATH_MAX */
#define PIDNS_FIRST_LINK "pid:[4026531836]"  /* PROC_PID_INIT_INO, linux/proc_ns.h */

/* ---- frequencies ---- */

int sm_cpufreq_open(struct sm_cpufreq *f, const struct sm_root *root)
{
	*f = (struct sm_cpufreq){.root = root};
	return sm_file_open(&f->online, root->sys_fd, ONLINE);
}

void sm_cpufreq_close(struct sm_cpufreq *f)
{
	for (unsigned int i = 0; i < f->ncpu; i++)
		sm_close_fd(&f->cpu[i].fd);
	free(f->cpu);
	sm_file_close(&f->online);
	*f = (struct sm_cpufreq){.online = SM_FILE_INIT};
}

static int grow(struct sm_cpufreq *f, unsigned int need)
{
	unsigned int cap = f->cap ? f->cap : 8;
	struct sm_cpufreq_cpu *cpu;

	while (cap < need)
		cap *= 2;
	if (cap != f->cap) {
		cpu = realloc(f->cpu, cap * sizeof(*cpu));
		if (!cpu)
			return -ENOMEM;
		f->cpu = cpu;
		f->cap = cap;
	}
	while (f->ncpu < need)
		f->cpu[f->ncpu++] = (struct sm_cpufreq_cpu){.fd = -1};
	return 0;
}

struct marking {
	struct sm_cpufreq *f;
	int err;
};

static void mark_online(void *ctx, unsigned int cpu)
{
	struct marking *m = ctx;

	if (m->err < 0)
		return;
	if (cpu >= m->f->ncpu)
		m->err = grow(m->f, cpu + 1);
	if (m->err == 0)
		m->f->cpu[cpu].online = true;
}

static int read_online(struct sm_cpufreq *f)
{
	struct marking m = {.f = f};
	ssize_t got = sm_file_read(&f->online);
	int ret;

	if (got < 0)
		return (int)got;
	for (unsigned int i = 0; i < f->ncpu; i++)
		f->cpu[i].online = false;
	ret = sm_num_cpulist(f->online.buf, f->online.len, mark_online, &m);
	return ret < 0 ? -EBADMSG : m.err;
}

static int open_freq(const struct sm_root *root, unsigned int cpu)
{
	char path[64];

	snprintf(path, sizeof(path), "devices/system/cpu/cpu%u/cpufreq/scaling_cur_freq",
		cpu);
	return openat(root->sys_fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

/* In kHz; what is no plausible number (-1, 0, <unknown>) is 0: absent. */
static int read_khz(int fd, uint64_t *khz)
{
	char buf[32];
	ssize_t n = pread(fd, buf, sizeof(buf), 0);

	if (n < 0)
		return -errno;
	if (n > 0 && buf[n - 1] == '\n')
		n--;
	if (!sm_str_u64((struct sm_str){buf, (size_t)n}, khz) || *khz > KHZ_MAX)
		*khz = 0;
	return 0;
}

/*
 * A file that fails is closed: after hotplug the old one stays dead (-ENODEV) for ever
 * while a new one has its name.
 */
static void read_cpu(struct sm_cpufreq *f, unsigned int nr)
{
	struct sm_cpufreq_cpu *c = &f->cpu[nr];

	c->khz = 0;
	if (!c->online) {
		sm_close_fd(&c->fd);
		c->missing = false;
		return;
	}
	if (c->fd < 0 && !c->missing) {
		c->fd = open_freq(f->root, nr);
		c->missing = c->fd < 0;
	}
	if (c->fd >= 0 && read_khz(c->fd, &c->khz) < 0)
		sm_close_fd(&c->fd);
}

static void summarise(struct sm_cpufreq *f)
{
	double sum = 0, logs = 0;

	f->valid = 0;
	f->min_khz = UINT64_MAX;
	f->max_khz = 0;
	for (unsigned int i = 0; i < f->ncpu; i++) {
		uint64_t khz = f->cpu[i].khz;

		if (khz == 0)
			continue;
		f->valid++;
		f->min_khz = khz < f->min_khz ? khz : f->min_khz;
		f->max_khz = khz > f->max_khz ? khz : f->max_khz;
		sum += (double)khz;
		logs += log((double)khz);
	}
	if (f->valid == 0)
		f->min_khz = 0;
	f->mean_khz = f->valid ? sum / f->valid : 0;
	f->geomean_khz = f->valid ? exp(logs / f->valid) : 0;
}

int sm_cpufreq_read(struct sm_cpufreq *f)
{
	int err = read_online(f);

	if (err < 0)
		return err;
	for (unsigned int i = 0; i < f->ncpu; i++)
		read_cpu(f, i);
	summarise(f);
	return f->valid ? 0 : -ENODATA;
}

int sm_cpu_online(const struct sm_root *root)
{
	char buf[ONLINE_CAP];
	ssize_t n = sm_file_slurp_bytes(root->sys_fd, ONLINE, buf, sizeof(buf));
	int count;

	if (n < 0)
		return (int)n;
	if (n == (ssize_t)sizeof(buf))
		return -EBADMSG;
	count = sm_num_cpulist(buf, (size_t)n, NULL, NULL);
	return count > 0 ? count : -EBADMSG;
}

/* ---- cgroups ---- */

/* Up to the next separator, which is taken, or to the end. */
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
		if (sm_str_eq(one, name))
			return true;
	return sm_str_eq(list, name);
}

/* "4:cpu,cpuacct:/a/b"; only the path may hold further colons. */
static bool split_line(
	struct sm_str line, struct sm_str *id, struct sm_str *list, struct sm_str *path)
{
	if (!take_until(&line, ':', id) || !take_until(&line, ':', list))
		return false;
	*path = line;
	return line.n > 0 && line.p[0] == '/';
}

bool sm_cgroup_find(const char *p, size_t n, const char *controller, struct sm_str *path)
{
	const char *end = p + n;
	struct sm_str line, id, list;

	while (sm_parse_line(&p, end, &line)) {
		if (!split_line(line, &id, &list, path))
			continue;
		if (controller ? has_controller(list, controller)
			       : list.n == 0 && sm_str_eq(id, "0"))
			return true;
	}
	return false;
}

/* The first line with a path, whatever its hierarchy. */
static bool find_any(const char *p, size_t n, struct sm_str *path)
{
	const char *end = p + n;
	struct sm_str line, id, list;

	while (sm_parse_line(&p, end, &line))
		if (split_line(line, &id, &list, path))
			return true;
	return false;
}

static ssize_t slurp_cgroup(const struct sm_root *root, const char *who, char *buf)
{
	char path[32];
	ssize_t n;

	snprintf(path, sizeof(path), "%s/cgroup", who);
	n = sm_file_slurp_bytes(root->proc_fd, path, buf, CGROUP_CAP);
	return n == -ESRCH ? -ENOENT : n;
}

/* That of version 2, unless it is mounted beside the others and nobody is in it. */
static bool find_used(const char *text, size_t len, struct sm_str *path)
{
	if (sm_cgroup_find(text, len, NULL, path) && !sm_str_eq(*path, "/"))
		return true;
	return sm_cgroup_find(text, len, "cpu", path) || find_any(text, len, path);
}

ssize_t sm_pidcgroup_read(const struct sm_root *root, pid_t pid, char *buf, size_t cap)
{
	char text[CGROUP_CAP], who[12];
	struct sm_str path;
	size_t len;
	ssize_t n;

	if (pid <= 0)
		return -ENOENT;
	snprintf(who, sizeof(who), "%d", (int)pid);
	n = slurp_cgroup(root, who, text);
	if (n < 0)
		return n;
	len = (size_t)n;
	if (!find_used(text, len, &path))
		return -ENODATA;
	if (path.n > cap)
		path.n = cap;
	memcpy(buf, path.p, path.n);
	return (ssize_t)path.n;
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

/* "max 100000" or "150000 100000", microseconds. */
static void read_limit_v2(int dir, uint64_t *milli)
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

static void read_limit_v1(int dir, uint64_t *milli)
{
	int64_t quota; /* -1: none */
	uint64_t period;

	if (sm_file_read_i64(dir, "cpu.cfs_quota_us", &quota) == 0 && quota > 0 &&
		sm_file_read_u64(dir, "cpu.cfs_period_us", &period) == 0)
		lower((uint64_t)quota, period, milli);
}

static bool is_dots(struct sm_str s)
{
	return sm_str_eq(s, ".") || sm_str_eq(s, "..");
}

/* The next component of a path, without its slashes; false at the end. */
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
 * A cgroup outside our cgroup namespace's root is shown with "..".  A NUL, which no
 * kernel writes, would end a name early.
 */
static bool climbs(struct sm_str path)
{
	struct sm_str name;

	while (next_component(&path, &name))
		if (is_dots(name) || memchr(name.p, '\0', name.n))
			return true;
	return false;
}

/* Goes down one directory; never through a link, never up. */
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
	sm_close_fd(dir);
	*dir = fd;
	return true;
}

/*
 * The least limit on the way from the mount down to the cgroup.  Where the path is not
 * below the mount (a container without a cgroup namespace sees its own cgroup mounted as
 * the root), the root's alone counts.
 */
static void walk(const struct sm_root *root, const char *mount, struct sm_str path,
	void (*read_limit)(int dir, uint64_t *milli), uint64_t *milli)
{
	SM_CLOSE_FD int dir = -1;
	struct sm_str name;

	if (root->sys_fd < 0)
		return;
	dir = openat(root->sys_fd, mount, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return;
	read_limit(dir, milli);
	if (climbs(path))
		return;
	while (next_component(&path, &name) && descend(&dir, name))
		read_limit(dir, milli);
}

int sm_cpu_limit_milli(const struct sm_root *root, uint64_t *out)
{
	static const char *const v2[] = {"fs/cgroup", "fs/cgroup/unified"};
	static const char *const v1[] = {
		"fs/cgroup/cpu", "fs/cgroup/cpu,cpuacct", "fs/cgroup/cpuacct,cpu"};
	char text[CGROUP_CAP];
	uint64_t milli = UINT64_MAX;
	struct sm_str path;
	ssize_t n = slurp_cgroup(root, "self", text);

	if (n < 0)
		return (int)n;
	if (sm_cgroup_find(text, (size_t)n, NULL, &path))
		for (size_t i = 0; i < SM_ARRAY_SIZE(v2); i++)
			walk(root, v2[i], path, read_limit_v2, &milli);
	if (sm_cgroup_find(text, (size_t)n, "cpu", &path))
		for (size_t i = 0; i < SM_ARRAY_SIZE(v1); i++)
			walk(root, v1[i], path, read_limit_v1, &milli);
	if (milli == UINT64_MAX)
		return -ENODATA;
	*out = milli;
	return 0;
}

/* ---- pid namespace ---- */

bool sm_pidns_initial(const struct sm_root *root)
{
	char buf[64];
	ssize_t n = readlinkat(root->proc_fd, "self/ns/pid", buf, sizeof(buf));

	return n > 0 && sm_str_eq((struct sm_str){buf, (size_t)n}, PIDNS_FIRST_LINK);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/dir.h"
#include "base/parse.h"
#include "kernel/cpulist.h"
#include "kernel/timertrace.h"

#define PREFIX	   "eventstat."
#define HEADER_CAP 2048

/* --- reading ----------------------------------------------------------------------- */

/* The next page that has records.  False: there is none now. */
static bool next_page(struct sm_timertrace *t, struct sm_timertrace_cpu *c)
{
	ssize_t n = read(c->pages_fd, c->page, t->layout.page_bytes);

	if (n <= 0)
		return false;
	if (sm_tracepage_begin(&c->at, &t->layout, c->page, (size_t)n) < 0)
		t->corrupt++;
	return true;
}

static bool next_record(
	struct sm_timertrace *t, struct sm_timertrace_cpu *c, const void **raw, size_t *n)
{
	int got;

	do {
		got = sm_tracepage_next(&c->at, raw, n);
		if (got > 0)
			return true;
		t->corrupt += got < 0;
	} while (next_page(t, c));
	return false;
}

static bool next_event(void *ctx, unsigned int source, struct sm_timer_event *e)
{
	struct sm_timertrace *t = ctx;
	struct sm_timertrace_cpu *c = &t->cpu[source];
	const void *raw;
	size_t n;

	while (next_record(t, c, &raw, &n)) {
		int err = sm_timerformat_decode(&t->formats, raw, n, e);

		t->corrupt += err == -EBADMSG;
		if (err)
			continue;
		e->time_ns = c->at.time;
		e->cpu = c->cpu;
		return true;
	}
	return false;
}

/* "dropped events: 3" */
static bool stat_line(struct sm_str line, const char *name, uint64_t *v)
{
	size_t n = strlen(name);

	return sm_parse_starts(line, name) &&
	       sm_parse_whole_u64((struct sm_str){line.p + n, line.n - n}, v);
}

uint64_t sm_timertrace_parse_stats(const char *s, size_t n)
{
	const char *p = s, *end = s + n;
	uint64_t sum = 0, v;
	struct sm_str line;

	while (sm_parse_line(&p, end, &line))
		if (stat_line(line, "overrun: ", &v) ||
			stat_line(line, "commit overrun: ", &v) ||
			stat_line(line, "dropped events: ", &v))
			sum += v;
	return sum;
}

void sm_timertrace_read(struct sm_timertrace *t)
{
	sm_timerfeed_run(&t->feed, next_event, t, sm_clock_mono_ns());
	for (unsigned int i = 0; i < t->n; i++) {
		struct sm_timertrace_cpu *c = &t->cpu[i];

		if (sm_file_read(&c->stats) >= 0)
			c->lost = sm_timertrace_parse_stats(c->stats.buf, c->stats.len);
	}
}

struct sm_timer_losses sm_timertrace_lost(const struct sm_timertrace *t)
{
	struct sm_timer_losses lost = t->feed.model.lost;

	lost.events += t->corrupt;
	for (unsigned int i = 0; i < t->n; i++)
		lost.events += t->cpu[i].lost;
	return lost;
}

int sm_timertrace_fd(const struct sm_timertrace *t, unsigned int i)
{
	return t->cpu[i].pages_fd;
}

/* --- the instance ------------------------------------------------------------------ */

/* Was it made by a process that exists no more? */
static bool is_left(const struct sm_root *root, const char *name)
{
	char pid[16];
	uint64_t n;

	if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
		return false;
	name += strlen(PREFIX);
	if (!sm_parse_whole_u64((struct sm_str){name, strlen(name)}, &n) || n > INT32_MAX)
		return false;
	snprintf(pid, sizeof(pid), "%u", (unsigned int)n);
	return faccessat(root->proc.fd, pid, F_OK, 0) < 0 && errno == ENOENT;
}

/* One by one, because a directory must not change while it is read. */
static bool remove_one_left(const struct sm_root *root, int tracefs_fd)
{
	_Alignas(8) char buf[2048];
	char path[300];
	bool removed = false;
	struct sm_dir d;

	if (sm_dir_open(&d, sm_at_fd(tracefs_fd), "instances", buf, sizeof(buf)) < 0)
		return false;
	for (const char *name; !removed && (name = sm_dir_next(&d));) {
		if (!is_left(root, name))
			continue;
		snprintf(path, sizeof(path), "instances/%s", name);
		removed = unlinkat(tracefs_fd, path, AT_REMOVEDIR) == 0;
	}
	sm_dir_close(&d);
	return removed;
}

static void remove_left(const struct sm_root *root, int tracefs_fd)
{
	if (!root->real_proc)
		return;
	while (remove_one_left(root, tracefs_fd))
		;
}

void sm_timertrace_clean(const struct sm_root *root)
{
	SM_CLOSE_FD int dir = sm_tracefs_open_writable(root);

	if (dir >= 0)
		remove_left(root, dir);
}

/* One of that name is of a process that had our pid. */
static int make_instance(struct sm_timertrace *t)
{
	char name[SM_TIMERTRACE_NAME_SIZE];

	snprintf(name, sizeof(name), "instances/" PREFIX "%d", (int)getpid());
	(void)unlinkat(t->tracefs_fd, name, AT_REMOVEDIR);
	if (mkdirat(t->tracefs_fd, name, 0700) < 0)
		return -errno;
	memcpy(t->name, name, sizeof(t->name));
	t->instance_fd = sm_at_open(sm_at_fd(t->tracefs_fd), name, O_DIRECTORY);
	return t->instance_fd < 0 ? t->instance_fd : 0;
}

/* Writes a file of the instance. */
static int set(const struct sm_timertrace *t, const char *path, const char *text)
{
	SM_CLOSE_FD int fd = openat(t->instance_fd, path, O_WRONLY | O_CLOEXEC, 0);

	return fd < 0 ? -errno : sm_file_write(fd, text, strlen(text));
}

/* A full buffer keeps what it has: names of tasks and owners of timers come before what
 * needs them. */
static int set_up(const struct sm_timertrace *t, size_t buffer_bytes)
{
	char kb[24];
	int err;

	snprintf(kb, sizeof(kb), "%zu", buffer_bytes / 1024);
	err = set(t, "trace_clock", "mono");
	if (!err)
		err = set(t, "options/overwrite", "0");
	return err ? err : set(t, "buffer_size_kb", kb);
}

static int enable(const struct sm_timertrace *t)
{
	int err = 0;

	for (unsigned int i = 0; i < SM_TIMERFORMAT_EVENTS && !err; i++) {
		struct sm_timerformat_name name = sm_timerformat_name(i);
		char path[96];

		if (!t->formats.of[i].id)
			continue;
		snprintf(path, sizeof(path), "events/%s/%s/enable", name.system,
			name.event);
		err = set(t, path, "1");
	}
	return err;
}

/* --- opening ----------------------------------------------------------------------- */

static int read_layout(struct sm_timertrace *t)
{
	char text[HEADER_CAP];
	ssize_t n = sm_file_slurp(
		sm_at_fd(t->tracefs_fd), "events/header_page", text, sizeof(text));

	return n < 0 ? (int)n : sm_tracepage_layout_parse(text, (size_t)n, &t->layout);
}

static int open_cpu(struct sm_timertrace *t, unsigned int cpu)
{
	struct sm_timertrace_cpu *c = &t->cpu[t->n++];
	struct sm_at instance = sm_at_fd(t->instance_fd);
	char path[64];

	*c = (struct sm_timertrace_cpu){.cpu = cpu, .stats = SM_FILE_INIT};
	snprintf(path, sizeof(path), "per_cpu/cpu%u/trace_pipe_raw", cpu);
	c->pages_fd = sm_at_open(instance, path, 0);
	if (c->pages_fd < 0)
		return c->pages_fd;
	c->page = malloc(t->layout.page_bytes);
	if (!c->page)
		return -ENOMEM;
	snprintf(path, sizeof(path), "per_cpu/cpu%u/stats", cpu);
	return sm_file_open(&c->stats, instance, path);
}

static int open_cpus(struct sm_timertrace *t, const struct sm_root *root)
{
	struct sm_cpulist l;
	int n = sm_cpulist_open(&l, root), err;

	if (!n)
		n = sm_cpulist_read(&l);
	err = n < 0 ? n : sm_timerfeed_init(&t->feed, root, (unsigned int)n);
	if (!err) {
		t->cpu = calloc((size_t)n + 1, sizeof(*t->cpu));
		err = t->cpu ? 0 : -ENOMEM;
	}
	for (unsigned int i = 0; i < l.n && !err; i++)
		if (l.online[i])
			err = open_cpu(t, i);
	sm_cpulist_close(&l);
	return err;
}

int sm_timertrace_open(
	struct sm_timertrace *t, const struct sm_root *root, size_t buffer_bytes)
{
	int err;

	*t = (struct sm_timertrace){.instance_fd = -1};
	t->tracefs_fd = sm_tracefs_open_writable(root);
	if (t->tracefs_fd < 0)
		return t->tracefs_fd;
	err = sm_timerformat_read(&t->formats, root, t->tracefs_fd);
	if (!err)
		err = read_layout(t);
	if (err)
		return err;
	remove_left(root, t->tracefs_fd);
	err = make_instance(t);
	if (!err)
		err = set_up(t, buffer_bytes);
	if (!err)
		err = open_cpus(t, root);
	if (!err)
		err = enable(t);
	if (!err)
		sm_taskcomm_seed(&t->feed.tasks);
	return err;
}

void sm_timertrace_remove(const struct sm_timertrace *t)
{
	const struct timespec pause = {.tv_nsec = 10 * SM_NSEC_PER_MSEC};

	if (!t->name[0])
		return;
	for (int i = 0; i < 1000; i++) {
		if (unlinkat(t->tracefs_fd, t->name, AT_REMOVEDIR) == 0 || errno != EBUSY)
			break;
		nanosleep(&pause, NULL);
	}
}

static int remove_instance(struct sm_timertrace *t)
{
	int err = 0;

	if (t->name[0] && unlinkat(t->tracefs_fd, t->name, AT_REMOVEDIR) < 0)
		err = -errno;
	t->name[0] = '\0';
	return err;
}

int sm_timertrace_close(struct sm_timertrace *t)
{
	int err;

	for (unsigned int i = 0; i < t->n; i++) {
		sm_base_close_fd(&t->cpu[i].pages_fd);
		sm_file_close(&t->cpu[i].stats);
		free(t->cpu[i].page);
	}
	free(t->cpu);
	sm_timerfeed_fini(&t->feed);
	sm_base_close_fd(&t->instance_fd);
	err = remove_instance(t);
	sm_base_close_fd(&t->tracefs_fd);
	*t = (struct sm_timertrace){.tracefs_fd = -1, .instance_fd = -1};
	return err;
}

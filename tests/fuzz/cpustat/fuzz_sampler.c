// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A recorded machine of eight processes whose files say anything, through cpustat's
 * sampler: rows are whole (user and system make the sum), the list of the living holds
 * what is there, nothing is left of the names.  Each record is a byte that tells what to
 * do, one that tells of whom and how long, and so many bytes of text or numbers.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cpustat/sampler/sampler.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PIDS	    8
#define SAMPLES_MAX 12

static char in_memory[] = "/dev/shm/sm-fuzz-XXXXXX", on_disk[] = "/tmp/sm-fuzz-XXXXXX";
static const char *dir;
static int top = -1;
static bool made[PIDS + 1];

static void must(bool ok)
{
	if (!ok)
		abort();
}

static void put(const char *path, const void *p, size_t n)
{
	int fd = openat(top, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	must(fd >= 0 && write(fd, p, n) == (ssize_t)n);
	close(fd);
}

static const char *path_of(unsigned int pid, const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "proc/%u%s", pid, name);
	return path;
}

static const char *const files[] = {"/stat", "/cmdline", "/schedstat", "/task/3/stat",
	"/task/3/schedstat", "/task/4/stat", "/task/3", "/task/4", "/task", ""};

/* Files, then directories from within. */
static void remove_pid(unsigned int pid)
{
	if (!made[pid])
		return;
	made[pid] = false;
	for (size_t i = 0; i < SM_ARRAY_SIZE(files); i++)
		if (unlinkat(top, path_of(pid, files[i]), 0) < 0)
			unlinkat(top, path_of(pid, files[i]), AT_REMOVEDIR);
}

static void remove_all(void)
{
	for (unsigned int pid = 1; pid <= PIDS; pid++)
		remove_pid(pid);
	unlinkat(top, "proc/stat", 0);
	unlinkat(top, "proc/uptime", 0);
}

static void remove_top(void)
{
	remove_all();
	unlinkat(top, "proc", AT_REMOVEDIR);
	rmdir(dir);
}

static void make_top(void)
{
	if (top >= 0)
		return;
	dir = mkdtemp(in_memory);
	if (!dir)
		dir = mkdtemp(on_disk);
	must(dir != NULL);
	top = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	must(top >= 0 && mkdirat(top, "proc", 0700) == 0);
	atexit(remove_top);
}

static void make_pid(unsigned int pid)
{
	if (made[pid])
		return;
	made[pid] = true;
	mkdirat(top, path_of(pid, ""), 0700);
	mkdirat(top, path_of(pid, "/task"), 0700);
	mkdirat(top, path_of(pid, "/task/3"), 0700);
	mkdirat(top, path_of(pid, "/task/4"), 0700);
}

/* A stat that parses, with numbers out of the input: small ones and any. */
static void put_numbers(unsigned int pid, const char *name, const uint8_t *p, size_t n)
{
	unsigned long long v[6] = {0};
	char text[400];
	int len;

	for (size_t i = 0; i < 6 && i < n; i++)
		v[i] = p[i] < 250 ? p[i] : UINT64_MAX >> (p[i] - 250);
	len = snprintf(text, sizeof(text),
		"%u (c%u) %c %u 1 1 0 -1 %u 0 0 0 0 %llu %llu %lld %lld 20 0 %u 0 %llu "
		"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1\n",
		pid, n > 6 ? p[6] : 0, n > 7 && p[7] & 1 ? 'Z' : 'S',
		n > 8 ? p[8] % 10 : 0, n > 9 && p[9] & 1 ? SM_PF_KTHREAD : 0, v[0], v[1],
		(long long)v[2], (long long)v[3], n > 10 ? p[10] % 4 : 1, v[4]);
	must(len > 0 && (size_t)len < sizeof(text));
	put(path_of(pid, name), text, (size_t)len);
}

static void take(struct sampler *s, unsigned int *samples)
{
	struct sample out;

	if (++*samples > SAMPLES_MAX)
		return;
	must(sampler_take(s, *samples == 1, &out) == 0);
	must(s->pids.n <= PIDS);
	for (size_t i = 0; i < out.nrows; i++) {
		const struct row *r = &out.rows[i];

		must(r->usr_ns + r->sys_ns == r->used_ns);
		must(r->used_ns > 0 || (r->flags & ROW_HAS_WAIT));
		must(r->comm.n <= SM_PIDSTAT_COMM_MAX);
		must(!r->comm.n || !memchr(r->comm.p, '\0', r->comm.n));
		must(!r->cmd || r->cmd->refs > 0);
	}
	for (size_t i = 1; i < s->pids.n; i++)
		must(s->pids.pid[i - 1] > 0 && s->pids.pid[i - 1] < s->pids.pid[i]);
}

static void step(struct sampler *s, struct opts *o, uint8_t what, unsigned int pid,
	const uint8_t *p, size_t n)
{
	static const char *const threads[] = {"/task/3/stat", "/task/4/stat"};

	if (what % 12 < 6)
		make_pid(pid);
	switch (what % 12) {
	case 0:
	case 1:
		put_numbers(pid, "/stat", p, n);
		break;
	case 2:
		put_numbers(pid, threads[n & 1], p, n);
		break;
	case 3:
		put(path_of(pid, "/stat"), p, n);
		break;
	case 4:
		put(path_of(pid, "/task/3/schedstat"), p, n);
		put(path_of(pid, "/schedstat"), p, n);
		break;
	case 5:
		put(path_of(pid, "/cmdline"), p, n);
		break;
	case 6:
		remove_pid(pid);
		break;
	case 7:
		put("proc/stat", p, n);
		break;
	case 8:
		put("proc/uptime", p, n);
		break;
	case 9:
		o->threads = pid & 1;
		o->wait = pid & 2;
		sampler_options(s);
		break;
	}
}

static void tick(uint64_t *centi, size_t by)
{
	char text[40];
	int len;

	*centi += by;
	len = snprintf(text, sizeof(text), "%llu.%02u 0\n",
		(unsigned long long)(*centi / 100), (unsigned int)(*centi % 100));
	put("proc/uptime", text, (size_t)len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = data + size;
	struct opts o = opts_default;
	struct sm_root root;
	struct sm_strpool *names = NULL;
	struct sampler s;
	unsigned int samples = 0;
	uint64_t centi = 1000;

	make_top();
	tick(&centi, 0);
	must(sm_root_open(&root, dir) == 0);
	must(sm_strpool_new(&names, 1 << 16) == 0);
	must(sampler_open(&s, &root, &o, names) == 0);
	while (end - data >= 2) {
		uint8_t what = *data++, of = *data++;
		size_t n = of / PIDS;

		if (n > (size_t)(end - data))
			n = (size_t)(end - data);
		if (what % 12 >= 10) {
			tick(&centi, n);
			take(&s, &samples);
			continue;
		}
		step(&s, &o, what, of % PIDS + 1, data, n);
		data += n;
	}
	sampler_close(&s);
	must(sm_strpool_count(names) == 0);
	sm_strpool_free(names);
	sm_root_close(&root);
	remove_all();
	return 0;
}

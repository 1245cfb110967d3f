/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rig: a machine of fake processes in a directory (fixroot_rig.h), changed between samples, and
 * the sampler on it.  Its time is its uptime, and a tick is 10 ms: figures are exact.
 */
#ifndef CPUSTAT_RIG_H
#define CPUSTAT_RIG_H

#include "cpustat/sampler/sampler.h"
#include "fixroot_rig.h"

#define RIG_NAMES_BYTES (1u << 20)

struct fake {
	pid_t pid;
	const char *comm;
	pid_t ppid;
	uint64_t utime, stime; /* ticks */
	int64_t cutime, cstime;
	uint64_t start;        /* ticks since boot */
	char state;            /* 0: S */
	int cpu;
	unsigned int flags;
	int threads;           /* 0: 1 */
};

#define TICK (10 * SM_NSEC_PER_MSEC)

static struct sampler sampler;
static struct opts opts;
static struct sm_strpool *names;
static struct sample sample;

static inline size_t fake_stat_text(char *text, size_t cap, const struct fake *f, pid_t pid)
{
	int n = snprintf(text, cap,
		"%d (%s) %c %d %d %d 0 -1 %u 0 0 0 0 %llu %llu %lld %lld 20 0 %d 0 %llu "
		"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 %d 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
		(int)pid, f->comm, f->state ? f->state : 'S', (int)f->ppid, (int)f->pid,
		(int)f->pid, f->flags, (unsigned long long)f->utime,
		(unsigned long long)f->stime, (long long)f->cutime, (long long)f->cstime,
		f->threads ? f->threads : 1, (unsigned long long)f->start, f->cpu);

	ck_assert(n > 0 && (size_t)n < cap);
	return (size_t)n;
}

static inline void fake_file(pid_t pid, const char *name, const char *text, size_t n)
{
	char path[100];

	snprintf(path, sizeof(path), "proc/%d/%s", (int)pid, name);
	fix_put_bytes(path, text, n);
}

static inline void fake(const struct fake *f)
{
	char text[700];

	fake_file(f->pid, "stat", text, fake_stat_text(text, sizeof(text), f, f->pid));
}

/* A thread: `f` as its stat, and schedstat unless run_ns is 0. */
static inline void fake_thread(
	pid_t pid, const struct fake *f, uint64_t run_ns, uint64_t wait_ns)
{
	char name[60], text[700];
	size_t n;

	snprintf(name, sizeof(name), "task/%d/stat", (int)f->pid);
	fake_file(pid, name, text, fake_stat_text(text, sizeof(text), f, f->pid));
	if (!run_ns)
		return;
	n = (size_t)snprintf(text, sizeof(text), "%llu %llu 7\n", (unsigned long long)run_ns,
		(unsigned long long)wait_ns);
	snprintf(name, sizeof(name), "task/%d/schedstat", (int)f->pid);
	fake_file(pid, name, text, n);
}

/* The total time for which the main thread has waited for a CPU. */
static inline void fake_wait(const struct fake *f, uint64_t wait_ms)
{
	char text[60];
	int n = snprintf(text, sizeof(text), "%llu %llu 3\n", (unsigned long long)(f->utime * TICK),
		(unsigned long long)(wait_ms * SM_NSEC_PER_MSEC));

	fake_file(f->pid, "schedstat", text, (size_t)n);
}

static inline void fake_alpha_and_beta(struct fake *a, struct fake *b)
{
	*a = (struct fake){.pid = 10, .comm = "alpha", .ppid = 1, .utime = 500, .start = 99};
	*b = (struct fake){.pid = 20, .comm = "beta", .ppid = 1, .stime = 70, .start = 99};
	fake(a);
	fake(b);
}

static inline void fake_remove(const char *name)
{
	ck_assert_int_eq(unit_remove(fix_path(name)), 0);
}

static inline void fake_exit(pid_t pid)
{
	char name[40];

	snprintf(name, sizeof(name), "proc/%d", (int)pid);
	fake_remove(name);
}

/* Seconds since boot, hundredths. */
static inline void fake_time(uint64_t centi)
{
	char text[60];

	snprintf(text, sizeof(text), "%llu.%02u 0.00\n", (unsigned long long)(centi / 100),
		(unsigned int)(centi % 100));
	fix_put("proc/uptime", text);
}

/* Of two CPUs together, ticks. */
static inline void fake_machine(uint64_t user, uint64_t idle, uint64_t irq, uint64_t softirq)
{
	char text[300];

	snprintf(text, sizeof(text),
		"cpu  %llu 0 0 %llu 0 %llu %llu 0 0 0\ncpu0 1 0 0 0 0 0 0 0 0 0\n"
		"cpu1 1 0 0 0 0 0 0 0 0 0\nbtime 1700000000\n",
		(unsigned long long)user, (unsigned long long)idle, (unsigned long long)irq,
		(unsigned long long)softirq);
	fix_put("proc/stat", text);
}

static inline void rig_open(void)
{
	fix_open();
	opts = opts_default;
	opts.comm = true;
	fake_time(100000);
	ck_assert_int_eq(sm_strpool_new(&names, RIG_NAMES_BYTES), 0);
	ck_assert_int_eq(sysconf(_SC_CLK_TCK), 100);
}

static inline void rig_close(void)
{
	sampler_close(&sampler);
	sm_strpool_free(names);
	fix_close();
}

static inline void begin(void)
{
	ck_assert_int_eq(sampler_open(&sampler, &fix, &opts, names), 0);
}

static inline void take(void)
{
	ck_assert_int_eq(sampler_take(&sampler, false, &sample), 0);
}

static inline void take_at(uint64_t centi)
{
	fake_time(centi);
	take();
}

/* The row of a kind and pid; NULL: none.  There are never two. */
static inline const struct row *row_of(enum row_kind kind, pid_t pid)
{
	const struct row *found = NULL;

	for (size_t i = 0; i < sample.nrows; i++)
		if (sample.rows[i].kind == kind && sample.rows[i].pid == pid) {
			ck_assert_ptr_null(found);
			found = &sample.rows[i];
		}
	return found;
}

/* -1: the row shows no wait. */
static inline int64_t row_wait_ms(enum row_kind kind, pid_t pid)
{
	const struct row *row = row_of(kind, pid);

	if (!row || !(row->flags & ROW_HAS_WAIT))
		return -1;
	return (int64_t)(row->wait_ns / SM_NSEC_PER_MSEC);
}

static inline uint64_t used_ticks(enum row_kind kind, pid_t pid)
{
	const struct row *row = row_of(kind, pid);

	if (!row)
		return 0;
	ck_assert_uint_eq(row->usr_ns + row->sys_ns, row->used_ns);
	ck_assert_uint_eq(row->used_ns % TICK, 0);
	return row->used_ns / TICK;
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "events/taskexit.h"
#include "pids_rig.h"
#include "proc/cpulist.h"

/* --- decoding ---------------------------------------------------------------------- */

static const struct sm_taskexit_raw sample = {
	.time_ns = 123456789012345,
	.start_ns = 123450000000000,
	.lived_ns = 6789012345,
	.cpu_ns = 1000000007,
	.utime_ns = 300000000,
	.stime_ns = 100000000,
	.pid = 4321,
	.ppid = 4000,
	.uid = 4294967294,
	.comm = "cc1",
};

START_TEST(record_is_decoded)
{
	struct sm_taskexit_record r;

	ck_assert_int_eq(sm_taskexit_parse(&sample, sizeof(sample), 1, &r), 0);
	ck_assert_uint_eq(r.time_ns, 123456789012345);
	ck_assert_uint_eq(r.start_ns, 123450000000000);
	ck_assert(!r.cpu_unknown);
	ck_assert_uint_eq(r.cpu_ns, 1000000007);
	ck_assert_uint_eq(r.system_ns, 250000001); /* a quarter */
	ck_assert_uint_eq(r.user_ns, 750000006);
	ck_assert_int_eq(r.pid, 4321);
	ck_assert_int_eq(r.ppid, 4000);
	ck_assert_uint_eq(r.uid, 4294967294);
	ck_assert_str_eq(r.comm, "cc1");
}
END_TEST

/* As the kernel divides: a side without ticks has nothing. */
START_TEST(time_without_ticks_is_user_time)
{
	struct sm_taskexit_raw raw = sample;
	struct sm_taskexit_record r;

	raw.utime_ns = raw.stime_ns = 0;
	ck_assert_int_eq(sm_taskexit_parse(&raw, sizeof(raw), 0, &r), 0);
	ck_assert_uint_eq(r.user_ns, raw.cpu_ns);
	ck_assert_uint_eq(r.system_ns, 0);
	raw.stime_ns = 4000000;
	ck_assert_int_eq(sm_taskexit_parse(&raw, sizeof(raw), 0, &r), 0);
	ck_assert_uint_eq(r.user_ns, 0);
	ck_assert_uint_eq(r.system_ns, raw.cpu_ns);
}
END_TEST

START_TEST(sums_hold_for_any_figures)
{
	static const uint64_t figure[] = {
		0, 1, 3, UINT64_C(1) << 53 | 1, UINT64_MAX - 1, UINT64_MAX};
	struct sm_taskexit_raw raw = sample;
	struct sm_taskexit_record r;
	const size_t n = SM_ARRAY_SIZE(figure);

	for (size_t i = 0; i < n * n * n; i++) {
		raw.cpu_ns = figure[i % n];
		raw.utime_ns = figure[i / n % n];
		raw.stime_ns = figure[i / n / n];
		ck_assert_int_eq(sm_taskexit_parse(&raw, sizeof(raw), 0, &r), 0);
		ck_assert_uint_eq(r.user_ns + r.system_ns, raw.cpu_ns);
		ck_assert_uint_le(r.user_ns, raw.cpu_ns);
	}
}
END_TEST

static void possible(uint64_t lived_ns, unsigned int cpus, uint64_t cpu_ns, bool want)
{
	struct sm_taskexit_raw raw = sample;
	struct sm_taskexit_record r;

	raw.lived_ns = lived_ns;
	raw.cpu_ns = cpu_ns;
	ck_assert_int_eq(sm_taskexit_parse(&raw, sizeof(raw), cpus, &r), 0);
	ck_assert_uint_eq(!r.cpu_unknown, want);
	ck_assert_uint_eq(r.cpu_ns, want ? cpu_ns : 0);
	ck_assert_uint_eq(r.user_ns + r.system_ns, r.cpu_ns);
	ck_assert_str_eq(r.comm, "cc1");
}

/* A CPU runs no longer than the process lived; the clocks differ by less than a 16th and
 * 0.3 s. */
START_TEST(at_most_the_lifetime_on_each_cpu)
{
	const uint64_t s = SM_NSEC_PER_SEC, year = 31536000 * s;

	possible(16 * s, 1, 16 * s, true);
	possible(16 * s, 1, 17 * s, true);
	possible(16 * s, 1, 18 * s, false);
	possible(16 * s, 4, 64 * s, true);
	possible(16 * s, 4, 72 * s, false);
	possible(0, 1, s, false);
	possible(16 * s, 4, UINT64_C(1) << 62, false);
	possible(16 * s, 4, UINT64_MAX, false);
	possible(100 * year, 65536, UINT64_MAX, true); /* no overflow */
	possible(16 * s, 0, UINT64_MAX, true);	       /* the CPUs are unknown */
}
END_TEST

START_TEST(malformed_records)
{
	struct sm_taskexit_raw raw = sample;
	struct sm_taskexit_record r;

	memset(raw.comm, 'x', sizeof(raw.comm));
	ck_assert_int_eq(sm_taskexit_parse(&raw, sizeof(raw), 0, &r), 0);
	ck_assert_str_eq(r.comm, "xxxxxxxxxxxxxxx");
	ck_assert_int_eq(sm_taskexit_parse(&raw, sizeof(raw) - 1, 0, &r), -EBADMSG);
	ck_assert_int_eq(r.pid, 0);
	ck_assert_int_eq(sm_taskexit_parse(&raw, 0, 0, &r), -EBADMSG);
}
END_TEST

/* --- the kernel -------------------------------------------------------------------- */

#define RING_BYTES (1u << 20)

static struct sm_root root;
static struct sm_taskexit program;
static bool permitted;

/* False, and the test is skipped, where the program cannot be loaded or knows other pids.
 */
static bool able(void)
{
	if (!permitted)
		unit_skip("no permission to load the program, or no BTF");
	return permitted && own_pids();
}

/* This process's children: what wait4(2) said of each, and the records of them. */
static struct {
	unsigned int made, recorded;
	struct {
		pid_t pid;
		uint64_t ns, begin_ns; /* CLOCK_MONOTONIC */
	} child[512];
	unsigned int threads; /* of each */
	uint64_t last_start_ns;
	const char *comm;
	uid_t uid;
} seen;

/* rusage has microseconds; a process can still be on its way out of its CPU when it is
 * reaped, and the host can stop that CPU. */
static void compare(
	const struct sm_taskexit_record *r, uint64_t truth_ns, uint64_t begin_ns)
{
	ck_assert_str_eq(r->comm, seen.comm);
	ck_assert_uint_eq(r->uid, seen.uid);
	ck_assert(!r->cpu_unknown);
	ck_assert_uint_le(truth_ns, r->cpu_ns + 2000);
	ck_assert_uint_gt(r->time_ns, begin_ns);
	ck_assert_uint_le(r->cpu_ns, (r->time_ns - begin_ns) * (1 + seen.threads));
	if (unit_live())
		ck_assert_uint_le(r->cpu_ns, truth_ns + truth_ns / 2 + 100000);
	ck_assert_uint_eq(r->user_ns + r->system_ns, r->cpu_ns);
}

static void take(void *ctx, const struct sm_taskexit_record *r)
{
	ck_assert_ptr_eq(ctx, &seen);
	for (unsigned int i = 0; i < seen.made && r->ppid == getpid(); i++)
		if (seen.child[i].pid == r->pid) {
			compare(r, seen.child[i].ns, seen.child[i].begin_ns);
			seen.recorded++;
			seen.last_start_ns = r->start_ns;
		}
}

static void open_program(size_t ring_bytes)
{
	struct sm_bpf_log log;
	int err = sm_taskexit_open(&program, &root, ring_bytes, &log);

	ck_assert_msg(err == 0 || err == -EPERM || err == -ENOSYS || err == -ENOENT,
		"%d: %s", err, log.text);
	permitted = err == 0;
	ck_assert(permitted || program.stream.ring_fd == -1);
}

static void setup(void)
{
	memset(&seen, 0, sizeof(seen));
	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	open_program(RING_BYTES);
}

static void teardown(void)
{
	sm_taskexit_close(&program);
	sm_root_close(&root);
}

static void drain(void)
{
	ck_assert_int_ge(sm_taskexit_drain(&program, take, &seen), 0);
}

/* The records follow the wait after some time. */
static bool await_records(void)
{
	uint64_t end = sm_clock_mono_ns() + 50 * SM_NSEC_PER_SEC;
	unsigned int most = seen.made - seen.made / 10;

	while (seen.recorded < most && sm_clock_mono_ns() < end) {
		drain();
		usleep(1000);
	}
	ck_assert_uint_le(seen.recorded, seen.made);
	return seen.recorded >= most;
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * SM_NSEC_PER_SEC + (uint64_t)t.tv_nsec;
}

static void *burn(void *arg)
{
	uint64_t end = now_ns(CLOCK_THREAD_CPUTIME_ID) + *(uint64_t *)arg;

	while (now_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		;
	return NULL;
}

static _Noreturn void child(const char *comm, uint64_t ns, int threads)
{
	pthread_t t[8];

	if (seen.uid != getuid() && setuid(seen.uid) != 0)
		_exit(1);

	prctl(PR_SET_NAME, comm);
	for (int i = 0; i < threads; i++)
		if (pthread_create(&t[i], NULL, burn, &ns) != 0)
			_exit(1);
	burn(&ns);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	_exit(0);
}

static uint64_t cpu_ns(const struct rusage *u)
{
	return (uint64_t)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) * SM_NSEC_PER_SEC +
	       (uint64_t)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1000;
}

/* Root's children become another user. */
static uid_t user_of_children(void)
{
	return getuid() == 0 ? 65534 : getuid();
}

static void run_children(unsigned int n, uint64_t ns, int threads)
{
	for (unsigned int i = 0; i < n; i++) {
		uint64_t begin = sm_clock_mono_ns();
		pid_t pid = fork();
		struct rusage u;
		int status;

		ck_assert_int_ge(pid, 0);
		if (pid == 0)
			child(seen.comm, ns, threads);
		ck_assert_int_eq(wait4(pid, &status, 0, &u), pid);
		ck_assert_int_eq(status, 0);
		ck_assert_uint_ge(cpu_ns(&u), ns * (1 + (unsigned int)threads));
		seen.child[seen.made].pid = pid;
		seen.child[seen.made].begin_ns = begin;
		seen.child[seen.made++].ns = cpu_ns(&u);
	}
}

/* The processes without a record (see taskexit.h) are those of one RCU callback batch,
 * which are many if they ended together: then others are tried. */
static void record_children(const char *comm, unsigned int n, uint64_t ns, int threads)
{
	int tries = 3;

	do {
		memset(&seen, 0, sizeof(seen));
		seen.comm = comm;
		seen.uid = user_of_children();
		seen.threads = (unsigned int)threads;
		for (unsigned int i = 0; i < n; i++) {
			run_children(1, ns, threads);
			drain(); /* other programs fill the ring, too */
		}
	} while (!await_records() && --tries);
	ck_assert_uint_eq(sm_taskexit_lost(&program), 0);
	ck_assert_uint_gt(seen.recorded, 0);
	if (!tries)
		unit_skip("records of %u of %u processes", seen.recorded, seen.made);
}

/* Far shorter than a tick. */
START_TEST(short_children)
{
	uint64_t boot = now_ns(CLOCK_BOOTTIME);

	if (!able())
		return;
	record_children("short child \xff", 300, 200000, 0);
	ck_assert_uint_ge(seen.last_start_ns, boot);
	ck_assert_uint_le(seen.last_start_ns, now_ns(CLOCK_BOOTTIME));
}
END_TEST

START_TEST(children_with_threads)
{
	if (!able())
		return;
	record_children("threads", 10, 5000000, 3);
}
END_TEST

/* Checks the lifetime that the program writes: from fork(2) to the record. */
static void take_lifetime(void *ctx, const void *record, size_t len)
{
	struct sm_taskexit_raw raw;

	ck_assert_ptr_eq(ctx, &seen);
	ck_assert_uint_eq(len, sizeof(raw));
	memcpy(&raw, record, sizeof(raw));
	for (unsigned int i = 0; i < seen.made; i++)
		if (seen.child[i].pid == (pid_t)raw.pid) {
			ck_assert_uint_ge(raw.lived_ns, 10 * SM_NSEC_PER_MSEC);
			ck_assert_uint_le(
				raw.lived_ns, raw.time_ns - seen.child[i].begin_ns);
			seen.recorded++;
		}
}

START_TEST(lifetime_is_bounded)
{
	uint64_t end = sm_clock_mono_ns() + 50 * SM_NSEC_PER_SEC;

	if (!able())
		return;
	ck_assert_uint_eq(program.cpus, (unsigned int)sm_cpulist_possible(&root));
	seen.comm = "lives 20 ms";
	seen.uid = user_of_children();
	run_children(10, 20 * SM_NSEC_PER_MSEC, 0);
	while (!seen.recorded && sm_clock_mono_ns() < end) {
		ck_assert_int_ge(
			sm_bpf_ring_drain(&program.stream.ring, take_lifetime, &seen), 0);
		usleep(1000);
	}
	ck_assert_uint_gt(seen.recorded, 0);
}
END_TEST

/* A ring of 4 KiB has room for 46: readable at half, then the rest is counted. */
START_TEST(full_ring_is_counted)
{
	struct pollfd p = {.events = POLLIN};
	ssize_t n;

	if (!able())
		return;
	sm_taskexit_close(&program);
	open_program(4096);
	seen.comm = "many";
	seen.uid = user_of_children();
	p.fd = program.stream.ring_fd;
	run_children(100, 0, 0);
	for (int i = 0; i < 50000 && sm_taskexit_lost(&program) == 0; i++)
		usleep(1000);
	ck_assert_uint_gt(sm_taskexit_lost(&program), 0);
	ck_assert_int_eq(poll(&p, 1, 0), 1);
	n = sm_taskexit_drain(&program, take, &seen);
	ck_assert_int_eq(n, 4096 / 88);
}
END_TEST

START_TEST(closed_twice)
{
	sm_taskexit_close(&program);
	ck_assert_int_eq(program.stream.ring_fd, -1);
	ck_assert_uint_eq(sm_taskexit_lost(&program), 0);
}
END_TEST

static TCase *tc_parse(void)
{
	TCase *tc = tcase_create("parse");

	tcase_add_test(tc, record_is_decoded);
	tcase_add_test(tc, time_without_ticks_is_user_time);
	tcase_add_test(tc, sums_hold_for_any_figures);
	tcase_add_test(tc, at_most_the_lifetime_on_each_cpu);
	tcase_add_test(tc, malformed_records);
	return tc;
}

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, short_children);
	tcase_add_test(tc, children_with_threads);
	tcase_add_test(tc, lifetime_is_bounded);
	tcase_add_test(tc, full_ring_is_counted);
	tcase_add_test(tc, closed_twice);
	return tc;
}

UNIT_MAIN("taskexit", tc_parse, tc_live)

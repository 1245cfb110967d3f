// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "events/perf.h"
#include "events/tracefs.h"
#include "execbpf_rig.h"

/* --- the kernel -------------------------------------------------------------------- */

#define FULL_BYTES 65536u

/* False, and the test is skipped, without tracefs. */
static bool find_event(uint32_t *id)
{
	struct sm_root root;
	int dir, err;

	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	dir = sm_tracefs_open(&root);
	err = dir < 0 ? dir
		      : sm_tracefs_event_id(
				&root, dir, "sched", "sched_process_exec", id);
	if (dir >= 0)
		close(dir);
	sm_root_close(&root);
	if (err)
		unit_skip("tracefs: %s", strerror(-err));
	return !err;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SM_NSEC_PER_SEC + (uint64_t)t.tv_nsec;
}

START_TEST(live_arguments_are_right)
{
	static char zero[] = "zero", one[] = "o n e", none[] = "", home[] = "HOME=/";
	char *argv[] = {zero, one, none, NULL};
	char *env[] = {home, NULL}, *no_env[] = {NULL};
	static const char want[] = "zero\0o n e\0";
	struct execbpf b;
	uint64_t before;

	if (!open_live(&b, RING_BYTES))
		return;
	for (int cpu = 0; cpu < 4; cpu++) {
		before = now_ns();
		run("/bin/true", argv, env, cpu);
		check_seen(&b, "/bin/true", want, sizeof(want));
		ck_assert_str_eq(seen.r.comm, "true");
		ck_assert_uint_eq(seen.r.expect_len, sizeof(want));
		ck_assert_uint_ge(seen.r.time_ns, before);
		ck_assert_uint_le(seen.r.time_ns, now_ns());
		run("/bin/true", argv, no_env, cpu);
		check_seen(&b, "/bin/true", want, sizeof(want));
		ck_assert_uint_eq(seen.r.expect_len, sizeof(want));
	}
	ck_assert_uint_eq(sm_bpf_stream_lost(&b.stream), 0);
	execbpf_close(&b);
}
END_TEST

START_TEST(live_long_arguments_are_cut)
{
	static char name[] = "true", home[] = "HOME=/", big[120001];
	char *argv[] = {name, big, NULL}, *env[] = {home, NULL};
	struct execbpf b;

	if (!open_live(&b, RING_BYTES))
		return;
	memset(big, 'x', sizeof(big) - 1);
	run("/bin/true", argv, env, 0);
	ck_assert_int_ge(execbpf_drain(&b, &reader), 1);
	ck_assert_int_eq(seen.n, 1);
	ck_assert(seen.r.truncated);
	ck_assert_uint_eq(seen.r.args_len, EXECBPF_ARGS_MAX);
	ck_assert_uint_eq(seen.r.expect_len, 5 + sizeof(big));
	ck_assert_mem_eq(seen.args, "true\0xxxx", 9);
	execbpf_close(&b);
}
END_TEST

/* One long argument within the limit: a page more than what a stack's end would hold. */
START_TEST(live_arguments_of_pages)
{
	static char name[] = "true", big[15001];
	char *argv[] = {name, big, NULL}, *no_env[] = {NULL};
	struct execbpf b;

	if (!open_live(&b, RING_BYTES))
		return;
	memset(big, 'x', sizeof(big) - 1);
	run("/bin/true", argv, no_env, 0);
	ck_assert_int_ge(execbpf_drain(&b, &reader), 1);
	ck_assert(!seen.r.truncated);
	ck_assert_uint_eq(seen.r.args_len, 5 + sizeof(big));
	ck_assert_uint_eq(seen.r.expect_len, 5 + sizeof(big));
	execbpf_close(&b);
}
END_TEST

/* Of a descriptor the file name says nothing; what the kernel calls the process depends
 * on its version, so the process is asked. */
START_TEST(live_comm_of_fexecve)
{
	static char name[] = "name", file[] = "/proc/self/comm";
	char *argv[] = {name, file, NULL}, *env[] = {NULL}, comm[32] = "";
	struct execbpf b;
	int out[2], fd = open("/bin/cat", O_RDONLY | O_CLOEXEC), status;

	ck_assert(fd >= 0 && pipe(out) == 0);
	if (!open_live(&b, RING_BYTES))
		return;
	seen.pid = fork();
	seen.n = 0;
	if (seen.pid == 0) {
		dup2(out[1], STDOUT_FILENO);
		fexecve(fd, argv, env);
		_exit(99);
	}
	ck_assert_int_eq(waitpid(seen.pid, &status, 0), seen.pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_gt(read(out[0], comm, sizeof(comm) - 1), 0);
	comm[strcspn(comm, "\n")] = '\0';
	ck_assert_int_ge(execbpf_drain(&b, &reader), 1);
	ck_assert_int_eq(seen.n, 1);
	ck_assert_str_eq(seen.r.comm, comm);
	ck_assert_int_eq(strncmp(seen.file, "/dev/fd/", 8), 0);
	ck_assert_mem_eq(seen.args, "name\0/proc/self/comm", 21);
	execbpf_close(&b);
	close(fd);
	close(out[0]);
	close(out[1]);
}
END_TEST

#if defined(__x86_64__)
/* The smallest 32-bit program: _exit(0). */
static const unsigned char elf32[] = {0x7f, 'E', 'L', 'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 2, 0, 3, 0, 1, 0, 0, 0, 0x54, 0x80, 0x04, 0x08, 52, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 52, 0, 32, 0, 1, 0, 0, 0, 0, 0, 0, 0, /* header */
	1, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x04, 0x08, 0, 0x80, 0x04, 0x08, 93, 0, 0, 0, 93,
	0, 0, 0, 5, 0, 0, 0, 0, 0x10, 0, 0,	   /* one segment */
	0x31, 0xdb, 0xb8, 1, 0, 0, 0, 0xcd, 0x80}; /* exit(0) */

START_TEST(live_32_bit_program)
{
	static char name[] = "narrow", two[] = "2 2", var[] = "A=1";
	char *argv[] = {name, two, NULL}, *env[] = {var, NULL}, *no_env[] = {NULL};
	char path[] = "/tmp/execbpf-XXXXXX";
	int fd = mkstemp(path);
	struct execbpf b;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, elf32, sizeof(elf32)), (int)sizeof(elf32));
	ck_assert_int_eq(fchmod(fd, 0755), 0);
	close(fd);
	if (run_status(path, argv, env, 0) != 0) {
		unit_skip("no 32-bit programs on this machine");
		unlink(path);
		return;
	}
	if (open_live(&b, RING_BYTES)) {
		run(path, argv, env, 0);
		check_seen(&b, path, "narrow\0002 2", 11);
		run(path, argv, no_env, 0);
		check_seen(&b, path, "narrow\0002 2", 11);
		execbpf_close(&b);
	}
	unlink(path);
}
END_TEST
#endif

START_TEST(live_drain_needs_no_rights)
{
	static char name[] = "dropped";
	char *argv[] = {name, NULL}, *env[] = {name, NULL};
	struct execbpf b;

	if (!open_live(&b, RING_BYTES))
		return;
	ck_assert_int_eq(setresuid(65534, 65534, 65534), 0);
	run("/bin/true", argv, env, 0);
	check_seen(&b, "/bin/true", "dropped", 8);
	ck_assert_uint_eq(sm_bpf_stream_lost(&b.stream), 0);
	execbpf_close(&b);
}
END_TEST

#define FULL_RUNS (FULL_BYTES / 3000 + 3)

static size_t whole, bare;
static pid_t runs[FULL_RUNS];

/* Records of this test's programs, of 3,006 bytes of arguments. */
static void tally(void *ctx, const struct execbpf_record *r)
{
	size_t i = 0;

	(void)ctx;
	while (i < FULL_RUNS && runs[i] != r->pid)
		i++;
	if (i == FULL_RUNS)
		return;
	ck_assert_uint_eq(r->expect_len, 3006);
	ck_assert_uint_eq(r->file_len, strlen("/bin/true"));
	ck_assert_mem_eq(r->file, "/bin/true", r->file_len);
	ck_assert_str_eq(r->comm, "true");
	whole += r->args_len == 3006;
	bare += r->args_len == 0;
}

static const struct execbpf_reader tallies = {.exec = tally};

/* Every exec leaves a record: without arguments once the ring is half full.  The storm of
 * another program can fill it, which is counted. */
START_TEST(live_full_ring_has_file_names)
{
	static char name[] = "true", big[3001];
	char *argv[] = {name, big, NULL}, *env[] = {name, NULL};
	struct execbpf b;
	uint64_t lost;

	if (!open_live(&b, FULL_BYTES))
		return;
	memset(big, 'x', sizeof(big) - 1);
	for (size_t i = 0; i < FULL_RUNS; i++) {
		run("/bin/true", argv, env, 0);
		runs[i] = seen.pid;
	}
	lost = sm_bpf_stream_lost(&b.stream);
	ck_assert_int_ge(execbpf_drain(&b, &tallies), 1);
	ck_assert_uint_le(whole + bare, FULL_RUNS);
	ck_assert_uint_ge(whole + bare + lost, FULL_RUNS);
	ck_assert_uint_le(whole, FULL_BYTES / 2 / 3000);
	/* What was freed is used again. */
	run("/bin/true", argv, env, 0);
	ck_assert_int_ge(execbpf_drain(&b, &reader), 1);
	ck_assert_int_eq(seen.n, 1);
	ck_assert_uint_eq(seen.r.args_len, 5 + sizeof(big));
	execbpf_close(&b);
}
END_TEST

static void count_samples(
	void *ctx, const struct perf_event_header *h, const void *body, size_t len)
{
	int *samples = ctx;

	(void)body;
	(void)len;
	*samples += h->type == PERF_RECORD_SAMPLE;
}

static int perf_samples(struct sm_perf_ring *ring)
{
	static char name[] = "true";
	char *argv[] = {name, NULL}, *env[] = {name, NULL};
	int samples = 0;

	run("/bin/true", argv, env, 0);
	ck_assert_int_ge(sm_perf_ring_drain(ring, count_samples, &samples), 0);
	return samples;
}

/* A program on a tracepoint can keep its events from everybody's perf.  When that is so
 * without this one, other programs have the same effect. */
START_TEST(live_perf_of_others_goes_on)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_TRACEPOINT, .sample_period = 1};
	struct sm_perf_ring ring;
	struct execbpf b;
	uint32_t id;
	int fd, before, with, after;

	if (!open_live(&b, RING_BYTES))
		return;
	execbpf_close(&b);
	if (!find_event(&id))
		return;
	attr.config = id;
	pin(0);
	fd = sm_perf_event_open(&attr, -1, sched_getcpu(), -1, 0);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(sm_perf_ring_map(&ring, fd, 1 << 16), 0);
	before = perf_samples(&ring);
	ck_assert(open_live(&b, RING_BYTES));
	with = perf_samples(&ring);
	check_seen(&b, "/bin/true", "true", 5);
	execbpf_close(&b);
	after = perf_samples(&ring);
	ck_assert(with > 0 || before == 0 || after == 0);
	sm_perf_ring_close(&ring);
}
END_TEST

START_TEST(open_refuses_nonsense)
{
	struct execbpf b;

	ck_assert_int_lt(open_at(&b, NULL, 0), 0);
	ck_assert_int_lt(open_at(&b, NULL, 12345), 0);
	ck_assert_int_eq(b.stream.attach_fd, -1);
	execbpf_close(&b);
}
END_TEST

/* A tree without type information: nothing is guessed. */
START_TEST(open_needs_btf)
{
	char dir[UNIT_DIR], sys[UNIT_DIR + 4];
	struct execbpf b;

	unit_mkdtemp(dir);
	snprintf(sys, sizeof(sys), "%s/sys", dir);
	ck_assert_int_eq(mkdir(sys, 0700), 0);
	ck_assert_int_eq(
		open_at(&b, dir, RING_BYTES), sizeof(long) == 8 ? -ENOENT : -ENOSYS);
	ck_assert_int_eq(b.stream.attach_fd, -1);
	rmdir(sys);
	rmdir(dir);
}
END_TEST

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_test(tc, live_arguments_are_right);
	tcase_add_test(tc, live_long_arguments_are_cut);
	tcase_add_test(tc, live_arguments_of_pages);
	tcase_add_test(tc, live_comm_of_fexecve);
#if defined(__x86_64__)
	tcase_add_test(tc, live_32_bit_program);
#endif
	tcase_add_test(tc, live_full_ring_has_file_names);
	tcase_add_test(tc, live_perf_of_others_goes_on);
	tcase_add_test(tc, open_refuses_nonsense);
	tcase_add_test(tc, open_needs_btf);
	tcase_add_test(tc,
		live_drain_needs_no_rights); /* the last: without fork they stay away */
	return tc;
}

UNIT_MAIN("execbpf", tc_live)

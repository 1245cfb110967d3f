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
#include "forkstat/execbpf.h"
#include "kernel/cgroup.h"
#include "kernel/perf.h"
#include "kernel/root.h"
#include "kernel/tracefs.h"
#include "pids_rig.h"

#define RING_BYTES (4u << 20)

/* --- decoding ---------------------------------------------------------------------- */

static unsigned char raw_bytes[sizeof(struct execbpf_raw) + 256];

static const struct execbpf_raw sample = {
	.kind = EXECBPF_EXEC,
	.time_ns = 123456789012345,
	.expect_len = 6,
	.comm = "busybox",
	.pid = 4321,
	.file_len = 8,
	.args_len = 6,
};

/* tail: the strings, n bytes of them. */
static int parse(
	const struct execbpf_raw *h, const char *tail, size_t n, struct execbpf_record *r)
{
	memcpy(raw_bytes, h, sizeof(*h));
	memcpy(raw_bytes + sizeof(*h), tail, n);
	return execbpf_parse(raw_bytes, sizeof(*h) + n, r);
}

START_TEST(record_is_decoded)
{
	struct execbpf_record r;

	ck_assert_int_eq(parse(&sample, "/bin/ls\0ls\0-l\0", 14, &r), 0);
	ck_assert_int_eq(r.pid, 4321);
	ck_assert_uint_eq(r.time_ns, 123456789012345);
	ck_assert_uint_eq(r.file_len, 7);
	ck_assert_mem_eq(r.file, "/bin/ls", 7);
	ck_assert_uint_eq(r.args_len, 6);
	ck_assert_mem_eq(r.args, "ls\0-l\0", 6);
	ck_assert_str_eq(r.comm, "busybox");
	ck_assert_uint_eq(r.expect_len, 6);
	ck_assert(!r.truncated);
}
END_TEST

START_TEST(cut_arguments_are_truncated)
{
	struct execbpf_raw h = sample;
	struct execbpf_record r;

	h.expect_len = 60000;
	h.args_len = 5; /* within the second string */
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l", 13, &r), 0);
	ck_assert_uint_eq(r.args_len, 5);
	ck_assert_mem_eq(r.args, "ls\0-l", 5);
	ck_assert(r.truncated);
	ck_assert_uint_eq(r.expect_len, 60000);
	h.args_len = 3; /* just behind the first */
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls", 11, &r), 0);
	ck_assert_uint_eq(r.args_len, 3);
	ck_assert(r.truncated);
}
END_TEST

START_TEST(comm_ends_whatever_the_record_says)
{
	struct execbpf_raw h = sample;
	struct execbpf_record r;

	memset(h.comm, 'x', sizeof(h.comm));
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l\0", 14, &r), 0);
	ck_assert_str_eq(r.comm, "xxxxxxxxxxxxxxx");
}
END_TEST

START_TEST(unread_arguments_are_absent)
{
	struct execbpf_raw h = sample;
	struct execbpf_record r;

	h.args_len = 0;
	ck_assert_int_eq(parse(&h, "/bin/ls\0", 8, &r), 0);
	ck_assert_ptr_null(r.args);
	ck_assert_uint_eq(r.args_len, 0);
	ck_assert(!r.truncated);
	ck_assert_uint_eq(r.expect_len, 6);
	ck_assert_mem_eq(r.file, "/bin/ls", 7);
}
END_TEST

START_TEST(file_name_may_be_absent_or_cut)
{
	struct execbpf_raw h = sample;
	struct execbpf_record r;

	h.file_len = 0;
	ck_assert_int_eq(parse(&h, "ls\0-l\0", 6, &r), 0);
	ck_assert_ptr_null(r.file);
	ck_assert_mem_eq(r.args, "ls\0-l\0", 6);
	h.file_len = 4;
	ck_assert_int_eq(parse(&h, "/binls\0-l\0", 10, &r), 0);
	ck_assert_uint_eq(r.file_len, 4);
	ck_assert_mem_eq(r.file, "/bin", 4);
}
END_TEST

START_TEST(what_does_not_fit_is_no_record)
{
	struct execbpf_raw h = sample;
	struct execbpf_record r;

	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l", 13, &r), -EBADMSG);
	ck_assert_ptr_null(r.args);
	h.file_len = UINT32_MAX;
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l\0", 14, &r), -EBADMSG);
	h.file_len = 8;
	h.args_len = UINT32_MAX;
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l\0", 14, &r), -EBADMSG);
	h = sample;
	h.env_len = 1;
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l\0", 14, &r), -EBADMSG);
	h = sample;
	h.kind = SM_CGROUP_RAW;
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l\0", 14, &r), -EBADMSG);
	ck_assert_int_eq(execbpf_parse(raw_bytes, sizeof(h) - 1, &r), -EBADMSG);
	ck_assert_int_eq(execbpf_parse(raw_bytes, 0, &r), -EBADMSG);
}
END_TEST

START_TEST(facts_are_decoded)
{
	struct execbpf_raw h = sample;
	struct execbpf_record r;

	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l\0", 14, &r), 0);
	ck_assert_uint_eq(r.cgroup, 0);
	ck_assert(!r.has_loginuid);
	ck_assert_int_eq(r.env_state, EXECBPF_ENV_UNKNOWN);
	ck_assert_ptr_null(r.env);
	h.cgroup = 0x0100000000000039;
	h.loginuid = 1000;
	h.has_loginuid = 1;
	h.env = EXECBPF_ENV_SET;
	h.env_len = 6;
	ck_assert_int_eq(parse(&h, "AB=cd\0/bin/ls\0ls\0-l\0", 20, &r), 0);
	ck_assert_uint_eq(r.cgroup, 0x0100000000000039);
	ck_assert(r.has_loginuid);
	ck_assert_uint_eq(r.loginuid, 1000);
	ck_assert_int_eq(r.env_state, EXECBPF_ENV_SET);
	ck_assert_uint_eq(r.env_len, 5);
	ck_assert_mem_eq(r.env, "AB=cd", 5);
	ck_assert_mem_eq(r.file, "/bin/ls", 7);
	ck_assert_mem_eq(r.args, "ls\0-l\0", 6);
	h.env_len = 0; /* found, and not readable any more */
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l\0", 14, &r), 0);
	ck_assert_int_eq(r.env_state, EXECBPF_ENV_UNKNOWN);
	h.env = 99;
	ck_assert_int_eq(parse(&h, "/bin/ls\0ls\0-l\0", 14, &r), 0);
	ck_assert_int_eq(r.env_state, EXECBPF_ENV_UNKNOWN);
}
END_TEST

START_TEST(name_of_the_variable)
{
	struct execbpf_facts f = {0};
	char name[200];

	ck_assert(execbpf_env_name(&f, "A"));
	ck_assert_mem_eq(f.env_name, "A=\0\0\0\0\0\0", 8);
	ck_assert_mem_eq(f.env_mask, "\xff\xff\0\0\0\0\0\0", 8);
	ck_assert_uint_eq(f.env_mask[1], 0);
	memset(name, 'N', sizeof(name));
	name[sizeof(f.env_name) - 1] = '\0';
	ck_assert(execbpf_env_name(&f, name));
	name[sizeof(f.env_name) - 1] = 'N';
	name[sizeof(name) - 1] = '\0';
	ck_assert(!execbpf_env_name(&f, name));
	ck_assert_mem_eq(f.env_name, name, sizeof(f.env_name));
}
END_TEST

/* --- the kernel -------------------------------------------------------------------- */

#define FULL_BYTES 65536u

/* The last record of a child. */
static struct {
	pid_t pid;
	int n;
	uint64_t time_ns;
	char file[256], args[512], env[EXECBPF_ENV_MAX];
	struct execbpf_record r;
} seen;

/* What the program notes, and the groups that it wrote. */
static struct execbpf_facts *wanted;
static struct sm_cgroup_names groups;

/* Joins and births of a pid. */
static struct {
	pid_t pid;
	int moves, births;
	struct execbpf_group last;
} joined;

static void take(void *ctx, const struct execbpf_record *r)
{
	ck_assert_ptr_eq(ctx, &seen);
	if (r->pid != seen.pid)
		return;
	seen.n++;
	seen.r = *r;
	ck_assert_uint_lt(r->file_len, sizeof(seen.file));
	if (r->file)
		memcpy(seen.file, r->file, r->file_len);
	seen.file[r->file_len] = '\0';
	memcpy(seen.env, r->env ? r->env : "", r->env ? r->env_len : 0);
	seen.env[r->env_len] = '\0';
	if (r->args)
		memcpy(seen.args, r->args,
			r->args_len < sizeof(seen.args) ? r->args_len
							: sizeof(seen.args));
}

static void join(void *ctx, const struct execbpf_group *g)
{
	ck_assert_ptr_eq(ctx, &seen);
	if (g->pid != joined.pid)
		return;
	joined.last = *g;
	joined.moves += !g->born;
	joined.births += g->born;
}

static const struct execbpf_reader reader = {
	.names = &groups, .exec = take, .group = join, .ctx = &seen};

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

static int open_at(struct execbpf *b, const char *prefix, size_t ring_bytes)
{
	struct sm_root root;
	struct sm_bpf_log log;
	int err;

	ck_assert_int_eq(sm_root_open(&root, prefix), 0);
	err = execbpf_open(b, &root, wanted, ring_bytes, &log);
	ck_assert_msg(log.text[0] == '\0', "%s", log.text);
	sm_root_close(&root);
	return err;
}

/* False, and the test is skipped, where this kernel or the privileges do not allow it. */
static bool open_live(struct execbpf *b, size_t ring_bytes)
{
	int err;

	if (!own_pids())
		return false;
	err = open_at(b, NULL, ring_bytes);
	if (!err)
		return true;
	unit_skip("execbpf: %s", strerror(-err));
	ck_assert(err == -EPERM || err == -EACCES || err == -ENOSYS || err == -EINVAL ||
		  err == -ENOENT);
	ck_assert_int_eq(b->stream.attach_fd, -1);
	ck_assert_uint_eq(sm_bpf_stream_lost(&b->stream), 0);
	execbpf_close(b);
	return false;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	(void)!sched_setaffinity(0, sizeof(set), &set); /* that CPU may be missing */
}

static int run_status(const char *file, char *const argv[], char *const envp[], int cpu)
{
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		pin(cpu);
		execve(file, argv, envp);
		_exit(99);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	seen.pid = pid;
	seen.n = 0;
	memset(seen.args, 0, sizeof(seen.args));
	return status;
}

static void run(const char *file, char *const argv[], char *const envp[], int cpu)
{
	ck_assert_int_eq(run_status(file, argv, envp, cpu), 0);
}

static void check_seen(struct execbpf *b, const char *file, const char *args, size_t len)
{
	ck_assert_int_ge(execbpf_drain(b, &reader), 1);
	ck_assert_int_eq(seen.n, 1);
	ck_assert_str_eq(seen.file, file);
	ck_assert_uint_eq(seen.r.args_len, len);
	ck_assert_mem_eq(seen.args, args, len);
	ck_assert(!seen.r.truncated);
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

/* --- facts ------------------------------------------------------------------------- */

#define BIG 100000u

static struct execbpf_facts variable;

/* The record of a program with this environment. */
static void run_in(struct execbpf *b, char *const envp[])
{
	static char name[] = "true";
	char *argv[] = {name, NULL};

	run("/bin/true", argv, envp, 0);
	ck_assert_int_ge(execbpf_drain(b, &reader), 1);
	ck_assert_int_eq(seen.n, 1);
	ck_assert_str_eq(seen.file, "/bin/true");
	ck_assert_mem_eq(seen.args, "true", 5);
}

static void check_env(struct execbpf *b, char *const envp[], const char *want)
{
	run_in(b, envp);
	ck_assert_int_eq(seen.r.env_state, want ? EXECBPF_ENV_SET : EXECBPF_ENV_NOT_SET);
	ck_assert_str_eq(seen.env, want ? want : "");
}

static bool open_variable(struct execbpf *b, const char *name)
{
	variable = (struct execbpf_facts){0};
	(void)!execbpf_env_name(&variable, name);
	wanted = &variable;
	return open_live(b, RING_BYTES);
}

START_TEST(live_variable)
{
	static char path[] = "PATH=/", like[] = "RP=1", longer[] = "RPEX=2",
		    first[] = "RPE=a b", second[] = "RPE=c",
		    empty[] = "RPE=", none[] = "RPE", big[BIG + 1];
	struct execbpf b;

	if (!open_variable(&b, "RPE"))
		return;
	check_env(&b, (char *[]){path, like, longer, first, second, NULL}, "RPE=a b");
	check_env(&b, (char *[]){second, NULL}, "RPE=c");
	check_env(&b, (char *[]){path, empty, NULL}, "RPE=");
	check_env(&b, (char *[]){path, like, longer, none, NULL}, NULL);
	check_env(&b, (char *[]){NULL}, NULL);
	/* Behind a long one, the pieces of which look like it. */
	for (size_t i = 0; i < BIG; i++)
		big[i] = "RPE="[(i + 1) % 4];
	check_env(&b, (char *[]){big, first, NULL}, "RPE=a b");
	check_env(&b, (char *[]){big, path, NULL}, NULL);
	ck_assert_uint_eq(sm_bpf_stream_lost(&b.stream), 0);
	execbpf_close(&b);
}
END_TEST

/* What is not searched is not known, and a long value is cut. */
START_TEST(live_variable_bounds)
{
	static char last[] = "RPE=z", filler[] = "F=", big[BIG + 1],
		    *many[EXECBPF_ENV_STRINGS + 2];
	struct execbpf b;

	if (!open_variable(&b, "RPE"))
		return;
	memset(big, 'x', BIG);
	memcpy(big, last, 4);
	run_in(&b, (char *[]){big, NULL});
	ck_assert_int_eq(seen.r.env_state, EXECBPF_ENV_SET);
	ck_assert_uint_eq(seen.r.env_len, EXECBPF_ENV_MAX - 1);
	ck_assert_mem_eq(seen.env, big, EXECBPF_ENV_MAX - 1);
	for (size_t i = 0; i < EXECBPF_ENV_STRINGS; i++)
		many[i] = filler;
	many[EXECBPF_ENV_STRINGS - 1] = last;
	check_env(&b, many, last);
	many[EXECBPF_ENV_STRINGS - 1] = filler;
	many[EXECBPF_ENV_STRINGS] = last;
	run_in(&b, many);
	ck_assert_int_eq(seen.r.env_state, EXECBPF_ENV_UNKNOWN);
	execbpf_close(&b);
}
END_TEST

/* The whole of a name that is longer than what the program compares is for the reader. */
START_TEST(live_long_name)
{
	static char text[sizeof(variable.env_name) + 40], other[] = "A=1";
	struct execbpf b;

	memset(text, 'N', sizeof(text) - 1);
	if (!open_variable(&b, text))
		return;
	check_env(&b, (char *[]){other, text, NULL}, text);
	execbpf_close(&b);
}
END_TEST

/* In the child: writes text to a file; false: not possible here. */
static bool put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* A program that first writes text to a file.  Status 77: not possible here. */
static int run_after(const char *path, const char *text)
{
	static char name[] = "true";
	char *argv[] = {name, NULL}, *env[] = {NULL};
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (!put(path, text))
			_exit(77);
		execve("/bin/true", argv, env);
		_exit(99);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	seen.pid = pid;
	seen.n = 0;
	return WEXITSTATUS(status);
}

START_TEST(live_loginuid)
{
	static char text[16];
	static char login[] = "/proc/self/loginuid";
	struct execbpf b;

	if (!open_variable(&b, "X"))
		return;
	for (unsigned int uid = 4242; uid < 4245; uid++) {
		snprintf(text, sizeof(text), "%u", uid);
		if (run_after(login, text) == 77) {
			unit_skip("no login uid");
			break;
		}
		ck_assert_int_ge(execbpf_drain(&b, &reader), 1);
		ck_assert(seen.r.has_loginuid);
		ck_assert_uint_eq(seen.r.loginuid, uid);
	}
	execbpf_close(&b);
}
END_TEST

/* A hierarchy of the given type that is mounted, in which a group can be made. */
static bool make_group(const char *type, char *dir, size_t size)
{
	char device[256], where[256], kind[64], line[1024];
	FILE *f = fopen("/proc/mounts", "r");
	bool made = false;

	while (f && !made && fgets(line, sizeof(line), f))
		if (sscanf(line, "%255s %255s %63s", device, where, kind) == 3 &&
			strcmp(kind, type) == 0 && !strstr(line, "cpuset")) {
			snprintf(dir, size, "%s/sm-execbpf-%d", where, (int)getpid());
			made = mkdir(dir, 0755) == 0;
		}
	if (f)
		fclose(f);
	return made;
}

/* A group within another one, which is gone when the record is read. */
static void check_group(struct execbpf *b, const char *type)
{
	char dir[512], inner[600], procs[700], want[600];
	const struct sm_poolstr *path;
	int status;

	if (!make_group(type, dir, sizeof(dir))) {
		unit_skip("no %s", type);
		return;
	}
	snprintf(inner, sizeof(inner), "%s/a b", dir);
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", inner);
	snprintf(want, sizeof(want), "/%s/a b", strrchr(dir, '/') + 1);
	ck_assert_int_eq(mkdir(inner, 0755), 0);
	status = run_after(procs, "0");
	while (rmdir(inner) < 0 && errno == EBUSY)
		;
	ck_assert_int_eq(rmdir(dir), 0);
	if (status) {
		unit_skip("no process can join a group of %s", type);
		return;
	}
	ck_assert_int_ge(execbpf_drain(b, &reader), 1);
	ck_assert_int_eq(seen.n, 1);
	path = sm_cgroup_names_get(&groups, seen.r.cgroup);
	ck_assert_ptr_nonnull(path);
	ck_assert_str_eq(path->s, want);
}

/* clone3(2) with CLONE_INTO_CGROUP (Linux 5.7). */
static pid_t clone_into(const char *dir)
{
	uint64_t args[11] = {[0] = UINT64_C(0x200000000), [4] = SIGCHLD};
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	pid_t pid;

	ck_assert_int_ge(fd, 0);
	args[10] = (uint64_t)fd;
	pid = (pid_t)syscall(435, args, sizeof(args));
	if (pid == 0)
		_exit(0);
	close(fd);
	return pid;
}

/* Its last group is that one. */
static void check_joined(struct execbpf *b, pid_t pid, int moves, const char *dir)
{
	const struct sm_poolstr *path;

	memset(&joined, 0, sizeof(joined));
	joined.pid = pid;
	ck_assert_int_ge(execbpf_drain(b, &reader), 1);
	ck_assert_int_eq(joined.births, 1);
	ck_assert_int_eq(joined.moves, moves);
	path = sm_cgroup_names_get(&groups, joined.last.cgroup);
	ck_assert_ptr_nonnull(path);
	ck_assert_str_eq(path->s, strrchr(dir, '/'));
}

static void check_without_exec(struct execbpf *b, const char *dir)
{
	char procs[600];
	int status;
	pid_t pid = clone_into(dir);

	if (pid > 0) {
		ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
		check_joined(b, pid, 0, dir);
	} else {
		unit_skip("no clone3: %s", strerror(errno));
	}
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", dir);
	pid = fork();
	if (pid == 0)
		_exit(put(procs, "0") ? 0 : 77);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	if (status == 0)
		check_joined(b, pid, 1, dir);
}

/* Processes that never execute a program. */
static void check_processes(struct execbpf *b)
{
	char dir[512];

	if (!make_group("cgroup2", dir, sizeof(dir))) {
		unit_skip("no cgroup2");
		return;
	}
	check_without_exec(b, dir);
	while (rmdir(dir) < 0 && errno == EBUSY)
		;
}

/* Groups of version 1 can be renamed. */
static void check_renamed(struct execbpf *b)
{
	char dir[512], other[600], procs[700];
	const struct sm_poolstr *path;

	if (!make_group("cgroup", dir, sizeof(dir))) {
		unit_skip("no cgroup");
		return;
	}
	snprintf(other, sizeof(other), "%s-2", dir);
	for (int i = 0; i < 2; i++) {
		const char *now = i ? other : dir;

		snprintf(procs, sizeof(procs), "%s/cgroup.procs", now);
		if (run_after(procs, "0") == 0) {
			ck_assert_int_ge(execbpf_drain(b, &reader), 1);
			path = sm_cgroup_names_get(&groups, seen.r.cgroup);
			ck_assert_ptr_nonnull(path);
			ck_assert_str_eq(path->s, strrchr(now, '/'));
		}
		ck_assert(i || rename(dir, other) == 0);
	}
	while (rmdir(other) < 0 && errno == EBUSY)
		;
}

START_TEST(live_cgroup)
{
	struct sm_strpool *pool;
	struct sm_root root;
	struct execbpf b;

	ck_assert_int_eq(sm_strpool_new(&pool, 1 << 20), 0);
	ck_assert_int_eq(sm_cgroup_names_init(&groups, pool), 0);
	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	variable = (struct execbpf_facts){0};
	wanted = &variable;
	if (sm_cgroup_order(&root, &variable.order) < 0) {
		unit_skip("no control groups");
	} else if (open_live(&b, RING_BYTES)) {
		check_group(&b, "cgroup2");
		check_group(&b, "cgroup");
		check_group(&b, "cgroup2");
		check_processes(&b);
		check_renamed(&b);
		ck_assert_uint_eq(execbpf_moves_lost(&b), 0);
		execbpf_close(&b);
	}
	sm_root_close(&root);
	sm_cgroup_names_fini(&groups);
	sm_strpool_free(pool);
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

static TCase *tc_decode(void)
{
	TCase *tc = tcase_create("decode");

	tcase_add_test(tc, record_is_decoded);
	tcase_add_test(tc, cut_arguments_are_truncated);
	tcase_add_test(tc, comm_ends_whatever_the_record_says);
	tcase_add_test(tc, unread_arguments_are_absent);
	tcase_add_test(tc, file_name_may_be_absent_or_cut);
	tcase_add_test(tc, what_does_not_fit_is_no_record);
	tcase_add_test(tc, facts_are_decoded);
	tcase_add_test(tc, name_of_the_variable);
	return tc;
}

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
	tcase_add_test(tc, live_variable);
	tcase_add_test(tc, live_variable_bounds);
	tcase_add_test(tc, live_long_name);
	tcase_add_test(tc, live_loginuid);
	tcase_add_test(tc, live_cgroup);
	tcase_add_test(tc, live_perf_of_others_goes_on);
	tcase_add_test(tc, open_refuses_nonsense);
	tcase_add_test(tc, open_needs_btf);
	tcase_add_test(tc,
		live_drain_needs_no_rights); /* the last: without fork they stay away */
	return tc;
}

UNIT_MAIN("execbpf", tc_decode, tc_live)

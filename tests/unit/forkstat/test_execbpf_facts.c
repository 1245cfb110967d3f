// SPDX-License-Identifier: GPL-2.0-or-later
/* Facts that the BPF programs note: a variable of the environment, login user, control
 * group. */
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

#include "execbpf_rig.h"

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

/* A variable behind the strings that are searched is unknown, and a long value is cut. */
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

static TCase *tc_facts(void)
{
	TCase *tc = tcase_create("facts");

	tcase_add_test(tc, live_variable);
	tcase_add_test(tc, live_variable_bounds);
	tcase_add_test(tc, live_long_name);
	tcase_add_test(tc, live_loginuid);
	tcase_add_test(tc, live_cgroup);
	return tc;
}

UNIT_MAIN("execbpf_facts", tc_facts)

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shares of counters: timercount's program of hrtimer_start, run by BPF_PROG_TEST_RUN
 * (Linux 5.10) in processes of several users.  With timers counted one by one each run is
 * an event of another timer, so the number of events is that of the runs.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "timers/shares.h"
#include "timers/timercount.bpf.h"
#include "timers/timerowner.h"
#include "timers/timers.h"
#include "unit.h"

enum { ROOM = 16, USER = 4242, OTHER = 5252, INNER = 4711, RUNS = 100 };

static struct sm_root root;
static struct sm_bpf_loader loader;
static struct sm_bpf_array array, losses;
static struct sm_timer_owners owners = SM_TIMER_OWNERS_INIT;
static struct sm_shares *shares;
static int program = -1;
static bool permitted, has_types;

static int open_program(void)
{
	const uint32_t by_timer = 1;
	int err;

	(void)!sm_bpf_loader_open(&loader, &timercount_bpf, &root, NULL);
	loader.entries[MAP_TIMER_COUNTS] = ROOM;
	loader.entries[MAP_TIMER_OWNERS] = 2 * RUNS;
	err = sm_timerowner_open(&owners, &loader, MAP_TIMER_OWNERS, MAP_TIMER_SYMBOLS);
	if (!err) {
		has_types = sm_timerowner_find(&owners, &root) && loader.btf;
		err = sm_bpf_loader_array(&loader, MAP_SHARES, &array);
	}
	if (!err)
		err = sm_bpf_loader_array(&loader, MAP_LOSSES, &losses);
	if (!err)
		err = sm_bpf_loader_set(&loader, MAP_BY_TIMER, &by_timer);
	if (err)
		return err;
	shares = array.values;
	shares->room = ROOM;
	program = sm_bpf_loader_load(&loader, PROGRAM_HRTIMER_START);
	return program < 0 ? program : 0;
}

static void setup(void)
{
	int err;

	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	err = open_program();
	ck_assert(err == 0 || err == -EPERM || err == -EACCES || err == -ENOSYS);
	permitted = err == 0 && getuid() == 0;
}

static void teardown(void)
{
	sm_base_close_fd(&program);
	sm_timerowner_close(&owners);
	sm_bpf_array_close(&array);
	sm_bpf_array_close(&losses);
	sm_bpf_loader_close(&loader);
	sm_root_close(&root);
}

static bool able(void)
{
	if (!permitted || !has_types)
		unit_skip("needs root, permission to load programs, and BTF");
	return permitted && has_types;
}

/* --- processes that arm timers ---------------------------------------------------- */

static int arm(uint64_t timer)
{
	const uint64_t argument[] = {timer, 0};
	struct { /* attr.test of union bpf_attr, of which older headers lack ctx_in */
		uint32_t prog_fd, retval, data_size_in, data_size_out;
		uint64_t data_in, data_out;
		uint32_t repeat, duration, ctx_size_in, ctx_size_out;
		uint64_t ctx_in, ctx_out;
	} attr = {.prog_fd = (uint32_t)program,
		.ctx_in = (uintptr_t)argument,
		.ctx_size_in = sizeof(argument)};

	return (int)syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr, sizeof(attr));
}

/* The real user alone changes: the kernel asks for rights until Linux 5.19. */
static int become(uid_t uid)
{
	return setresuid(uid, 0, 0);
}

static int write_file(const char *path, const char *text)
{
	SM_CLOSE_FD int fd = open(path, O_WRONLY | O_CLOEXEC);

	return fd < 0 || write(fd, text, strlen(text)) < 0 ? -1 : 0;
}

/* Maps the user INNER into the namespace of the process, once that is made. */
static void map_inner(pid_t pid, const int made[2])
{
	char path[64], map[64], byte;

	close(made[1]); /* the end of the process ends the wait */
	snprintf(path, sizeof(path), "/proc/%d/uid_map", (int)pid);
	snprintf(map, sizeof(map), "0 %d 1\n", INNER);
	_exit(read(made[0], &byte, 1) != 1 || write_file(path, map) < 0);
}

/* The user INNER in a namespace that the user made. */
static int become_inner(uid_t uid)
{
	pid_t pid = getpid(), helper;
	int made[2], status;

	if (pipe(made) < 0)
		return -1;
	helper = fork();
	if (helper == 0)
		map_inner(pid, made);
	if (setresuid(uid, uid, 0) < 0 || unshare(CLONE_NEWUSER) < 0 ||
		write(made[1], "", 1) != 1)
		return -1;
	return waitpid(helper, &status, 0) == helper && status == 0 ? setuid(0) : -1;
}

/* Runs the program so many times in a process of its own; false: it cannot. */
static bool runs(int (*as)(uid_t uid), uid_t uid, unsigned int times, const char *name)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (as(uid) < 0)
			_exit(2);
		(void)prctl(PR_SET_NAME, name);
		for (unsigned int i = 0; i < times; i++)
			if (arm((uint64_t)getpid() << 16 | i) < 0)
				_exit(2);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status == 0;
}

/* --- what was counted -------------------------------------------------------------- */

struct found {
	uint32_t threads, processes, users; /* counters */
	uint64_t starts;
	char process[SM_TASK_COMM_LEN]; /* the name of one */
};

static void add(struct found *f, struct sm_timer_owner owner, uint64_t starts)
{
	f->threads += sm_timer_is_thread(owner);
	f->processes += sm_timer_is_process(owner);
	f->users += sm_timer_is_user(owner);
	f->starts += starts;
}

/* Counters that the payer has. */
static struct found of(uint32_t payer)
{
	struct sm_timer_counts counts[ROOM];
	struct sm_timer_key key[ROOM];
	struct found f = {0};
	uint32_t n = ROOM;

	ck_assert_int_eq(sm_bpf_map_read(sm_bpf_loader_map(&loader, MAP_TIMER_COUNTS),
				 key, counts, &n),
		0);
	for (uint32_t i = 0; i < n; i++) {
		if (counts[i].payer != payer)
			continue;
		add(&f, key[i].owner, counts[i].starts);
		if (sm_timer_is_process(key[i].owner))
			memcpy(f.process, counts[i].comm, sizeof(f.process));
		if (sm_timer_is_user(key[i].owner))
			ck_assert_uint_eq((uint32_t)key[i].owner.ids, payer);
	}
	return f;
}

static void nothing_lost(void)
{
	ck_assert_uint_eq(((struct sm_timer_losses *)losses.values)->events, 0);
}

START_TEST(threads_then_processes_then_the_user)
{
	struct found f;

	if (!able())
		return;
	/* Half of the room, then one counter of the process. */
	ck_assert(runs(become, USER, RUNS, "hog"));
	f = of(USER);
	ck_assert_uint_eq(f.threads, ROOM / 2);
	ck_assert_uint_eq(f.processes, 1);
	ck_assert_str_eq(f.process, "hog");
	ck_assert_uint_eq(f.starts, RUNS);
	/* After two more runs, 11 counters use two thirds of the room. */
	ck_assert(runs(become, USER, RUNS, "hog"));
	ck_assert(runs(become, USER, RUNS, "hog"));
	f = of(USER);
	ck_assert_uint_eq(f.processes, 3);
	ck_assert_uint_eq(f.users, 0);
	for (int i = 0; i < 5; i++)
		ck_assert(runs(become, USER, RUNS, "hog"));
	f = of(USER);
	ck_assert_uint_eq(f.processes, 3);
	ck_assert_uint_eq(f.users, 1);
	ck_assert_uint_eq(f.starts, 8 * RUNS);
	nothing_lost();
}
END_TEST

START_TEST(others_have_room)
{
	struct found f;

	if (!able())
		return;
	for (int i = 0; i < 8; i++)
		ck_assert(runs(become, USER, RUNS, "hog"));
	ck_assert(runs(become, OTHER, 2, "victim"));
	f = of(OTHER);
	ck_assert_uint_eq(f.threads, 2);
	ck_assert_uint_eq(f.starts, 2);
	nothing_lost();
}
END_TEST

/* The reader deletes counters of tasks that exited. */
START_TEST(room_comes_back)
{
	struct sm_timer_counts counts[ROOM], rest;
	struct sm_timer_key key[ROOM];
	uint32_t n = ROOM;
	int fd;

	if (!able())
		return;
	ck_assert(runs(become, USER, RUNS, "hog"));
	fd = sm_bpf_loader_map(&loader, MAP_TIMER_COUNTS);
	ck_assert_int_eq(sm_bpf_map_read(fd, key, counts, &n), 0);
	for (uint32_t i = 0; i < n; i++) {
		ck_assert_int_eq(sm_bpf_map_take(fd, &key[i], &rest), 0);
		sm_shares_deleted(shares, (uint32_t)rest.payer);
	}
	ck_assert(runs(become, USER, 3, "hog"));
	ck_assert_uint_eq(of(USER).threads, 3);
}
END_TEST

START_TEST(namespaces_do_not_multiply_users)
{
	if (!able())
		return;
	if (!runs(become_inner, USER, 3, "inner")) {
		unit_skip("no user namespaces, or no right to run programs in them");
		return;
	}
	ck_assert_uint_eq(of(USER).threads, 3);
	ck_assert_uint_eq(of(INNER).threads, 0);
}
END_TEST

static TCase *tc_shares(void)
{
	TCase *tc = tcase_create("shares");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, threads_then_processes_then_the_user);
	tcase_add_test(tc, others_have_room);
	tcase_add_test(tc, room_comes_back);
	tcase_add_test(tc, namespaces_do_not_multiply_users);
	return tc;
}

UNIT_MAIN("shares", tc_shares)

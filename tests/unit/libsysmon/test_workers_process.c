// SPDX-License-Identifier: GPL-2.0-or-later
/* Workers as processes, and faults that end the load. */
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "load/worker.h"
#include "fixroot_rig.h"
#include "workers_rig.h"

/* ---- a worker as a process ---- */

static uint64_t status_mask(pid_t pid, const char *key)
{
	char path[64], text[4096];
	const char *line;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	line = strstr(unit_slurp(path, text, sizeof(text)), key);
	ck_assert_ptr_nonnull(line);
	return strtoull(line + strlen(key), NULL, 16);
}

static void on_signal(int sig)
{
	(void)sig;
}

START_TEST(signals)
{
	static const int ignored[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1};
	sigset_t set;
	pid_t pid;

	signal(SIGTERM, on_signal);
	signal(SIGIO, on_signal);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	start(1);
	pid = sm_workers_pid(&w, 0);
	ck_assert_uint_eq(status_mask(pid, "SigBlk:"), 0);
	ck_assert_uint_eq(status_mask(pid, "SigCgt:"), 0);
	for (size_t i = 0; i < SM_ARRAY_SIZE(ignored); i++)
		ck_assert_int_eq(kill(pid, ignored[i]), 0);
	order(0, "mwc", 5);
	wait_for_ops(0);
	ck_assert(!check_faults());
	/* the caller's own are as they were */
	sigprocmask(SIG_BLOCK, NULL, &set);
	ck_assert(sigismember(&set, SIGCHLD) && !sigismember(&set, SIGINT));
	ck_assert_ptr_eq(signal(SIGTERM, SIG_DFL), on_signal);
	ck_assert_uint_eq(sm_workers_close(&w), 0);
}
END_TEST

START_TEST(descriptors)
{
	unsigned int before = unit_open_fds(), n = 0;
	struct dirent *e;
	char path[64];
	DIR *d;

	start(1);
	snprintf(path, sizeof(path), "/proc/%d/fd", (int)sm_workers_pid(&w, 0));
	d = opendir(path);
	ck_assert_ptr_nonnull(d);
	while ((e = readdir(d)))
		n += e->d_name[0] != '.';
	closedir(d);
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(sm_workers_close(&w), 0);
	ck_assert_uint_eq(unit_open_fds(), before);
}
END_TEST

/* What was in a buffer at the fork is written once. */
START_TEST(stdio)
{
	FILE *f = tmpfile();

	ck_assert_ptr_nonnull(f);
	fputs("once", f);
	start(n_cpu);
	ck_assert_uint_eq(sm_workers_close(&w), 0);
	ck_assert_int_eq(fflush(f), 0);
	ck_assert_int_eq(lseek(fileno(f), 0, SEEK_END), 4);
	fclose(f);
}
END_TEST

START_TEST(killed)
{
	char text[64];

	start(n_cpu);
	ck_assert(!check_faults());
	ck_assert_int_eq(kill(sm_workers_pid(&w, n_cpu - 1), SIGKILL), 0);
	while (!check_faults())
		nap(MS);
	ck_assert_uint_eq(why.cpu, cpu[n_cpu - 1]);
	ck_assert_int_eq(why.what, SM_WORKERS_KILLED);
	ck_assert_int_eq(why.err, SIGKILL);
	sm_workers_reason(&why, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, " was killed by SIGKILL"));
	ck_assert_int_eq(sm_workers_pid(&w, n_cpu - 1), 0);
	ck_assert(check_faults()); /* and it stays so */
	ck_assert_uint_eq(sm_workers_close(&w), 0);
	no_child_is_left();
}
END_TEST

START_TEST(killed_with_sigchld_ignored)
{
	signal(SIGCHLD, SIG_IGN);
	start(n_cpu);
	ck_assert(!check_faults());
	ck_assert_int_eq(kill(sm_workers_pid(&w, 0), SIGKILL), 0);
	while (!check_faults())
		nap(MS);
	ck_assert_uint_eq(why.cpu, cpu[0]);
	ck_assert_int_eq(why.what, SM_WORKERS_EXITED);
	ck_assert_uint_eq(sm_workers_close(&w), 0);
	no_child_is_left();
}
END_TEST

/* It does not see the order to end. */
START_TEST(a_stopped_one_is_ended)
{
	start(1);
	ck_assert_int_eq(kill(sm_workers_pid(&w, 0), SIGSTOP), 0);
	while (state_of(sm_workers_pid(&w, 0)) != 'T')
		nap(MS);
	ck_assert_uint_eq(sm_workers_close(&w), 0);
	no_child_is_left();
}
END_TEST

/* ---- no worker outlives its parent ---- */

static void parent_with_workers(int tell)
{
	pid_t pid;

	start(1);
	order(0, "mwc", 100);
	pid = sm_workers_pid(&w, 0);
	if (write(tell, &pid, sizeof(pid)) != sizeof(pid))
		_exit(1);
	for (;;)
		pause();
}

START_TEST(parent_killed)
{
	int fds[2], status;
	pid_t parent, worker;
	uint64_t begin;

	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	ck_assert_int_eq(pipe(fds), 0);
	parent = fork();
	if (parent == 0)
		parent_with_workers(fds[1]);
	ck_assert_int_eq(read(fds[0], &worker, sizeof(worker)), sizeof(worker));
	begin = sm_clock_mono_ns();
	ck_assert_int_eq(kill(parent, SIGKILL), 0);
	ck_assert_int_eq(waitpid(parent, &status, 0), parent);
	/* inherited from the dead parent; for ever if it lives on, and Check ends the
	 * test */
	ck_assert_int_eq(waitpid(worker, &status, 0), worker);
	printf("# gone %.2f ms after SIGKILL to the parent\n",
		(double)(sm_clock_mono_ns() - begin) / 1e6);
	fflush(stdout);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGKILL);
}
END_TEST

/* The parent has died before the worker could ask for the signal: another is its parent.
 */
START_TEST(parent_died_before)
{
	struct {
		uint32_t arrivals;
		struct sm_worker_slot slot;
	} *m = mmap(NULL, sizeof(*m), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		-1, 0);
	struct sm_worker_plan p;
	int status;
	pid_t pid;

	ck_assert_ptr_ne(m, MAP_FAILED);
	p = (struct sm_worker_plan){.slot = &m->slot,
		.arrivals = &m->arrivals,
		.cpu = cpu[0],
		.parent = getppid(),
		.life_fd = -1};
	pid = fork();
	if (pid == 0)
		sm_worker_live(&p);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 1);
	ck_assert_uint_eq(m->slot.state, SM_WORKER_ORPHAN);
	munmap(m, sizeof(*m));
}
END_TEST

/* ---- what cannot be loaded ---- */

START_TEST(no_such_cpu)
{
	unsigned int absent[2] = {cpu[0], 60000};
	char text[64];

	ck_assert_int_eq(sm_workers_open(&w, absent, 2, &config, &why), -ECHILD);
	ck_assert_uint_eq(why.cpu, 60000);
	ck_assert_int_eq(why.what, SM_WORKERS_NO_CPU);
	ck_assert_int_eq(why.err, -EINVAL);
	no_child_is_left();
	sm_workers_reason(&why, text, sizeof(text));
	ck_assert_str_eq(
		text, "the load of CPU 60000 cannot run there: Invalid argument");
	ck_assert_int_eq(sm_workers_open(&w, absent, 0, &config, &why), -EINVAL);
}
END_TEST

static int refuse(void *ctx)
{
	return *(const int *)ctx;
}

START_TEST(preparation)
{
	int result = -EACCES;

	config.prepare = refuse;
	config.prepare_ctx = &result;
	ck_assert_int_eq(sm_workers_open(&w, cpu, 1, &config, &why), -ECHILD);
	ck_assert_int_eq(why.what, SM_WORKERS_SETUP);
	ck_assert_int_eq(why.err, -EACCES);
	no_child_is_left();
	result = 0;
	start(1);
	ck_assert_uint_eq(sm_workers_close(&w), 0);
}
END_TEST

static int no_more_processes(void *ctx)
{
	(void)ctx;
	_exit(7);
}

START_TEST(ends_without_a_word)
{
	config.prepare = no_more_processes;
	ck_assert_int_eq(sm_workers_open(&w, cpu, 1, &config, &why), -ECHILD);
	ck_assert_int_eq(why.what, SM_WORKERS_EXITED);
	ck_assert_int_eq(why.err, 7);
	no_child_is_left();
}
END_TEST

START_TEST(too_little_memory)
{
	config.mem_bytes = SIZE_MAX / 2;
	ck_assert_int_eq(sm_workers_open(&w, cpu, 1, &config, &why), -ECHILD);
	ck_assert_int_eq(why.what, SM_WORKERS_SETUP);
	ck_assert_int_eq(why.err, -ENOMEM);
	no_child_is_left();
}
END_TEST

static void move(pid_t pid, unsigned int to)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(to, &set);
	ck_assert_int_eq(sched_setaffinity(pid, sizeof(set), &set), 0);
}

/* What the kernel does to a worker whose CPU goes offline. */
START_TEST(moved)
{
	pid_t pid;

	if (n_cpu < 2) {
		printf("# not tried: only one CPU\n");
		fflush(stdout);
		return;
	}
	start(1);
	pid = sm_workers_pid(&w, 0);
	order(0, "mwc", 50);
	wait_for_ops(0);
	move(pid, cpu[1]);
	while (!check_faults())
		nap(MS);
	ck_assert_int_eq(why.what, SM_WORKERS_AWAY);
	ck_assert_uint_eq(why.cpu, cpu[0]);
	ck_assert_int_eq(why.err, cpu[1]);
	/* it does not load that one */
	while (state_of(pid) != 'S')
		nap(MS);
	/* back, and with an order it works again */
	move(pid, cpu[0]);
	order(0, "mwc", 50);
	wait_for_ops(0);
	ck_assert(!check_faults());
	ck_assert_uint_eq(sm_workers_close(&w), 0);
}
END_TEST

START_TEST(offline)
{
	char list[32];

	fix_open();
	snprintf(list, sizeof(list), "0-%u\n", cpu[0]);
	fix_put("sys/devices/system/cpu/online", list);
	config.root = &fix;
	start(1);
	ck_assert(!check_faults());
	snprintf(list, sizeof(list), "%u\n", cpu[0] + 1);
	fix_put("sys/devices/system/cpu/online", list);
	ck_assert(check_faults());
	ck_assert_int_eq(why.what, SM_WORKERS_OFFLINE);
	ck_assert_uint_eq(why.cpu, cpu[0]);
	ck_assert_uint_eq(sm_workers_close(&w), 0);
	fix_close();
}
END_TEST

START_TEST(reasons)
{
	static const struct {
		enum sm_workers_what what;
		int err;
		const char *text;
	} r[] = {
		{SM_WORKERS_FORK, -EAGAIN,
			"cannot be started: Resource temporarily unavailable"},
		{SM_WORKERS_SETUP, -ENOMEM, "cannot be set up: Cannot allocate memory"},
		{SM_WORKERS_WRONG, 1, "computes wrong results: int"},
		{SM_WORKERS_WRONG, 99, "computes wrong results: ?"},
		{SM_WORKERS_EXITED, 3, "exited with status 3"},
		{SM_WORKERS_AWAY, 5, "was moved to CPU 5"},
		{SM_WORKERS_OFFLINE, 0, "has lost its CPU, which went offline"},
	};
	char text[96], want[96];

	for (size_t i = 0; i < SM_ARRAY_SIZE(r); i++) {
		why = (struct sm_workers_fault){12, r[i].what, r[i].err};
		sm_workers_reason(&why, text, sizeof(text));
		snprintf(want, sizeof(want), "the load of CPU 12 %s", r[i].text);
		ck_assert_str_eq(text, want);
	}
	sm_workers_reason(&why, text, 8);
	ck_assert_str_eq(text, "the loa");
}
END_TEST

static TCase *tc_process(void)
{
	TCase *tc = tcase_create("process");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, signals);
	tcase_add_test(tc, descriptors);
	tcase_add_test(tc, stdio);
	tcase_add_test(tc, killed);
	tcase_add_test(tc, killed_with_sigchld_ignored);
	tcase_add_test(tc, a_stopped_one_is_ended);
	tcase_add_test(tc, parent_killed);
	tcase_add_test(tc, parent_died_before);
	return tc;
}

static TCase *tc_refused(void)
{
	TCase *tc = tcase_create("refused");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, no_such_cpu);
	tcase_add_test(tc, preparation);
	tcase_add_test(tc, ends_without_a_word);
	tcase_add_test(tc, too_little_memory);
	tcase_add_test(tc, moved);
	tcase_add_test(tc, offline);
	tcase_add_test(tc, reasons);
	return tc;
}

UNIT_MAIN("workers process", tc_process, tc_refused)

// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "kernel/procpid.h"
#include "kernel/procstat.h"
#include "load/cpus.h"
#include "load/worker.h"
#include "load/workers.h"
#include "fixroot_rig.h"

#define MS	  SM_NSEC_PER_MSEC
#define PPM(p)	  ((uint32_t)((p)*10000.0 + 0.5))
#define JUDGED_NS (2 * SM_NSEC_PER_SEC)
#define SHORT_NS  (300 * MS)
#define CYCLE_NS  (10 * MS) /* of a duty cycle */

static struct sm_root live;
static struct sm_workers w;
static struct sm_workers_config config;
static struct sm_workers_fault why;
static unsigned int *cpu, n_cpu;

static void setup(void)
{
	struct sm_cpus cpus;
	unsigned int bad;
	int n;

	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	ck_assert_int_eq(sm_cpus_open(&cpus, &live), 0);
	n = sm_cpus_select(&cpus, NULL, &cpu, &bad);
	ck_assert_int_gt(n, 0);
	n_cpu = (unsigned int)n;
	sm_cpus_close(&cpus);
}

static void teardown(void)
{
	sm_root_close(&live);
	free(cpu);
}

static void start(unsigned int n)
{
	char reason[128] = "";
	int r = sm_workers_open(&w, cpu, n, &config, &why);

	if (r < 0)
		sm_workers_reason(&why, reason, sizeof(reason));
	ck_assert_msg(r == 0, "%d: %s", r, reason);
}

static void nap(uint64_t ns)
{
	struct timespec ts = {
		(time_t)(ns / SM_NSEC_PER_SEC), (long)(ns % SM_NSEC_PER_SEC)};

	nanosleep(&ts, NULL);
}

static void order(unsigned int i, const char *op, double percent)
{
	struct sm_workers_reading r;

	sm_workers_set(&w, i, (unsigned int)sm_ops_find(op), PPM(percent));
	sm_workers_go(&w);
	do {
		nap(MS / 10);
		sm_workers_read(&w, i, &r);
	} while (!r.follows);
}

static uint64_t ops_of(unsigned int i)
{
	struct sm_workers_reading r;

	sm_workers_read(&w, i, &r);
	return r.ops;
}

static void wait_for_ops(unsigned int i)
{
	uint64_t before = ops_of(i);

	while (ops_of(i) == before)
		nap(MS / 10);
}

static char state_of(pid_t pid)
{
	struct sm_pidstat st;

	ck_assert_int_eq(sm_procpid_read_stat(&live, pid, &st), 0);
	return st.state;
}

static bool check_faults(void)
{
	int r = sm_workers_check(&w, &why);

	ck_assert_int_ge(r, 0);
	return r;
}

static void no_child_is_left(void)
{
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}

/* ---- the load, as the kernel saw it ---- */

struct seen {
	uint64_t at_ns, run_ns, wait_ns, steal_ticks;
};

static uint64_t steal_of(unsigned int number)
{
	struct sm_procstat_file f;
	struct sm_procstat s = {0};
	uint64_t steal;

	ck_assert_int_eq(sm_procstat_open(&f, &live), 0);
	ck_assert_int_eq(sm_procstat_read(&f, &s), 0);
	steal = s.cpu[number].t.steal;
	sm_procstat_fini(&s);
	sm_procstat_close(&f);
	return steal;
}

/* While the worker sleeps: the figures of one that runs are those of the last tick. */
static bool look(struct seen *s)
{
	pid_t pid = sm_workers_pid(&w, 0);

	for (int tries = 0; tries < 10000; tries++) {
		uint64_t run;

		if (state_of(pid) != 'S') {
			nap(MS / 10);
			continue;
		}
		s->at_ns = sm_clock_mono_ns();
		ck_assert_int_eq(
			sm_procpid_read_schedstat(&live, pid, 0, &s->run_ns, &s->wait_ns),
			0);
		s->steal_ticks = steal_of(w.one[0].cpu);
		ck_assert_int_eq(
			sm_procpid_read_schedstat(&live, pid, 0, &run, &s->wait_ns), 0);
		if (run == s->run_ns && state_of(pid) == 'S')
			return true;
	}
	printf("# not judged: it never slept, so others took what it should leave\n");
	return false;
}

/* Could what others took be made up for? */
static bool was_quiet(const struct seen *a, const struct seen *b, double percent)
{
	double wall = (double)(b->at_ns - a->at_ns);
	double taken = (double)(b->wait_ns - a->wait_ns) +
		       (double)(b->steal_ticks - a->steal_ticks) * 1e7;

	if (taken <= wall * (1 - percent / 100) / 2)
		return true;
	printf("# %g %%: not judged, others took %.0f of %.0f ms\n", percent, taken / 1e6,
		wall / 1e6);
	return false;
}

static void judge(const char *op, double percent)
{
	struct seen a, b;
	double given;

	order(0, op, percent);
	nap(SM_NSEC_PER_SEC / 2);
	if (!look(&a))
		return;
	nap(JUDGED_NS);
	if (!look(&b) || !was_quiet(&a, &b, percent))
		return;
	given = 100.0 * (double)(b.run_ns - a.run_ns) / (double)(b.at_ns - a.at_ns);
	printf("# %s %g %%: %.3f %%\n", op, percent, given);
	ck_assert_msg(
		fabs(given - percent) <= 0.3, "%s %g %%: %g %%", op, percent, given);
}

/* In a short time: as far as the kernel let the worker run, and it may make up for what
 * others took. */
START_TEST(share_of_a_moment)
{
	struct seen a, b;
	double wall, taken, given;

	start(1);
	order(0, "int", 58.4);
	wait_for_ops(0);
	if (look(&a)) {
		nap(SHORT_NS);
		if (look(&b)) {
			wall = (double)(b.at_ns - a.at_ns);
			taken = (double)b.wait_ns +
				(double)(b.steal_ticks - a.steal_ticks) * 1e7;
			given = (double)(b.run_ns - a.run_ns);
			ck_assert_msg(fabs(given - 0.584 * wall) <= 2 * CYCLE_NS + taken,
				"%.0f of %.0f ms, waited %.0f", given / 1e6, wall / 1e6,
				taken / 1e6);
		}
	}
	ck_assert_uint_eq(sm_workers_close(&w), 0);
}
END_TEST

START_TEST(share)
{
	start(1);
	judge("mwc", 1);
	judge("int", 58.4);
	judge("vector", 90);
	fflush(stdout);
	ck_assert_uint_eq(sm_workers_close(&w), 0);
}
END_TEST

/* The worker's own account and the kernel's. */
START_TEST(account)
{
	struct sm_workers_reading before, after;
	uint64_t begin, run_before, run, wait, steal_ticks;

	start(1);
	sm_workers_read(&w, 0, &before);
	ck_assert_uint_eq(before.asked_ns, 0);
	ck_assert_uint_eq(before.ops, 0);
	while (state_of(sm_workers_pid(&w, 0)) != 'S')
		nap(MS / 10);
	ck_assert_int_eq(sm_procpid_read_schedstat(
				 &live, sm_workers_pid(&w, 0), 0, &run_before, &wait),
		0);
	steal_ticks = steal_of(w.one[0].cpu);
	sm_workers_set(&w, 0, 0, PPM(50));
	begin = sm_workers_go(&w);
	wait_for_ops(0);
	nap(100 * MS);
	sm_workers_set(&w, 0, 0, 0);
	ck_assert_uint_ge(sm_workers_go(&w), begin + 100 * MS);
	do
		sm_workers_read(&w, 0, &after);
	while (!after.follows || state_of(sm_workers_pid(&w, 0)) != 'S');
	sm_workers_read(&w, 0, &after);
	ck_assert_int_eq(
		sm_procpid_read_schedstat(&live, sm_workers_pid(&w, 0), 0, &run, &wait),
		0);
	ck_assert_uint_ge(run, after.given_ns);
	/* Going to sleep takes time, and time that the hypervisor takes counts as run. */
	steal_ticks = steal_of(w.one[0].cpu) - steal_ticks;
	ck_assert_uint_le(
		run - run_before, after.given_ns + (5 + 10 * (steal_ticks + 1)) * MS);
	ck_assert_uint_eq(after.asked_ns, (w.one[0].from_ns - begin) / 2);
	ck_assert_uint_gt(after.ops, 0);
	/* nothing is asked for any more, so nothing changes */
	sm_workers_read(&w, 0, &before);
	ck_assert_uint_eq(before.asked_ns, after.asked_ns);
	ck_assert_uint_eq(before.given_ns, after.given_ns);
	ck_assert_uint_ge(before.at_ns, after.at_ns);
	ck_assert_uint_eq(sm_workers_close(&w), 0);
	no_child_is_left();
}
END_TEST

static uint64_t switches_of(pid_t pid)
{
	char text[64], path[64];
	unsigned long long run, wait, times;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	ck_assert_int_eq(sscanf(unit_slurp(path, text, sizeof(text)), "%llu %llu %llu",
				 &run, &wait, &times),
		3);
	return times;
}

START_TEST(zero_does_not_wake_up)
{
	uint64_t before;
	pid_t pid;

	start(1);
	pid = sm_workers_pid(&w, 0);
	order(0, "mwc", 30);
	wait_for_ops(0);
	order(0, "mwc", 0);
	while (state_of(pid) != 'S')
		nap(MS / 10);
	before = switches_of(pid);
	nap(200 * MS);
	ck_assert_uint_eq(switches_of(pid), before);
	ck_assert_uint_eq(sm_workers_close(&w), 0);
}
END_TEST

START_TEST(all_kernels)
{
	config.mem_bytes = 1 << 20;
	start(n_cpu);
	for (unsigned int op = 0; op < sm_ops_count; op++)
		for (unsigned int i = 0; i < n_cpu; i++) {
			order(i, sm_ops_table[op].name, op % 2 ? 100 : 20);
			wait_for_ops(i);
		}
	ck_assert(!check_faults());
	ck_assert_uint_eq(sm_workers_close(&w), 0);
	no_child_is_left();
}
END_TEST

/* Orders that were set take effect together, others stay. */
START_TEST(together)
{
	uint64_t at, later;

	start(n_cpu);
	for (unsigned int i = 0; i < n_cpu; i++)
		sm_workers_set(&w, i, 0, PPM(1));
	ck_assert_uint_eq(w.one[0].ppm, 0);
	at = sm_workers_go(&w);
	for (unsigned int i = 0; i < n_cpu; i++)
		ck_assert_uint_eq(w.one[i].from_ns, at);
	sm_workers_set(&w, n_cpu - 1, 0, 2 * SM_DUTY_FULL);
	later = sm_workers_go(&w);
	ck_assert_uint_eq(w.one[n_cpu - 1].from_ns, later);
	ck_assert_uint_eq(w.one[n_cpu - 1].ppm, SM_DUTY_FULL);
	if (n_cpu > 1)
		ck_assert_uint_eq(w.one[0].from_ns, at);
	ck_assert_uint_eq(sm_workers_close(&w), 0);
}
END_TEST

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

/* ---- values in shared memory ---- */

struct triple {
	uint64_t a, b, c;
};

struct mailbox {
	struct triple pair[2];
	uint32_t turn;
};

static void write_many(struct mailbox *m)
{
	for (uint64_t k = 1; k <= 200000; k++) {
		struct triple t = {k, k * 3, k * 7};

		sm_worker_put(m->pair, &m->turn, &t, sizeof(t));
	}
	_exit(0);
}

START_TEST(values_are_whole)
{
	struct mailbox *m = mmap(NULL, sizeof(*m), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct triple t;
	uint64_t last = 0;
	int status;
	pid_t pid;

	ck_assert_ptr_ne(m, MAP_FAILED);
	pid = fork();
	if (pid == 0)
		write_many(m);
	while (last < 200000) {
		uint32_t turn = sm_worker_get(m->pair, &m->turn, &t, sizeof(t));

		ck_assert_uint_eq(t.a, turn);
		ck_assert_uint_eq(t.b, t.a * 3);
		ck_assert_uint_eq(t.c, t.a * 7);
		ck_assert_uint_ge(t.a, last);
		last = t.a;
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	munmap(m, sizeof(*m));
}
END_TEST

static TCase *tc_load(void)
{
	TCase *tc = tcase_create("load");

	tcase_add_checked_fixture(tc, setup, teardown);
	if (unit_live())
		tcase_add_test(tc, share);
	tcase_add_test(tc, share_of_a_moment);
	tcase_add_test(tc, account);
	tcase_add_test(tc, zero_does_not_wake_up);
	tcase_add_test(tc, all_kernels);
	tcase_add_test(tc, together);
	tcase_add_test(tc, values_are_whole);
	return tc;
}

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

UNIT_MAIN("workers", tc_load, tc_process, tc_refused)

// SPDX-License-Identifier: GPL-2.0-or-later
/* Stages of stressors that are made for the purpose: their start, progress and end. */
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <time.h>

#include "cli/loop.h"
#include "kernel/procpid.h"
#include "load/worker.h"
#include "stressors/run/outcome.h"
#include "stressors/run/supervisor.h"
#include "unit.h"

#define MS   (SM_NSEC_PER_SEC / 1000)
#define JOBS 8

static struct sm_root root;
static struct plan plan;
static struct supervisor sup;
static struct sm_loop loop;
static struct stage g;
static struct job job[JOBS];
static struct result r[JOBS];

static void begin(uint64_t time_ns)
{
	memset(job, 0, sizeof(job));
	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	plan = (struct plan){.job = job, .time_ns = time_ns, .keep_name = true};
	loop = (struct sm_loop)SM_LOOP_INIT;
	ck_assert_int_eq(sm_loop_init(&loop), 0);
	ck_assert_int_eq(sm_loop_signals(&loop, (const int[]){SIGCHLD, SIGINT, 0}), 0);
	sup = (struct supervisor){.plan = &plan, .root = &root, .ready_fd = -1};
	ck_assert_int_eq(supervisor_open(&sup, &loop), 0);
}

static const struct job *add(const struct stressor *s, unsigned int instances)
{
	job[plan.n] =
		(struct job){.stressor = s, .instances = instances, .ops = UINT64_MAX};
	return &job[plan.n++];
}

static void start_stage(void)
{
	ck_assert_int_eq(supervisor_start(&sup, &g, job, plan.n), 0);
}

static void run_until(enum supervisor_phase phase)
{
	while (sup.phase != phase) {
		ck_assert_int_ge(sm_loop_wait(&loop, supervisor_next(&sup)), 0);
		if (sm_loop_take(&loop, NULL) & SM_SIGBIT(SIGINT))
			supervisor_stop(&sup, false, sm_clock_mono_ns());
		supervisor_step(&sup, sm_clock_mono_ns());
	}
}

static void finish_stage(void)
{
	run_until(SUPERVISOR_IS_OVER);
	ck_assert_int_eq(outcome_results(&sup, &g, r), 0);
}

static void run_stage(void)
{
	start_stage();
	finish_stage();
}

static void end(void)
{
	for (size_t i = 0; i < plan.n; i++)
		outcome_free(&r[i]);
	supervisor_free(&g);
	supervisor_close(&sup);
	sm_loop_fini(&loop);
	sm_root_close(&root);
}

static void nap(uint64_t ns)
{
	struct timespec ts = {.tv_nsec = (long)ns};

	nanosleep(&ts, NULL);
}

/* The time of the last op, by which a test knows what the load did. */
static void count(struct stress *s)
{
	stress_metric(s, 0, (double)sm_clock_mono_ns());
	stress_add(s, 1);
}

static uint64_t last_op(const struct worker *w)
{
	return (uint64_t)w->slot->metric[0];
}

static void is_status(size_t i, enum result_status status, const char *reason)
{
	ck_assert_msg(r[i].status == status, "%s: %s: %s", job[i].stressor->name,
		result_status_names[r[i].status], r[i].reason);
	ck_assert_str_eq(r[i].reason ? r[i].reason : "", reason);
}

static _Noreturn void hang(void)
{
	for (;;)
		pause();
}

/* ---- progress ---- */

static int stall(struct stress *s)
{
	count(s);
	hang();
}

static int count_until_the_end(struct stress *s)
{
	while (!stress_stopped(s)) {
		count(s);
		nap(MS);
	}
	hang();
}

static int stop_itself(struct stress *s)
{
	count(s);
	raise(SIGSTOP);
	return 0;
}

/* As one whose partner needs a CPU. */
static int wait_for_child(struct stress *s)
{
	pid_t pid;

	pid = stress_partner(s);
	if (pid < 0)
		return -1;
	while (!pid)
		;
	count(s);
	hang();
}

/* Not even SIGTERM reaches it, as if it had no CPU. */
static int starve(struct stress *s)
{
	signal(SIGTERM, SIG_IGN);
	return wait_for_child(s);
}

static void *spin(void *arg)
{
	for (;;)
		;
	return arg;
}

/* As one whose threads need a CPU. */
static int wait_for_thread(struct stress *s)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, spin, NULL) != 0)
		return -1;
	count(s);
	hang();
}

/* State D, until the child ends, and SIGTERM does not end it: as in a call that waits for
 * a disk. */
static int wait_in_kernel(struct stress *s)
{
	pid_t pid;

	signal(SIGTERM, SIG_IGN);
	count(s);
	pid = vfork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	return pid < 0 ? -1 : 0;
}

static int never_count(struct stress *s)
{
	(void)s;
	hang();
}

static const struct stressor stalls = {.name = "stalls", .run = stall},
			     counts = {.name = "counts", .run = count_until_the_end},
			     stops = {.name = "stops", .run = stop_itself},
			     waits = {.name = "waits", .run = wait_for_child},
			     starves = {.name = "starves", .run = starve},
			     threads = {.name = "threads", .run = wait_for_thread},
			     writes = {.name = "writes",
				     .run = wait_in_kernel,
				     .scratch = true},
			     forks = {.name = "forks", .run = wait_in_kernel},
			     never = {.name = "never", .run = never_count};

/* The reading after the last op: that op ended at most a moment before. */
static void has_stalled(size_t i)
{
	const struct worker *w = &g.worker[i];
	double t = -1, since_go = (double)(last_op(w) - g.go_ns) / 1e9;

	ck_assert_int_eq(r[i].status, RESULT_FAIL);
	ck_assert_msg(sscanf(r[i].reason, "no progress since t = %lf s", &t) == 1, "%s",
		r[i].reason);
	ck_assert_double_ge(t, since_go - 0.06);
	ck_assert_double_le(t, (double)(g.stop_ns - g.go_ns) / 1e9 - 0.94);
	ck_assert_uint_eq(r[i].forced, 1);
}

/* On a busy machine it may not have had a CPU for a second. */
static bool had_no_cpu(size_t i)
{
	const struct worker *w = &g.worker[i];

	return g.stop_ns > last_op(w) + 900 * MS;
}

/* All have counted their op, and the supervisor has seen it, a second before the end. */
static bool is_in_time(void)
{
	for (size_t i = 0; i < g.n; i++) {
		const struct worker *w = &g.worker[i];

		if (!w->seen_ops || (i != 1 && g.stop_ns - w->seen_ns < 1000 * MS))
			return false;
	}
	return true;
}

static char place[UNIT_DIR]; /* of its files */

static void run_all(uint64_t time_ns)
{
	begin(time_ns);
	add(&stalls, 1);
	add(&counts, 1);
	add(&stops, 1);
	add(&waits, 1);
	add(&starves, 1);
	add(&threads, 1);
	add(&writes, 1);
	add(&forks, 1);
	unit_mkdtemp(place);
	sup.scratch_fd = open(place, O_PATH | O_DIRECTORY | O_CLOEXEC);
	run_stage();
	(void)unlinkat(sup.scratch_fd, "writes-0", AT_REMOVEDIR);
	close(sup.scratch_fd);
	ck_assert_int_eq(rmdir(place), 0);
}

START_TEST(progress)
{
	run_all(1500 * MS);
	/* A busy machine needs longer. */
	for (unsigned int s = 4; !is_in_time() && s < 20; s *= 2) {
		end();
		run_all(s * SM_NSEC_PER_SEC);
	}
	has_stalled(0);
	if (!had_no_cpu(1))
		is_status(1, RESULT_PASS, "ended by SIGTERM, 0.3 s after the end");
	has_stalled(2);
	is_status(3, RESULT_PASS, "ended by SIGTERM, 0.3 s after the end");
	is_status(4, RESULT_PASS, "ended by SIGKILL, 1.3 s after the end");
	is_status(5, RESULT_PASS, "ended by SIGTERM, 0.3 s after the end");
	is_status(6, RESULT_PASS, "ended by SIGKILL, 1.3 s after the end");
	has_stalled(7);
	end();
}
END_TEST

/* Without a time limit: the flag is a futex.  No signal wakes it. */
static int sleep_until_the_end(struct stress *s)
{
	signal(SIGTERM, SIG_IGN);
	count(s);
	sm_worker_wait((uint32_t *)(uintptr_t)&s->board->stop, 0, UINT64_MAX);
	return 0;
}

static const struct stressor sleeps = {.name = "sleeps", .run = sleep_until_the_end};

START_TEST(the_end_wakes)
{
	begin(200 * MS);
	add(&sleeps, 1);
	run_stage();
	is_status(0, RESULT_PASS, "");
	ck_assert_uint_eq(r[0].forced, 0);
	end();
}
END_TEST

START_TEST(progress_of_a_moment)
{
	begin(200 * MS);
	add(&never, 1);
	add(&stalls, 1);
	run_stage();
	is_status(0, RESULT_FAIL, "no progress since t = 0.0 s");
	is_status(1, RESULT_PASS, "ended by SIGTERM, 0.3 s after the end");
	end();
}
END_TEST

/* Their deaths by SIGTERM take longer than the second after which SIGKILL is sent. */
START_TEST(slow_deaths)
{
	begin(200 * MS);
	for (int i = 0; i < 4; i++)
		add(i % 2 ? &stalls : &never, 1);
	start_stage();
	run_until(SUPERVISOR_TERMINATES);
	supervisor_step(&sup, sup.until_ns);
	finish_stage();
	for (size_t i = 0; i < 4; i += 2) {
		is_status(i, RESULT_FAIL, "no progress since t = 0.0 s");
		is_status(i + 1, RESULT_PASS, "ended by SIGTERM, 0.3 s after the end");
	}
	end();
}
END_TEST

/* ---- too little time ---- */

#define WORK (30 * MS)

/* Less than an op, in a known CPU time. */
static int work_in_vain(struct stress *s)
{
	while (sm_clock_ns(CLOCK_PROCESS_CPUTIME_ID) < WORK)
		;
	while (!stress_stopped(s))
		nap(MS);
	return 0;
}

static const struct stressor slow = {.name = "slow", .run = work_in_vain};

START_TEST(no_time_for_an_op)
{
	unsigned int ms;

	begin(500 * MS);
	add(&slow, 1);
	run_stage();
	ck_assert_int_eq(r[0].status, RESULT_LACKS);
	ck_assert_msg(
		sscanf(r[0].reason,
			"no result: too short for one op; it got %u ms of CPU", &ms) == 1,
		"%s", r[0].reason);
	ck_assert_double_eq_tol(ms, (r[0].user_s + r[0].sys_s) * 1000, 1);
	end();
}
END_TEST

/* ---- the start ---- */

/* Instances and the test share it. */
struct words {
	_Atomic uint32_t asked;	  /* an instance is about to wait for the start */
	_Atomic uint32_t stopped; /* pid of the instance that is held back */
};
static struct words *shared;
static bool waits_late; /* instances begin to wait too late */

static void share_memory(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(shared, MAP_FAILED);
}

static long real_syscall(long nr, const long a[6])
{
	static long (*next)(long, ...);

	if (!next)
		next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	return next(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Returns when the supervisor has ended the run, and had time to wake the instances. */
static void wait_for_stop(void)
{
	while (!g.board->stop)
		nap(MS / 10);
	for (unsigned int i = 0; i < 50 && !g.board->go; i++)
		nap(MS);
}

/*
 * Stands for the function of the C library in all of this program.  The wait of an
 * instance that has asked for the flags of the start and the end begins too late.  As in
 * the C library, more arguments are read than a caller may have passed.
 */
__attribute__((no_sanitize_address)) long syscall(long nr, ...)
{
	long a[6];
	va_list ap;

	va_start(ap, nr);
	for (size_t i = 0; i < SM_ARRAY_SIZE(a); i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (nr == SYS_futex && a[1] == FUTEX_WAIT && waits_late) {
		shared->asked = 1;
		wait_for_stop();
	}
	return real_syscall(nr, a);
}

/* Ends the run while another instance waits for the start. */
static int interrupt(struct stress *s)
{
	while (!shared->asked)
		nap(MS);
	kill(getppid(), SIGINT);
	while (!stress_stopped(s))
		nap(MS);
	return 0;
}

static int nothing(struct stress *s)
{
	(void)s;
	return 0;
}

static const struct stressor interrupts = {.name = "interrupts",
				     .setup = interrupt,
				     .run = nothing},
			     ready = {.name = "ready", .run = nothing};

START_TEST(a_stop_before_the_start)
{
	share_memory();
	waits_late = true;
	begin(60 * SM_NSEC_PER_SEC);
	add(&interrupts, 1);
	add(&ready, 1);
	run_stage();
	ck_assert(sup.cut);
	ck_assert_uint_eq(r[1].forced, 0);
	is_status(1, RESULT_INTERRUPTED, "");
	end();
	waits_late = false;
}
END_TEST

/* ---- rates ---- */

#define LATE (400 * MS)

static bool is_stopped(pid_t pid)
{
	struct sm_pidstat st;

	return sm_procpid_read_stat(&root, pid, &st) == 0 && st.state == 'T';
}

/* As if the second instance had no CPU at first: it is stopped from before the start
 * until LATE after it. */
static int keep_back(struct stress *s)
{
	pid_t pid;

	if (s->instance == 1) {
		shared->stopped = (uint32_t)getpid();
		return 0;
	}
	while (s->board->slot[1].phase < PHASE_READY)
		nap(MS);
	pid = (pid_t)shared->stopped;
	kill(pid, SIGSTOP);
	while (!is_stopped(pid))
		nap(MS);
	return 0;
}

static int count_in_turn(struct stress *s)
{
	uint64_t begin_ns = sm_clock_mono_ns(), ops = 0;

	if (s->instance == 0) {
		nap(LATE);
		kill((pid_t)shared->stopped, SIGCONT);
	}
	for (; !stress_stopped(s); ops++) {
		stress_add(s, 1);
		nap(MS);
	}
	stress_metric(s, 0,
		stress_share(s, 0) * (double)ops * 1e9 /
			(double)(sm_clock_mono_ns() - begin_ns));
	return 0;
}

static const struct stressor_metric work[] = {{"work", "/s", .mean = MEAN_RATE}, {0}};
static const struct stressor turns = {
	.name = "turns", .metrics = work, .setup = keep_back, .run = count_in_turn};

START_TEST(rates_count_from_the_common_start)
{
	const struct stress_slot *slot;
	uint64_t last = 0, ops = 0;
	double v, wall_s;

	share_memory();
	begin(2 * LATE);
	add(&turns, 2);
	run_stage();
	is_status(0, RESULT_PASS, "");
	for (size_t i = 0; i < 2; i++) {
		slot = g.worker[i].slot;
		ops += slot->ops;
		last = slot->end_ns > last ? slot->end_ns : last;
	}
	wall_s = (double)(last - g.go_ns) / 1e9;
	ck_assert_uint_eq(r[0].ops, ops);
	ck_assert_double_eq_tol(r[0].wall_s, wall_s, 1e-6);
	ck_assert_double_eq_tol(result_rate(&r[0]), (double)ops / wall_s, 1e-6);
	ck_assert(result_metric(&r[0], 0, &v));
	ck_assert_double_eq_tol(v, (double)ops / wall_s, 0.1 * v);
	end();
}
END_TEST

/* ---- what an instance leaves ---- */

static int leave_a_segment(struct stress *s)
{
	count(s);
	stress_metric(s, 1, sysv_make(&s->slot->sysv, 4096));
	raise(SIGKILL);
	return 0;
}

static const struct stressor leaves = {.name = "leaves", .run = leave_a_segment};

START_TEST(a_segment_is_left)
{
	struct shmid_ds is;
	int id;

	begin(60 * SM_NSEC_PER_SEC);
	add(&leaves, 1);
	run_stage();
	is_status(0, RESULT_FAIL, "killed by SIGKILL");
	id = (int)g.worker[0].slot->metric[1];
	ck_assert_int_ge(id, 0);
	ck_assert_int_lt(shmctl(id, IPC_STAT, &is), 0);
	end();
}
END_TEST

static TCase *tc_end(void)
{
	TCase *tc = tcase_create("end");

	tcase_add_test(tc, a_segment_is_left);
	tcase_set_timeout(tc, 60);
	return tc;
}

static TCase *tc_rates(void)
{
	TCase *tc = tcase_create("rates");

	tcase_add_test(tc, rates_count_from_the_common_start);
	tcase_set_timeout(tc, 60);
	return tc;
}

static TCase *tc_progress(void)
{
	TCase *tc = tcase_create("progress");

	tcase_add_test(tc, progress);
	tcase_add_test(tc, progress_of_a_moment);
	tcase_add_test(tc, the_end_wakes);
	tcase_add_test(tc, slow_deaths);
	tcase_add_test(tc, no_time_for_an_op);
	tcase_set_timeout(tc, 60);
	return tc;
}

static TCase *tc_start(void)
{
	TCase *tc = tcase_create("start");

	tcase_add_test(tc, a_stop_before_the_start);
	tcase_set_timeout(tc, 60);
	return tc;
}

UNIT_MAIN("supervisor", tc_start, tc_rates, tc_progress, tc_end)

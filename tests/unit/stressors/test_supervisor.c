// SPDX-License-Identifier: GPL-2.0-or-later
/* Stages of stressors that are made for the purpose: their start, rates and end. */
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "stressors_stage_rig.h"
#include "syscall_rig.h"

/* ---- too little time ---- */

#define WORK (30 * MS)

/* Less than an op, in a known CPU time. */
static int work_in_vain(struct stress *s)
{
	while (sm_clock_ns(CLOCK_PROCESS_CPUTIME_ID) < WORK)
		;
	stress_metric(s, 0, 0);
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
	start_stage();
	run_until(SUPERVISOR_RUNS);
	await_metric(0, 0);
	pass_time();
	await_death(0);
	finish_stage();
	ck_assert_int_eq(r[0].status, RESULT_LACKS);
	ck_assert_msg(
		sscanf(r[0].reason,
			"completed no op within the run time; it received %u ms of CPU",
			&ms) == 1,
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
	uint64_t continued_ns;	  /* time at which it is continued */
};
static struct words *shared;
static bool waits_late; /* instances begin to wait too late */

static void share_memory(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(shared, MAP_FAILED);
}

/* Returns when the supervisor has ended the run, and had time to wake the instances. */
static void wait_for_stop(void)
{
	while (!g.board->stop)
		nap(MS / 10);
	for (unsigned int i = 0; i < 50 && !g.board->go; i++)
		nap(MS);
}

/* The wait of an instance that has asked for the flags of the start and the end begins
 * too late. */
static int syscall_called(long nr, const long a[6])
{
	if (nr == SYS_futex && a[1] == FUTEX_WAIT && waits_late) {
		shared->asked = 1;
		wait_for_stop();
	}
	return 0;
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
	start_stage();
	run_until(SUPERVISOR_STOPS);
	await_death(0);
	await_death(1);
	finish_stage();
	ck_assert(sup.cut);
	ck_assert_uint_eq(r[1].forced, 0);
	is_status(1, RESULT_INTERRUPTED, "");
	end();
	waits_late = false;
}
END_TEST

/* ---- rates ---- */

#define LATE (100 * MS)

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
	await_state(pid, 'T');
	return 0;
}

/* The rate that it measured, and when: around the reading of the clock for its share. */
enum { RATE, FIRST_NS, BEFORE_NS, AFTER_NS, RATE_OPS };

static int count_in_turn(struct stress *s)
{
	uint64_t first = sm_clock_mono_ns(), before, ops = 0;
	double share;

	if (s->instance == 0) {
		nap(LATE);
		shared->continued_ns = sm_clock_mono_ns();
		kill((pid_t)shared->stopped, SIGCONT);
	}
	for (; !stress_stopped(s); ops++) {
		stress_add(s, 1);
		nap(MS);
	}
	before = sm_clock_mono_ns();
	share = stress_share(s, 0);
	stress_metric(s, AFTER_NS, (double)sm_clock_mono_ns());
	stress_metric(s, BEFORE_NS, (double)before);
	stress_metric(s, FIRST_NS, (double)first);
	stress_metric(s, RATE_OPS, (double)ops);
	stress_metric(s, RATE, share * (double)ops * 1e9 / (double)(before - first));
	return 0;
}

static const struct stressor_metric work[] = {{"work", "/s", .mean = MEAN_RATE}, {0}};
static const struct stressor turns = {
	.name = "turns", .metrics = work, .setup = keep_back, .run = count_in_turn};

/* The limits of what an instance adds to the rate from the common start until last_ns:
 * its first CPU came between its start and the first reading of its clock. */
static void limits_of_rate(size_t i, uint64_t last_ns, double *least, double *most)
{
	const struct stress_slot *slot = g.worker[i].slot;
	const double *m = slot->metric;
	double go = (double)g.go_ns, start = (double)(i ? shared->continued_ns : g.go_ns);
	double ops =
		m[RATE_OPS] * 1e9 * ((double)slot->end_ns - go) / ((double)last_ns - go);

	*least += ops / (m[BEFORE_NS] - go);
	*most += ops / (m[BEFORE_NS] - m[FIRST_NS]) * (m[AFTER_NS] - start) /
		 (m[AFTER_NS] - go);
}

START_TEST(rates_count_from_the_common_start)
{
	const struct stress_slot *slot;
	double v, wall_s, least = 0, most = 0;
	uint64_t last = 0, ops = 0;

	share_memory();
	begin(60 * SM_NSEC_PER_SEC);
	add(&turns, 2);
	start_stage();
	run_until(SUPERVISOR_RUNS);
	while (g.worker[0].slot->ops < 100 || g.worker[1].slot->ops < 100)
		nap(MS);
	pass_time();
	await_death(0);
	await_death(1);
	finish_stage();
	is_status(0, RESULT_PASS, "");
	for (size_t i = 0; i < 2; i++) {
		slot = g.worker[i].slot;
		ops += slot->ops;
		last = slot->end_ns > last ? slot->end_ns : last;
	}
	for (size_t i = 0; i < 2; i++)
		limits_of_rate(i, last, &least, &most);
	wall_s = (double)(last - g.go_ns) / 1e9;
	ck_assert_uint_eq(r[0].ops, ops);
	ck_assert_double_eq_tol(r[0].wall_s, wall_s, 1e-6);
	ck_assert_double_eq_tol(result_rate(&r[0]), (double)ops / wall_s, 1e-6);
	ck_assert(result_metric(&r[0], 0, &v));
	ck_assert_double_ge(v, least * (1 - 1e-6));
	ck_assert_double_le(v, most * (1 + 1e-6));
	end();
}
END_TEST

/* ---- what an instance leaves ---- */

static int leave_a_segment(struct stress *s)
{
	stress_add(s, 1);
	stress_metric(s, 0, sysv_make(&s->slot->sysv, 4096));
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
	id = (int)g.worker[0].slot->metric[0];
	ck_assert_int_ge(id, 0);
	ck_assert_int_lt(shmctl(id, IPC_STAT, &is), 0);
	end();
}
END_TEST

static TCase *tc_end(void)
{
	TCase *tc = tcase_create("end");

	tcase_add_test(tc, no_time_for_an_op);
	tcase_add_test(tc, a_segment_is_left);
	return tc;
}

static TCase *tc_rates(void)
{
	TCase *tc = tcase_create("rates");

	tcase_add_test(tc, rates_count_from_the_common_start);
	return tc;
}

static TCase *tc_start(void)
{
	TCase *tc = tcase_create("start");

	tcase_add_test(tc, a_stop_before_the_start);
	return tc;
}

UNIT_MAIN("supervisor", tc_start, tc_rates, tc_end)

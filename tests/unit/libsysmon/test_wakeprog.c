// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The programs of wakecause, each run once by BPF_PROG_TEST_RUN (Linux 5.10) on a state
 * of a CPU that the test has written: what they leave in it, and what they count.  They
 * run in the test's context; those which only the idle task lets go on, in an interrupt
 * of another CPU.
 */
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "proc/procpid.h"
#include "wakeprog_rig.h"

enum { EARLY_NS = 20000, IDLE_ENDS = -1 };

static const struct sm_wake_sender sender = {
	.task = {.owner.ids = 0x1200000034, .comm = "sender"},
	.func = FUNCTION,
	.time_ns = LONG_AGO};

/* --- sleeps ------------------------------------------------------------------------ */

START_TEST(a_sleep)
{
	struct sm_wake_counts counts;
	uint64_t slept;

	if (!permitted)
		return;
	idle(IDLE_ENDS); /* its entry was not seen */
	run(PROGRAM_WAKE_EXITS, (uint64_t)IDLE_ENDS, here, 0);
	ck_assert_uint_eq(cpu->phase, SM_WAKE_NOT_SEEN);
	ck_assert_uint_eq(cpu->exits, 0);
	idle(1);
	ck_assert_uint_eq(cpu->phase, SM_WAKE_ASLEEP);
	ck_assert_uint_gt(cpu->entered_ns, 0);
	idle(IDLE_ENDS);
	run(PROGRAM_WAKE_EXITS, (uint64_t)IDLE_ENDS, here, 0);
	ck_assert_uint_eq(cpu->phase, SM_WAKE_AWAKE);
	ck_assert_uint_eq(cpu->exits, 1);
	slept = cpu->slept_ns;
	ck_assert_uint_eq(slept, cpu->exited_ns - cpu->entered_ns);
	ck_assert_uint_gt(slept, 0);
	ck_assert_uint_eq(count(&counts).cause, SM_WAKE_UNKNOWN);
	ck_assert_str_eq(counts.comm, "");
}
END_TEST

/* The buckets as wakes.h describes them. */
START_TEST(lengths)
{
	static const struct {
		uint64_t ns;
		unsigned int bucket;
	} length[] = {{0, 0}, {1023, 0}, {1024, 1}, {2047, 1}, {2048, 2}, {4095, 2},
		{4096, 3}, {1 << 20, 11}, {(1 << 21) - 1, 11}, {UINT64_C(1) << 39, 30},
		{UINT64_C(1) << 40, 31}, {UINT64_C(1) << 63, 31}, {UINT64_MAX, 31}};

	if (!permitted)
		return;
	for (size_t i = 0; i < SM_ARRAY_SIZE(length); i++) {
		memset(cpu, 0, sizeof(*cpu));
		cpu->phase = SM_WAKE_AWAKE;
		cpu->slept_ns = length[i].ns;
		idle(1);
		for (unsigned int b = 0; b < SM_WAKE_BUCKETS; b++)
			ck_assert_uint_eq(cpu->sleeps[b], b == length[i].bucket);
	}
}
END_TEST

/* --- causes without an interrupt --------------------------------------------------- */

START_TEST(nothing_but_a_sender_is_the_flag)
{
	struct sm_wake_counts counts;
	struct sm_wake_key key;

	if (!permitted)
		return;
	cpu->sender = sender;
	key = count(&counts);
	ck_assert_uint_eq(key.cause, SM_WAKE_FLAG);
	ck_assert_uint_eq(key.id, FUNCTION);
	ck_assert_uint_eq(key.owner.ids, sender.task.owner.ids);
	ck_assert_str_eq(counts.comm, "sender");
}
END_TEST

/* While a CPU polls, an interrupt that wakes nobody does not end the sleep, the flag that
 * is set after it does. */
START_TEST(the_flag_after_an_interrupt)
{
	static const struct {
		uint64_t polls, flagged_ns;
		enum sm_wake_cause cause;
	} row[] = {{1, 501, SM_WAKE_FLAG}, {1, 500, SM_WAKE_IRQ}, {0, 501, SM_WAKE_IRQ}};

	for (size_t i = 0; permitted && i < SM_ARRAY_SIZE(row); i++) {
		struct sm_wake_counts counts;
		struct sm_wake_key key;

		memset(cpu, 0, sizeof(*cpu));
		cpu->sender = sender;
		cpu->cause = SM_WAKE_IRQ;
		cpu->cause_ns = 500;
		cpu->polls = row[i].polls;
		cpu->flagged_ns = row[i].flagged_ns;
		key = count(&counts);
		ck_assert_uint_eq(key.cause, row[i].cause);
		ck_assert_int_eq(
			sm_bpf_map_delete(loader.map_fd[MAP_WAKE_COUNTS], &key), 0);
	}
}
END_TEST

START_TEST(a_sender_that_is_known_late)
{
	struct sm_wake_counts counts;
	struct sm_wake_key key;

	if (!permitted)
		return;
	cpu->sender = sender;
	cpu->cause = SM_WAKE_RESCHEDULE;
	cpu->owner.ids = SM_TIMER_OWNER_UNKNOWN;
	key = count(&counts);
	ck_assert_uint_eq(key.cause, SM_WAKE_RESCHEDULE);
	ck_assert_uint_eq(key.owner.ids, sender.task.owner.ids);
}
END_TEST

/* The polling state has a limit of time: it ends without an event, and the CPU sleeps
 * again within 20 us.  exited_ns in the far future: that entry is not later. */
START_TEST(the_limit_of_polling)
{
	static const struct {
		uint64_t polls, exited_ns;
		enum sm_wake_cause cause;
	} row[] = {{1, UINT64_MAX / 2, SM_WAKE_LIMIT},
		{0, UINT64_MAX / 2, SM_WAKE_UNKNOWN}, {1, EARLY_NS, SM_WAKE_UNKNOWN}};

	for (size_t i = 0; permitted && i < SM_ARRAY_SIZE(row); i++) {
		struct sm_wake_counts counts;
		struct sm_wake_key key;

		memset(cpu, 0, sizeof(*cpu));
		cpu->polls = row[i].polls;
		cpu->exited_ns = row[i].exited_ns;
		key = count(&counts);
		ck_assert_uint_eq(key.cause, row[i].cause);
		ck_assert_int_eq(
			sm_bpf_map_delete(loader.map_fd[MAP_WAKE_COUNTS], &key), 0);
	}
}
END_TEST

/* --- senders ----------------------------------------------------------------------- */

/* When this thread started, as /proc has it. */
static void check_birth(struct sm_timer_owner owner)
{
	struct sm_pidstat st;

	if (!loader.btf)
		return;
	ck_assert_int_eq(sm_procpid_read_thread_stat(
				 &root, getpid(), (pid_t)syscall(SYS_gettid), &st),
		0);
	ck_assert_uint_eq(owner.birth / (SM_NSEC_PER_SEC / 100), st.start_ticks);
}

static void sleeping(void)
{
	memset(cpu, 0, sizeof(*cpu));
	cpu->phase = SM_WAKE_ASLEEP;
	cpu->entered_ns = LONG_AGO;
}

START_TEST(the_first_sender_counts)
{
	if (!permitted)
		return;
	sleeping();
	run(PROGRAM_WAKE_SEND, here, 0, FUNCTION);
	ck_assert_uint_eq(cpu->sender.func, FUNCTION);
	ck_assert_uint_eq(cpu->sender.task.owner.ids, self());
	ck_assert_str_eq(cpu->sender.task.comm, NAME);
	ck_assert_uint_gt(cpu->sender.time_ns, LONG_AGO);
	ck_assert_uint_eq(cpu->flagged_ns, 0);
	run(PROGRAM_WAKE_QUEUE, here, 0, FUNCTION + 16);
	ck_assert_uint_eq(cpu->sender.func, FUNCTION);
}
END_TEST

/* An interrupt does not replace a sender of this sleep; a flag that is set more than 20
 * us after it does. */
START_TEST(a_flag_long_after_a_sender)
{
	if (!permitted)
		return;
	sleeping();
	cpu->sender = sender;
	run(PROGRAM_WAKE_SEND, here, 0, FUNCTION + 16);
	ck_assert_uint_eq(cpu->sender.task.owner.ids, sender.task.owner.ids);
	run(PROGRAM_WAKE_FLAG, here, 0, 0);
	ck_assert_uint_eq(cpu->sender.task.owner.ids, self());
	ck_assert_uint_eq(cpu->sender.func, 0);
	ck_assert_uint_eq(cpu->flagged_ns, cpu->sender.time_ns);
	cpu->sender = sender;
	cpu->sender.time_ns = UINT64_MAX / 2;
	run(PROGRAM_WAKE_FLAG, here, 0, 0);
	ck_assert_uint_eq(cpu->sender.task.owner.ids, sender.task.owner.ids);
}
END_TEST

/* The sender of a CPU that is awake is kept for the next sleep. */
START_TEST(an_early_sender)
{
	if (!permitted)
		return;
	sleeping();
	cpu->phase = SM_WAKE_AWAKE;
	cpu->exited_ns = LONG_AGO;
	run(PROGRAM_WAKE_SEND, here, 0, FUNCTION);
	ck_assert_uint_eq(cpu->sender.time_ns, 0);
	ck_assert_uint_eq(cpu->early.task.owner.ids, self());
	check_birth(cpu->early.task.owner);
	ck_assert_uint_eq(cpu->early.func, FUNCTION);
	cpu->early.time_ns = UINT64_MAX / 2; /* not older than 20 us at the entry */
	idle(1);
	ck_assert_uint_eq(cpu->sender.task.owner.ids, self());
	ck_assert_uint_eq(cpu->sender.func, FUNCTION);
	ck_assert_uint_eq(cpu->early.time_ns, 0);
	cpu->early = sender;
	idle(1);
	ck_assert_uint_eq(cpu->sender.time_ns, 0);
	ck_assert_uint_eq(cpu->early.time_ns, 0);
}
END_TEST

/* In the callback of a timer its owner sends, in another interrupt no task does. */
START_TEST(a_sender_in_an_interrupt)
{
	if (!permitted)
		return;
	sleeping();
	cpu->timer = 1;
	cpu->timer_owner.ids = 0x5600000078;
	run(PROGRAM_WAKE_SEND, here, 0, FUNCTION);
	ck_assert_uint_eq(cpu->sender.task.owner.ids, 0x5600000078);
	ck_assert_str_eq(cpu->sender.task.comm, "");
	sleeping();
	run(PROGRAM_WAKE_SOFT, 0, 0, 0);
	run(PROGRAM_WAKE_SEND, here, 0, FUNCTION);
	ck_assert_uint_gt(cpu->sender.time_ns, 0);
	ck_assert_uint_eq(cpu->sender.task.owner.ids, 0);
	ck_assert_str_eq(cpu->sender.task.comm, "");
	run(PROGRAM_WAKE_SOFT_END, 0, 0, 0);
	cpu->sender.time_ns = 0;
	run(PROGRAM_WAKE_SEND, here, 0, FUNCTION);
	ck_assert_uint_eq(cpu->sender.task.owner.ids, self());
}
END_TEST

/* --- what else is in a key ---------------------------------------------------------- */

START_TEST(a_key_has_work_and_task)
{
	struct sm_wake_counts counts;
	struct sm_wake_key key;

	if (!permitted)
		return;
	cpu->cause = SM_WAKE_WHEEL;
	cpu->work = 1;
	cpu->woke = SM_WAKE_WOKE_KTHREAD;
	memcpy(cpu->woke_comm, "kworker/0:1", 12);
	key = count(&counts);
	ck_assert_uint_eq(key.work, 1);
	ck_assert_uint_eq(key.woke, SM_WAKE_WOKE_KTHREAD);
	ck_assert_str_eq(key.woke_comm, "kworker/0:1");
	ck_assert_uint_eq(cpu->work, 0); /* of the next sleep */
	ck_assert_uint_eq(cpu->woke, SM_WAKE_WOKE_NOTHING);
	ck_assert_int_eq(sm_bpf_map_delete(loader.map_fd[MAP_WAKE_COUNTS], &key), 0);
	key = count(&counts);
	ck_assert_uint_eq(key.work + key.woke, 0);
	ck_assert_str_eq(
		key.woke_comm, ""); /* a name of no task would be a key of its own */
}
END_TEST

/* --- timers: the programs go on in the idle task of another CPU -------------------- */

enum { TRIES = 5000, NO_TIMER = 1 }; /* an address that cannot be read: callback 0 */

static const uint64_t no_timer[] = {NO_TIMER, 0, 0};
static struct sm_wake_cpu *other; /* its state */

static int other_cpu(void)
{
	return here ? 0 : 1;
}

/* The cause after the program ran there, in the first interrupt of a sleep. */
static enum sm_wake_cause cause_after(int fd, enum sm_wake_cause before, uint64_t by_tick)
{
	nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL); /* let others run */
	memset(other, 0, sizeof(*other));
	other->phase = SM_WAKE_ASLEEP;
	other->interrupts = 1;
	other->cause = before;
	other->by_tick = by_tick;
	run_loaded(fd, no_timer, other_cpu());
	return (enum sm_wake_cause)other->cause;
}

static int load_for_other(unsigned int program)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		unit_skip("one CPU");
		return -1;
	}
	other = (struct sm_wake_cpu *)array.values + other_cpu();
	return sm_bpf_loader_load(&loader, program);
}

/* The wheel takes over from the tick, not from an hrtimer in whose interrupt the tick
 * fell: the CPU is idle before and after. */
START_TEST(the_wheel_after_an_hrtimer)
{
	SM_CLOSE_FD int fd = permitted ? load_for_other(PROGRAM_WAKE_WHEEL) : -1;
	bool seen = false;

	for (int i = 0; fd >= 0 && i < TRIES && !seen; i++) {
		if (cause_after(fd, SM_WAKE_HRTIMER, 1) != SM_WAKE_WHEEL)
			continue;
		ck_assert_int_eq(cause_after(fd, SM_WAKE_HRTIMER, 0), SM_WAKE_HRTIMER);
		seen = cause_after(fd, SM_WAKE_CLOCK, 0) == SM_WAKE_WHEEL;
	}
	if (fd >= 0 && !seen)
		unit_skip("the other CPU is never idle");
}
END_TEST

/* Where the kernel does not show the tick's timer, its callback does. */
START_TEST(which_hrtimer_is_the_tick)
{
	SM_CLOSE_FD int fd = permitted ? load_for_other(PROGRAM_WAKE_HR) : -1;
	struct sm_bpf_array symbols;
	struct sm_timer_symbols *s;
	bool seen = false;

	if (fd < 0)
		return;
	ck_assert_int_eq(sm_bpf_loader_array(&loader, MAP_TIMER_SYMBOLS, &symbols), 0);
	s = symbols.values;
	for (int i = 0; i < TRIES && !seen; i++) {
		s->callback[SM_TIMER_TICK] = 0; /* that of no_timer */
		if (cause_after(fd, SM_WAKE_CLOCK, 0) != SM_WAKE_HRTIMER)
			continue;
		ck_assert_uint_eq(other->by_tick, 1);
		s->callback[SM_TIMER_TICK] = FUNCTION;
		seen = cause_after(fd, SM_WAKE_CLOCK, 1) == SM_WAKE_HRTIMER;
	}
	if (seen)
		ck_assert_uint_eq(other->by_tick, 0);
	else
		unit_skip("the other CPU is never idle");
	sm_bpf_array_close(&symbols);
}
END_TEST

/* The state of the other CPU after the program ran there. */
static uint64_t woke_after(int fd, enum sm_wake_phase phase, uint64_t before)
{
	nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
	memset(other, 0, sizeof(*other));
	other->phase = phase;
	other->woke = before;
	run_loaded(fd, no_timer, other_cpu());
	return other->woke;
}

/* The first switch of the idle task after the exit, and no switch of another task. */
START_TEST(the_first_task_that_runs)
{
	SM_CLOSE_FD int fd = permitted ? load_for_other(PROGRAM_WAKE_RAN) : -1;
	bool seen = false;

	if (permitted) {
		cpu->phase = SM_WAKE_AWAKE;
		run(PROGRAM_WAKE_RAN, 0, 0, 0);
		ck_assert_uint_eq(cpu->woke, SM_WAKE_WOKE_NOTHING);
	}
	for (int i = 0; fd >= 0 && i < TRIES && !seen; i++) {
		if (woke_after(fd, SM_WAKE_AWAKE, 0) != SM_WAKE_WOKE_TASK)
			continue;
		ck_assert_uint_eq(woke_after(fd, SM_WAKE_ASLEEP, 0), 0);
		ck_assert_uint_eq(woke_after(fd, SM_WAKE_NOT_SEEN, 0), 0);
		ck_assert_uint_eq(woke_after(fd, SM_WAKE_AWAKE, SM_WAKE_WOKE_KTHREAD),
			SM_WAKE_WOKE_KTHREAD);
		seen = woke_after(fd, SM_WAKE_AWAKE, 0) == SM_WAKE_WOKE_TASK;
	}
	if (fd >= 0 && !seen)
		unit_skip("the other CPU is never idle");
}
END_TEST

static TCase *tc_timers(void)
{
	TCase *tc = tcase_create("timers");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, the_wheel_after_an_hrtimer);
	tcase_add_test(tc, which_hrtimer_is_the_tick);
	tcase_add_test(tc, the_first_task_that_runs);
	tcase_add_test(tc, a_key_has_work_and_task);
	return tc;
}

static TCase *tc_sleeps(void)
{
	TCase *tc = tcase_create("sleeps");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_sleep);
	tcase_add_test(tc, lengths);
	tcase_add_test(tc, nothing_but_a_sender_is_the_flag);
	tcase_add_test(tc, the_flag_after_an_interrupt);
	tcase_add_test(tc, a_sender_that_is_known_late);
	tcase_add_test(tc, the_limit_of_polling);
	return tc;
}

static TCase *tc_senders(void)
{
	TCase *tc = tcase_create("senders");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, the_first_sender_counts);
	tcase_add_test(tc, a_flag_long_after_a_sender);
	tcase_add_test(tc, an_early_sender);
	tcase_add_test(tc, a_sender_in_an_interrupt);
	return tc;
}

UNIT_MAIN("wakeprog", tc_sleeps, tc_senders, tc_timers)

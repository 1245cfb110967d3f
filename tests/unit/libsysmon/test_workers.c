// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/mman.h>

#include "asleep_rig.h"
#include "load/worker.h"
#include "proc/procstat.h"
#include "workers_rig.h"

#define JUDGED_NS (2 * SM_NSEC_PER_SEC)
#define SHORT_NS  (300 * MS)
#define CYCLE_NS  (10 * MS) /* of a duty cycle */

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
	await_asleep(pid);
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

UNIT_MAIN("workers", tc_load)

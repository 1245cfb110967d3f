// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes that fork, burn, exit and are reaped at random between samples, with a few
 * dozen pids that are reused all the time: rows report all their CPU time.  See rig.h.
 * The short suite runs the first ten of the 100 cases. */
#include "cpustat_rig.h"

static void setup(void)
{
	rig_open();
	sampler = (struct sampler){0};
}

static void teardown(void)
{
	rig_close();
}

#define PIDS 48

static struct fake sim[PIDS + 1]; /* by pid; pid 0: none */
static bool zombie[PIDS + 1];
static uint64_t burnt, rng, now_ticks;

static unsigned int rnd(unsigned int n)
{
	rng = rng * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (unsigned int)(rng >> 33) % n;
}

static void sim_burn(unsigned int pid, unsigned int ticks)
{
	if (!sim[pid].pid || zombie[pid])
		return;
	sim[pid].utime += ticks;
	burnt += ticks;
}

static void sim_fork(unsigned int parent)
{
	unsigned int pid = 2 + rnd(PIDS - 1);

	if (sim[pid].pid || !sim[parent].pid || zombie[parent])
		return;
	sim[pid] = (struct fake){.pid = (pid_t)pid,
		.comm = "sim",
		.ppid = (pid_t)parent,
		.start = ++now_ticks};
	zombie[pid] = false;
}

static void sim_exit(unsigned int pid)
{
	if (pid < 2 || !sim[pid].pid)
		return;
	zombie[pid] = true;
	for (unsigned int k = 2; k <= PIDS; k++)
		if (sim[k].pid && sim[k].ppid == (pid_t)pid)
			sim[k].ppid = 1;
}

/* Waiting costs a tick, so that the parent's stat has moved. */
static void sim_reap(unsigned int pid)
{
	struct fake *parent;

	if (!sim[pid].pid || !zombie[pid])
		return;
	parent = &sim[sim[pid].ppid];
	parent->cutime += (int64_t)sim[pid].utime + sim[pid].cutime;
	sim_burn((unsigned int)sim[pid].ppid, 1);
	sim[pid].pid = 0;
}

static unsigned int any_process(void)
{
	unsigned int pid;

	do
		pid = 1 + rnd(PIDS);
	while (!sim[pid].pid);
	return pid;
}

static void sim_step(void)
{
	unsigned int pid;

	switch (rnd(6)) {
	case 0:
	case 1:
		sim_fork(any_process());
		break;
	case 2:
		sim_exit(any_process());
		break;
	case 3:
		sim_reap(any_process());
		break;
	default:
		pid = any_process();
		sim_burn(pid, 20 * (1 + rnd(4)));
	}
}

static void sim_write(void)
{
	for (unsigned int pid = 1; pid <= PIDS; pid++) {
		char name[20];

		sim[pid].state = zombie[pid] ? 'Z' : 'S';
		snprintf(name, sizeof(name), "proc/%u", pid);
		if (sim[pid].pid)
			fake(&sim[pid]);
		else if (access(fix_path(name), F_OK) == 0)
			fake_exit((pid_t)pid);
	}
}

static uint64_t all_rows(void)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < sample.nrows; i++)
		ticks += sample.rows[i].used_ns / TICK;
	return ticks;
}

/* All that was burnt is in rows, no more and no less. */
static void simulate(uint64_t seed)
{
	uint64_t shown = 0;

	rng = seed;
	burnt = 0;
	now_ticks = 100000;
	for (unsigned int pid = 0; pid <= PIDS; pid++) {
		sim[pid].pid = 0;
		zombie[pid] = false;
	}
	sim[1] = (struct fake){.pid = 1, .comm = "init", .start = 1};
	sim_write();
	begin();
	take();
	for (unsigned int k = 1; k <= 40; k++) {
		for (unsigned int n = rnd(90); n; n--)
			sim_step();
		now_ticks = 100000 + k * 4000;
		sim_write();
		take_at(now_ticks);
		shown += all_rows();
	}
	for (unsigned int pid = PIDS; pid > 1; pid--) {
		sim_exit(pid);
		sim_reap(pid);
	}
	sim_write();
	take_at(now_ticks + 2000);
	shown += all_rows();
	ck_assert_uint_gt(burnt, 10000);
	/* A process with less than a tick is charged to no reaper. */
	ck_assert_uint_ge(shown, burnt);
	ck_assert_uint_le(shown, burnt + 3);
	sampler_close(&sampler);
}

START_TEST(nothing_is_lost)
{
	simulate((uint64_t)_i * 7919 + 1);
}
END_TEST

static TCase *tc_sim(void)
{
	TCase *tc = tcase_create("sim");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, nothing_is_lost, 0, unit_live() ? 100 : 10);
	return tc;
}

UNIT_MAIN("sampler_sim", tc_sim)

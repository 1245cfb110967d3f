// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/resource.h>

#include "base/clock.h"
#include "power/cpuidle.h"
#include "fixroot_rig.h"

#define CPUS "sys/devices/system/cpu/"

static struct sm_cpuidle c;

static void setup(void)
{
	fix_open();
	c = (struct sm_cpuidle){.online = SM_CPULIST_INIT};
}

static void teardown(void)
{
	sm_cpuidle_close(&c);
	fix_close();
}

static const char *file_of(unsigned int cpu, unsigned int state, const char *file)
{
	static char name[128];

	snprintf(name, sizeof(name), CPUS "cpu%u/cpuidle/state%u/%s", cpu, state, file);
	return name;
}

static void counters(
	unsigned int cpu, unsigned int state, uint64_t time_us, uint64_t usage)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)time_us);
	fix_put(file_of(cpu, state, "time"), text);
	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)usage);
	fix_put(file_of(cpu, state, "usage"), text);
}

static void state(unsigned int cpu, unsigned int nr, const char *name,
	const char *latency, uint64_t time_us, uint64_t usage)
{
	fix_put(file_of(cpu, nr, "name"), name);
	fix_put(file_of(cpu, nr, "latency"), latency);
	fix_put(file_of(cpu, nr, "disable"), "1\n");
	counters(cpu, nr, time_us, usage);
}

static void online(const char *list)
{
	fix_put(CPUS "online", list);
}

static void gone(unsigned int cpu)
{
	char name[64];

	snprintf(name, sizeof(name), CPUS "cpu%u", cpu);
	ck_assert_int_eq(unit_remove(fix_path(name)), 0);
}

static void pass_ms(long ms)
{
	struct timespec ts = {.tv_nsec = ms * 1000000};

	nanosleep(&ts, NULL);
}

static void read_all(int want)
{
	ck_assert_int_eq(sm_cpuidle_read(&c, true, 0), want);
}

static void check_state(
	unsigned int i, const char *name, uint64_t time_us, uint64_t usage)
{
	ck_assert_uint_lt(i, c.nstates);
	ck_assert_str_eq(c.state[i].name, name);
	ck_assert_uint_eq(c.state[i].time_us, time_us);
	ck_assert_uint_eq(c.state[i].usage, usage);
}

/* Two CPUs, C1 and C6. */
static void two_cpus(void)
{
	online("0-1\n");
	for (unsigned int i = 0; i < 2; i++) {
		state(i, 0, "C1\n", "10\n", 5000000, 100);
		state(i, 1, "C6\n", "133\n", 9000000, 200);
	}
	ck_assert_int_eq(sm_cpuidle_open(&c, &fix), 0);
	read_all(2);
	ck_assert_uint_eq(c.covered_us, 0);
}

START_TEST(none)
{
	struct sm_root nothing = SM_ROOT_INIT;

	ck_assert_int_eq(sm_cpuidle_open(&c, &nothing), -ENOENT);
	ck_assert_int_eq(sm_cpuidle_open(&c, &fix), -ENOENT);
	online("0-1\n");
	fix_mkdir(CPUS "cpu0");
	fix_mkdir(CPUS "cpuidle");
	fix_mkdir(CPUS "cpu1x");
	ck_assert_int_eq(sm_cpuidle_open(&c, &fix), -ENOENT);
	online("junk\n");
	ck_assert_int_eq(sm_cpuidle_open(&c, &fix), -EBADMSG);
}
END_TEST

START_TEST(sums)
{
	uint64_t t0, t1, t2, t3;

	t0 = sm_clock_mono_ns();
	two_cpus();
	t1 = sm_clock_mono_ns();
	ck_assert_uint_eq(c.nstates, 2);
	ck_assert_uint_eq(c.state[0].latency_us, 10);
	ck_assert_uint_eq(c.state[1].latency_us, 133);
	pass_ms(20);
	counters(0, 0, 5003000, 101);
	counters(0, 1, 9012000, 204);
	counters(1, 0, 5002000, 100);
	t2 = sm_clock_mono_ns();
	read_all(2);
	t3 = sm_clock_mono_ns();
	check_state(0, "C1", 5000, 1);
	check_state(1, "C6", 12000, 4);
	ck_assert_uint_ge(c.covered_us + 2, 2 * (t2 - t1) / 1000);
	ck_assert_uint_le(c.covered_us, 2 * (t3 - t0) / 1000);
	ck_assert_uint_eq(c.dropped, 0);
}
END_TEST

/* States are known by name: cores of two kinds number them differently. */
START_TEST(by_name)
{
	online("0-1\n");
	state(0, 0, "WFI\n", "7\n", 0, 0);
	state(1, 0, "\033[2J%s%n", "junk\n", 0, 0);
	state(1, 1, "WFI\n", "7\n", 0, 0);
	ck_assert_int_eq(sm_cpuidle_open(&c, &fix), 0);
	read_all(2);
	pass_ms(5);
	counters(0, 0, 100, 1);
	counters(1, 0, 10, 2);
	counters(1, 1, 1000, 4);
	read_all(2);
	ck_assert_uint_eq(c.nstates, 2);
	check_state(0, "WFI", 1100, 5);
	check_state(1, "\033[2J%s%n", 10, 2);
	ck_assert_uint_eq(c.state[0].latency_us, 7);
	ck_assert_uint_eq(c.state[1].latency_us, 0);
}
END_TEST

/* Cores of two kinds can have states of one name that are not the same. */
START_TEST(by_latency)
{
	online("0-1\n");
	state(0, 0, "C6\n", "133\n", 0, 0);
	state(1, 0, "C6\n", "220\n", 0, 0);
	ck_assert_int_eq(sm_cpuidle_open(&c, &fix), 0);
	read_all(2);
	pass_ms(5);
	counters(0, 0, 100, 1);
	counters(1, 0, 1000, 2);
	read_all(2);
	ck_assert_uint_eq(c.nstates, 2);
	check_state(0, "C6", 100, 1);
	check_state(1, "C6", 1000, 2);
	ck_assert_uint_eq(c.state[0].latency_us, 133);
	ck_assert_uint_eq(c.state[1].latency_us, 220);
}
END_TEST

/* A long name is cut; more than 32 names leave out the CPUs that have them. */
START_TEST(too_many_names)
{
	char name[64];

	online("0-2\n");
	for (unsigned int i = 0; i < 32; i++) {
		snprintf(name, sizeof(name), "S%u\n", i);
		state(0, i, name, "1\n", 0, 0);
	}
	memset(name, 'x', sizeof(name) - 1);
	name[63] = '\0';
	state(1, 0, name, "1\n", 0, 0);
	state(2, 0, "S31\n", "1\n", 0, 0);
	ck_assert_int_eq(sm_cpuidle_open(&c, &fix), 0);
	ck_assert_uint_eq(c.nstates, 32);
	read_all(2);
	sm_cpuidle_close(&c);
	online("1\n");
	ck_assert_int_eq(sm_cpuidle_open(&c, &fix), 0);
	ck_assert_uint_eq(c.nstates, 1);
	ck_assert_uint_eq(strlen(c.state[0].name), SM_CPUIDLE_NAME_MAX - 1);
}
END_TEST

/* Its sysfs directory goes with it. */
START_TEST(offline_and_back)
{
	uint64_t covered;

	two_cpus();
	pass_ms(10);
	counters(0, 1, 9004000, 201);
	counters(1, 1, 9004000, 201);
	read_all(2);
	check_state(1, "C6", 8000, 2);
	online("0\n");
	gone(1);
	pass_ms(5);
	counters(0, 1, 9005000, 202);
	covered = c.covered_us;
	read_all(1);
	check_state(1, "C6", 9000, 3);
	ck_assert_uint_ge(c.covered_us - covered, 5000);
	ck_assert_uint_eq(c.dropped, 1);
	/* it comes back with counters of its own */
	online("0-1\n");
	state(1, 0, "C1\n", "10\n", 99000000, 50);
	state(1, 1, "C6\n", "133\n", 77, 1);
	read_all(2);
	check_state(1, "C6", 9000, 3);
	pass_ms(5);
	counters(1, 1, 1077, 2);
	read_all(2);
	check_state(0, "C1", 0, 0);
	check_state(1, "C6", 10000, 4);
	ck_assert_uint_eq(c.dropped, 1);
}
END_TEST

/* The list does not say so, or there is none: the files are gone, the fds still answer.
 */
START_TEST(offline_unannounced)
{
	ck_assert_int_eq(chmod(fix_dir, 0755), 0);
	two_cpus();
	sm_cpuidle_close(&c);
	ck_assert_int_eq(unlink(fix_path(CPUS "online")), 0);
	ck_assert_int_eq(sm_cpuidle_open(&c, &fix), 0);
	read_all(2);
	gone(1);
	pass_ms(5);
	counters(0, 1, 9001000, 201);
	read_all(1);
	ck_assert_uint_eq(c.dropped, 1);
	state(1, 0, "C6\n", "133\n", 5, 5);
	read_all(2);
	pass_ms(5);
	counters(1, 0, 1005, 6);
	read_all(2);
	check_state(1, "C6", 2000, 2);
}
END_TEST

START_TEST(counters_restart)
{
	uint64_t covered;

	two_cpus();
	pass_ms(2);
	counters(0, 0, 6000000, 500); /* one continues, one restarts */
	counters(0, 1, 10, 1);
	read_all(2);
	check_state(0, "C1", 0, 0);
	check_state(1, "C6", 0, 0);
	ck_assert_uint_eq(c.dropped, 1);
	covered = c.covered_us;
	pass_ms(5);
	counters(0, 1, 1010, 2);
	read_all(2);
	check_state(1, "C6", 1000, 1);
	ck_assert_uint_ge(c.covered_us - covered, 10000);
	/* only the number of stays goes back */
	counters(0, 1, 2010, 1);
	read_all(2);
	check_state(1, "C6", 1000, 1);
	ck_assert_uint_eq(c.dropped, 2);
}
END_TEST

/* The kernel adds a stay when it ends: the part before the first reading does not count.
 */
START_TEST(a_stay_from_before)
{
	uint64_t first;

	online("0\n");
	state(0, 0, "C1\n", "1\n", 0, 0);
	state(0, 1, "C6\n", "1\n", 0, 0);
	ck_assert_int_eq(sm_cpuidle_open(&c, &fix), 0);
	read_all(1);
	pass_ms(10);
	read_all(1); /* still in it: C0, as far as one can see */
	first = c.covered_us;
	pass_ms(1);
	counters(0, 0, 200, 1);
	counters(0, 1, 1000000, 1); /* a second */
	read_all(1);
	ck_assert_uint_gt(c.covered_us, first);
	check_state(0, "C1", 200, 1);
	check_state(1, "C6", c.covered_us - 200, 1);
	pass_ms(1);
	first = c.covered_us;
	read_all(1);
	check_state(1, "C6", first - 200, 1);
}
END_TEST

/* More than since the machine was started is no time. */
START_TEST(absurd)
{
	two_cpus();
	pass_ms(1);
	counters(0, 0, UINT64_MAX, 101);
	counters(0, 1, UINT64_MAX, 201);
	counters(1, 0, sm_clock_mono_ns(), 101);
	read_all(2);
	check_state(0, "C1", 0, 0);
	check_state(1, "C6", 0, 0);
	ck_assert_uint_eq(c.dropped, 2);
	ck_assert_uint_eq(c.covered_us, 0);
	fix_put(file_of(0, 0, "time"), "-5\n");
	fix_put(file_of(1, 1, "usage"), "");
	read_all(0);
	ck_assert_uint_eq(c.dropped, 4);
	ck_assert_uint_eq(c.covered_us, 0);
}
END_TEST

static void jump(uint64_t time_us, uint64_t usage, uint64_t want_dropped)
{
	uint64_t covered = c.covered_us, time = c.state[0].time_us;
	uint64_t used = c.state[0].usage;

	pass_ms(2);
	counters(0, 0, time_us, usage);
	read_all(1);
	ck_assert_uint_eq(c.dropped, want_dropped);
	if (c.covered_us == covered) {
		ck_assert_uint_eq(c.state[0].time_us, time);
		ck_assert_uint_eq(c.state[0].usage, used);
	}
}

/* After the first stay has ended, no stay is longer than the time since then.  A jump of
 * a minute counted as an idle interval. */
START_TEST(counters_that_jump)
{
	online("0\n");
	state(0, 0, "C1\n", "1\n", 0, 0);
	ck_assert_int_eq(sm_cpuidle_open(&c, &fix), 0);
	read_all(1);
	jump(500, 1, 0);
	jump(60000000, 2, 1);
	jump(60000500, 3, 1);
	jump(60001000, 4000000000, 2);
	jump(60001500, 4000000001, 2);
	jump(60002000, 1, 3);
	jump(60002500, 2, 3);
	jump(60003000, 3, 3);
	jump(3000, 4, 4);
	check_state(0, "C1", 500 * 5, 5);
}
END_TEST

START_TEST(rebased)
{
	two_cpus();
	pass_ms(1);
	counters(0, 0, 5000100, 101);
	sm_cpuidle_rebase(&c);
	read_all(2);
	check_state(0, "C1", 0, 0);
	ck_assert_uint_eq(c.covered_us + c.dropped, 0);
}
END_TEST

/* ---- cost ---- */

static void many(unsigned int n)
{
	char list[16];

	snprintf(list, sizeof(list), "0-%u\n", n - 1);
	online(list);
	for (unsigned int i = 0; i < n; i++) {
		state(i, 0, "C1\n", "1\n", 0, 0);
		state(i, 1, "C6\n", "1\n", 0, 0);
	}
	ck_assert_int_eq(sm_cpuidle_open(&c, &fix), 0);
}

/* Five CPUs of four files, nine files at a time: two by two, and none is left out. */
START_TEST(round_robin)
{
	many(5);
	read_all(5);
	pass_ms(2);
	for (unsigned int i = 0; i < 5; i++)
		counters(i, 1, UINT64_C(1) << i, 1);
	ck_assert_int_eq(sm_cpuidle_read(&c, false, 9), 2);
	check_state(1, "C6", 3, 2);
	ck_assert_int_eq(sm_cpuidle_read(&c, false, 9), 2);
	check_state(1, "C6", 15, 4);
	ck_assert_int_eq(sm_cpuidle_read(&c, false, 9), 2);
	check_state(1, "C6", 31, 5);
	ck_assert_uint_eq(c.next, 1);
	ck_assert_int_eq(sm_cpuidle_read(&c, false, 0), 1);
	ck_assert_uint_eq(c.next, 2);
	ck_assert_int_eq(sm_cpuidle_read(&c, false, 1000), 5);
	check_state(1, "C6", 31, 5);
}
END_TEST

static uint64_t reads_of(bool all, unsigned int max)
{
	uint64_t before, after;

	if (!fix_reads_counted())
		return UINT64_MAX;
	before = fix_reads();
	ck_assert_int_gt(sm_cpuidle_read(&c, all, max), 0);
	after = fix_reads();
	return fix_reads_between(before, after);
}

START_TEST(files_stay_open)
{
	unsigned int fds = unit_open_fds();
	bool counted = fix_reads_counted();

	many(4);
	ck_assert_uint_eq(unit_open_fds(), fds + 17);
	ck_assert_uint_eq(c.fds, 16);
	ck_assert_uint_eq(reads_of(true, 0), counted ? 17 : UINT64_MAX);
	ck_assert_uint_eq(reads_of(false, 8), counted ? 9 : UINT64_MAX);
	ck_assert_uint_eq(unit_open_fds(), fds + 17);
	online("0\n");
	ck_assert_int_eq(sm_cpuidle_read(&c, false, 8), 1);
	ck_assert_uint_eq(c.fds, 4);
	sm_cpuidle_close(&c);
	ck_assert_uint_eq(unit_open_fds(), fds);
}
END_TEST

/* Only half of the files that a process may have are kept; the sums are the same. */
START_TEST(few_files)
{
	unsigned int fds = unit_open_fds();
	struct rlimit was, few;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &was), 0);
	few = was;
	few.rlim_cur = 2 * 33;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	many(10);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &was), 0);
	ck_assert_uint_eq(c.fds_max, 33);
	ck_assert_uint_eq(c.fds, 32);
	ck_assert_uint_eq(unit_open_fds(), fds + 33);
	read_all(10);
	pass_ms(2);
	for (unsigned int i = 0; i < 10; i++)
		counters(i, 1, UINT64_C(1) << i, 1);
	read_all(10);
	check_state(1, "C6", 1023, 10);
	gone(9);
	read_all(9);
	ck_assert_uint_eq(c.dropped, 1);
	ck_assert_uint_eq(unit_open_fds(), fds + 33);
}
END_TEST

START_TEST(live_machine)
{
	struct sm_root live;
	uint64_t sum = 0;
	int cpus;

	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	if (sm_cpuidle_open(&c, &live) == 0) {
		cpus = sm_cpuidle_read(&c, true, 0);
		ck_assert_int_gt(cpus, 0);
		pass_ms(30);
		ck_assert_int_eq(sm_cpuidle_read(&c, true, 0), cpus);
		for (unsigned int i = 0; i < c.nstates; i++)
			sum += c.state[i].time_us;
		ck_assert_uint_le(sum, c.covered_us);
		ck_assert_uint_ge(c.covered_us, (uint64_t)cpus * 30000);
	}
	sm_cpuidle_close(&c);
	sm_root_close(&live);
}
END_TEST

static TCase *tc_sums(void)
{
	TCase *tc = tcase_create("sums");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, none);
	tcase_add_test(tc, sums);
	tcase_add_test(tc, by_name);
	tcase_add_test(tc, by_latency);
	tcase_add_test(tc, too_many_names);
	tcase_add_test(tc, offline_and_back);
	tcase_add_test(tc, offline_unannounced);
	tcase_add_test(tc, counters_restart);
	tcase_add_test(tc, a_stay_from_before);
	tcase_add_test(tc, absurd);
	tcase_add_test(tc, counters_that_jump);
	tcase_add_test(tc, rebased);
	return tc;
}

static TCase *tc_cost(void)
{
	TCase *tc = tcase_create("cost");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, round_robin);
	tcase_add_test(tc, files_stay_open);
	tcase_add_test(tc, few_files);
	tcase_add_test(tc, live_machine);
	return tc;
}

UNIT_MAIN("cpuidle", tc_sums, tc_cost)

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "events/perfgroup.h"
#include "fixroot_rig.h"

static const struct sm_perfgroup_event software[] = {
	{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
	{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
	{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
};

static struct sm_perfgroup g;
static struct sm_perfgroup_values a, b;

/* false where perf events are not for this user at all (kernel.perf_event_paranoid 3). */
static bool opened(const struct sm_perfgroup_event *e, unsigned int n, pid_t pid)
{
	int r = sm_perfgroup_open(&g, e, n, pid, -1);

	if (r == -EACCES || r == -EPERM || r == -ENOSYS) {
		printf("# not tried: perf_event_open: %s\n", strerror(-r));
		fflush(stdout);
		return false;
	}
	ck_assert_int_eq(r, 0);
	return true;
}

static void delta_is(unsigned int event, double value)
{
	double out;

	ck_assert_int_eq(sm_perfgroup_delta(&b, &a, event, &out), 0);
	ck_assert_double_eq_tol(out, value, value * 1e-12 + 1e-9);
}

/* On the counters for 3 of 4 seconds: 300 counted are 400. */
START_TEST(scaling)
{
	a = (struct sm_perfgroup_values){1000, 1000, {100, 7, 0, UINT64_MAX - 5}};
	b = (struct sm_perfgroup_values){4000001000, 3000001000, {400, 7, 0, UINT64_MAX}};
	delta_is(0, 400);
	delta_is(1, 0);
	delta_is(3, 5 * 4.0 / 3);
	/* all of the time: exact, also beyond 2^32 */
	b.running_ns = 4000001000;
	b.value[0] = 100 + (UINT64_C(1) << 52) + 1;
	delta_is(0, 4503599627370497.0);
	/* a tenth of a long time: no overflow */
	a = (struct sm_perfgroup_values){0};
	b = (struct sm_perfgroup_values){
		86400 * SM_NSEC_PER_SEC, 8640 * SM_NSEC_PER_SEC, {UINT64_C(1) << 60}};
	delta_is(0, 1152921504606846976e1);
}
END_TEST

START_TEST(nothing_to_scale)
{
	double out = 7;

	a = (struct sm_perfgroup_values){5000, 3000, {100}};
	b = (struct sm_perfgroup_values){9000, 3000, {100}};
	ck_assert_int_eq(sm_perfgroup_delta(&b, &a, 0, &out), -ENODATA);
	b = (struct sm_perfgroup_values){9000, 2000, {200}};
	ck_assert_int_eq(sm_perfgroup_delta(&b, &a, 0, &out), -ENODATA);
	b = (struct sm_perfgroup_values){9000, 4000, {99}};
	ck_assert_int_eq(sm_perfgroup_delta(&b, &a, 0, &out), -ENODATA);
	b = (struct sm_perfgroup_values){9000, 4000, {101}};
	ck_assert_int_eq(sm_perfgroup_delta(&b, &a, SM_PERFGROUP_MAX, &out), -ENODATA);
	ck_assert_double_eq(out, 7);
	ck_assert_int_eq(sm_perfgroup_delta(&b, &a, 0, &out), 0);
	ck_assert_double_eq(out, 4);
}
END_TEST

/* Touches 16 pages and burns 10 ms of its own time. */
static void work(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t end = sm_clock_ns(CLOCK_THREAD_CPUTIME_ID) + 10 * SM_NSEC_PER_MSEC;
	char *p = aligned_alloc(page, 16 * page);

	for (size_t i = 0; i < 16; i++)
		((volatile char *)p)[i * page] = 1;
	while (sm_clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		;
	free(p);
}

START_TEST(this_task)
{
	double clock, faults;

	if (!opened(software, 3, 0))
		return;
	ck_assert_int_eq(sm_perfgroup_read(&g, &a), 0);
	work();
	ck_assert_int_eq(sm_perfgroup_read(&g, &b), 0);
	ck_assert_int_eq(sm_perfgroup_delta(&b, &a, 0, &clock), 0);
	/* perf's clock also runs while the hypervisor has the CPU: at least what was
	 * burnt */
	ck_assert_double_ge(clock, 9e6);
	ck_assert_int_eq(sm_perfgroup_delta(&b, &a, 1, &faults), 0);
	ck_assert_double_ge(faults, 16);
	ck_assert_uint_ge(b.enabled_ns - a.enabled_ns, 9 * SM_NSEC_PER_MSEC);
	ck_assert_uint_eq(b.enabled_ns - a.enabled_ns, b.running_ns - a.running_ns);
	sm_perfgroup_close(&g);
	ck_assert_uint_eq(g.n, 0);
}
END_TEST

START_TEST(another_task)
{
	int begin[2], done[2], status;
	double clock;
	char c = 0;
	pid_t pid;

	ck_assert_int_eq(pipe(begin) | pipe(done), 0);
	pid = fork();
	if (pid == 0) {
		if (read(begin[0], &c, 1) != 1)
			_exit(1);
		work();
		_exit(write(done[1], &c, 1) != 1 || read(begin[0], &c, 1) != 1);
	}
	if (opened(software, 3, pid)) {
		ck_assert_int_eq(sm_perfgroup_read(&g, &a), 0);
		ck_assert_int_eq(write(begin[1], &c, 1), 1);
		ck_assert_int_eq(read(done[0], &c, 1), 1);
		ck_assert_int_eq(sm_perfgroup_read(&g, &b), 0);
		ck_assert_int_eq(sm_perfgroup_delta(&b, &a, 0, &clock), 0);
		ck_assert_double_ge(clock, 9e6);
		sm_perfgroup_close(&g);
	}
	ck_assert_int_eq(write(begin[1], "xx", 2), 2);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
}
END_TEST

/* The second event does not exist: the third keeps its place. */
START_TEST(an_event_is_missing)
{
	struct sm_perfgroup_event e[3] = {
		software[0], {PERF_TYPE_SOFTWARE, 9999}, software[2]};
	double first, third;

	if (!opened(e, 3, 0))
		return;
	ck_assert(sm_perfgroup_has(&g, 0));
	ck_assert(!sm_perfgroup_has(&g, 1));
	ck_assert(sm_perfgroup_has(&g, 2));
	ck_assert(!sm_perfgroup_has(&g, 3));
	ck_assert_int_lt(g.fd[1], 0);
	ck_assert_int_eq(sm_perfgroup_read(&g, &a), 0);
	work();
	ck_assert_int_eq(sm_perfgroup_read(&g, &b), 0);
	ck_assert_uint_eq(b.value[1], 0);
	ck_assert_int_eq(sm_perfgroup_delta(&b, &a, 0, &first), 0);
	ck_assert_int_eq(sm_perfgroup_delta(&b, &a, 2, &third), 0);
	ck_assert_double_ge(first, 9e6);
	ck_assert_double_ge(third, 9e6);
	sm_perfgroup_close(&g);
}
END_TEST

START_TEST(refused)
{
	struct sm_perfgroup_event none = {PERF_TYPE_SOFTWARE, 9999};
	unsigned int before = unit_open_fds();

	ck_assert_int_lt(sm_perfgroup_open(&g, &none, 1, 0, -1), 0);
	sm_perfgroup_close(&g);
	ck_assert_int_eq(sm_perfgroup_open(&g, software, 0, 0, -1), -EINVAL);
	ck_assert_int_eq(
		sm_perfgroup_open(&g, software, SM_PERFGROUP_MAX + 1, 0, -1), -EINVAL);
	if (opened(software, 3, 0)) {
		ck_assert_uint_eq(unit_open_fds(), before + 3);
		sm_perfgroup_close(&g);
	}
	ck_assert_uint_eq(unit_open_fds(), before);
}
END_TEST

/* A reading of something that is no group. */
START_TEST(malformed)
{
	uint64_t words[8] = {5, 1, 1, 1, 1, 1, 1, 1};
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	g = (struct sm_perfgroup){.fd = {fds[0]}, .n = 1};
	ck_assert_int_eq(write(fds[1], words, sizeof(words)), sizeof(words));
	ck_assert_int_eq(sm_perfgroup_read(&g, &a), -EBADMSG);
	words[0] = 3; /* announces three values and has one */
	close(fds[0]);
	close(fds[1]);
	ck_assert_int_eq(pipe(fds), 0);
	g.fd[0] = fds[0];
	ck_assert_int_eq(write(fds[1], words, 32), 32);
	ck_assert_int_eq(sm_perfgroup_read(&g, &a), -EBADMSG);
	close(fds[0]);
	ck_assert_int_eq(sm_perfgroup_read(&g, &a), -EBADF);
	close(fds[1]);
}
END_TEST

#define DEVICES "sys/bus/event_source/devices/"

START_TEST(unlike_cpus)
{
	struct sm_perfgroup_event e[2] = {
		{PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS}, software[0]};
	uint32_t type = 7;

	fix_open();
	ck_assert_int_eq(sm_perfgroup_pmu_type(&fix, 0, &type), -ENOENT);
	fix_put(DEVICES "cpu_core/cpus", "0-3,8\n");
	fix_put(DEVICES "cpu_core/type", "4\n");
	fix_put(DEVICES "cpu_atom/cpus", "4-7\n");
	fix_put(DEVICES "cpu_atom/type", "10\n");
	fix_put(DEVICES "power/type", "12\n");
	ck_assert_int_eq(sm_perfgroup_pmu_type(&fix, 3, &type), 0);
	ck_assert_uint_eq(type, 4);
	ck_assert_int_eq(sm_perfgroup_pmu_type(&fix, 8, &type), 0);
	ck_assert_uint_eq(type, 4);
	ck_assert_int_eq(sm_perfgroup_pmu_type(&fix, 7, &type), 0);
	ck_assert_uint_eq(type, 10);
	ck_assert_int_eq(sm_perfgroup_pmu_type(&fix, 9, &type), -ENOENT);
	/* cut short, malformed */
	fix_put(DEVICES "cpu_core/type", "x\n");
	fix_put(DEVICES "cpu_atom/cpus", "4-7,\n");
	ck_assert_int_eq(sm_perfgroup_pmu_type(&fix, 3, &type), -ENOENT);
	ck_assert_int_eq(sm_perfgroup_pmu_type(&fix, 7, &type), -ENOENT);
	fix_close();
	ck_assert_uint_eq(type, 10);

	sm_perfgroup_of_pmu(e, 2, 10);
	ck_assert_uint_eq(e[0].config, UINT64_C(0xa00000001));
	ck_assert_uint_eq(e[1].config, software[0].config);
}
END_TEST

static TCase *tc_perfgroup(void)
{
	TCase *tc = tcase_create("perfgroup");

	tcase_add_test(tc, scaling);
	tcase_add_test(tc, nothing_to_scale);
	tcase_add_test(tc, this_task);
	tcase_add_test(tc, another_task);
	tcase_add_test(tc, an_event_is_missing);
	tcase_add_test(tc, refused);
	tcase_add_test(tc, malformed);
	tcase_add_test(tc, unlike_cpus);
	return tc;
}

UNIT_MAIN("perfgroup", tc_perfgroup)

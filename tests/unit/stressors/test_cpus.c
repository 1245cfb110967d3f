// SPDX-License-Identifier: GPL-2.0-or-later
/* Values by the CPU of the instances. */
#include "stressors/result/cpus.h"
#include "unit.h"

static struct sm_loghist counted[5];
static const struct sm_loghist *histogram[5];
static struct result_instance one[5];
static struct result r;
static struct cpu_values *cpus;
static unsigned int n;

static void set_up(void)
{
	memset(counted, 0, sizeof(counted));
	memset(one, 0, sizeof(one));
	for (unsigned int i = 0; i < 5; i++)
		histogram[i] = &counted[i];
	r = (struct result){.one = one, .histogram = histogram, .n = 5};
	cpus = NULL;
}

static void tear_down(void)
{
	free(cpus);
}

static void pin(unsigned int instance, unsigned int cpu, uint64_t first, uint64_t second)
{
	one[instance].pinned = cpu + 1;
	sm_loghist_add(&counted[instance], first);
	sm_loghist_add(&counted[instance], second);
}

static void cpu_is(unsigned int i, unsigned int cpu, uint64_t count, uint64_t max_ns)
{
	ck_assert_uint_lt(i, n);
	ck_assert_uint_eq(cpus[i].cpu, cpu);
	ck_assert_uint_eq(cpus[i].count, count);
	ck_assert_uint_eq(cpus[i].max_ns, max_ns);
}

START_TEST(instances_of_a_cpu_are_one)
{
	pin(0, 4, 10, 70);
	pin(1, 2, 5, 900);
	pin(2, 4, 80, 20);
	one[3].pinned = 1;		    /* without values */
	sm_loghist_add(&counted[4], 12345); /* not pinned */
	ck_assert_int_eq(cpus_make(&r, &cpus, &n), 0);
	ck_assert_uint_eq(n, 2);
	cpu_is(0, 2, 2, 900);
	cpu_is(1, 4, 4, 80);
}
END_TEST

START_TEST(none)
{
	histogram[1] = NULL;
	one[1].pinned = 1;
	ck_assert_int_eq(cpus_make(&r, &cpus, &n), 0);
	ck_assert_uint_eq(n, 0);
	r.histogram = NULL;
	free(cpus);
	ck_assert_int_eq(cpus_make(&r, &cpus, &n), 0);
	ck_assert_uint_eq(n, 0);
	r = (struct result){0};
	ck_assert_int_eq(cpus_make(&r, &cpus, &n), 0);
	ck_assert_uint_eq(n, 0);
}
END_TEST

static TCase *tc_cpus(void)
{
	TCase *tc = tcase_create("cpus");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, instances_of_a_cpu_are_one);
	tcase_add_test(tc, none);
	return tc;
}

UNIT_MAIN("cpus", tc_cpus)

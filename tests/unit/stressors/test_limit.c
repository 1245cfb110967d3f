// SPDX-License-Identifier: GPL-2.0-or-later
/* The share of free memory and disk that a stage may use. */
#include "fixroot_rig.h"
#include "stressors/run/limit.h"
#include "stressors/run/stress.h"

#define MB (UINT64_C(1) << 20)

static uint64_t memory(const struct stress *s)
{
	return s->value[0];
}

static const struct stressor_opt opts[] = {
	{"bytes", STRESSOR_SIZE, "SIZE", "memory", .min = 4096, .max = 1 << 30,
		.normal = 256 * MB},
	{0},
};
static const struct stressor holder = {.name = "holder", .opts = opts, .memory = memory};

/* Holds as many bytes on the disk. */
static const struct stressor writer = {.name = "writer", .opts = opts, .disk = memory};

/* The same, with a size that is of the disk, and one of a call. */
static const struct stressor_opt disk_opts[] = {
	{"bytes", STRESSOR_SIZE, "SIZE", "disk", .min = MB, .normal = 256 * MB,
		.size = STRESSOR_OF_DISK},
	{"write-size", STRESSOR_SIZE, "SIZE", "bytes of a call", .min = 1,
		.normal = 65536, .size = STRESSOR_OF_A_CALL},
	{0},
};
static const struct stressor file = {.name = "file", .opts = disk_opts, .disk = memory};

static struct plan plan;
static struct job jobs[2];

static void set_up(void)
{
	plan = (struct plan){.job = jobs};
	for (unsigned int i = 0; i < 2; i++)
		jobs[i] = (struct job){
			.stressor = &holder, .instances = 1, .value = {256 * MB}};
}

static void tear_down(void)
{
	for (unsigned int i = 0; i < 2; i++)
		free(jobs[i].why_not);
}

/* The machine has that much free. */
static void apply(size_t n, uint64_t free_mb)
{
	char text[64];

	snprintf(text, sizeof(text), "MemAvailable: %llu kB\n",
		(unsigned long long)free_mb * 1024);
	fix_put("proc/meminfo", text);
	ck_assert_int_eq(limit_apply(&plan, jobs, n, &fix), 0);
}

static void give(unsigned int i, uint64_t mb)
{
	jobs[i].value[0] = mb * MB;
	jobs[i].given = 1;
}

START_TEST(half_of_it_for_defaults)
{
	apply(2, 1000);
	ck_assert_uint_eq(jobs[0].value[0] + jobs[1].value[0], 500 * MB);
	ck_assert_uint_eq(jobs[0].value[0], jobs[1].value[0]);
}
END_TEST

/* Up to 90 %, and nothing else is lowered below its least. */
START_TEST(a_size_that_was_given)
{
	give(0, 800);
	apply(2, 1000);
	ck_assert_ptr_null(jobs[0].why_not);
	ck_assert_ptr_null(jobs[1].why_not);
	ck_assert_uint_eq(jobs[0].value[0], 800 * MB);
	ck_assert_uint_eq(jobs[1].value[0], 4096);
}
END_TEST

START_TEST(ninety_percent)
{
	give(0, 900);
	jobs[0].instances = 1;
	apply(1, 1000);
	ck_assert_ptr_null(jobs[0].why_not);
	give(0, 450);
	jobs[0].instances = 2;
	apply(1, 1000);
	ck_assert_ptr_null(jobs[0].why_not);
}
END_TEST

START_TEST(above_ninety_percent)
{
	give(0, 910);
	jobs[1].value[0] = 700 * MB;
	apply(2, 1000);
	ck_assert_str_eq(jobs[0].why_not, "needs 910 MB of memory, and all jobs together "
					  "may use 901 MB; --max-memory permits more");
	ck_assert(jobs[0].lacks);
	/* The other one runs, with half of it. */
	ck_assert_ptr_null(jobs[1].why_not);
	ck_assert_uint_eq(jobs[1].value[0], 500 * MB);
}
END_TEST

START_TEST(two_sizes_of_which_one_fits)
{
	give(0, 600);
	give(1, 700);
	apply(2, 1000);
	ck_assert_ptr_null(jobs[0].why_not);
	ck_assert_ptr_nonnull(jobs[1].why_not);
}
END_TEST

/* A percentage is of what was free when it was read: less may be free since then. */
START_TEST(a_percentage_of_before)
{
	plan.free_memory = 1000 * MB;
	give(0, 900);
	apply(1, 990);
	ck_assert_ptr_null(jobs[0].why_not);
}
END_TEST

START_TEST(max_memory_is_not_raised)
{
	plan.max_memory = 100 * MB;
	give(0, 200);
	apply(1, 1000);
	ck_assert_str_eq(jobs[0].why_not,
		"needs 200 MB of memory and may use 100 MB; --max-memory permits more");
}
END_TEST

static void apply_to_disk(uint64_t mb, uint64_t other_mb)
{
	jobs[0].stressor = jobs[1].stressor = &writer;
	jobs[0].value[0] = mb * MB;
	jobs[1].value[0] = other_mb * MB;
	plan.temp_path = fix_path("");
	apply(2, 1000);
}

/* The limit applies to all instances together; the largest job is refused first. */
START_TEST(max_disk)
{
	plan.max_disk = 4 * MB;
	jobs[0].instances = 3;
	apply_to_disk(1, 2);
	ck_assert_str_eq(jobs[0].why_not, "needs 3 MB of disk, and all jobs together may "
					  "use 4 MB; --max-disk permits more");
	ck_assert(jobs[0].lacks);
	ck_assert_ptr_null(jobs[1].why_not);
	ck_assert_uint_eq(limit_disk(&jobs[0]), 0);
	ck_assert_uint_eq(limit_disk(&jobs[1]), 2 * MB);
}
END_TEST

START_TEST(all_of_max_disk)
{
	plan.max_disk = 4 * MB;
	apply_to_disk(2, 2);
	ck_assert_ptr_null(jobs[0].why_not);
	ck_assert_ptr_null(jobs[1].why_not);
}
END_TEST

/* More than any disk has. */
START_TEST(free_disk)
{
	apply_to_disk(UINT64_C(1) << 40, 1);
	ck_assert_ptr_nonnull(jobs[0].why_not);
	ck_assert_ptr_nonnull(strstr(jobs[0].why_not, "MB; --max-disk permits more"));
	ck_assert_ptr_null(jobs[1].why_not);
}
END_TEST

START_TEST(max_disk_is_not_there)
{
	plan.max_disk = UINT64_MAX;
	apply_to_disk(UINT64_C(1) << 40, 1);
	ck_assert_ptr_nonnull(jobs[0].why_not);
	ck_assert_ptr_nonnull(
		strstr(jobs[0].why_not, "--temp-path selects another disk"));
	ck_assert_ptr_null(jobs[1].why_not);
}
END_TEST

static void apply_to_files(uint64_t mb, uint64_t other_mb)
{
	for (unsigned int i = 0; i < 2; i++) {
		jobs[i].stressor = &file;
		jobs[i].value[0] = (i ? other_mb : mb) * MB;
		jobs[i].value[1] = 65536;
	}
	plan.temp_path = fix_path("");
	apply(2, 1000);
}

/* Above the least each gets the same part of what it wants. */
START_TEST(sizes_of_the_disk)
{
	plan.max_disk = 32 * MB;
	apply_to_files(11, 51);
	ck_assert_ptr_null(jobs[0].why_not);
	ck_assert_ptr_null(jobs[1].why_not);
	ck_assert_uint_eq(jobs[0].value[0], 6 * MB);
	ck_assert_uint_eq(jobs[1].value[0], 26 * MB);
	ck_assert_uint_eq(jobs[0].value[1], 65536);
	ck_assert_uint_eq(limit_disk(&jobs[0]) + limit_disk(&jobs[1]), 32 * MB);
}
END_TEST

START_TEST(a_size_of_the_disk_that_was_given)
{
	plan.max_disk = 32 * MB;
	jobs[0].given = 1;
	apply_to_files(20, 100);
	ck_assert_uint_eq(jobs[0].value[0], 20 * MB);
	ck_assert_uint_eq(jobs[1].value[0], 12 * MB);
	jobs[1].given = 1;
	apply_to_files(20, 13);
	ck_assert_str_eq(jobs[0].why_not, "needs 20 MB of disk, and all jobs together "
					  "may use 32 MB; --max-disk permits more");
	ck_assert_ptr_null(jobs[1].why_not);
}
END_TEST

/* Little memory does not make a file smaller. */
START_TEST(memory_and_disk_are_apart)
{
	plan.max_memory = 4096;
	apply_to_files(4, 4);
	ck_assert_uint_eq(jobs[0].value[0], 4 * MB);
	jobs[0].stressor = &holder;
	jobs[0].value[0] = 8 * MB;
	plan.max_disk = 1;
	apply(1, 1000);
	ck_assert_uint_eq(jobs[0].value[0], 4096);
}
END_TEST

/* A file that is mapped: the smaller limit counts. */
START_TEST(a_size_of_both)
{
	static const struct stressor_opt of_both[] = {
		{"bytes", STRESSOR_SIZE, "SIZE", "both", .min = MB,
			.size = STRESSOR_OF_BOTH},
		{0},
	};
	static const struct stressor mapped = {
		.name = "mapped", .opts = of_both, .memory = memory, .disk = memory};

	for (unsigned int i = 0; i < 2; i++) {
		jobs[0] = (struct job){
			.stressor = &mapped, .instances = 1, .value = {64 * MB}};
		plan.temp_path = fix_path("");
		plan.max_disk = (i ? 8 : 16) * MB;
		plan.max_memory = (i ? 16 : 8) * MB;
		apply(1, 1000);
		ck_assert_ptr_null(jobs[0].why_not);
		ck_assert_uint_eq(jobs[0].value[0], 8 * MB);
	}
}
END_TEST

static TCase *tc_limit(void)
{
	TCase *tc = tcase_create("limit");

	tcase_add_checked_fixture(tc, fix_open, fix_close);
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, half_of_it_for_defaults);
	tcase_add_test(tc, a_size_that_was_given);
	tcase_add_test(tc, ninety_percent);
	tcase_add_test(tc, above_ninety_percent);
	tcase_add_test(tc, two_sizes_of_which_one_fits);
	tcase_add_test(tc, a_percentage_of_before);
	tcase_add_test(tc, max_memory_is_not_raised);
	tcase_add_test(tc, max_disk);
	tcase_add_test(tc, all_of_max_disk);
	tcase_add_test(tc, free_disk);
	tcase_add_test(tc, max_disk_is_not_there);
	tcase_add_test(tc, sizes_of_the_disk);
	tcase_add_test(tc, a_size_of_the_disk_that_was_given);
	tcase_add_test(tc, memory_and_disk_are_apart);
	tcase_add_test(tc, a_size_of_both);
	return tc;
}

UNIT_MAIN("limit", tc_limit)

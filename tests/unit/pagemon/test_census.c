// SPDX-License-Identifier: GPL-2.0-or-later
/* Totals and counts of mappings against counts of the runs of a pass. */
#include "pages/census.h"
#include "pagemon_reader_rig.h"

static struct census the_census, *census = &the_census;

static void moves(char what)
{
	if (what == '0')
		fill_known(what);
	if (what == 'u')
		munmap(known_at, 64 * PAGE);
	if (what == 't')
		touch(known_at + 24 * PAGE, 8);
}

static void setup(void)
{
	map_known();
	rig_start(moves);
	rig_leave_out_large();
	ck_assert_int_eq(census_init(census), 0);
}

static void teardown(void)
{
	census_fini(census);
	rig_free(&runs);
	rig_stop();
}

static struct counts count_runs(uint64_t first, uint64_t end)
{
	struct counts c = {0};

	for (size_t i = 0; i < runs.n; i++)
		if (runs.run[i].first >= first && runs.run[i].first < end)
			counts_add(&c, runs.run[i].n, runs.run[i].categories);
	return c;
}

static void same_counts(const struct counts *a, const struct counts *b)
{
	ck_assert_ptr_nonnull(a);
	ck_assert_mem_eq(a, b, sizeof(*a));
}

/* Of pages of others, too, how many are exclusive may have changed meanwhile. */
static void same_but_exclusive(const struct counts *a, struct counts want)
{
	struct counts got;

	ck_assert_ptr_nonnull(a);
	got = *a;
	got.exclusive = want.exclusive = 0;
	same_counts(&got, &want);
}

static void each_mapping_is_counted(void)
{
	for (size_t m = 0; m < rig.space.n; m++) {
		const struct mapping *v = &rig.space.mappings[m];
		struct counts want =
			count_runs(v->first, v->first + mapping_pages(&rig.space, v));

		if (known_is_own(v->start) && known_is_own(v->end - 1))
			same_counts(census_of(census, v), &want);
		else
			same_but_exclusive(census_of(census, v), want);
	}
}

static void complete(void)
{
	int more;

	while ((more = census_step(census, &reader, &rig.space, 1)) == 1)
		;
	ck_assert_int_eq(more, 0);
}

START_TEST(counts)
{
	struct counts want;

	if (!use(_i ? PASS_READ : PASS_SCAN))
		return;
	rig_walk(&runs, &reader, 0, UINT64_MAX, false, 1000, NULL);
	ck_assert_ptr_null(census_total(census));
	census->mappings = true;
	complete();
	want = count_runs(0, UINT64_MAX);
	same_but_exclusive(census_total(census), want);
	ck_assert_uint_gt(want.present, 1000);
	ck_assert_uint_eq(census_total(census)->exclusive, 0);
	each_mapping_is_counted();
	census->mappings = false;
	complete();
	ck_assert_ptr_null(census_of(census, &rig.space.mappings[0]));
}
END_TEST

START_TEST(last_one_stays)
{
	struct counts first;
	const struct mapping *m;

	if (!use(_i ? PASS_READ : PASS_SCAN))
		return;
	census->mappings = true;
	complete();
	first = *census_total(census);
	m = space_at_or_above(&rig.space, (uintptr_t)known_at);
	rig_tell('t');
	if (census_step(census, &reader, &rig.space, 1) == 1)
		same_counts(census_total(census), &first);
	complete();
	complete();
	ck_assert_uint_gt(census_total(census)->present, first.present);
	ck_assert_ptr_nonnull(census_of(census, m));
	census_reset(census);
	ck_assert_ptr_null(census_total(census));
	ck_assert_ptr_null(census_of(census, m));
}
END_TEST

/* In the middle of a pass: of what was walked all stays counted, each mapping by its
 * address. */
START_TEST(mappings_change)
{
	struct counts want;

	if (!use(_i ? PASS_READ : PASS_SCAN))
		return;
	census->mappings = true;
	(void)!census_step(census, &reader, &rig.space, 1);
	rig_tell('u');
	rig_update();
	complete();
	complete(); /* the first may have counted what was unmapped */
	rig_walk(&runs, &reader, 0, UINT64_MAX, false, 1000, NULL);
	want = count_runs(0, UINT64_MAX);
	same_counts(census_total(census), &want);
	each_mapping_is_counted();
}
END_TEST

START_TEST(target_ends)
{
	if (!use(_i ? PASS_READ : PASS_SCAN))
		return;
	complete();
	kill(rig.pid, SIGKILL);
	waitpid(rig.pid, NULL, 0);
	ck_assert_int_eq(census_step(census, &reader, &rig.space, UINT64_MAX), -ESRCH);
	ck_assert_ptr_nonnull(census_total(census));
}
END_TEST

static TCase *all(void)
{
	TCase *tc = tcase_create("census");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, counts, 0, 2);
	tcase_add_loop_test(tc, last_one_stays, 0, 2);
	tcase_add_loop_test(tc, mappings_change, 0, 2);
	tcase_add_loop_test(tc, target_ends, 0, 2);
	return tc;
}

UNIT_MAIN("census", all)

// SPDX-License-Identifier: GPL-2.0-or-later
/* Next and previous pages against the known map, both ways of reading. */
#include <errno.h>

#include "pagemon_known_rig.h"
#include "live/seek.h"

static struct seek seek;
static struct pass_reader reader;

static void setup(void)
{
	known_target();
	ck_assert_int_eq(seek_init(&seek), 0);
}

static void teardown(void)
{
	seek_fini(&seek);
	rig_stop();
}

static uint64_t page_of(const char *at)
{
	return space_ordinal(&rig.space, (uintptr_t)at);
}

static uint64_t from(const char *at, bool forward)
{
	uint64_t found = 0;
	int more;

	seek_begin(&seek, &reader, &rig.space, page_of(at), forward);
	ck_assert(seek.active);
	do
		more = seek_step(&seek, 1, &found);
	while (more > 0);
	ck_assert_int_eq(more, 0);
	ck_assert(!seek.active);
	return found;
}

static bool use(int way)
{
	if (way == 0 && !rig_can_scan())
		return false;
	reader = rig_reader(way == 0 ? PASS_SCAN : PASS_READ);
	return true;
}

START_TEST(neighbours)
{
	if (!use(_i))
		return;
	/* Pages 0-7 are touched, 16-23 zero, 32-36 guards, 40-63 touched. */
	ck_assert_uint_eq(from(known_at, true), page_of(known_at + PAGE));
	ck_assert_uint_eq(from(known_at + 7 * PAGE, true), page_of(known_at + 16 * PAGE));
	ck_assert_uint_eq(
		from(known_at + 23 * PAGE, true), page_of(known_at + 40 * PAGE));
	ck_assert_uint_eq(
		from(known_at + 40 * PAGE, false), page_of(known_at + 23 * PAGE));
	ck_assert_uint_eq(
		from(known_at + 16 * PAGE, false), page_of(known_at + 7 * PAGE));
	ck_assert_uint_eq(from(known_at + PAGE, false), page_of(known_at));
	/* Every second page. */
	ck_assert_uint_eq(
		from(stride_at + 100 * PAGE, true), page_of(stride_at + 102 * PAGE));
	ck_assert_uint_eq(
		from(stride_at + 100 * PAGE, false), page_of(stride_at + 98 * PAGE));
}
END_TEST

START_TEST(none)
{
	uint64_t found = 0, last = 0;

	if (!use(_i))
		return;
	/* The last page that is there, found from it on in steps to the end. */
	seek_begin(&seek, &reader, &rig.space, 0, false);
	while (seek_step(&seek, 1, &found) > 0)
		;
	ck_assert_uint_eq(found, UINT64_MAX);
	for (uint64_t at = page_of(huge_at); at != UINT64_MAX; at = found) {
		last = at;
		seek_begin(&seek, &reader, &rig.space,
			at == page_of(huge_at) ? rig.space.pages - 2 : at, true);
		while (seek_step(&seek, 1, &found) > 0)
			;
		ck_assert(found == UINT64_MAX || found > last);
	}
}
END_TEST

START_TEST(mappings_changed)
{
	uint64_t found;

	reader = rig_reader(PASS_READ);
	seek_begin(&seek, &reader, &rig.space, 0, true);
	rig.space.generation++;
	ck_assert_int_eq(seek_step(&seek, 1, &found), -EAGAIN);
	ck_assert(!seek.active);
}
END_TEST

static TCase *all(void)
{
	TCase *tc = tcase_create("seek");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, neighbours, 0, 2);
	tcase_add_loop_test(tc, none, 0, 2);
	tcase_add_test(tc, mappings_changed);
	return tc;
}

UNIT_MAIN("seek", all)

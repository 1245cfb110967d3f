// SPDX-License-Identifier: GPL-2.0-or-later
#include "forkstat/groups.h"
#include "unit.h"

static struct sm_strpool *pool;
static struct groups g;

static void setup(void)
{
	ck_assert_int_eq(sm_strpool_new(&pool, 1u << 20), 0);
	ck_assert_int_eq(groups_init(&g, pool), 0);
}

static void teardown(void)
{
	groups_fini(&g);
	ck_assert_uint_eq(sm_strpool_count(pool), 0);
	sm_strpool_free(pool);
}

/* The group /x has the key 'x'. */
static void note(pid_t pid, bool born, uint64_t time_ns, char name)
{
	struct {
		struct sm_cgroup_raw head;
		char names[2];
	} path = {{SM_CGROUP_RAW, 2, (uint64_t)name, 1}, {name, 0}};

	if (name)
		ck_assert(sm_cgroup_names_add(
			&g.names, &path, sizeof(path.head) + sizeof(path.names)));
	groups_note(&g,
		&(struct execbpf_group){.pid = pid,
			.born = born,
			.time_ns = time_ns,
			.cgroup = (uint64_t)name},
		0);
}

/* The name, '?' for one that is not known, '-' without a note. */
static char moved(pid_t pid, uint64_t time_ns)
{
	struct sm_poolstr *path;
	char name = '?';

	if (!groups_moved(&g, pid, time_ns, &path))
		return '-';
	if (path)
		name = path->s[1];
	sm_strpool_put(pool, path);
	return name;
}

static char born(pid_t pid, uint64_t time_ns)
{
	bool there = groups_has_born(&g, pid, time_ns);
	struct sm_poolstr *path;
	char name = '?';

	ck_assert_int_eq(groups_born(&g, pid, time_ns, &path), there);
	if (!there)
		return '-';
	if (path)
		name = path->s[1];
	sm_strpool_put(pool, path);
	return name;
}

START_TEST(moves_up_to_an_event)
{
	ck_assert_int_eq(moved(7, 1000), '-');
	note(7, false, 1000, 'a');
	note(7, false, 2000, 'b');
	note(7, false, 3000, 'c');
	note(8, false, 1000, 0);
	ck_assert_int_eq(moved(7, 999), '-');
	ck_assert_int_eq(moved(7, 2000), 'b');
	ck_assert_int_eq(moved(7, 2500), '-');
	ck_assert_int_eq(moved(8, 2500), '?');
	ck_assert_int_eq(moved(7, 9000), 'c');
	ck_assert_uint_eq(g.moves.used, 0);
	note(7, false, 10000, 'd'); /* the rest is closed */
}
END_TEST

/* A birth is noted after the event of its fork, and before that of the next one. */
START_TEST(birth_of_a_fork)
{
	const uint64_t ms = SM_NSEC_PER_MSEC;

	ck_assert_int_eq(born(7, ms), '-');
	note(7, true, ms + 5000, 'a');
	note(7, true, 2 * ms + 5000, 'b');
	note(7, false, ms + 6000, 'c');
	ck_assert_int_eq(born(7, ms), 'a');
	ck_assert_int_eq(born(7, ms), 'b'); /* its own was lost */
	note(7, true, 3 * ms + 5000, 'd');
	note(7, true, 4 * ms - 100, 'e'); /* the stamps are of two clocks */
	ck_assert_int_eq(born(7, 4 * ms), 'e');
	ck_assert_int_eq(born(7, 3 * ms), '-'); /* older ones are dropped */
	note(7, true, 5 * ms, 0);
	ck_assert_int_eq(born(7, 6 * ms), '-');
	ck_assert_int_eq(born(7, 5 * ms), '?');
	ck_assert_uint_eq(g.births.used, 0);
	ck_assert_int_eq(moved(7, 2 * ms), 'c');
	note(9, true, 7 * ms, 'f');
}
END_TEST

START_TEST(births_without_an_event_are_dropped)
{
	const uint64_t step = 10 * SM_NSEC_PER_MSEC;

	for (pid_t pid = 1; pid < 10000; pid++) {
		note(pid, true, (uint64_t)pid * step, 'a');
		ck_assert_int_eq(born(20000, (uint64_t)pid * step), '-');
		ck_assert_uint_le(g.births.used, 1024 + 200);
	}
}
END_TEST

/* A reader that was stopped finds all births at once. */
START_TEST(births_wait_for_a_late_reader)
{
	const uint64_t step = 10 * SM_NSEC_PER_MSEC;

	for (pid_t pid = 1; pid < 5000; pid++)
		note(pid, true, (uint64_t)pid * step, 'a');
	for (pid_t pid = 1; pid < 5000; pid++)
		ck_assert_int_eq(born(pid, (uint64_t)pid * step), 'a');
}
END_TEST

START_TEST(stamps_are_converted)
{
	groups_note(&g, &(struct execbpf_group){.pid = 7, .time_ns = 1000}, 500);
	ck_assert_int_eq(moved(7, 1499), '-');
	ck_assert_int_eq(moved(7, 1500), '?');
}
END_TEST

static TCase *tc_groups(void)
{
	TCase *tc = tcase_create("groups");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, moves_up_to_an_event);
	tcase_add_test(tc, birth_of_a_fork);
	tcase_add_test(tc, births_without_an_event_are_dropped);
	tcase_add_test(tc, births_wait_for_a_late_reader);
	tcase_add_test(tc, stamps_are_converted);
	return tc;
}

UNIT_MAIN("groups", tc_groups)

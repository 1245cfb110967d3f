// SPDX-License-Identifier: GPL-2.0-or-later
/* Twins and mirrors: whose counter is whose shows as they move. */
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "power/rapl.h"
#include "unit.h"

#define RANGE 262143328850 /* 2^32 units of 61 uJ */

static struct sm_rapl r;
static uint64_t now_ms;

static struct sm_rapl_zone *pair_a, *pair_b;

static void add_zone(const char *id, const char *name)
{
	ck_assert_int_eq(sm_rapl_zones_add(&r.zones, id, name), 0);
}

static void pair_setup(void)
{
	r = (struct sm_rapl){0};
	now_ms = 1000;
}

static void pair_teardown(void)
{
	for (unsigned int i = 0; i < r.zones.n; i++)
		r.zones.at[i].counter.fd = -1;
	sm_rapl_close(&r);
}

static void pair_arrange(void)
{
	sm_rapl_zones_arrange(&r.zones);
	ck_assert_uint_eq(r.zones.n, 2);
	pair_a = &r.zones.at[0];
	pair_b = &r.zones.at[1];
	for (int i = 0; i < 2; i++) {
		r.zones.at[i].counter.fd = 1000000; /* as if open */
		r.zones.at[i].counter.range_uj = RANGE;
	}
}

static uint64_t late_ms; /* the other is read so much later */

/* By id, whatever the roles are. */
static void both(const char *id, uint64_t uj_of_id, uint64_t uj_of_other)
{
	now_ms += 1000;
	for (int i = 0; i < 2; i++) {
		bool is_id = strcmp(r.zones.at[i].counter.id, id) == 0;

		r.zones.at[i].counter.error = 0;
		sm_rapl_counter_feed(&r.zones.at[i].counter, &r.zones.at[i].sums,
			is_id ? uj_of_id : uj_of_other,
			(now_ms + (is_id ? 0 : late_ms)) * SM_NSEC_PER_MSEC);
	}
	r.readings++;
	sm_rapl_zones_settle(&r.zones);
}

static void duplicates(void)
{
	add_zone("intel-rapl-mmio:0", "package-0");
	add_zone("intel-rapl:0", "package-0");
	pair_arrange();
	ck_assert_str_eq(pair_a->counter.id, "intel-rapl:0");
	ck_assert_int_eq(pair_b->role.why, SM_RAPL_DUPLICATE);
}

START_TEST(live_duplicates)
{
	duplicates();
	for (uint64_t i = 0; i < 20; i++)
		both("intel-rapl:0", i * 15000000, 5000 + i * 15000000);
	ck_assert_uint_eq(r.zones.exchanged, 0);
	ck_assert_uint_eq(pair_a->sums.energy_uj, 19 * 15000000);
	ck_assert_uint_eq(r.zones.counted, 1);
}
END_TEST

/* The first figure is right already. */
START_TEST(dead_from_the_start)
{
	duplicates();
	both("intel-rapl:0", 77, 1000);
	both("intel-rapl:0", 77, 15001000);
	ck_assert_uint_eq(r.zones.exchanged, 1);
	ck_assert_str_eq(pair_a->counter.id, "intel-rapl-mmio:0");
	ck_assert_str_eq(pair_a->role.label, "pkg-0");
	ck_assert_int_eq(pair_a->role.why, SM_RAPL_COUNTED);
	ck_assert_str_eq(pair_b->role.label, "pkg-0-duplicate");
	ck_assert_int_eq(pair_b->role.why, SM_RAPL_DUPLICATE);
	ck_assert_int_eq(pair_b->role.partner, 0);
	ck_assert_uint_eq(pair_a->sums.energy_uj, 15000000);
	ck_assert_uint_eq(pair_a->sums.covered_ns, SM_NSEC_PER_SEC);
	both("intel-rapl:0", 77, 30001000);
	ck_assert_uint_eq(pair_a->sums.energy_uj, 30000000);
	ck_assert_uint_eq(pair_a->sums.covered_ns, 2 * SM_NSEC_PER_SEC);
	ck_assert_uint_eq(r.zones.exchanged, 1);
}
END_TEST

/* A dead duplicate of a live zone, and two dead ones, are left alone. */
START_TEST(dead_duplicate)
{
	duplicates();
	for (uint64_t i = 0; i < 9; i++)
		both("intel-rapl:0", i * 15000000, 5);
	for (uint64_t i = 0; i < 9; i++)
		both("intel-rapl:0", 8 * 15000000, 5);
	ck_assert_uint_eq(r.zones.exchanged, 0);
}
END_TEST

/* Later it takes five readings; one that is only slow is kept. */
START_TEST(dead_later)
{
	uint64_t uj = 0;

	duplicates();
	for (uint64_t i = 0; i < 20; i++)
		both("intel-rapl:0", uj = (i + 2) / 3 * 45000000, i * 15000000);
	ck_assert_uint_eq(r.zones.exchanged, 0);
	for (uint64_t i = 20; i < 30; i++)
		both("intel-rapl:0", uj, i * 15000000);
	ck_assert_uint_eq(r.zones.exchanged, 1);
	ck_assert_str_eq(pair_a->counter.id, "intel-rapl-mmio:0");
}
END_TEST

static void fails(const char *id, int err, uint64_t uj_of_other)
{
	now_ms += 1000;
	for (int i = 0; i < 2; i++) {
		struct sm_rapl_zone *z = &r.zones.at[i];

		if (strcmp(z->counter.id, id) == 0)
			sm_rapl_counter_fail(&z->counter, err);
		else
			sm_rapl_counter_feed(&z->counter, &z->sums, uj_of_other,
				now_ms * SM_NSEC_PER_MSEC);
	}
	sm_rapl_zones_settle(&r.zones);
}

static void covers(const struct sm_rapl_zone *z, uint64_t uj, uint64_t seconds)
{
	ck_assert_uint_eq(z->sums.energy_uj, uj);
	ck_assert_uint_eq(z->sums.covered_ns, seconds * SM_NSEC_PER_SEC);
}

/* No reading is lost, and none is in both sums. */
START_TEST(failing_lead)
{
	duplicates();
	both("intel-rapl:0", 0, 5);
	both("intel-rapl:0", 10, 15);
	fails("intel-rapl:0", -EIO, 25);
	ck_assert_uint_eq(r.zones.exchanged, 1);
	ck_assert_str_eq(pair_a->counter.id, "intel-rapl-mmio:0");
	ck_assert_int_eq(pair_a->counter.error, 0);
	covers(pair_a, 20, 2);
	covers(pair_b, 10, 1);
	fails("intel-rapl:0", -EIO, 35);
	covers(pair_a, 30, 3);
	both("intel-rapl:0", 40, 45);
	both("intel-rapl:0", 50, 55);
	ck_assert_uint_eq(r.zones.exchanged, 1);
	covers(pair_a, 50, 5);
	covers(pair_b, 20, 2);
	fails("intel-rapl-mmio:0", -ENODEV, 60);
	ck_assert_uint_eq(r.zones.exchanged, 2);
	ck_assert_str_eq(pair_a->counter.id, "intel-rapl:0");
	covers(pair_a, 60, 6);
	covers(pair_b, 20, 2);
}
END_TEST

/* A step of the duplicate that began before the failed counter's last one is not added.
 */
START_TEST(no_time_twice)
{
	duplicates();
	both("intel-rapl:0", 1000000, 1000000);
	both("intel-rapl:0", 2000000, 2000000);
	both("intel-rapl:0", 3000000, 1);
	ck_assert_uint_eq(pair_b->counter.held, 1);
	fails("intel-rapl:0", -EIO,
		2); /* a duplicate that is held back itself is no help */
	ck_assert_uint_eq(r.zones.exchanged, 0);
	fails("intel-rapl:0", -EIO, 5000000);
	ck_assert_uint_eq(r.zones.exchanged, 0);
	covers(pair_a, 2000000, 2);
	fails("intel-rapl:0", -EIO, 5000000); /* nor one that stands still */
	ck_assert_uint_eq(r.zones.exchanged, 0);
	fails("intel-rapl:0", -EIO, 7000000);
	ck_assert_uint_eq(r.zones.exchanged, 1);
	covers(pair_a, 4000000, 4);
}
END_TEST

static void dies(void)
{
	add_zone("intel-rapl:0", "package-0-die-0");
	add_zone("intel-rapl:1", "package-0-die-1");
	pair_arrange();
	ck_assert_uint_eq(r.zones.counted, 2);
}

static unsigned int mirrors(void)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < r.zones.n; i++)
		n += r.zones.at[i].role.why == SM_RAPL_MIRROR;
	return n;
}

START_TEST(mirrored_dies)
{
	dies();
	both("intel-rapl:0", RANGE - 120000000, RANGE - 119999600);
	ck_assert_uint_eq(mirrors(), 0);
	both("intel-rapl:0", RANGE - 60000000, RANGE - 59001000);
	ck_assert_uint_eq(mirrors(), 1);
	ck_assert_uint_eq(r.zones.counted, 1);
	ck_assert_int_eq(pair_b->role.why, SM_RAPL_MIRROR);
	ck_assert_int_eq(pair_b->role.partner, 0);
	ck_assert_str_eq(pair_b->role.label, "pkg-0.1");
	/* over the wrap */
	both("intel-rapl:0", RANGE - 400000, 300000);
	ck_assert_uint_eq(mirrors(), 1);
	/* the first one fails: the other one stands for both */
	pair_a->counter.error = -ENODEV;
	sm_rapl_zones_settle(&r.zones);
	ck_assert_str_eq(pair_a->counter.id, "intel-rapl:1");
	ck_assert_int_eq(pair_a->role.why, SM_RAPL_COUNTED);
}
END_TEST

START_TEST(dies_on_their_own)
{
	dies();
	for (uint64_t i = 0; i < 5; i++)
		both("intel-rapl:0", i * 60000000, 1000001 + i * 60000000);
	ck_assert_uint_eq(mirrors(), 0);
	/* none moves: nothing is known */
	pair_teardown();
	pair_setup();
	dies();
	for (uint64_t i = 0; i < 5; i++)
		both("intel-rapl:0", 1000, 1000);
	ck_assert_uint_eq(mirrors(), 0);
}
END_TEST

/* Nearly equal at the start; then they part, and that is remembered. */
START_TEST(not_a_mirror_after_all)
{
	dies();
	both("intel-rapl:0", 0, 0);
	both("intel-rapl:0", 10000000, 10400000);
	ck_assert_uint_eq(mirrors(), 1);
	both("intel-rapl:0", 20000000, 20800000);
	ck_assert_uint_eq(mirrors(), 1);
	both("intel-rapl:0", 30000000, 31200000);
	ck_assert_uint_eq(mirrors(), 0);
	ck_assert_uint_eq(r.zones.counted, 2);
	ck_assert_uint_eq(pair_b->sums.energy_uj, 31200000);
	both("intel-rapl:0", 40000000, 40000000);
	both("intel-rapl:0", 50000000, 50000000);
	ck_assert_uint_eq(mirrors(), 0);
}
END_TEST

/* Small ones that begin at 0 together lie within a joule for a while, but move apart. */
START_TEST(from_zero_together)
{
	dies();
	for (uint64_t i = 0; i < 5; i++) {
		both("intel-rapl:0", i * 20000, i * 30000);
		ck_assert_uint_eq(mirrors(), 0);
	}
	for (uint64_t i = 0; i < 5; i++) {
		both("intel-rapl:0", 200000 + i * 200000, 300000 + i * 300000);
		ck_assert_uint_eq(mirrors(), 0);
	}
}
END_TEST

/* Dies of 0.2 W and of other_w, which is read late once. */
static void read_late(double other_w)
{
	pair_teardown();
	pair_setup();
	dies();
	for (uint64_t i = 1; i <= 3; i++) {
		late_ms = i == 2 ? 400 : 0;
		both("intel-rapl:0", i * 200000,
			(uint64_t)(other_w * 1000 * (double)(i * 1000 + late_ms)));
	}
	ck_assert_uint_eq(mirrors(), 0);
}

/* The late one's step is shorter: those of different counters are alike.  One counter is
 * known at the next reading. */
START_TEST(read_far_apart)
{
	read_late(0.3);
	read_late(0.2);
	both("intel-rapl:0", 800000, 800000);
	ck_assert_uint_eq(mirrors(), 1);
}
END_TEST

/* One counter of 60 W; the second reading of the other die is late. */
static void one_counter_late(uint64_t by_ms)
{
	pair_teardown();
	pair_setup();
	dies();
	both("intel-rapl:0", 60000000, 60000000);
	ck_assert(sm_rapl_zones_unsure(&r.zones));
	late_ms = by_ms;
	both("intel-rapl:0", 120000000, 120000000 + 60000 * late_ms);
	late_ms = 0;
}

START_TEST(late_by_part_of_a_step)
{
	one_counter_late(50); /* 3 J later */
	ck_assert_uint_eq(mirrors(), 1);
	ck_assert(!sm_rapl_zones_unsure(&r.zones));
	one_counter_late(70); /* more than 1/16 */
	ck_assert_uint_eq(mirrors(), 0);
	ck_assert(sm_rapl_zones_unsure(&r.zones));
	both("intel-rapl:0", 180000000, 180000000);
	ck_assert(sm_rapl_zones_unsure(
		&r.zones)); /* the late one is now the first of two */
	both("intel-rapl:0", 240000000, 240000000);
	ck_assert_uint_eq(mirrors(), 1);
	ck_assert(!sm_rapl_zones_unsure(&r.zones));
}
END_TEST

START_TEST(when_dies_are_known)
{
	dies();
	both("intel-rapl:0", 1000, 1000);
	ck_assert(sm_rapl_zones_unsure(&r.zones)); /* no step */
	both("intel-rapl:0", 50999, 50999);
	ck_assert(sm_rapl_zones_unsure(&r.zones)); /* too small a step */
	both("intel-rapl:0", 60999, 70999);
	ck_assert(sm_rapl_zones_unsure(&r.zones));
	both("intel-rapl:0", 60999, 81000);
	ck_assert(!sm_rapl_zones_unsure(&r.zones)); /* only one moves */
	both("intel-rapl:0", 110999, 131000);
	ck_assert_uint_eq(mirrors(), 1);
	/* too far apart, at the first reading */
	pair_teardown();
	pair_setup();
	dies();
	both("intel-rapl:0", 1000, 1001001);
	ck_assert(!sm_rapl_zones_unsure(&r.zones));
	/* one cannot be read; there is but one */
	pair_b->counter.error = -EIO;
	pair_b->counter.raw.uj = 1000;
	ck_assert(!sm_rapl_zones_unsure(&r.zones));
	pair_b->counter.error = 0;
	ck_assert(sm_rapl_zones_unsure(&r.zones));
	r.zones.n = 1;
	ck_assert(!sm_rapl_zones_unsure(&r.zones));
	r.zones.n = 2;
}
END_TEST

/* Two sockets with the same numbers are two sockets. */
static void equal_sockets(const char *name0, const char *name1)
{
	pair_teardown();
	pair_setup();
	add_zone("intel-rapl:0", name0);
	add_zone("intel-rapl:1", name1);
	pair_arrange();
	for (uint64_t i = 0; i < 5; i++)
		both("intel-rapl:0", i * 60000000, i * 60000000);
	ck_assert_uint_eq(mirrors(), 0);
	ck_assert_uint_eq(r.zones.counted, 2);
	ck_assert(!sm_rapl_zones_unsure(&r.zones));
}

START_TEST(sockets_are_no_mirrors)
{
	equal_sockets("package-0", "package-1");
	equal_sockets("package-0-die-0", "package-1-die-1");
}
END_TEST

#define TEST(fn) tcase_add_test(tc, fn)

static TCase *tc_pairs(void)
{
	TCase *tc = tcase_create("pairs");

	tcase_add_checked_fixture(tc, pair_setup, pair_teardown);
	TEST(live_duplicates);
	TEST(dead_from_the_start);
	TEST(dead_duplicate);
	TEST(dead_later);
	TEST(failing_lead);
	TEST(no_time_twice);
	TEST(mirrored_dies);
	TEST(dies_on_their_own);
	TEST(not_a_mirror_after_all);
	TEST(read_far_apart);
	TEST(from_zero_together);
	TEST(late_by_part_of_a_step);
	TEST(when_dies_are_known);
	TEST(sockets_are_no_mirrors);
	return tc;
}

UNIT_MAIN("rapl_zones", tc_pairs)

// SPDX-License-Identifier: GPL-2.0-or-later
/* The idle machine and the uncertainty of the energy above it, by figures computed by
 * hand. */
#include <math.h>
#include <stdlib.h>

#include "powerstat/idle.h"
#include "unit.h"

#define SEC SM_NSEC_PER_SEC

static struct idle idle;
static struct sm_source source;
static double values[64];
static struct sample piece;

static void setup(void)
{
	source = (struct sm_source){.kind = SM_SOURCE_RAPL};
	piece = (struct sample){.v = values, .kind = SM_FIGURE_MEASURED};
	idle_begin(&idle, &source, 100 * SEC, 10 * SEC);
}

static void add(double watts, uint64_t ns)
{
	piece.dt_ns = piece.energy_ns = ns;
	values[V_WATTS] = watts;
	values[V_JOULES] = watts * (double)ns * 1e-9;
	idle_add(&idle, &piece);
}

static void near(double got, double want)
{
	ck_assert_msg(fabs(got - want) < 1e-4 * fabs(want), "%g, not %g", got, want);
}

START_TEST(pieces)
{
	ck_assert_uint_eq(idle.piece_ns, SEC);
	ck_assert_uint_eq(idle_piece_end(&idle, 100 * SEC), 101 * SEC);
	ck_assert_uint_eq(
		idle_piece_end(&idle, 108 * SEC + SEC / 2), 109 * SEC + SEC / 2);
	/* A rest of 0.4 s belongs to the last piece. */
	ck_assert_uint_eq(idle_piece_end(&idle, 108 * SEC + 6 * SEC / 10), 110 * SEC);
	ck_assert_uint_eq(idle_piece_end(&idle, 111 * SEC), 110 * SEC);
	idle_begin(&idle, &source, 0, SEC / 5);
	ck_assert_uint_eq(idle.piece_ns, SEC / 10);
}
END_TEST

/* Gauges are updated once a second; a meter that averages 3 s has a new value in 3 s. */
START_TEST(pieces_of_readings)
{
	struct sm_hwmon_sensor sensors[2] = {
		{.interval_ms = 3000, .counted = true}, {.interval_ms = 60000}};

	source.kind = SM_SOURCE_BATTERY;
	idle_begin(&idle, &source, 0, 5 * SEC);
	ck_assert_uint_eq(idle.piece_ns, SEC);
	source.kind = SM_SOURCE_HWMON;
	source.hwmon = (struct sm_hwmon){.sensor = sensors, .n = 2};
	idle_begin(&idle, &source, 0, 5 * SEC);
	ck_assert_uint_eq(idle.piece_ns, 3 * SEC);
	idle_begin(&idle, &source, 0, 100 * SEC);
	ck_assert_uint_eq(idle.piece_ns, 10 * SEC);
}
END_TEST

/* s^2 is 0.25 x 10 / 9; 60 s: 60 sqrt(0.027778 + 0.0046296). */
START_TEST(standard_error)
{
	for (int i = 0; i < 10; i++)
		add(i % 2 ? 7.5 : 8.5, SEC);
	near(idle.watts, 8);
	ck_assert_uint_eq(idle.of_ns, 10 * SEC);
	near(idle_stderr_w(&idle), 0.166667);
	near(idle_stderr_j(&idle, 60 * SEC, 0), 10.8012);
	/* With readings of a meter whose mean has an error of 0.1 W. */
	near(idle_stderr_j(&idle, 60 * SEC, 0.1), 12.3558);
}
END_TEST

/* A long piece counts by its time. */
START_TEST(unequal_pieces)
{
	add(6, SEC);
	add(9, 2 * SEC);
	near(idle.watts, 8);
}
END_TEST

START_TEST(unknown)
{
	ck_assert(isnan(idle.watts) && isnan(idle_stderr_w(&idle)));
	add(NAN, SEC);
	ck_assert(isnan(idle.watts));
	ck_assert_uint_eq(idle.of_ns, SEC);
	add(8, SEC);
	near(idle.watts, 8);
	ck_assert(isnan(idle_stderr_w(&idle)) && isnan(idle_stderr_j(&idle, SEC, 0)));
	piece.kind = SM_FIGURE_LEVEL;
	add(8.1, SEC);
	ck_assert(isnan(idle_stderr_j(&idle, SEC, 0)));
}
END_TEST

/* A later reading shows that 3 J of an earlier piece were a glitch. */
START_TEST(retracted)
{
	add(11, SEC);
	piece.retracted_j = 3;
	add(8, SEC);
	near(idle.watts, 8);
}
END_TEST

static TCase *tc_idle(void)
{
	TCase *tc = tcase_create("idle");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, pieces);
	tcase_add_test(tc, pieces_of_readings);
	tcase_add_test(tc, standard_error);
	tcase_add_test(tc, unequal_pieces);
	tcase_add_test(tc, unknown);
	tcase_add_test(tc, retracted);
	return tc;
}

UNIT_MAIN("idle", tc_idle)

// SPDX-License-Identifier: GPL-2.0-or-later
#include "powerstat/oneline.h"
#include "powerstat/columns.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

#include "unit.h"

static struct opts o;
static struct columns t;
static struct stats s;
static struct sm_thermal_zone zones[1];
static struct sm_thermal thermal;
static double values[64];
static struct sample sample;
static struct sm_buf b;

static void setup(void)
{
	memset(&t, 0, sizeof(t));
	memset(&s, 0, sizeof(s));
	memset(zones, 0, sizeof(zones));
	memset(values, 0, sizeof(values));
	b = (struct sm_buf){0};
	strcpy(zones[0].label, "acpitz");
	thermal = (struct sm_thermal){.zone = zones, .n = 1};
	o = opts_default;
	sample = (struct sample){
		.dt_ns = SM_NSEC_PER_SEC, .energy_ns = SM_NSEC_PER_SEC, .v = values};
}

static void teardown(void)
{
	stats_fini(&s);
	columns_fini(&t);
	sm_buf_fini(&b);
}

static void begin(void)
{
	ck_assert_int_eq(columns_init(&t, &o, NULL, &thermal,
				 (struct columns_have){true, true, true, true}),
		0);
	ck_assert_int_eq(stats_init(&s, &t, false), 0);
}

static const char *line(double watts, unsigned int flags)
{
	values[V_WATTS] = watts;
	stats_add(&s, &t, &sample);
	sm_buf_reset(&b);
	oneline(&t, &sample, &s, flags, false, &b);
	sm_buf_chr(&b, '\0');
	ck_assert_int_eq(sm_buf_error(&b), 0);
	return b.p;
}

START_TEST(power)
{
	begin();
	line(10.01, 0);
	line(15.20, 0);
	ck_assert_str_eq(
		line(12.34, 0), "Watts 12.34 now, 10.01 min, 15.20 max, 12.52 mean");
}
END_TEST

START_TEST(estimate_and_nothing)
{
	begin();
	sample.kind = SM_FIGURE_ESTIMATE;
	ck_assert_str_eq(line(12.34, 0), "Watts 12.34E now, - min, - max, - mean");
	ck_assert_str_eq(line(NAN, 0), "Watts - now, - min, - max, - mean");
}
END_TEST

/* The mark of the table: something is missing in it. */
START_TEST(incomplete)
{
	begin();
	sample.incomplete = sample.missing = true;
	ck_assert_str_eq(
		line(10, 0), "Watts 10.00* now, 10.00 min, 10.00 max, 10.00 mean");
	ck_assert_str_eq(line(NAN, 0), "Watts - now, 10.00 min, 10.00 max, 10.00 mean");
	sample.kind = SM_FIGURE_ESTIMATE;
	ck_assert_str_eq(
		line(12, 0), "Watts 12.00E now, 10.00 min, 10.00 max, 10.00 mean");
}
END_TEST

START_TEST(zones_and_frequencies)
{
	o.thermal = o.freq = o.gpu = true;
	begin();
	values[t.freq0] = 1000000;
	values[t.gpu] = NAN;
	values[t.thermal0] = 40.04;
	line(1, 0);
	values[t.freq0] = 3000000;
	values[t.thermal0] = -8;
	ck_assert_str_eq(line(1, 0), "Watts 1.00 now, 1.00 min, 1.00 max, 1.00 mean"
				     " | CPU Freq 3.00 GHz (1.00 to 3.00)"
				     " | GPU Freq - GHz (- to -)"
				     " | acpitz -8.0 C (-8.0 to 40.0)");
}
END_TEST

START_TEST(hostile)
{
	o.thermal = true;
	strcpy(zones[0].label, "\033\xC3\xA4");
	begin();
	ck_assert_ptr_nonnull(strstr(line(1, SM_TEXT_UTF8), " | \\x1b\xC3\xA4 0.0 C"));
	ck_assert_ptr_nonnull(strstr(line(1, 0), " | \\x1b\\xc3\\xa4 0.0 C"));
}
END_TEST

/* For a narrow terminal. */
START_TEST(brief)
{
	o.thermal = o.freq = true;
	begin();
	values[t.freq0] = 3000000;
	values[t.thermal0] = 40.04;
	line(12.34, 0);
	sm_buf_reset(&b);
	oneline(&t, &sample, &s, 0, true, &b);
	sm_buf_chr(&b, '\0');
	ck_assert_str_eq(b.p, "Watts 12.34 now, 12.34 mean | CPU Freq 3.00 GHz"
			      " | acpitz 40.0 C");
}
END_TEST

static TCase *tc_minmax(void)
{
	TCase *tc = tcase_create("minmax");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, power);
	tcase_add_test(tc, estimate_and_nothing);
	tcase_add_test(tc, incomplete);
	tcase_add_test(tc, zones_and_frequencies);
	tcase_add_test(tc, brief);
	tcase_add_test(tc, hostile);
	return tc;
}

UNIT_MAIN("minmax", tc_minmax)

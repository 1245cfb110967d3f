// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "forkstat_outputs_rig.h"
#include "forkstat/rates.h"
#include "cli/loop.h"
#include "unit.h"

#define WALL UINT64_C(1795266359000000000) /* 2026-11-21T13:05:59Z */
#define SEC  SM_NSEC_PER_SEC

static struct opts o;
static struct view v;
static struct summary s;
static struct rates r;
static char dir[UNIT_DIR];
static char path[80], json[80], text[16384];

static void setup(void)
{
	const char *what;

	setenv("TZ", "UTC0", 1);
	tzset();
	unit_mkdtemp(dir);
	snprintf(path, sizeof(path), "%s/out", dir);
	snprintf(json, sizeof(json), "%s/json", dir);
	o = opts_default;
	o.events = EVENT_BIT(EVENT_FORK) | EVENT_BIT(EVENT_EXIT) | EVENT_BIT(EVENT_LOST);
	o.app.interval_ns = 2 * SEC;
	o.app.output = path;
	o.app.json.file = json;
	ck_assert_int_eq(open_view(&v, &o, 32768, &what), 0);
	v.wall_offset_ns = (int64_t)(WALL - 12 * SEC);
	v.offset_read_ns = 12 * SEC;
	ck_assert_int_eq(summary_init(&s, &o, 10 * SEC), 0);
}

static void teardown(void)
{
	rates_fini(&r);
	summary_fini(&s);
	close_view(&v);
	unlink(path);
	unlink(json);
	ck_assert_int_eq(rmdir(dir), 0);
}

static const char *content(const char *file)
{
	ck_assert_int_eq(outputs_flush(v.outputs), 0);
	return unit_slurp(file, text, sizeof(text));
}

static void start(uint64_t now_ns)
{
	ck_assert_int_eq(rates_start(&r, &o, &v, now_ns), 0);
}

START_TEST(a_row_each_interval)
{
	start(10 * SEC);
	ck_assert_uint_eq(rates_next(&r), 12 * SEC);
	s.count[EVENT_FORK] = 30;
	s.count[EVENT_EXIT] = 1;
	s.count[EVENT_EXEC] = 99; /* not shown */
	summary_lost(&s, LOST_KERNEL, 4);
	rates_iterate(&r, &s, 12 * SEC - 1);
	ck_assert_str_eq(content(path), "");
	rates_iterate(&r, &s, 12 * SEC);
	ck_assert_uint_eq(rates_next(&r), 14 * SEC);
	ck_assert_str_eq(
		content(path), "13:05:59 rate  ----- fork 15.0/s exit 0.5/s lost 4\n");
	ck_assert_str_eq(content(json),
		"{\"type\":\"rate\",\"time\":\"2026-11-21T13:05:59.000000000Z\","
		"\"interval_s\":2.000000000,\"per_s\":{\"fork\":15.000,\"exit\":0.500},"
		"\"lost\":4}\n");
	rates_iterate(&r, &s, 12 * SEC);
}
END_TEST

START_TEST(rates_are_of_the_interval)
{
	start(8 * SEC);
	s.count[EVENT_FORK] = 30;
	rates_iterate(&r, &s, 10 * SEC);
	s.count[EVENT_FORK] = 31;
	v.offset_read_ns = 12 * SEC;
	v.wall_offset_ns = (int64_t)(WALL - 12 * SEC);
	/* Late by a second: over three. */
	rates_iterate(&r, &s, 13 * SEC);
	content(json);
	ck_assert_ptr_nonnull(
		strstr(text, "\"interval_s\":3.000000000,\"per_s\":{\"fork\":0.333,"));
	ck_assert_ptr_nonnull(strstr(text, "},\"lost\":0}\n"));
	ck_assert_uint_eq(rates_next(&r), 14 * SEC);
}
END_TEST

/* Rows of rates have the time in the style of the events' rows. */
START_TEST(time_styles)
{
	static const struct {
		enum sm_time_style style;
		const char *human, *json;
	} t[] = {{SM_TIME_CLOCK, "13:05:59 rate", "\"2026-11-21T13:05:59.000000000Z\","},
		{SM_TIME_ISO, "2026-11-21T13:05:59+0000 rate",
			"\"2026-11-21T13:05:59.000000000Z\","},
		{SM_TIME_EPOCH, "1795266359 rate", "1795266359.000000000,"},
		{SM_TIME_MONO, "12.000000      rate", "12.000000000,"},
		{SM_TIME_DELTA, "1.500000   rate", "1.500000000,"}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		char want[100];

		for (unsigned int k = 0; k < v.outputs->n; k++) {
			v.outputs->out[k].time.style = t[i].style;
			v.outputs->out[k].time.prev_ns = 10 * SEC + SEC / 2;
		}
		start(10 * SEC);
		rates_iterate(&r, &s, 12 * SEC);
		/* The next event's delta is since this row. */
		ck_assert(t[i].style != SM_TIME_DELTA ||
			  v.outputs->out[0].time.prev_ns == 12 * SEC);
		ck_assert_msg(
			strstr(content(path), t[i].human), "%s in %s", t[i].human, text);
		snprintf(want, sizeof(want), "\"time\":%s", t[i].json);
		ck_assert_msg(strstr(content(json), want), "%s in %s", want, text);
		rates_fini(&r);
	}
}
END_TEST

START_TEST(no_interval)
{
	o.app.interval_ns = 0;
	start(10 * SEC);
	ck_assert_uint_eq(rates_next(&r), SM_LOOP_FOREVER);
	rates_iterate(&r, &s, 100 * SEC);
	ck_assert_str_eq(content(path), "");
}
END_TEST

static TCase *tc_rates(void)
{
	TCase *tc = tcase_create("rates");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_row_each_interval);
	tcase_add_test(tc, rates_are_of_the_interval);
	tcase_add_test(tc, time_styles);
	tcase_add_test(tc, no_interval);
	return tc;
}

UNIT_MAIN("rates", tc_rates)

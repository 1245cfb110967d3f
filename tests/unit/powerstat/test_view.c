// SPDX-License-Identifier: GPL-2.0-or-later
/* The table for people, byte by byte. */
#include "powerstat_view_rig.h"

#define PREAMBLE                                                           \
	"Running for 60.0 seconds (60 samples at 1.0 second intervals).\n" \
	"Power measurements will start in 0 seconds time.\n\n"
#define HEADING                                                                      \
	"  Time    User  Nice   Sys  Idle    IO  Run Ctxt/s  IRQ/s Fork Exec Exit  " \
	"Watts"
#define ROW                                                                          \
	"13:05:59  84.6   0.0   9.1   6.3   0.0    3   6279   1022   51   45   26  " \
	"28.51"
#define DASHES                                                                      \
	"-------- ----- ----- ----- ----- ----- ---- ------ ------ ---- ---- ---- " \
	"------"

START_TEST(original_layout)
{
	o.domains = true;
	begin();
	values[table.domain0] = 15;
	values[table.domain0 + 1] = 9;
	show();
	ck_assert_str_eq(content(human_path),
		PREAMBLE HEADING "   pkg-0   core\n" ROW "   15.00   9.00\n");
}
END_TEST

START_TEST(statistic_rows)
{
	begin();
	show();
	values[V_USER] = 80.6;
	values[V_RUN] = 4;
	values[V_EXEC] = 0;
	values[V_WATTS] = 28.49;
	show();
	finish();
	ck_assert(has(human_path,
		"\n" DASHES "\n"
		" Average  82.6   0.0   9.1   6.3   0.0  3.5 6279.0 1022.0 51.0 22.5 "
		"26.0 "
		" 28.50\n"
		" GeoMean  82.6   0.0   9.1   6.3   0.0  3.5 6279.0 1022.0 51.0  0.0 "
		"26.0 "
		" 28.50\n"
		"  StdDev   2.0   0.0   0.0   0.0   0.0  0.5    0.0    0.0  0.0 22.5  "
		"0.0 "
		"  0.01\n" DASHES "\n"
		" Minimum  80.6   0.0   9.1   6.3   0.0  3.0 6279.0 1022.0 51.0  0.0 "
		"26.0 "
		" 28.49\n"
		" Maximum  84.6   0.0   9.1   6.3   0.0  4.0 6279.0 1022.0 51.0 45.0 "
		"26.0 "
		" 28.51\n" DASHES "\n"
		"Summary:\n"
		"CPU:  28.50 Watts on average with standard deviation 0.01\n"));
}
END_TEST

/* Means have a decimal only where it fits, and wide counts widen their column. */
START_TEST(statistics_of_large_counts)
{
	begin();
	values[V_CTXT] = 25712;
	values[V_INTR] = 1165834;
	show();
	finish();
	ck_assert(has(human_path,
		"\n13:05:59  84.6   0.0   9.1   6.3   0.0    3  25712 1165834  51"));
	ck_assert(has(human_path,
		"\n Average  84.6   0.0   9.1   6.3   0.0  3.0  25712 1165834 51.0"));
	ck_assert(has(human_path,
		"\n  StdDev   0.0   0.0   0.0   0.0   0.0  0.0    0.0     0.0  0.0"));
}
END_TEST

START_TEST(no_process_columns)
{
	with_events = false;
	begin();
	show();
	ck_assert(has(human_path, "  IRQ/s  Watts\n"));
	ck_assert(has(human_path, "   6279   1022  28.51\n"));
}
END_TEST

START_TEST(frequencies_and_zones)
{
	o.freq = o.thermal = o.gpu = with_freq = true;
	with_events = false;
	begin();
	values[table.thermal0] = -8;
	values[table.freq0] = 1652000;
	values[table.freq0 + 1] = 800000;
	values[table.freq0 + 2] = 3412345;
	show();
	finish();
	ck_assert(has(human_path, "  Watts  acpitz x86_pkg_temp  CPU Freq  Freq Min  "
				  "Freq Max  GPU Freq\n"));
	ck_assert(has(human_path, "  28.51   -8.00            -  1.65 GHz  0.80 GHz  "
				  "3.41 GHz         -\n"));
	ck_assert(has(human_path, " ------  ------ ------------ --------- --------- "
				  "--------- ---------\n"));
	/* There is no geometric mean of something negative. */
	ck_assert(has(human_path, "  28.51       -            -  1.65 GHz"));
}
END_TEST

START_TEST(marks)
{
	o.domains = true;
	begin();
	sample.kind = SM_FIGURE_ESTIMATE;
	show();
	sample.kind = SM_FIGURE_MEASURED;
	sample.incomplete = true;
	show();
	values[V_WATTS] = NAN;
	sample.kind = SM_FIGURE_ABSENT;
	show();
	ck_assert(has(human_path, "   26  28.51E      -      -\n"));
	ck_assert(has(human_path, "   26  28.51*      -      -\n"));
	ck_assert(has(human_path, "   26      -       -      -\n"));
}
END_TEST

/* A number is whole and does not run into its neighbours; the rest keeps its place. */
START_TEST(wide_numbers)
{
	o.domains = true;
	begin();
	values[V_EXIT] = 4321;
	values[V_WATTS] = 1234.56;
	values[table.domain0] = 15;
	values[table.domain0 + 1] = 9;
	show();
	ck_assert(has(human_path, "   45 4321 1234.56  15.00   9.00\n"));
	values[V_WATTS] = 64832.10;
	values[table.domain0] = 1234567.89;
	sample.incomplete = true;
	show();
	ck_assert(has(human_path, "   45 4321 64832.10* 1234567.89 9.00\n"));
}
END_TEST

/* As if the table were on a terminal of that size. */
static void terminal(unsigned int columns, unsigned int rows)
{
	v.tty = true;
	sm_table_terminal(&v.outputs->out[0], columns, o.no_repeat ? 0 : rows, false);
}

START_TEST(columns_widen_at_the_next_heading)
{
	begin();
	values[V_WATTS] = 64832.10;
	show();
	terminal(0, 6);
	for (int i = 0; i < 4; i++)
		show();
	ck_assert_uint_eq(times(human_path, "Exit  Watts\n"), 1);
	ck_assert_uint_eq(times(human_path, "Exit    Watts\n"), 1);
}
END_TEST

/* Lines of a terminal so wide that [p, to) takes. */
static unsigned int screen_lines(const char *p, const char *to, unsigned int columns)
{
	unsigned int n = 0, column = 0;

	for (; p < to; p++) {
		if (*p == '\n') {
			n++;
			column = 0;
		} else if (++column > columns) {
			n++;
			column = 1;
		}
	}
	return n;
}

/* 60 rows on such a terminal: the heading comes when the next row would drive the last
 * one off the screen, whose last line is the cursor's, and not before.  How often. */
static unsigned int headings(unsigned int columns, unsigned int rows, bool too_low)
{
	size_t before = strlen(content(human_path));
	const char *p, *heading = NULL, *nl;
	unsigned int n = 0, seen;

	terminal(columns, rows);
	v.outputs->out[0].header_done =
		false; /* the first one was not for this terminal */
	for (int i = 0; i < 60; i++)
		show();
	for (p = content(human_path) + before; *p; p = nl + 1) {
		nl = strchr(p, '\n');
		if (strncmp(p, "  Time  ", 8) != 0) {
			seen = screen_lines(heading, nl + 1, columns);
			ck_assert_msg(too_low || seen < rows, "%u x %u", columns, rows);
			continue;
		}
		seen = heading ? screen_lines(heading, p, columns) : rows;
		seen += screen_lines(p, nl + 1, columns); /* a row is as long */
		ck_assert_msg(seen >= rows, "%u x %u", columns, rows);
		heading = p;
		n++;
	}
	return n;
}

START_TEST(heading_before_it_scrolls_away)
{
	begin();
	ck_assert_uint_eq(headings(132, 24, false), 3); /* 22 rows each */
	ck_assert_uint_eq(headings(80, 24, false), 3);
	ck_assert_uint_eq(headings(78, 24, false), 6); /* 2 lines: 10 rows */
	ck_assert_uint_eq(headings(40, 24, false), 6);
	ck_assert_uint_eq(headings(39, 24, false), 10); /* 3 lines: 6 rows */
	ck_assert_uint_eq(headings(80, 5, false), 20);
	ck_assert_uint_eq(headings(80, 4, true), 1);
	ck_assert_uint_eq(headings(20, 20, false), 20); /* 4 lines: 3 rows */
	ck_assert_uint_eq(headings(20, 19, true), 1);
}
END_TEST

START_TEST(heading_once_in_a_file)
{
	begin();
	for (int i = 0; i < 100; i++)
		show();
	ck_assert_uint_eq(times(human_path, "Ctxt/s"), 1);
	ck_assert_uint_eq(times(human_path, ROW), 100);
}
END_TEST

START_TEST(no_repeat)
{
	o.no_repeat = true;
	begin();
	terminal(0, 6);
	for (int i = 0; i < 10; i++)
		show();
	ck_assert_uint_eq(times(human_path, "Ctxt/s"), 1);
}
END_TEST

START_TEST(no_heading_at_all)
{
	o.app.no_header = true;
	begin();
	show();
	ck_assert_str_eq(content(human_path), ROW "\n");
	ck_assert(!has(csv_path, "time,"));
}
END_TEST

START_TEST(skipped_once_for_each_run)
{
	begin();
	view_skipped(&v, &sample, VIEW_LOW_IDLE);
	view_skipped(&v, &sample, VIEW_LOW_IDLE);
	ck_assert_str_eq(content(human_path), PREAMBLE HEADING
		"\n               --- Skipped samples(s) because of low CPU "
		"idle ---\n");
	view_skipped(&v, &sample, VIEW_PROCESSES); /* not noted yet */
	ck_assert(has(human_path, "\n         --- Skipped samples(s) because of "
				  "fork/exec/exit activity ---\n"));
	show();
	view_skipped(&v, &sample, VIEW_LOW_IDLE | VIEW_PROCESSES);
	ck_assert_uint_eq(times(human_path, "--- Skipped"), 3);
	ck_assert(has(human_path, "of low CPU idle and fork/exec/exit activity ---\n"));
	ck_assert_uint_eq(times(json_path, "{\"type\":\"skipped\""), 4);
	ck_assert_uint_eq(times(json_path, "\"low_idle\":true,\"processes\":false}"), 2);
	ck_assert_uint_eq(times(csv_path, "\n"), 2);
}
END_TEST

START_TEST(lost_events_and_notes)
{
	begin();
	sample.events_lost = 12;
	show();
	view_note(&v, "3 samples missed", WALL);
	ck_assert(has(human_path, " --- 12 fork/exec/exit events lost ---\n"));
	ck_assert(has(human_path, " --- 3 samples missed ---\n"));
	ck_assert(has(json_path, "{\"type\":\"note\",\"time\":\"2026-11-21T13:05:59."
				 "123456789Z\",\"text\":\"3 samples missed\"}\n"));
}
END_TEST

START_TEST(preambles)
{
	run = (struct view_run){.interval_ns = 250 * SM_NSEC_PER_MSEC,
		.start_delay_ns = 1500 * SM_NSEC_PER_MSEC};
	begin();
	ck_assert(has(human_path, "Running until interrupted (samples at 0.25 second "
				  "intervals).\nPower measurements will start in 1.5 "
				  "seconds time.\n\n  Time  "));
}
END_TEST

START_TEST(the_shorter_of_count_and_duration)
{
	o.app.duration_ns = 5 * SEC;
	begin();
	ck_assert(has(human_path, "Running for 5.0 seconds (5 samples at 1.0 "));
}
END_TEST

START_TEST(count_that_overflows)
{
	run.count = UINT64_MAX;
	begin();
	ck_assert(has(human_path, "Running until interrupted ("));
}
END_TEST

START_TEST(time_styles)
{
	o.app.time_given = true;
	o.app.time_style = SM_TIME_ISO;
	begin();
	show();
	finish();
	ck_assert(has(human_path, "\n2026-11-21T13:05:59+0000  84.6"));
	ck_assert(has(human_path, "\n                  Time    User"));
	ck_assert(has(human_path, "\n------------------------ -----"));
	ck_assert(has(human_path, "\n                 Average  84.6"));
}
END_TEST

START_TEST(minmax)
{
	o.minmax = true;
	begin();
	show();
	values[V_WATTS] = 10;
	show();
	finish();
	ck_assert(has(human_path, "Watts 28.51 now, 28.51 min, 28.51 max, 28.51 mean\n"
				  "Watts 10.00 now, 10.00 min, 28.51 max, 19.26 mean\n"
				  "Summary:\n"));
	ck_assert(!has(human_path, "Ctxt/s"));
	ck_assert(!has(human_path, "Average"));
}
END_TEST

START_TEST(minmax_refreshes_a_terminal)
{
	o.minmax = true;
	begin();
	terminal(20, 0);
	show();
	ck_assert_str_eq(content(human_path), "\r\033[KWatts 28.51 now, 2\xE2\x80\xA6");
	finish();
	ck_assert(has(human_path, "\xE2\x80\xA6\nSummary:\n"));
}
END_TEST

START_TEST(countdown_only_on_a_terminal)
{
	begin();
	view_countdown(&v, 2);
	ck_assert(!has(human_path, "Waiting"));
	terminal(80, 0);
	view_countdown(&v, 2);
	view_countdown(&v, 0);
	ck_assert(has(human_path, "\r\033[KWaiting 2 seconds before starting (gathering "
				  "samples). \r\r\033[K"));
}
END_TEST

START_TEST(countdown_is_one_line)
{
	o.app.no_header = true;
	begin();
	terminal(26, 0);
	view_countdown(&v, 12);
	view_countdown(&v, 0);
	/* 25 columns of 26: the last one makes some terminals wrap. */
	ck_assert_str_eq(content(human_path),
		"\r\033[KWaiting 12 seconds befor\xE2\x80\xA6\r\r\033[K");
}
END_TEST

START_TEST(hostile_labels)
{
	o.domains = o.thermal = true;
	with_events = false;
	domains[0].label = "\033[2J%s%n";
	domains[1].label = "";
	strcpy(zones[0].label, "a\nb");
	strcpy(zones[1].label, "\xE6\xBC\xA2"); /* two columns wide */
	begin();
	values[table.thermal0 + 1] = 40;
	show();
	ck_assert(has(
		human_path, "  Watts  \\x1b[2J%s%n      - a\\x0ab     \xE6\xBC\xA2\n"));
	ck_assert(has(human_path, "  28.51            -      -      -  40.00\n"));
	ck_assert(!has(human_path, "\033"));
	ck_assert(!has(csv_path, "\033"));
	ck_assert(!has(json_path, "\033"));
}
END_TEST

START_TEST(process_log)
{
	static char log[] = "Log:\n00:21:28 fork: (\"x\")\n";

	begin();
	view_text(&v, &(struct sm_buf){.p = log, .len = strlen(log)});
	ck_assert(has(human_path, log));
	ck_assert(has(json_path,
		"{\"type\":\"log\",\"text\":\"Log:\"}\n"
		"{\"type\":\"log\",\"text\":\"00:21:28 fork: (\\\"x\\\")\"}\n"));
}
END_TEST

START_TEST(steady_state_does_not_allocate)
{
	const char *rows[3];

	o.domains = o.thermal = true;
	begin();
	show();
	for (int i = 0; i < 3; i++)
		rows[i] = v.outputs->out[i].row.p;
	for (int i = 0; i < 1000; i++)
		show();
	for (int i = 0; i < 3; i++)
		ck_assert_ptr_eq(rows[i], v.outputs->out[i].row.p);
	ck_assert_uint_eq(sm_outputs_dropped(v.outputs), 0);
}
END_TEST

static TCase *tc_layout(void)
{
	TCase *tc = tcase_create("layout");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, original_layout);
	tcase_add_test(tc, statistic_rows);
	tcase_add_test(tc, statistics_of_large_counts);
	tcase_add_test(tc, no_process_columns);
	tcase_add_test(tc, frequencies_and_zones);
	tcase_add_test(tc, marks);
	tcase_add_test(tc, wide_numbers);
	tcase_add_test(tc, columns_widen_at_the_next_heading);
	tcase_add_test(tc, heading_before_it_scrolls_away);
	tcase_add_test(tc, heading_once_in_a_file);
	tcase_add_test(tc, no_repeat);
	tcase_add_test(tc, no_heading_at_all);
	tcase_add_test(tc, time_styles);
	tcase_add_test(tc, hostile_labels);
	tcase_add_test(tc, steady_state_does_not_allocate);
	return tc;
}

static TCase *tc_between(void)
{
	TCase *tc = tcase_create("between the rows");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, skipped_once_for_each_run);
	tcase_add_test(tc, lost_events_and_notes);
	tcase_add_test(tc, preambles);
	tcase_add_test(tc, the_shorter_of_count_and_duration);
	tcase_add_test(tc, count_that_overflows);
	tcase_add_test(tc, countdown_only_on_a_terminal);
	tcase_add_test(tc, countdown_is_one_line);
	tcase_add_test(tc, process_log);
	tcase_add_test(tc, minmax);
	tcase_add_test(tc, minmax_refreshes_a_terminal);
	return tc;
}

UNIT_MAIN("view", tc_layout, tc_between)

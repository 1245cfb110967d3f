// SPDX-License-Identifier: GPL-2.0-or-later
/* CSV, JSON lines, files and losses. */
#include <signal.h>

#include "powerstat_view_rig.h"

#define CSV_HEAD                                                                       \
	"time,mono_ns,dt_s,kind,incomplete,window_s,lost,user_pct,nice_pct,sys_pct,"   \
	"idle_pct,iowait_pct,irq_pct,softirq_pct,steal_pct,run,ctxt_per_s,intr_per_s," \
	"fork,exec,exit,watts"
#define CSV_REST \
	"84.600,0.000,9.100,6.300,0.000,0.100,0.200,0.300,3,6279.000,1022.000,51,45,26"

START_TEST(csv)
{
	o.domains = o.thermal = o.joules = true;
	begin();
	values[table.domain0] = 15.0000004;
	values[table.thermal0 + 1] = -8.25;
	show();
	ck_assert_str_eq(content(csv_path),
		CSV_HEAD ",joules,pkg_0_w,core_w,acpitz_c,x86_pkg_temp_c\n"
			 "2026-11-21T13:05:59.123456789Z,5000000000,1.000000000,measured,"
			 "0,,0," CSV_REST ",28.510000,28.510000,15.000000,,,-8.250\n");
}
END_TEST

/* Without events the columns stay; their fields are empty. */
START_TEST(csv_constant_columns)
{
	with_events = false;
	begin();
	values[V_FORK] = values[V_EXEC] = values[V_EXIT] = NAN;
	sample.kind = SM_FIGURE_ESTIMATE;
	sample.window_ns = 90 * SEC;
	sample.incomplete = true;
	sample.events_lost = 7;
	show();
	ck_assert(has(csv_path, CSV_HEAD "\n"));
	ck_assert(has(csv_path, ",estimate,1,90.000000000,7,84.600"));
	ck_assert(has(csv_path, ",1022.000,,,,28.510000\n"));
}
END_TEST

START_TEST(machine_epoch)
{
	o.app.time_given = true;
	o.app.time_style = SM_TIME_EPOCH;
	begin();
	show();
	ck_assert(has(csv_path, "\n1795266359.123456789,5000000000,"));
	ck_assert(has(human_path, "\n1795266359  84.6"));
	ck_assert(has(json_path, "\"time\":1795266359.123456789,"));
}
END_TEST

START_TEST(csv_mono)
{
	o.app.time_given = true;
	o.app.time_style = SM_TIME_MONO;
	begin();
	show();
	ck_assert(has(csv_path, "\n5.000000000,5000000000,"));
}
END_TEST

START_TEST(json_header)
{
	domains[1].label = "\"\x1b";
	run.interval_ns = SEC / 2;
	run.start_delay_ns = 3 * SEC;
	begin();
	ck_assert(has(
		json_path, "{\"type\":\"header\",\"tool\":\"powerstat\",\"version\":\""));
	ck_assert(has(json_path, "\",\"schema\":1,\"boot_id\":\"b\",\"start\":\""));
	ck_assert(has(json_path,
		"Z\",\"source\":\"rapl\",\"zones\":[{\"label\":\"pkg-0\",\"counted\":"
		"true,\"source\":\"rapl\"},"
		"{\"label\":\"\\\"\\u001b\",\"counted\":false,\"source\":\"rapl\"}],"
		"\"delay_s\":0.500000000,"
		"\"count\":60,\"start_delay_s\":3.000000000,\"process_events\":true}\n"));
}
END_TEST

START_TEST(json_without_power)
{
	run.power = NULL;
	run.boot_id = NULL;
	begin();
	ck_assert(has(json_path, "\"source\":\"none\",\"zones\":[],"));
	ck_assert(!has(json_path, "boot_id"));
}
END_TEST

START_TEST(json_sample)
{
	o.domains = o.thermal = o.freq = with_freq = o.joules = true;
	begin();
	values[table.domain0] = 15;
	values[table.thermal0] = 45.5;
	values[table.freq0] = 1652000.4;
	show();
	ck_assert(has(json_path,
		"\n{\"type\":\"sample\",\"time\":\"2026-11-21T13:05:59.123456789Z\","
		"\"mono_ns\":5000000000,\"dt_s\":1.000000000,\"kind\":\"measured\","
		"\"estimate\":false,\"incomplete\":false,\"lost\":0,\"cpu\":{"
		"\"user_pct\":84.600,\"nice_pct\":0.000,\"sys_pct\":9.100,"
		"\"idle_pct\":6.300,\"iowait_pct\":0.000,\"irq_pct\":0.100,"
		"\"softirq_pct\":0.200,\"steal_pct\":0.300,\"run\":3,"
		"\"ctxt_per_s\":6279.000,\"intr_per_s\":1022.000},\"fork\":51,"
		"\"exec\":45,\"exit\":26,\"watts\":28.510000,\"joules\":28.510000,"
		"\"domains\":{\"pkg-0\":15.000000},\"temps\":{\"acpitz\":45.500},"
		"\"freq\":{\"cpu_freq_khz\":1652000}}\n"));
}
END_TEST

/* What could not be read has no key, and without members there is no object. */
START_TEST(json_missing_values)
{
	begin();
	values[V_WATTS] = values[V_EXEC] = NAN;
	sample.kind = SM_FIGURE_ABSENT;
	show();
	sample.kind = SM_FIGURE_LEVEL;
	sample.window_ns = 120 * SEC;
	values[V_WATTS] = INFINITY;
	show();
	ck_assert(has(json_path, "\"kind\":\"absent\",\"estimate\":false,"
				 "\"incomplete\":false,\"lost\":0,\"cpu\":{"));
	ck_assert(has(json_path, "},\"fork\":51,\"exit\":26}\n"));
	ck_assert(has(json_path, "\"kind\":\"level\",\"estimate\":false,"
				 "\"incomplete\":false,\"window_s\":120.000000000,"));
}
END_TEST

START_TEST(json_estimate)
{
	begin();
	sample.kind = SM_FIGURE_ESTIMATE;
	show();
	ck_assert(has(json_path, "\"kind\":\"estimate\",\"estimate\":true,"));
}
END_TEST

START_TEST(standard_output_is_json)
{
	o.app.json.here = true;
	o.app.json.file = o.app.csv.file = NULL;
	begin();
	show();
	finish();
	ck_assert_uint_eq(times(human_path, "\n"), 3);
	ck_assert_int_eq(content(human_path)[0], '{');
	ck_assert_int_eq(open(json_path, O_RDONLY | O_CLOEXEC), -1);
}
END_TEST

START_TEST(cannot_open)
{
	const char *what;

	o.app.csv.file = "/nonexistent/x.csv";
	ck_assert_int_eq(open_view(&v, &o, &what), -ENOENT);
	ck_assert_str_eq(what, "/nonexistent/x.csv");
	opened = true;
}
END_TEST

START_TEST(full_disk)
{
	o.app.output = "/dev/full";
	begin();
	show();
	ck_assert_int_eq(outputs_flush(v.outputs), -ENOSPC);
	show();
	ck_assert_uint_eq(sm_outputs_dropped(v.outputs), 1);
}
END_TEST

START_TEST(no_reader)
{
	char fifo[96];
	int fd;

	snprintf(fifo, sizeof(fifo), "%s/fifo", view_dir);
	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	fd = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	signal(SIGPIPE, SIG_IGN);
	o.app.output = fifo;
	begin();
	ck_assert_int_eq(unlink(fifo), 0);
	close(fd);
	show();
	ck_assert_int_eq(outputs_flush(v.outputs), -EPIPE);
}
END_TEST

static TCase *tc_machine(void)
{
	TCase *tc = tcase_create("machine");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, csv);
	tcase_add_test(tc, csv_constant_columns);
	tcase_add_test(tc, machine_epoch);
	tcase_add_test(tc, csv_mono);
	tcase_add_test(tc, json_header);
	tcase_add_test(tc, json_without_power);
	tcase_add_test(tc, json_sample);
	tcase_add_test(tc, json_missing_values);
	tcase_add_test(tc, json_estimate);
	tcase_add_test(tc, standard_output_is_json);
	return tc;
}

static TCase *tc_files(void)
{
	TCase *tc = tcase_create("files");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, cannot_open);
	tcase_add_test(tc, full_disk);
	tcase_add_test(tc, no_reader);
	return tc;
}

UNIT_MAIN("view_open", tc_machine, tc_files)

// SPDX-License-Identifier: GPL-2.0-or-later
/* JSON lines and CSV. */
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>

#include "stressors/result/rows.h"
#include "stressors_results_rig.h"

#define TIME	  "2026-11-21T13:06:00.500000000Z" /* of each row */
#define JSON_TIME "\"time\":\"" TIME "\","

static struct rows rows;

static uint64_t row_time(void)
{
	return facts.begin_wall_ns + 1500 * SM_NSEC_PER_MSEC;
}

static void tear_down(void)
{
	rows_fini(&rows);
	results_tear_down();
}

static const char *all(enum sm_format format)
{
	rows_fini(&rows);
	rows_init(&rows, format, &config.app);
	sm_buf_reset(&text);
	rows_begin(&rows, &config, &facts, &text);
	rows_results(&rows, results, JOBS, row_time(), &text);
	rows_end(&rows, results, JOBS, &facts, &text);
	return text_str();
}

static unsigned int lines(const char *s)
{
	unsigned int n = 0;

	for (; (s = strchr(s, '\n')); s++)
		n++;
	return n;
}

START_TEST(json_begins_with_header_and_run)
{
	const char *s;

	facts.boot_id = "b-1";
	config.app.interval_ns = SM_NSEC_PER_SEC / 2;
	config.plan.max_memory = 4096;
	s = all(SM_FORMAT_JSON);
	ck_assert(strncmp(s, "{\"type\":\"header\",\"tool\":\"stressors\",\"version\":\"",
			  strlen("{\"type\":\"header\",\"tool\":\"stressors\","
				 "\"version\":\"")) == 0);
	has(s, "\",\"schema\":1,\"boot_id\":\"b-1\",\"start\":\"2026-11-21T13:05:59."
	       "000000000Z\"}\n"
	       "{\"type\":\"run\",\"time\":\"2026-11-21T13:05:59.000000000Z\","
	       "\"timeout_s\":2.500000000,\"jobs\":4,\"sequential\":false,\"seed\":"
	       "\"18446744073709551615\",\"verify\":true,\"aggressive\":false,"
	       "\"max_memory_bytes\":4096,\"interval_s\":0.500000000,\"cpus\":2,"
	       "\"online_cpus\":2,\"memory_bytes\":4096000,\"release\":\"6.1.0\","
	       "\"machine\":\"x86_64\"}\n");
	config.plan.time_ns = UINT64_MAX;
	has_not(all(SM_FORMAT_JSON), "timeout_s");
}
END_TEST

START_TEST(json_results)
{
	const char *s = all(SM_FORMAT_JSON);

	has(s, "{\"type\":\"result\"," JSON_TIME
	       "\"stressor\":\"cpu\",\"job\":0,\"instances\":2,\"status\":"
	       "\"pass\",\"ops\":4413,\"wall_s\":2.000000,\"user_s\":3.980000,\"sys_s\":"
	       "0.020000,\"ops_per_s\":2206.500000,\"ops_per_cpu_s\":1103.250000,"
	       "\"cpu_pct\":200.000000,\"maxrss_kb\":1480,\"setup_s\":0.012500,"
	       "\"oom_kills\":0,\"forced\":0,\"metrics\":[{\"name\":\"crc\",\"value\":"
	       "2200.500000,\"unit\":\"ops/s\",\"mean\":\"sum\",\"n\":2},{\"name\":"
	       "\"op\",\"value\":0.012300000,\"unit\":\"ns\",\"mean\":\"arithmetic\","
	       "\"n\":1}]}\n");
	has(s, "\"value\":1.500000e-12,");
	has(s, "{\"type\":\"result\"," JSON_TIME
	       "\"stressor\":\"af-alg\",\"job\":2,\"instances\":0,\"status\":"
	       "\"skip\",\"ops\":0,\"oom_kills\":0,\"forced\":0,\"reason\":\"AF_ALG is "
	       "not in this kernel\"}\n");
	has(s, "\"oom_kills\":3,\"forced\":1,");
	has(s, "\\u000a- # \\u001b[31m ");
	has(s, "\"reason_b64\":\"");
	has_not(s, "figures");
	ck_assert_uint_eq(lines(s), 2 + JOBS + 1);
}
END_TEST

START_TEST(json_figures)
{
	const char *s;

	figure(CPU, "cycles", "", 5.49e9, 0.5);
	figure(CPU, "bus-cycles", "", NAN, 0);
	figure(CPU, "energy", "J", 12.3, 1);
	figure(CPU, "a\"zone", "Cel", 61, 1);
	s = all(SM_FORMAT_JSON);
	has(s, ",\"figures\":[{\"name\":\"cycles\",\"value\":5490000000,\"unit\":\"\","
	       "\"per_s\":2745000000,\"share\":0.500000},{\"name\":\"energy\",\"value\":"
	       "12.300000,\"unit\":\"J\",\"per_s\":6.150000,\"share\":1.000000},{"
	       "\"name\":\"a\\\"zone\",\"value\":61,\"unit\":\"Cel\",\"share\":1.000000}"
	       "]}\n");
	results[CPU].wall_s = 0;
	has_not(all(SM_FORMAT_JSON), "per_s\":2745");
	has_not(text.p, "nan");
	has_not(text.p, "inf");
}
END_TEST

START_TEST(json_summary)
{
	has(all(SM_FORMAT_JSON),
		"{\"type\":\"summary\",\"time\":\"2026-11-21T13:06:03.000000000Z\","
		"\"wall_s\":4.000000,\"pass\":1,\"fail\":1,\"skip\":1,\"no_resource\":1,"
		"\"interrupted\":0,\"exit\":2,\"lost_rows\":0}\n");
	facts.signal = SIGINT;
	facts.exit = 130;
	facts.lost_rows = 7;
	results[CPU].status = RESULT_INTERRUPTED;
	has(all(SM_FORMAT_JSON),
		"\"pass\":0,\"fail\":1,\"skip\":1,\"no_resource\":1,\"interrupted\":1,"
		"\"exit\":130,\"signal\":\"SIGINT\",\"lost_rows\":7}\n");
}
END_TEST

static const char *interval(enum sm_format format, int instance, double rate)
{
	const struct rows_interval i = {
		row_time(), "vm", 1, instance, 1.5, 300, rate, false};

	rows_fini(&rows);
	rows_init(&rows, format, &config.app);
	sm_buf_reset(&text);
	rows_interval(&rows, &i, &text);
	rows_interval(&rows, &i, &text);
	return text_str();
}

START_TEST(intervals)
{
	has(interval(SM_FORMAT_JSON, 3, 200),
		"{\"type\":\"interval\"," JSON_TIME
		"\"stressor\":\"vm\",\"job\":1,\"instance\":3,\"t_s\":"
		"1.500000,\"ops\":300,\"ops_per_s\":200.000000}\n{");
	has(interval(SM_FORMAT_JSON, -1, NAN),
		"{\"type\":\"interval\"," JSON_TIME
		"\"stressor\":\"vm\",\"job\":1,\"t_s\":1.500000,\"ops\":"
		"300}\n");
	has(interval(SM_FORMAT_CSV, 3, 200),
		"\n" TIME
		",interval,vm,1,3,,1.500000,,300,,,,200.000000,,,,,,,,,,,,,,,,,\n");
	ck_assert_uint_eq(lines(text.p), 3); /* one heading */
}
END_TEST

START_TEST(interim)
{
	const struct rows_interval i = {
		row_time(), "vm", 1, -1, 1.5, 300, 200, .interim = true};

	rows_fini(&rows);
	rows_init(&rows, SM_FORMAT_JSON, &config.app);
	sm_buf_reset(&text);
	rows_interval(&rows, &i, &text);
	has(text_str(), "{\"type\":\"interim\"," JSON_TIME
			"\"stressor\":\"vm\",\"job\":1,\"t_s\":1.500000,"
			"\"ops\":300,\"ops_per_s\":200.000000}\n");
}
END_TEST

/* Fields of a line: commas in quotes are none. */
static unsigned int fields(const char *s)
{
	unsigned int n = 1;
	bool quoted = false;

	for (; *s != '\n'; s++) {
		quoted ^= *s == '"';
		n += *s == ',' && !quoted;
	}
	return n;
}

START_TEST(csv)
{
	const char *s;

	figure(CPU, "cycles", "", 5.49e9, 0.5);
	figure(CPU, "bus-cycles", "", NAN, 0);
	figure(CPU, "x,\"y\"", "Cel", 61.5, 1);
	s = all(SM_FORMAT_CSV);
	has(s, "time,type,stressor,job,instance,instances,t_s,status,ops,wall_s,user_s,"
	       "sys_s,"
	       "ops_per_s,ops_per_cpu_s,cpu_pct,maxrss_kb,setup_s,oom_kills,forced,"
	       "name,value,unit,mean,n,per_s,share,low_s,high_s,cpu,"
	       "reason\n" TIME
	       ",result,cpu,0,,2,,pass,4413,2.000000,3.980000,0.020000,2206.500000,"
	       "1103.250000,200.000000,1480,0.012500,0,0,,,,,,,,,,,\n" TIME
	       ",metric,cpu,0,,,,,,,,,,,,,,,,crc,2200.500000,ops/s,sum,2,,,,,,\n" TIME
	       ",metric,cpu,0,,,,,,,,,,,,,,,,op,0.012300000,ns,arithmetic,1,,,,,,\n" TIME
	       ",figure,cpu,0,,,,,,,,,,,,,,,,cycles,5490000000,,,,2745000000,0.500000,,,,"
	       "\n" TIME
	       ",figure,cpu,0,,,,,,,,,,,,,,,,\"x,\"\"y\"\"\",61.500000,Cel,,,,1."
	       "000000,,,,\n" TIME ",result,memrate,1,,1,,fail,12,");
	has(s, "\n" TIME
	       ",result,vm,3,,0,,no-resource,0,,,,,,,,,0,0,,,,,,,,,,,no memory\n");
	has_not(s, "summary");
	has_not(s, "nan");
	for (const char *p = s; *p; p = strchr(p, '\n') + 1)
		ck_assert_uint_eq(fields(p), 30);
	ck_assert_uint_eq(lines(s), 1 + JOBS + 2 + 2 + 3);
}
END_TEST

static const struct coverage_error errors[] = {{ENOENT, 3}, {EACCES, 1}};
static struct coverage_call calls[] = {
	{.number = SYS_openat, .calls = 9, .ok = 5, .error = errors, .n_errors = 2}};
static struct coverage_result covered = {.call = calls, .n = 1, .lost = 4};

START_TEST(coverage)
{
	char want[160];

	facts.coverage = &covered;
	rows_init(&rows, SM_FORMAT_JSON, &config.app);
	rows_end(&rows, results, 0, &facts, &text);
	snprintf(want, sizeof(want),
		"\"call\":\"openat\",\"number\":%d,\"calls\":9,\"ok\":5,"
		"\"errors\":[{\"errno\":\"ENOENT\",\"n\":3},{\"errno\":\"EACCES\",\"n\":"
		"1}]}\n{\"type\":\"summary\"",
		SYS_openat);
	has(text_str(), "{\"type\":\"coverage\",\"time\":");
	has(text.p, want);
	has(text.p, "\"lost_calls\":4,\"lost_rows\":");
}
END_TEST

START_TEST(coverage_in_csv)
{
	facts.coverage = &covered;
	rows_init(&rows, SM_FORMAT_CSV, &config.app);
	rows_end(&rows, results, 0, &facts, &text);
	has(text_str(), ",call,,,,,,,,,,,,,,,,,,openat,9,,,,,,,,,\n");
	has(text.p, ",error,,,,,,,,,,,,,,,,,,openat ENOENT,3,,,,,,,,,\n");
	has(text.p, ",error,,,,,,,,,,,,,,,,,,openat EACCES,1,,,,,,,,,\n");
	ck_assert_uint_eq(lines(text.p), 1 + 3); /* with the row of keys */
}
END_TEST

START_TEST(nothing_ran)
{
	rows_init(&rows, SM_FORMAT_JSON, &config.app);
	rows_results(&rows, results, 0, row_time(), &text);
	ck_assert_str_eq(text_str(), "");
	rows_end(&rows, results, 0, &facts, &text);
	has(text_str(), "\"pass\":0,\"fail\":0,");
}
END_TEST

static TCase *tc_rows(void)
{
	TCase *tc = tcase_create("rows");

	tcase_add_checked_fixture(tc, results_set_up, tear_down);
	tcase_add_test(tc, json_begins_with_header_and_run);
	tcase_add_test(tc, json_results);
	tcase_add_test(tc, json_figures);
	tcase_add_test(tc, json_summary);
	tcase_add_test(tc, intervals);
	tcase_add_test(tc, interim);
	tcase_add_test(tc, csv);
	tcase_add_test(tc, coverage);
	tcase_add_test(tc, coverage_in_csv);
	tcase_add_test(tc, nothing_ran);
	return tc;
}

UNIT_MAIN("rows", tc_rows)

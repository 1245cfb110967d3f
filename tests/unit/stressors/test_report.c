// SPDX-License-Identifier: GPL-2.0-or-later
/* The text after the run. */
#include <errno.h>
#include <sys/syscall.h>

#include "base/text.h"
#include "stressors/result/report.h"
#include "stressors_results_rig.h"

static struct report_to to;

static void set_up(void)
{
	results_set_up();
	to = (struct report_to){.text_flags = SM_TEXT_UTF8};
}

static const char *report(void)
{
	sm_buf_reset(&text);
	report_put(results, JOBS, &config, &facts, &to, &text);
	return text_str();
}

#define REASON \
	"bad \"\\: \\x0a- # \\x1b[31m \\xff \\u{0085} \\u{e0001},{x} 'y' \xc3\xa9\n"

START_TEST(a_line_for_each_job)
{
	ck_assert_str_eq(report(),
		"cpu: passed, 2 instances, 4,413 ops in 2.00 s (2206.50/s)\n"
		"memrate: failed, 1 instance, 12 ops in 1.50 s (8.000/s), 3 restarts "
		"for lack of memory, 1 killed after the end of the run: " REASON
		"af-alg: skipped: AF_ALG is not in this kernel\n"
		"vm: no resource: no memory\n"
		"stressors: passed 1, failed 1 (memrate), skipped 1 (af-alg: AF_ALG is "
		"not in this kernel), no resource 1 (vm: no memory), in 4.00 s\n");
}
END_TEST

static struct stressor with_headline(const struct stressor_metric *m)
{
	return (struct stressor){.name = "cpu", .metrics = m};
}

START_TEST(a_headline)
{
	static const struct stressor_metric rates[] = {
		{"sum", "MB/s", .mean = MEAN_RATE, .headline = "MB/s"},
		{"mean", "ns", .mean = MEAN_ARITHMETIC}, {0}};
	const struct stressor s = with_headline(rates);

	jobs[CPU].stressor = &s;
	set_metric(CPU, 0, 0, 13565.2);
	set_metric(CPU, 1, 0, 13565.4);
	has(report(), "cpu: passed, 2 instances, 27,131 MB/s, 4,413 ops in 2.00 s "
		      "(2206.50/s)\n");
	set_metric(CPU, 0, 0, 1);
	set_metric(CPU, 1, 0, 2.5);
	has(report(), "cpu: passed, 2 instances, 3.500 MB/s, 4,413 ops in ");
	set_metric(CPU, 1, 0, 2);
	has(report(), "cpu: passed, 2 instances, 3 MB/s, 4,413 ops in ");
	instances[CPU][0].has_metric[0] = instances[CPU][1].has_metric[0] = 0;
	has(report(), "cpu: passed, 2 instances, 4,413 ops in ");
	/* A job that did not start has none. */
	results[CPU].n = 0;
	has_not(report(), "MB/s");
}
END_TEST

START_TEST(a_headline_of_several)
{
	static const struct stressor_metric rates[] = {
		{"read", "MB/s", .mean = MEAN_RATE, .headline = "MB/s"},
		{"write", "MB/s", .mean = MEAN_RATE, .headline = "MB/s"}, {0}};
	const struct stressor s = with_headline(rates);

	jobs[CPU].stressor = &s;
	instances[CPU][0].has_metric[0] = instances[CPU][1].has_metric[0] = 0;
	set_metric(CPU, 0, 0, 99.6);
	has(report(), "cpu: passed, 2 instances, 100 MB/s, 4,413 ops in ");
	set_metric(CPU, 1, 1, 1234567.4);
	has(report(), "cpu: passed, 2 instances, 1,234,567 MB/s (write, the highest of "
		      "2), 4,413 ops in ");
}
END_TEST

START_TEST(ascii_only)
{
	to.text_flags = 0;
	has(report(), "'y' \\xc3\\xa9\n");
	for (size_t i = 0; i < text.len; i++)
		ck_assert(text.p[i] == '\n' || (text.p[i] >= ' ' && text.p[i] < 127));
}
END_TEST

START_TEST(brief_table)
{
	const char *s;

	config.metrics_brief = true;
	s = report();
	has(s, "Stressor Instances  Ops Real s User s System s Ops/s real Ops/s CPU\n"
	       "cpu              2 4413   2.00   3.98     0.02    2206.50   1103.25\n"
	       "memrate          1   12   1.50   1.25     0.00       8.00      9.60\n"
	       "\n"
	       "memrate: failed, ");
	has(s, "\naf-alg: skipped: AF_ALG is not in this kernel\nvm: no resource: no "
	       "memory\n\nstressors: passed 1");
	has_not(s, "cpu: passed");
	has_not(s, "crc");
	has_not(s, "CPU %");
}
END_TEST

START_TEST(full_table)
{
	const char *s;

	config.metrics = config.metrics_brief = true;
	s = report();
	has(s, "Ops/s CPU CPU % RSS KiB\ncpu ");
	has(s, "1103.25 200.0    1480\n");
	has(s, "\nStressor Metric      Value Unit  Mean\n"
	       "cpu      crc       2200.50 ops/s sum of 2\n"
	       "cpu      op        0.01230 ns\n"
	       "memrate  write64   9874.61 MB/s\n"
	       "memrate  write64      9900 MB/s\n"
	       "memrate  tiny    1.500e-12 J\n\n");
}
END_TEST

/* Lines of tables, in display columns: none is wider than the terminal. */
static void fits(const char *s, size_t columns)
{
	for (const char *nl; (nl = strchr(s, '\n')); s = nl + 1) {
		if (memchr(s, ':', (size_t)(nl - s)))
			continue; /* a line of a job, which the terminal wraps */
		ck_assert_msg(sm_text_width(s, (size_t)(nl - s)) <= columns, "%s", s);
	}
}

START_TEST(narrow_terminals)
{
	config.metrics = config.perf = config.times = true;
	figure(CPU, "page-faults-minor", "", 292, 1);
	for (unsigned int columns = 40; columns < 100; columns++) {
		to.columns = columns;
		fits(report(), columns);
		has(text.p, "\ncpu");
		has(text.p, "2206.50");
		has(text.p, "2200.50");
	}
	to.columns = 40;
	has(report(), "Stressor  Ops Real s Ops/s real\n"
		      "cpu      4413   2.00    2206.50\n");
}
END_TEST

START_TEST(figures)
{
	const char *s;

	figure(CPU, "instructions", "", 6.42e9, 1);
	figure(CPU, "cycles", "", 5.49e9, 0.5);
	figure(CPU, "page-faults-minor", "", 292, 1);
	figure(CPU, "task-clock", "ns", 4e9, 1);
	figure(CPU, "energy", "J", 12.3, 1);
	figure(CPU, "zone\033[0m", "Cel", 61, 1);
	figure(CPU, "bus-cycles", "", NAN, 0);
	figure(MEMRATE, "cycles", "", NAN, 0);
	figure(MEMRATE, "bus-cycles", "", NAN, 0);
	has_not(report(), "Figure");
	config.perf = true;
	s = report();
	has(s, "Stressor Figure             Value Unit Per second Note\n"
	       "cpu      instructions      6.42e9          3.21e9 1.17 per cycle\n"
	       "cpu      cycles            5.49e9          2.75e9 counted 50% of the "
	       "time\n"
	       "cpu      page-faults-minor    292             146\n"
	       "cpu      task-clock        4.00e9 ns       2.00e9\n"
	       "cpu      energy             12.30 J       6.150 W 358.78 ops/J\n"
	       "cpu      zone\\x1b[0m           61 C\n"
	       "memrate  cycles                 -\n"
	       "not supported here: bus-cycles\n");
	has_not(s, "nan");
	figure(CPU, "power", "W", 6.15, 1);
	has(report(), "energy             12.30 J               358.78 ops/J\n");
}
END_TEST

START_TEST(no_figure_at_all)
{
	config.perf = config.rapl = config.tz = true;
	has_not(report(), "Figure");
	has_not(text.p, "not supported");
	figure(CPU, "cycles", "", NAN, 0);
	figure(CPU, "instructions", "", NAN, 0);
	has_not(report(), "Figure");
	has(text.p, "not supported here: cycles, instructions\n");
}
END_TEST

START_TEST(times)
{
	config.times = true;
	has(report(), "\nTimes of all stressors\n"
		      "  real              4.00 s\n"
		      "  available CPU     8.00 s\n"
		      "  user              5.23 s   65.38%\n"
		      "  system            0.02 s    0.25%\n"
		      "  user + system     5.25 s   65.63%\n"
		      "  load average   0.50 0.25 0.13\n\n");
	facts.load[0] = NAN;
	facts.wall_s = 0;
	has_not(report(), "load");
	has_not(text.p, "%");
}
END_TEST

START_TEST(verbose_has_the_setup)
{
	config.verbose = config.metrics_brief = true;
	has(report(), "cpu: passed, 2 instances, 4,413 ops in 2.00 s (2206.50/s), set "
		      "up in 0.01250 s\n");
}
END_TEST

START_TEST(one_of_each)
{
	results[CPU].n = 1;
	results[CPU].ops = 1;
	results[CPU].wall_s = 0.0005;
	results[CPU].oom_kills = 1;
	config.metrics_brief = true;
	has(report(), "cpu: passed, 1 instance, 1 op in 0.0005000 s ");
	has(text.p, ", 1 restart for lack of memory\n");
}
END_TEST

START_TEST(colour)
{
	to.color = true;
	has(report(), "memrate: \033[1;31mfailed\033[0m, 1 instance");
	has(text.p, "cpu: passed, ");
	has(text.p, "\\x1b[31m");
}
END_TEST

START_TEST(a_long_list_is_cut)
{
	for (unsigned int i = 0; i < JOBS; i++) {
		results[i].status = RESULT_INTERRUPTED;
		results[i].reason = NULL;
	}
	has(report(), "stressors: passed 0, failed 0, skipped 0, interrupted 4 (cpu; "
		      "memrate; af-alg; and 1 more), in 4.00 s\n");
}
END_TEST

/* openat by the number that it has here, and one that no kernel has. */
static const struct coverage_error errors[] = {
	{ENOENT, 3}, {EACCES, 1}, {512, 2}, {ENOSYS, 1}};
static struct coverage_call calls[] = {
	{.number = SYS_openat, .calls = 9, .ok = 5, .error = errors, .n_errors = 2},
	{.number = 60000, .calls = 2, .error = errors + 2, .n_errors = 1},
	{.number = SYS_exit_group, .calls = 1},
	{.number = 1024, .calls = 1, .error = errors + 3, .n_errors = 1}};
static struct coverage_result covered = {.call = calls, .n = 4};

START_TEST(coverage)
{
	facts.coverage = &covered;
	sm_buf_reset(&text);
	report_put(results, 0, &config, &facts, &to, &text);
	has(text_str(), "System call Calls Errors\n"
			"openat          9 ENOENT 3, EACCES 1\n"
			"60000           2 ERESTARTSYS 2\n"
			"exit_group      1\n"
			"others          1 ENOSYS 1\n"
			"coverage: 3 system calls, 3 pairs of call and "
			"errno\n\nstressors: passed 0");
	covered.lost = 7;
	sm_buf_reset(&text);
	report_put(results, 0, &config, &facts, &to, &text);
	has(text_str(), "pairs of call and errno; 7 tasks or calls were not counted\n");
}
END_TEST

START_TEST(nothing_ran)
{
	config.metrics = config.perf = config.times = true;
	sm_buf_reset(&text);
	report_put(results + AF_ALG, 1, &config, &facts, &to, &text);
	has(text_str(), "af-alg: skipped: AF_ALG is not in this kernel\n\nTimes");
	has_not(text.p, "Stressor");
	sm_buf_reset(&text);
	report_put(results, 0, &config, &facts, &to, &text);
	has(text_str(), "stressors: passed 0, failed 0, skipped 0, in 4.00 s\n");
}
END_TEST

static TCase *tc_report(void)
{
	TCase *tc = tcase_create("report");

	tcase_add_checked_fixture(tc, set_up, results_tear_down);
	tcase_add_test(tc, a_line_for_each_job);
	tcase_add_test(tc, a_headline);
	tcase_add_test(tc, a_headline_of_several);
	tcase_add_test(tc, ascii_only);
	tcase_add_test(tc, brief_table);
	tcase_add_test(tc, full_table);
	tcase_add_test(tc, narrow_terminals);
	tcase_add_test(tc, figures);
	tcase_add_test(tc, no_figure_at_all);
	tcase_add_test(tc, times);
	tcase_add_test(tc, verbose_has_the_setup);
	tcase_add_test(tc, one_of_each);
	tcase_add_test(tc, colour);
	tcase_add_test(tc, a_long_list_is_cut);
	tcase_add_test(tc, coverage);
	tcase_add_test(tc, nothing_ran);
	return tc;
}

UNIT_MAIN("report", tc_report)

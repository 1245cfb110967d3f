// SPDX-License-Identifier: GPL-2.0-or-later
/* YAML with stress-ng's keys. */
#include "stressors/list.h"
#include "stressors/result/yaml.h"
#include "stressors/result/yaml_key.h"
#include "stressors_results_rig.h"

static const char *yaml(void)
{
	sm_buf_reset(&text);
	yaml_put(results, JOBS, &config, &facts, &text);
	return text_str();
}

START_TEST(system_info)
{
	const char *s = yaml();

	ck_assert(strncmp(s, "---\nsystem-info:\n      stressors-version: \"", 43) == 0);
	has(s, "\n      date-yyyy-mm-dd: \"2026-11-21\"\n"
	       "      time-hh-mm-ss: \"13:05:59\"\n"
	       "      epoch-secs: 1795266359\n"
	       "      hostname: \"host: #1\"\n");
	has(s, "\n      release: \"6.1.0\"\n");
	has(s, "\n      machine: x86_64\n");
	has(s, "\n      totalram: 4096000\n");
	has(s, "\n      cpus-online: 2\n");
}
END_TEST

START_TEST(metrics_as_stress_ng)
{
	const char *s = yaml();

	has(s, "\n\nmetrics:\n"
	       "    - stressor: cpu\n"
	       "      bogo-ops: 4413\n"
	       "      bogo-ops-per-second-usr-sys-time: 1103.250000\n"
	       "      bogo-ops-per-second-real-time: 2206.500000\n"
	       "      wall-clock-time: 2\n"
	       "      user-time: 3.980000\n"
	       "      system-time: 0.020000000\n"
	       "      cpu-usage-per-instance: 100\n"
	       "      max-rss: 1480\n"
	       "      instances: 2\n"
	       "      status: pass\n"
	       "      crc-ops-per-sec: 2200.500000\n"
	       "      op-ns: 0.012300000\n"
	       "\n"
	       "    - stressor: memrate\n");
	has(s, "      write64-mb-per-sec: 9874.610000\n"
	       "      write64-mb-per-sec-2: 9900\n"
	       "      write64-mb-per-sec-instance: 0\n"
	       "      tiny-j: 1.500000e-12\n"
	       "      tiny-j-instance: 0\n\n");
	has_not(s, "perfstats");
	has_not(s, "times:");
	ck_assert_str_eq(s + strlen(s) - 5, "\n...\n");
}
END_TEST

START_TEST(status_of_all_jobs)
{
	has(yaml(), "results:\n"
		    "    - stressor: cpu\n"
		    "      status: pass\n"
		    "      oom-kills: 0\n"
		    "      forced: 0\n"
		    "    - stressor: memrate\n"
		    "      status: fail\n"
		    "      reason: \"bad \\\"\\\\: \\\\x0a- # \\\\x1b[31m \\\\xff "
		    "\\\\u{0085} \\\\u{e0001},{x} 'y' \xc3\xa9\"\n"
		    "      oom-kills: 3\n"
		    "      forced: 1\n"
		    "    - stressor: af-alg\n"
		    "      status: skip\n"
		    "      reason: \"AF_ALG is not in this kernel\"\n");
	has(text.p, "      status: no-resource\n");
}
END_TEST

START_TEST(figures)
{
	figure(CPU, "page-faults-minor", "", 292, 1);
	figure(CPU, "bus-cycles", "", NAN, 0);
	figure(CPU, "stall", "ns", 5.5, 1);
	figure(CPU, "task-clock", "ns", 4e9, 1);
	figure(CPU, "energy", "J", 12.3, 1);
	figure(CPU, "Zone: \"1\"", "Cel", 61.5, 1);
	figure(CPU, "zone 1", "Cel", 62, 1);
	figure(CPU, "\xff", "Cel", 63, 1);
	figure(CPU, "stressor", "Cel", 64, 1);
	config.perf = config.rapl = config.tz = config.times = true;
	has(yaml(), "perfstats:\n"
		    "    - stressor: cpu\n"
		    "      duration: 2\n"
		    "      page_faults_minor_total: 292\n"
		    "      page_faults_minor_per_second: 146\n"
		    "      stall_ns: 5.500000\n"
		    "      stall_per_second: 2.750000\n"
		    "      task_clock_total: 4000000000\n"
		    "      task_clock_per_second: 2000000000\n"
		    "\n"
		    "energy:\n"
		    "    - stressor: cpu\n"
		    "      duration: 2\n"
		    "      energy-joules: 12.300000\n"
		    "      energy-watts: 6.150000\n"
		    "      energy-bogo-ops-per-joule: 358.780488\n"
		    "\n"
		    "thermal-zones:\n"
		    "    - stressor: cpu\n"
		    "      zone-1: 61.500000\n"
		    "      zone-1-2: 62\n"
		    "      unnamed: 63\n"
		    "      stressor-2: 64\n"
		    "\n"
		    "times:\n"
		    "      run-time: 4\n"
		    "      available-cpu-time: 8\n"
		    "      user-time: 5.230000\n");
	has_not(text.p, "nan");
	has(text.p, "      load-average-15-minute: 0.125000000\n");
}
END_TEST

START_TEST(nothing_ran)
{
	config.perf = true;
	yaml_put(results, 0, &config, &facts, &text);
	has(text_str(),
		"\nmetrics:\n    []\nperfstats:\n    []\nresults:\n    []\n...\n");
}
END_TEST

/* YAML 1.1 reads such a word as no text. */
START_TEST(words_that_are_no_text)
{
	static const char *const words[] = {"null", "NO", "y", "True", "1e3", "", "~",
		"a b", "-x", "on", "x:", "0x1f", "1:30", "#"};
	static struct stressor s;

	jobs[CPU].stressor = &s;
	for (size_t i = 0; i < SM_ARRAY_SIZE(words); i++) {
		char want[64];

		s.name = words[i];
		snprintf(want, sizeof(want), "    - stressor: \"%s\"\n", words[i]);
		has(yaml(), want);
	}
}
END_TEST

static const char *method = "";

static const struct stressor_metric *row(const char *stressor, const char *name)
{
	const struct stressor *s = list_find(stressor, strlen(stressor));
	const struct stressor_metric *m = s->metrics;

	while (strcmp(m->name, name) != 0)
		m++;
	return m;
}

static void key_is(const char *stressor, const char *name, const char *want)
{
	sm_buf_reset(&text);
	yaml_key_metric(&text, stressor, method, row(stressor, name));
	ck_assert_str_eq(text_str(), want);
}

/* As they are in the files of stress-ng. */
START_TEST(keys_of_rows)
{
	key_is("memrate", "write64", "write64-mb-per-sec");
	key_is("qsort", "comparisons", "qsort-comparisons-per-sec");
	key_is("qsort", "comparisons per item", "qsort-comparisons-per-item");
	key_is("heapsort", "comparisons", "heapsort-comparisons-per-sec");
	key_is("qsort", "elements", "elements-per-sec");
	key_is("radixsort", "elements", "elements-per-sec");
	key_is("matrix", "prod", "prod-matrix-ops-per-sec");
	key_is("matrix", "prod-flops", "prod-flops-gflop-per-sec");
	key_is("cpu", "crc", "crc-ops-per-sec");
	method = "pipe";
	key_is("switch", "time per switch", "nanosecs-per-context-switch-pipe-method");
	method = "posix_ns";
	key_is("switch", "time per switch",
		"nanosecs-per-context-switch-posix-ns-method");
	key_is("fork", "time per fork", "microsecs-per-fork");
	key_is("fork", "time of the call", "time-of-the-call-ns");
	key_is("stream", "read", "mb-per-sec-memory-read-rate");
	key_is("stream", "write", "mb-per-sec-memory-write-rate");
	key_is("stream", "flops", "mflop-per-sec-double-precision-compute-rate");
	key_is("pipe", "throughput", "mb-per-sec-pipe-write-rate");
}
END_TEST

static void made_is(const char *name, const char *unit, const char *want)
{
	const struct stressor_metric m = {name, unit, .mean = MEAN_ARITHMETIC};

	sm_buf_reset(&text);
	yaml_key_metric(&text, "x", "", &m);
	ck_assert_str_eq(text_str(), want);
}

START_TEST(keys_of_names_and_units)
{
	made_is("99.9 %", "ns", "99-9-percentile-ns");
	made_is("share", "%", "share-percent");
	made_is("per item", "1/item", "per-item-per-item");
	made_is("  A: b\n#", "", "a-b");
	made_is("\xc3\xa9", "", "unnamed");
}
END_TEST

/* stress-ng has the time of a fork in microseconds. */
START_TEST(other_units)
{
	const struct stressor_metric time[] = {*row("fork", "time per fork"), {0}};
	const struct stressor s = {.name = "fork", .metrics = time};

	jobs[CPU].stressor = &s;
	has(yaml(), "      microsecs-per-fork: 1.100250\n");
}
END_TEST

static TCase *tc_yaml(void)
{
	TCase *tc = tcase_create("yaml");

	tcase_add_checked_fixture(tc, results_set_up, results_tear_down);
	tcase_add_test(tc, system_info);
	tcase_add_test(tc, metrics_as_stress_ng);
	tcase_add_test(tc, status_of_all_jobs);
	tcase_add_test(tc, figures);
	tcase_add_test(tc, nothing_ran);
	tcase_add_test(tc, words_that_are_no_text);
	tcase_add_test(tc, keys_of_rows);
	tcase_add_test(tc, keys_of_names_and_units);
	tcase_add_test(tc, other_units);
	return tc;
}

UNIT_MAIN("yaml", tc_yaml)

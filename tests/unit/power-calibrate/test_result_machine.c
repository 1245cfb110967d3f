// SPDX-License-Identifier: GPL-2.0-or-later
/* A result for programs: JSON, YAML, metrics, and data and script for gnuplot. */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calibrate_rig.h"
#include "power-calibrate/settings.h"

START_TEST(json_figures)
{
	const char *s = json();

	has(s, "\"complete\":true,\"tests\":5,\"failed_tests\":0,\"readings\":6,\"failed_"
	       "readings\":0,"
	       "\"online_cpus\":4,\"op\":\"mwc\",");
	has(s, "\"load\":{\"w_per_cpu\":{\"value\":10.000000000,\"se\":0.250000000,"
	       "\"low\":9.500000000,\"high\":10.500000000}");
	has(s, "\"r2\":0.970000000,\"adjusted_r2\":0.960000000,\"rms_w\":0.250000000,"
	       "\"worst_w\":0.750000000,\"used\":6,\"rejected\":0,\"misfit\":false}");
	has(s, "\"energy\":{\"op\":{\"nj\":{\"value\":8.465141000,");
	has_not(s, "\"cycle\"");
	has_not(s, "counts");
	has_not(s, "domains");
	has_not(s, "target");
	has_not(s, "throttles");
	no_nan(s);
}
END_TEST

START_TEST(json_parts_and_errors)
{
	const char *s;

	count_lines();
	opts.target_ci = 0.01;
	model.load.has_bend = model.load.not_linear = true;
	model.load.bend_p = model.load.bend_share = NAN;
	s = json();
	has(s, "\"counts\":[{\"cpus\":1,\"w_per_cpu\":{\"value\":12.0");
	has(s, "{\"cpus\":2,\"error\":\"cannot separate the power of the load");
	has(s, "\"domains\":[{\"name\":\"package-0\",\"added\":true,");
	has(s, "{\"name\":\"\\u001b[2J\\\"core\\\"\\u000a\",\"added\":false,");
	has(s, "\"target_reached\":false");
	has(s, "\"linear\":false");
	has_not(s, "\"bend_p\"");
	no_nan(s);
}
END_TEST

START_TEST(yaml_keys)
{
	const char *s;

	count_lines();
	readings.method[SM_COUNTS_INSTRUCTIONS] = SM_COUNTS_PERF;
	model.energy[MODEL_INSTRUCTION] = line(1.5e-9, 1e-10);
	model.load.has_drift = model.load.has_bend = true;
	model.load.drift = estimate(180, 9);
	s = as(result_yaml);
	ck_assert_int_eq(strncmp(s, "---\npower-calibrate:\n  test-run:\n", 33), 0);
	/* 1700000000 is 2023-11-14 22:13:20 in UTC. */
	has(s, "    date: \"2023-11-14\"\n    time: \"22:13:20\"\n");
	has(s, "    source: \"RAPL: \\\"test\\\"\"\n    op: \"mwc\"\n    tests: 5\n"
	       "    failed-tests: 0\n    readings: 6\n    complete: true\n");
	has(s, "  cpu-load:\n    one-percent-cpu-load-watts: 0.4\n    ci95: [0.38, "
	       "0.42]\n"
	       "    one-busy-cpu-watts: 10\n    online-cpus: 4\n    intercept: 5\n"
	       "    r-squared: 0.97\n    samples: 6\n    rejected: 0\n"
	       "    intercept-ci95: [4.9, 5.1]\n    drift-watts-per-hour: 180\n"
	       "    drift-ci95: [171, 189]\n    linear: true\n");
	has(s, "  bogo-op:\n    one-bogo-op-watts-seconds: 8.465141e-09\n"
	       "    ci95: [8.365141e-09, 8.565141e-09]\n    method: counted\n");
	has_not(s, "cpu-cycle");
	has(s, "    on-cpu-instruction-watt-seconds: 1.5e-09\n"
	       "    ci95: [1.4e-09, 1.6e-09]\n"
	       "    one-cpu-instruction-watt-seconds: 1.5e-09\n    method: perf\n");
	has(s, "  cpu-counts:\n  - cpus: 1\n    one-busy-cpu-watts: 12\n");
	has_not(s, "- cpus: 2");
	has(s, "  domains:\n  - name: \"package-0\"\n    added: true\n"
	       "    one-busy-cpu-watts: 8\n    ci95: [7, 9]\n    intercept: 5\n");
	has(s, "  - name: \"\\u001b[2J\\\"core\\\"\\u000a\"\n    added: false\n"
	       "    one-busy-cpu-watts: 2\n");
	has_not(s, "machine:\n");
	has_not(s, "other");
	model.load.has_other = true;
	model.load.other = estimate(7, 1);
	model.domain[1].err = model.count[0].err = -EDOM;
	s = as(result_yaml);
	has(s, "  cpu-counts:\n    []\n  domains:\n");
	has(s, "    other-busy-cpu-watts: 7\n    other-ci95: [6, 8]\n");
	has_not(s, "core");
	no_nan(s);
}
END_TEST

/* --- settings ----------------------------------------------------------------------- */

static void set_settings(void)
{
	state.cpu = (struct sm_cpusettings){.model = "CPU \"\033[2Jx\"",
		.governor = "powersave, performance",
		.epp = "balance_power",
		.turbo = SM_TURBO_OFF};
	state.limit_milli = 500;
	opts.levels = 3;
	opts.source = SM_SOURCE_RAPL;
	opts.seed = 7;
	opts.cpus = "0-1";
	opts.test_ns = 1500 * SM_NSEC_PER_MSEC;
	opts.target_ci = 0.02;
	opts.have_settle = true;
}

START_TEST(settings_in_all_formats)
{
	const char *s;

	set_settings();
	s = json();
	has(s, "\"source\":\"RAPL: \\\"test\\\"\",\"machine\":{\"cpu_model\":\"CPU ");
	has(s, "\",\"governor\":\"powersave, performance\",\"epp\":\"balance_power\","
	       "\"turbo\":\"off\",\"cpu_limit\":0.500000},\"options\":{"
	       "\"cpus\":\"0-1\",\"op\":\"mwc\",\"levels\":3,\"per_count\":false,"
	       "\"test_time_s\":1.500000,\"settle_s\":0,\"interval_s\":1,"
	       "\"target_ci_pct\":2,\"seed\":7,\"source\":\"rapl\","
	       "\"total\":\"pkg+dram\"}");
	has_not(s, "scaling_driver");
	s = as(result_yaml);
	has(s, "  options:\n    cpus: \"0-1\"\n    op: \"mwc\"\n    levels: 3\n"
	       "    per-count: false\n    test-time-s: 1.5\n");
	has(s, "    governor: \"powersave, performance\"\n    epp: \"balance_power\"\n"
	       "    turbo: \"off\"\n    cpu-limit: 0.5\n");
	has_not(s, "\033");
	model_fini(&model);
	ck_assert_int_eq(model_fit(&model, &readings, &plan, false), 0);
	s = as(result_gnuplot_data);
	has(s, "# complete: true\n# source: RAPL: \"test\"\n# cpu_model: CPU ");
	has(s, "\n# governor: powersave, performance\n# epp: balance_power\n"
	       "# turbo: off\n# cpu_limit: 0.5\n# options:\n# cpus: 0-1\n");
	has(s, "\n# total: pkg+dram\n# t_s cpus ");
	has_not(s, "\033");
}
END_TEST

START_TEST(settings_in_prometheus)
{
	struct sm_prom p;

	set_settings();
	sm_prom_init(&p, "/nowhere", NULL, NULL);
	settings_prom(&result, true, &p);
	sm_buf_chr(&p.b, '\0');
	has(p.b.p, "\nsysmon_power_calibrate_settings{source=\"RAPL: \\\"test\\\"\","
		   "op=\"mwc\",cpu_model=\"CPU ");
	has(p.b.p, "\",governor=\"powersave, performance\",epp=\"balance_power\","
		   "turbo=\"off\"} 1\n");
	has_not(p.b.p, "\033");
	sm_prom_fini(&p);
	/* The gauges end with the run if there is no result. */
	for (int has_result = 0; has_result < 2; has_result++) {
		sm_prom_init(&p, "/nowhere", NULL, NULL);
		sm_prom_end(&p);
		settings_prom(&result, has_result, &p);
		ck_assert_int_eq(p.b.len > 0, has_result);
		sm_prom_fini(&p);
	}
}
END_TEST

/* --- gnuplot ------------------------------------------------------------------------ */

START_TEST(gnuplot_data)
{
	const char *s;
	unsigned int lines = 0, comments = 0;

	model_fini(&model);
	ck_assert_int_eq(model_fit(&model, &readings, &plan, false), 0);
	/* The residuals are those of this line, not of the fit. */
	model.load = line(10, 0.5);
	model.used[5] = false;
	s = as(result_gnuplot_data);
	has(s, "\n0.500 0 0.0000 0 0 5 5 0 0 NaN NaN 1\n");
	has(s, "\n3.500 2 50.0000 1 0 15 15 0 1e+09 NaN NaN 1\n");
	has(s, "\n5.500 2 100.0000 2 0 25.5 25.5 0.5 2e+09 NaN NaN 0\n"
	       "\n\n# own_cpus watts low high\n0 ");
	for (; *s; s++) {
		lines += *s == '\n';
		comments += *s == '#';
	}
	ck_assert_uint_eq(lines - comments, 6 + 2 + 51);
	model.load.has_other = model.load.has_drift = true;
	model.load.other = estimate(4, 1);
	model.load.drift = estimate(3600, 1); /* 1 W in a second */
	model.middle_s = 3.5;
	readings.at[5].v[F_OTHER] = 0.5;
	/* 25.5 W less 2 W of others and 2 W of drift, where the line is 25 W */
	has(as(result_gnuplot_data), "\n5.500 2 100.0000 2 0.5 25.5 21.5 -3.5 2e+09");
}
END_TEST

static void put_script(const struct result *r, struct sm_buf *b)
{
	result_gnuplot_script(r, "it's\n/x.dat", b);
}

START_TEST(gnuplot_script)
{
	const char *s = as(put_script);

	has(s, "\ndata = 'it''s?/x.dat'\n");
	has(s, "One busy CPU: 10.000 W (95% interval 9.500 to 10.500), idle: 5.000 W'");
}
END_TEST

static TCase *tc_machine(void)
{
	TCase *tc = tcase_create("machine");

	tcase_add_checked_fixture(tc, rig_up, rig_down);
	tcase_add_test(tc, json_figures);
	tcase_add_test(tc, json_parts_and_errors);
	tcase_add_test(tc, yaml_keys);
	tcase_add_test(tc, settings_in_all_formats);
	tcase_add_test(tc, settings_in_prometheus);
	tcase_add_test(tc, gnuplot_data);
	tcase_add_test(tc, gnuplot_script);
	return tc;
}

UNIT_MAIN("result_machine", tc_machine)

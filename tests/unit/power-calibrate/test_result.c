// SPDX-License-Identifier: GPL-2.0-or-later
/* Known figures as text. */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calibrate_rig.h"

/* --- text --------------------------------------------------------------------------- */

START_TEST(text_has_the_lines_of_the_original)
{
	const char *s = as(result_text);

	has(s, "\nFor all CPUs:\n"
	       "  Power (Watts) = (% CPU load * 4.000000e-01) + 5.000000\n"
	       "  1% CPU load is about 400.00 mW (95% interval 380.00 mW to 420.00 mW)\n"
	       "  Coefficient of determination R^2 = 0.970000 (very strong)\n");
	has(s, "\n\n  Power within seconds of a change of the load; leakage that follows "
	       "the "
	       "temperature over tens of seconds is only partly in it\n  Estimate ");
	has(s, "  1 busy CPU                10.0000 W   +- 0.2500  (9.5000 to 10.5000)\n"
	       "  Idle machine               5.0000 W   +- 0.0500  (4.9000 to 5.1000)\n"
	       "  Residuals: 0.2500 W rms, worst 0.7500 W; 6 readings used, 0 rejected\n"
	       "  Adjusted R^2 = 0.960000\n");
	has(s, "\n  Energy (Watt-seconds) = (bogo op * 8.465141e-09) + 5.000000\n"
	       "  1 bogo op is about 8.47 nWs (95% interval 8.37 nWs to 8.57 nWs) "
	       "[counted]\n");
	has(s, "  CPU instruction: unavailable on this machine\n");
	has(s, "  CPU reference cycle: unavailable on this machine\n");
	has_not(s, "CPU cycle:");
	has_not(s, "Drift");
	has_not(s, "others");
	has_not(s, "Not ");
	no_nan(s);
}
END_TEST

static void slope_is(double value, const char *want)
{
	char part[96];

	model.load.slope = estimate(value * 25, 0); /* 1 % of 4 CPUs */
	snprintf(part, sizeof(part), "1%% CPU load is about %s (95", want);
	has(as(result_text), part);
}

START_TEST(prefixes_of_units)
{
	slope_is(0.117624, "117.62 mW");
	slope_is(-0.196, "-196.00 mW");
	slope_is(1, "1.00 W");
	slope_is(0.9996, "1.00 W");
	slope_is(0.9994, "999.40 mW");
	slope_is(-3.25, "-3.25 W");
	slope_is(1234567, "1234567.00 W");
	slope_is(1.2e-5, "12.00 uW");
	slope_is(8.47e-9, "8.47 nW");
	slope_is(-2.5e-12, "-2.50 pW");
	slope_is(7e-15, "7.00 fW");
	slope_is(7e-30, "0.00 aW");
	slope_is(0, "0.00 W");
}
END_TEST

START_TEST(text_of_drift_other_load_and_curves)
{
	struct model_line *l = &model.load;
	const char *s;

	l->has_other = l->has_drift = true;
	l->other = estimate(7, 1);
	l->drift = estimate(-180, 9);
	l->misfit = l->not_linear = true;
	l->bend_share = 0.125;
	l->bend_p = 0.00042;
	l->rejected = 3;
	s = as(result_text);
	has(s, "  1 CPU busy with others     7.0000 W   +- 0.5000  (6.0000 to 8.0000)\n");
	has(s, "  Drift in an hour        -180.0000 W   +- 4.5000  (-189.0000 to "
	       "-171.0000)\n");
	has(s, "6 readings used, 3 rejected\n");
	has(s, "The readings do not follow a line");
	has(s, "Not linear: the curve deviates from the line by 12.5% of the rise (p = "
	       "0.00042)");
}
END_TEST

/* A term whose interval contains 0 is no drift: twelve seconds show +-190 W in an hour.
 */
START_TEST(drift_that_is_not_established)
{
	static const struct {
		double value, half;
		bool drifts;
	} t[] = {{20, 190, false}, {-20, 190, false}, {0, 0, false}, {2, 1.5, true},
		{-2, 1.5, true}};

	model.load.has_drift = true;
	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		void (*const check)(const char *s, const char *part) =
			t[i].drifts ? has : has_not;

		model.load.drift = estimate(t[i].value, t[i].half);
		check(as(result_text), "Drift in an hour");
		check(as(result_yaml), "drift");
		check(json(), "drift_w_per_h");
	}
}
END_TEST

START_TEST(steps_of_the_meter)
{
	has_not(as(result_text), "steps");
	has_not(json(), "step_w");
	has_not(as(result_yaml), "meter-step");
	model.load.step_w = 0.25;
	has(as(result_text), "\nThe meter has steps of 0.25 W\n");
	has(json(), "\"misfit\":false,\"step_w\":0.25");
	has(as(result_yaml), "    meter-step-watts: 0.25\n");
}
END_TEST

START_TEST(text_without_r2)
{
	model.load.has_r2 = model.energy[MODEL_OP].has_r2 = false;
	model.load.r2 = model.load.adjusted_r2 = NAN;
	model.energy[MODEL_OP].r2 = NAN;
	has_not(as(result_text), "R^2");
	no_nan(text.p);
	no_nan(json());
	no_nan(as(result_yaml));
}
END_TEST

START_TEST(methods)
{
	readings.method[SM_COUNTS_CYCLES] = SM_COUNTS_PERF;
	readings.method[SM_COUNTS_INSTRUCTIONS] = SM_COUNTS_COMPUTED;
	model.energy[MODEL_CYCLE] = line(3e-9, 1e-10);
	model.energy[MODEL_INSTRUCTION] = line(1.5e-9, 1e-10);
	as(result_text);
	has(text.p, "1 CPU cycle is about 3.00 nWs (95% interval 2.90 nWs to 3.10 nWs) "
		    "[perf]\n");
	has(text.p, "1 CPU instruction is about 1.50 nWs");
	has(text.p, "[computed]\n");
	has_not(text.p, "reference");
	readings.method[SM_COUNTS_CYCLES] = SM_COUNTS_NONE;
	readings.method[SM_COUNTS_REF_CYCLES] = SM_COUNTS_TSC;
	model.energy[MODEL_REF_CYCLE] = line(2e-12, 1e-13);
	as(result_text);
	has(text.p, "1 CPU reference cycle is about 2.00 pWs");
	has(text.p, "[tsc]\n");
	has_not(text.p, "CPU cycle is");
	/* The counter is known, but there is no line. */
	model.energy[MODEL_INSTRUCTION].err = -ENODATA;
	has(as(result_text), "  CPU instruction: too few readings\n");
}
END_TEST

START_TEST(counts_and_domains)
{
	const char *s;

	ck_assert_uint_eq(plan.counts, 2);
	count_lines();
	s = as(result_text);
	has(s, "\nFor 1 CPU:\n  Power (Watts) = (% CPU load * 4.800000e-01) + 5.0");
	has(s, "\nFor 2 CPUs:\n  no result: cannot separate the power of the load");
	has(s, "\nFor each domain, 1 busy CPU and idle:\n"
	       "  package-0: 8.0000 W (7.0000 to 9.0000), 5.0000 W (4.9000 to 5.1000)\n");
	has(s, "\"core\""); /* of another's bytes */
	has(s, ": 2.0000 W (1.0000 to 3.0000), 5.0000 W (4.9000 to 5.1000), not added\n");
	has_not(s, "\033");
	opts.app.limit = 1;
	s = as(result_text);
	has_not(s, "For 2 CPUs");
	has_not(s, "core");
}
END_TEST

START_TEST(state_of_the_machine)
{
	static struct state_zone zones[3] = {
		{.label = "\033[Hpkg", .c = {true, 45.25, -8}}, {.label = "none"},
		{.label = "third", .c = {true, 1, 2}}};

	has_not(as(result_text), "begin");
	state = (struct state){.mhz = {true, 800, 3400.4},
		.full_mhz = {false, 1, 2},
		.zone = zones,
		.zones = 3,
		.has_throttle = true};
	as(result_text);
	has(text.p, "\nAt the start and end of the run:\n"
		    "  CPU frequency (mean): 800 MHz, 3400 MHz\n");
	has(text.p, "pkg: 45.2 degrees C, -8.0 degrees C\n"
		    "  third: 1.0 degrees C, 2.0 degrees C\nNo thermal throttling\n");
	has_not(text.p, "\033");
	has_not(text.p, "full load");
	has_not(text.p, "none");
	state.core_throttles = 12;
	state.full_mhz.known = true;
	has(as(result_text),
		"Thermal throttling: 12 times on a core, 0 times on a package;");
	has(text.p, "CPU frequency in the first and last test with full load: 1 MHz, 2 "
		    "MHz\n");
	has(json(),
		"\"mhz\":{\"begin\":800.000,\"end\":3400.400},"
		"\"full_load_mhz\":{\"begin\":1.000,\"end\":2.000},"
		"\"temperatures\":[{\"zone\":\"\\u001b[Hpkg\",\"c\":{\"begin\":45.250,"
		"\"end\":-8.000}},{\"zone\":\"none\"},{\"zone\":\"third\","
		"\"c\":{\"begin\":1.000,\"end\":2.000}}],"
		"\"core_throttles\":12,\"package_throttles\":0");
	has(as(result_yaml), "  machine:\n    frequency-mhz: [800, 3400.4]\n"
			     "    full-load-frequency-mhz: [1, 2]\n    temperatures:\n"
			     "    - zone: \"\\u001b[Hpkg\"\n      celsius: [45.25, -8]\n"
			     "    - zone: \"third\"\n      celsius: [1, 2]\n"
			     "    core-throttles: 12\n    package-throttles: 0\n...\n");
}
END_TEST

START_TEST(remarks)
{
	has_not(as(result_text), "left out");
	result.complete = false;
	result.tests = 2;
	result.suspended = 4;
	result.failed_tests = 1;
	readings.failed = 7;
	opts.target_ci = 0.01;
	as(result_text);
	has(text.p, "\nIncomplete: 2 of 5 tests were done\n"
		    "The 95% confidence interval is wider than requested: +-5.00% of the "
		    "slope, not 1.00%\n"
		    "1 of 2 tests have no reading\n"
		    "7 readings were discarded: the CPU use or part of the "
		    "power was unknown\n"
		    "4 readings were discarded: the machine was suspended\n");
	has(json(), "\"tests\":2,\"failed_tests\":1,");
	has(as(result_yaml), "    tests: 2\n    failed-tests: 1\n");
	result.reached = true;
	has_not(as(result_text), "wider");
}
END_TEST

/* Half a CPU for the load of two: readings of 0, 1 and 2 CPUs become 0, 0.5 and 0.5. */
START_TEST(a_load_without_its_cpu)
{
	has_not(as(result_text), "requested");
	has_not(json(), "shortfall");
	for (size_t i = 2; i < readings.n; i++)
		readings.at[i].v[F_OWN] = 0.5;
	state.limit_milli = 500;
	shortfall_find(&result.shortfall, &readings);
	has(as(result_text),
		"\nThe load got less CPU time than requested in 2 of 5 tests (CPU limit "
		"of "
		"the cgroup: 0.5 CPUs): at most 0.50 of 2 busy CPUs; the line is "
		"measured only up to this load\n");
	has(json(), "\"load_shortfall\":{\"tests\":2,\"requested_cpus\":2.000000,"
		    "\"own_cpus\":0.500000},\"load\"");
	has(as(result_yaml),
		"    load-shortfall: {tests: 2, requested-cpus: 2, own-cpus: "
		"0.5}\n");
	state.limit_milli = 0;
	readings.at[4].v[F_OWN] = readings.at[5].v[F_OWN] = 2;
	shortfall_find(&result.shortfall, &readings);
	has(as(result_text),
		"\nThe load got less CPU time than requested in 1 of 5 tests\n");
	/* the band of the plot ends at the largest own load */
	readings.at[4].v[F_OWN] = readings.at[5].v[F_OWN] = 1.5;
	shortfall_find(&result.shortfall, &readings);
	model_fini(&model);
	ck_assert_int_eq(model_fit(&model, &readings, &plan, false), 0);
	has(as(result_gnuplot_data), "\n1.47 ");
	has(text.p, "\n1.5 ");
	has_not(text.p, "\n1.53 ");
}
END_TEST

START_TEST(a_late_meter)
{
	has_not(as(result_text), "The meter");
	model.lag.meter = (struct history_meter){HISTORY_LAG, 1.04};
	has(as(result_text), "\nThe meter lags 1.0 s; the result is corrected for it\n");
	has(as(result_yaml), "  meter-lag-seconds: 1.04\n");
	has(json(), "\"meter_lag_s\":1.04");
	model.lag.meter.kind = HISTORY_MEAN;
	has(as(result_text), "\nThe meter averages 1.0 s; ");
	has(as(result_yaml), "  meter-average-seconds: 1.04\n");
	has(json(), "\"meter_average_s\":1.04");
	model.lag.meter = (struct history_meter){0};
}
END_TEST

/* --- types of CPUs ------------------------------------------------------------------ */

static void two_types(bool by_type)
{
	types = (struct sm_topology_types){
		.n = 2, .name = {"core", "atom"}, .cpus = {4, 8}};
	if (!by_type)
		return;
	model.types = 2;
	model.type[0] = line(12, 0.5);
	model.type[1] = line(3, 0.25);
}

START_TEST(a_mean_over_types)
{
	static const char remark[] = "The CPUs have several types (4 core, 8 atom), and "
				     "the power of a busy CPU is a mean over them; "
				     "--by=type reports each type\n";

	has_not(as(result_text), "several types");
	two_types(false);
	has(as(result_text), remark);
	has_not(as(result_yaml), "cpu-types");
	has_not(json(), "\"types\"");
	two_types(true);
	has_not(as(result_text), "several types");
}
END_TEST

START_TEST(each_type)
{
	const char *s, *why;

	two_types(true);
	s = as(result_text);
	has(s, "For all CPUs, a mean over the types of CPUs:\n");
	has(s, "\nFor each type of CPUs, 1 busy CPU, in one regression:\n"
	       "  1 core CPU                12.0000 W   +- 0.2500  (11.5000 to 12.5000)\n"
	       "  1 atom CPU                 3.0000 W   +- 0.1250  (2.7500 to 3.2500)\n"
	       "  Idle machine               5.0000 W   +- 0.0500  (4.9000 to 5.1000)\n"
	       "  Residuals: ");
	has(as(result_yaml), "  cpu-types:\n  - type: core\n    cpus: 4\n"
			     "    one-busy-cpu-watts: 12\n    ci95: [11.5, 12.5]\n");
	has(as(result_yaml), "  - type: atom\n    cpus: 8\n    one-busy-cpu-watts: 3\n");
	has(json(), "\"types\":[{\"cpu_type\":\"core\",\"cpus\":4,\"w_per_cpu\":{"
		    "\"value\":12.000000000,");
	has(json(), "{\"cpu_type\":\"atom\",\"cpus\":8,\"w_per_cpu\":{\"value\":3.000");
	ck_assert(result_certain(&result));
	model.type[1].slope = estimate(3, 4);
	ck_assert(!result_certain(&result));
	model.type[0].err = model.type[1].err = -ENODATA;
	ck_assert(!result_usable(&result, &why));
	ck_assert_str_eq(why, "too few readings");
}
END_TEST

/* --- narrow terminals --------------------------------------------------------------- */

static size_t squeeze(char *to, const char *from, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (!strchr(" \n\v\f", from[i]))
			to[k++] = from[i];
	return k;
}

/* Returns the longest line. */
static size_t widest(const struct sm_buf *b)
{
	size_t most = 0, n = 0;

	for (size_t i = 0; i < b->len; i++) {
		n = b->p[i] == '\n' ? 0 : n + 1;
		most = n > most ? n : most;
	}
	return most;
}

static void wrapped(unsigned int columns, struct sm_buf *lines)
{
	struct sm_table t;
	struct sm_sink sink;
	int fd = memfd_create("text", MFD_CLOEXEC);
	char part[8192];
	ssize_t n;

	ck_assert_int_eq(sm_sink_init(&sink, fd, 1 << 20), 0);
	sm_table_init(&t, SM_FORMAT_TABLE, NULL, 0, "test", &sink);
	sm_table_terminal(&t, columns, 0, true);
	sm_buf_fini(&text);
	result_text(&result, &text);
	ck_assert(sm_table_wrap(&t, &text, 0));
	ck_assert_int_eq(sm_sink_flush(&sink), 0);
	n = pread(fd, part, sizeof(part), 0);
	ck_assert_int_gt(n, 0);
	ck_assert_int_lt(n, sizeof(part));
	sm_buf_add(lines, part, (size_t)n);
	sm_table_fini(&t);
	sm_sink_close(&sink);
	close(fd);
}

static void all_parts(void)
{
	model.load.has_drift = model.load.has_other = model.load.misfit = true;
	model.load.drift = model.load.other = estimate(123.4567, 12);
	model.load.not_linear = true;
	model.domain = calloc(2, sizeof(*model.domain));
	ck_assert_ptr_nonnull(model.domain);
	model.domain[0] = model.domain[1] = line(10, 0.5);
	model.ndomains = 2;
	model.energy[MODEL_INSTRUCTION] = line(1.2e-9, 1e-11);
	readings.method[SM_COUNTS_INSTRUCTIONS] = SM_COUNTS_COMPUTED;
	result.complete = false;
	state.mhz = state.full_mhz = (struct state_pair){true, 3000, 3100};
}

START_TEST(no_width_loses_anything)
{
	char *all = NULL, *part = NULL;
	size_t n;

	all_parts();
	result_text(&result, &text);
	all = malloc(text.len);
	n = squeeze(all, text.p, text.len);
	for (unsigned int columns = 20; columns <= 120; columns++) {
		struct sm_buf lines = {0};

		wrapped(columns, &lines);
		part = realloc(part, lines.len);
		ck_assert_uint_eq(squeeze(part, lines.p, lines.len), n);
		ck_assert_mem_eq(part, all, n);
		if (columns >= 40)
			ck_assert_uint_le(widest(&lines), columns);
		sm_buf_fini(&lines);
	}
	free(part);
	free(all);
}
END_TEST

START_TEST(split_by_meaning)
{
	struct sm_buf lines = {0};

	wrapped(40, &lines);
	sm_buf_chr(&lines, '\0');
	has(lines.p, "  1% CPU load is about 400.00 mW\n"
		     "    (95% interval\n    380.00 mW to 420.00 mW)\n");
	has(lines.p, "  1 busy CPU                10.0000 W\n"
		     "    +- 0.2500  (9.5000 to 10.5000)\n");
	sm_buf_fini(&lines);
	wrapped(60, &lines);
	sm_buf_chr(&lines, '\0');
	has(lines.p, "  1 busy CPU                10.0000 W   +- 0.2500\n"
		     "    (9.5000 to 10.5000)\n");
	sm_buf_fini(&lines);
}
END_TEST

static void unusable(const char *want)
{
	const char *why;

	ck_assert(!result_usable(&result, &why));
	ck_assert_ptr_nonnull(strstr(why, want));
}

START_TEST(what_is_no_result)
{
	const char *why;
	size_t n = readings.n;

	ck_assert(result_usable(&result, &why));
	ck_assert_ptr_null(why);
	ck_assert(result_certain(&result));
	model.load.slope = estimate(-10, 1);
	ck_assert(result_usable(&result, &why));
	ck_assert(result_certain(&result));
	model.load.slope = estimate(-10, 11);
	ck_assert(!result_certain(&result));
	model.load.slope = estimate(1e-5, 1e-6);
	unusable("the power does not change with the load");
	model.load = line(10, 0.5);
	model.load.has_r2 = false;
	unusable("the power does not change with the load");
	model.load.err = -EDOM;
	unusable("did not vary");
	model.load.combined = true;
	unusable("was no CPU idle?");
	readings.n = 0;
	unusable("no reading");
	readings.n = n;
}
END_TEST

static TCase *tc_text(void)
{
	TCase *tc = tcase_create("text");

	tcase_add_checked_fixture(tc, rig_up, rig_down);
	tcase_add_test(tc, text_has_the_lines_of_the_original);
	tcase_add_test(tc, prefixes_of_units);
	tcase_add_test(tc, text_of_drift_other_load_and_curves);
	tcase_add_test(tc, drift_that_is_not_established);
	tcase_add_test(tc, text_without_r2);
	tcase_add_test(tc, steps_of_the_meter);
	tcase_add_test(tc, methods);
	tcase_add_test(tc, counts_and_domains);
	tcase_add_test(tc, state_of_the_machine);
	tcase_add_test(tc, a_late_meter);
	tcase_add_test(tc, remarks);
	tcase_add_test(tc, a_load_without_its_cpu);
	tcase_add_test(tc, what_is_no_result);
	tcase_add_test(tc, a_mean_over_types);
	tcase_add_test(tc, each_type);
	tcase_add_test(tc, no_width_loses_anything);
	tcase_add_test(tc, split_by_meaning);
	return tc;
}

UNIT_MAIN("result", tc_text)

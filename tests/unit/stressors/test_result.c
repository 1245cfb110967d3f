// SPDX-License-Identifier: GPL-2.0-or-later
/* Means of the instances' metrics, rates, and numbers as text. */
#include "base/stats.h"
#include "stressors/result/metric.h"
#include "stressors/result/number.h"
#include "stressors_results_rig.h"

static struct stressor_metric kinds[] = {{"sum", "", .mean = MEAN_SUM},
	{"arithmetic", "", .mean = MEAN_ARITHMETIC},
	{"geometric", "", .mean = MEAN_GEOMETRIC},
	{"harmonic", "", .mean = MEAN_HARMONIC}, {"max", "", .mean = MEAN_MAX},
	{"min", "", .mean = MEAN_MIN}, {0}};
static const struct stressor all_means = {.name = "means", .metrics = kinds};
enum { KINDS = 6 };

static double values[3][KINDS];
static struct result_instance one[3];
static const struct job job = {.stressor = &all_means};
static struct result r;

static void add(double v)
{
	struct result_instance *i = &one[r.n];

	for (unsigned int k = 0; k < KINDS; k++)
		values[r.n][k] = v;
	*i = (struct result_instance){.metric = values[r.n], .has_metric = {0x3f, 0}};
	r.n++;
}

static void set_up(void)
{
	r = (struct result){.job = &job, .one = one};
}

static void means_are(double want[KINDS])
{
	for (unsigned int k = 0; k < KINDS; k++) {
		double v = -1;
		bool known = result_metric(&r, k, &v);

		ck_assert_msg(known == !isnan(want[k]), "%s", kinds[k].name);
		if (known)
			ck_assert_double_eq_tol(v, want[k], 1e-9);
	}
}

START_TEST(means)
{
	add(2);
	add(8);
	means_are((double[]){10, 5, 4, 3.2, 8, 2});
	add(NAN); /* counts as missing */
	means_are((double[]){10, 5, 4, 3.2, 8, 2});
	ck_assert_uint_eq(metric_instances(&r, 0), 2);
}
END_TEST

START_TEST(means_of_zero_and_negative_values)
{
	add(4);
	add(0);
	means_are((double[]){4, 2, 0, 0, 4, 0});
	add(-4);
	means_are((double[]){0, 0, NAN, NAN, 4, -4});
}
END_TEST

START_TEST(means_of_large_and_small_values)
{
	add(1e300);
	add(1e-300);
	means_are((double[]){1e300, 5e299, 1, 2e-300, 1e300, 1e-300});
}
END_TEST

START_TEST(missing_values)
{
	double v;

	means_are((double[]){NAN, NAN, NAN, NAN, NAN, NAN});
	add(1);
	add(3);
	one[0].has_metric[0] = 0;
	means_are((double[]){3, 3, 3, 3, 3, 3});
	one[1].metric = NULL;
	means_are((double[]){NAN, NAN, NAN, NAN, NAN, NAN});
	ck_assert(!result_metric(&r, KINDS, &v));
	ck_assert(!result_metric(&r, 1000, &v));
	ck_assert_uint_eq(metric_count(&all_means), KINDS);
	ck_assert_uint_eq(metric_count(&stressors_of[VM]), 0);
}
END_TEST

/* The second word of the bit set. */
START_TEST(metrics_beyond_32)
{
	static struct stressor_metric many[48];
	static double many_values[48];
	const struct stressor s = {.name = "many", .metrics = many};
	const struct job many_job = {.stressor = &s};
	double v;

	for (unsigned int i = 0; i < 48; i++)
		many[i] = (struct stressor_metric){"m", "", .mean = MEAN_SUM};
	many_values[47] = 5;
	r.job = &many_job;
	r.n = 1;
	one[0] = (struct result_instance){
		.metric = many_values, .has_metric = {0, 1u << 15}};
	ck_assert_uint_eq(metric_count(&s), 48); /* the table has no end */
	ck_assert(result_metric(&r, 47, &v));
	ck_assert_double_eq(v, 5);
	ck_assert(!result_metric(&r, 46, &v));
}
END_TEST

/* Figures of a histogram: two instances, of which the second has most of the values. */
enum { H_MEAN, H_DEVIATION, H_MAX, H_AT, H_MODE, H_50, H_99, H_METRICS };

static const struct stressor_metric of_histogram[] = {
	[H_MEAN] = {"mean", "ns", .mean = MEAN_OF_ALL},
	[H_DEVIATION] = {"deviation", "ns", .mean = MEAN_DEVIATION, .with = H_MEAN},
	[H_MAX] = {"maximum", "ns", .mean = MEAN_MAX},
	[H_AT] = {"at", "s", .mean = MEAN_OF_MAX, .with = H_MAX},
	[H_MODE] = {"mode", "ns", .mean = MEAN_MODE},
	[H_50] = {"50 %", "ns", .mean = MEAN_QUANTILE, .quantile = 0.5},
	[H_99] = {"99 %", "ns", .mean = MEAN_QUANTILE, .quantile = 0.99},
	{0},
};
static const struct stressor with_histogram = {.name = "h", .metrics = of_histogram};
static const struct job histogram_job = {.stressor = &with_histogram};
static struct sm_loghist counted[2];
static const struct sm_loghist *histogram[3];
static double figures_of[2][H_METRICS];

/* The instance has `n` times `value` and once `last`. */
static void count(unsigned int i, unsigned int n, uint64_t value, uint64_t last)
{
	struct sm_stats stats = {0};

	for (unsigned int k = 0; k <= n; k++) {
		sm_loghist_add(&counted[i], k < n ? value : last);
		sm_stats_add(&stats, (double)(k < n ? value : last), 1, false);
	}
	figures_of[i][H_MEAN] = stats.mean;
	figures_of[i][H_DEVIATION] = sm_stats_stddev(&stats);
	figures_of[i][H_MAX] = stats.max;
	figures_of[i][H_AT] = 10.0 + i;
	one[i] = (struct result_instance){
		.metric = figures_of[i], .has_metric = {(1u << H_MODE) - 1, 0}};
	histogram[i] = &counted[i];
}

static double figure_of(unsigned int metric)
{
	double v = -1;

	ck_assert(result_metric(&r, metric, &v));
	return v;
}

START_TEST(figures_of_all_values)
{
	struct sm_stats all = {0};
	unsigned int instance = 9;

	memset(counted, 0, sizeof(counted));
	r = (struct result){
		.job = &histogram_job, .one = one, .histogram = histogram, .n = 2};
	count(0, 9, 40, 60);
	count(1, 989, 10, 30);
	for (unsigned int k = 0; k < 1000; k++)
		sm_stats_add(&all,
			k < 989	  ? 10
			: k < 990 ? 30
			: k < 999 ? 40
				  : 60,
			1, false);
	/* The mean of both medians would be 25, of both maxima's times 10.5. */
	ck_assert_double_eq(figure_of(H_50), 10);
	ck_assert_double_eq(figure_of(H_99), 30);
	ck_assert_double_eq(figure_of(H_MODE), 10);
	ck_assert_double_eq(figure_of(H_MAX), 60);
	ck_assert_double_eq(figure_of(H_AT), 10);
	ck_assert_double_eq_tol(figure_of(H_MEAN), all.mean, 1e-9);
	ck_assert_double_eq_tol(figure_of(H_DEVIATION), sm_stats_stddev(&all), 1e-9);
	ck_assert(result_metric_instance(&r, H_AT, &instance));
	ck_assert_uint_eq(instance, 0);
	ck_assert(!result_metric_instance(&r, H_50, &instance));
	ck_assert_uint_eq(metric_instances(&r, H_50), 2);
	ck_assert_str_eq(metric_mean_name(MEAN_QUANTILE), "merged");
}
END_TEST

START_TEST(histograms_without_values)
{
	double v;

	memset(counted, 0, sizeof(counted));
	memset(one, 0, sizeof(one));
	histogram[0] = &counted[0];
	histogram[1] = NULL;
	r = (struct result){
		.job = &histogram_job, .one = one, .histogram = histogram, .n = 2};
	for (unsigned int i = 0; i < H_METRICS; i++) {
		ck_assert(!result_metric(&r, i, &v));
		ck_assert_uint_eq(metric_instances(&r, i), 0);
	}
	r.histogram = NULL;
	ck_assert(!result_metric(&r, H_50, &v));
	ck_assert(!result_metric(&r, H_MODE, &v));
}
END_TEST

START_TEST(rates)
{
	results_set_up();
	ck_assert_double_eq(result_rate(&results[CPU]), 2206.5);
	ck_assert_double_eq_tol(result_cpu_rate(&results[CPU]), 4413.0 / 4, 1e-9);
	ck_assert_double_eq_tol(result_cpu_percent(&results[CPU]), 200, 1e-9);
	instances[CPU][1].wall_s = 1; /* it had fewer ops to do */
	ck_assert_double_eq(result_rate(&results[CPU]), 2206.5);
	results[CPU].wall_s = 0;
	ck_assert_double_eq(result_rate(&results[CPU]), 0);
	ck_assert_double_eq(result_rate(&results[AF_ALG]), 0);
	ck_assert_double_eq(result_cpu_rate(&results[AF_ALG]), 0);
	ck_assert_double_eq(result_cpu_percent(&results[AF_ALG]), 0);
}
END_TEST

/* 1000/s for 2 s, and 1200.5/s for 1 s of them. */
START_TEST(sums_of_rates)
{
	double v;

	results_set_up();
	instances[CPU][1].wall_s = 1;
	ck_assert(result_metric(&results[CPU], 0, &v));
	ck_assert_double_eq_tol(v, 1000 + 1200.5 / 2, 1e-9);
	ck_assert(result_metric(&results[CPU], 1, &v)); /* a mean of times */
	ck_assert_double_eq_tol(v, 0.0123, 1e-12);
}
END_TEST

/* The row says what a rate is, not the unit. */
START_TEST(rates_by_their_mean)
{
	static const struct stressor_metric kind[] = {
		{"rate", "rpm", .mean = MEAN_RATE}, {"sum", "/s", .mean = MEAN_SUM}, {0}};
	static const struct stressor s = {.name = "cpu", .metrics = kind};
	double v;

	results_set_up();
	jobs[CPU].stressor = &s;
	set_metric(CPU, 0, 1, 3);
	set_metric(CPU, 1, 1, 4);
	instances[CPU][1].wall_s = 1;
	ck_assert(result_metric(&results[CPU], 0, &v));
	ck_assert_double_eq_tol(v, 1000 + 1200.5 / 2, 1e-9);
	ck_assert(result_metric(&results[CPU], 1, &v));
	ck_assert_double_eq_tol(v, 7, 1e-9);
	ck_assert_str_eq(metric_mean_name(MEAN_RATE), "sum");
}
END_TEST

START_TEST(names)
{
	ck_assert_str_eq(result_status_names[RESULT_PASS], "pass");
	ck_assert_str_eq(result_status_names[RESULT_LACKS], "no-resource");
	ck_assert_str_eq(result_status_names[RESULT_INTERRUPTED], "interrupted");
	ck_assert_str_eq(metric_mean_name(MEAN_GEOMETRIC), "geometric");
}
END_TEST

START_TEST(facts_of_this_machine)
{
	struct facts f;

	facts_begin(&f);
	facts_machine(&f);
	facts_end(&f);
	ck_assert_uint_ge(f.cpus, 1);
	ck_assert_uint_ge(f.online_cpus, 1);
	ck_assert_uint_ge(f.known_cpus, f.online_cpus);
	ck_assert_str_ne(f.host.release, "");
	ck_assert_uint_ge(f.end_wall_ns, f.begin_wall_ns);
	ck_assert(f.wall_s >= 0 && f.wall_s < 60);
	ck_assert(f.load[0] >= 0);
	ck_assert_int_eq(f.signal, 0);
	ck_assert_ptr_null(f.boot_id);
}
END_TEST

typedef void printer(struct sm_buf *b, double v);

static void prints(printer *print, double v, const char *want)
{
	sm_buf_reset(&text);
	print(&text, v);
	ck_assert_str_eq(text_str(), want);
}

START_TEST(numbers_for_readers)
{
	prints(number_text, 0, "0.00");
	prints(number_text, 2206.5, "2206.50");
	prints(number_text, 9.8765, "9.877");
	prints(number_text, -0.0123, "-0.01230");
	prints(number_text, 1.5e-12, "1.500e-12");
	prints(number_text, 2.5e15, "2.500e15");
	prints(number_text, NAN, "-");
	prints(number_metric, 351, "351");
	prints(number_metric, 9.8765, "9.877");
	prints(number_metric, 2e12, "2.000e12");
	prints(number_metric, -INFINITY, "-");
	prints(number_short, 292, "292");
	prints(number_short, 999999, "999999");
	prints(number_short, 1e6, "1.00e6");
	prints(number_short, 3.2099e9, "3.21e9");
	prints(number_short, 9.999e9, "1.00e10");
	prints(number_short, 1e23, "1.00e23");
	prints(number_short, 1.166, "1.166");
	prints(number_short, -2.5e-9, "-2.50e-9");
	prints(number_short, INFINITY, "-");
	prints(number_si, 0, "0.0");
	prints(number_si, 2206.5, "2206.5");
	prints(number_si, 9999.9, "9999.9");
	prints(number_si, 9999.96, "10.0k");
	prints(number_si, 999960, "1.0M");
	prints(number_si, 3.4e9, "3.4G");
	prints(number_si, 3.4e18, "3400000.0T");
	prints(number_si, NAN, "-");
}
END_TEST

START_TEST(numbers_for_programs)
{
	prints(number_machine, 0, "0");
	prints(number_machine, -0.0, "0");
	prints(number_machine, 292, "292");
	prints(number_machine, 6.42e9, "6420000000");
	prints(number_machine, 2206.5, "2206.500000");
	prints(number_machine, 0.0123, "0.012300000");
	prints(number_machine, 1.5e-7, "1.500000e-07");
	prints(number_machine, -1.5e-7, "-1.500000e-07");
	prints(number_machine, 1e20, "1.000000e+20");
	prints(number_machine, 1e-310, "0.000000");
	for (int e = -290; e <= 300; e++) {
		double v = 7.654321 * pow(10, e);

		sm_buf_reset(&text);
		number_machine(&text, v);
		ck_assert_double_eq_tol(strtod(text_str(), NULL) / v, 1, 2e-5);
	}
}
END_TEST

START_TEST(commas)
{
	static const struct {
		uint64_t v;
		const char *want;
	} cases[] = {{0, "0"}, {999, "999"}, {1000, "1,000"}, {4413, "4,413"},
		{1000005, "1,000,005"}, {UINT64_MAX, "18,446,744,073,709,551,615"}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(cases); i++) {
		sm_buf_reset(&text);
		number_commas(&text, cases[i].v);
		ck_assert_str_eq(text_str(), cases[i].want);
	}
}
END_TEST

static TCase *tc_result(void)
{
	TCase *tc = tcase_create("result");

	tcase_add_checked_fixture(tc, set_up, results_tear_down);
	tcase_add_test(tc, means);
	tcase_add_test(tc, means_of_zero_and_negative_values);
	tcase_add_test(tc, means_of_large_and_small_values);
	tcase_add_test(tc, missing_values);
	tcase_add_test(tc, metrics_beyond_32);
	tcase_add_test(tc, figures_of_all_values);
	tcase_add_test(tc, histograms_without_values);
	tcase_add_test(tc, rates);
	tcase_add_test(tc, sums_of_rates);
	tcase_add_test(tc, rates_by_their_mean);
	tcase_add_test(tc, names);
	tcase_add_test(tc, facts_of_this_machine);
	tcase_add_test(tc, numbers_for_readers);
	tcase_add_test(tc, numbers_for_programs);
	tcase_add_test(tc, commas);
	return tc;
}

UNIT_MAIN("result", tc_result)

// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "load/ops.h"
#include "power-calibrate/columns.h"
#include "power-calibrate/opts.h"
#include "power-calibrate/progress.h"
#include "unit.h"

static void si_is(double v, const char *want)
{
	char text[COLUMNS_TEXT];

	columns_si(text, v);
	ck_assert_str_eq(text, want);
}

/* The original shows 600 million as 0.6B. */
START_TEST(si_prefixes)
{
	si_is(0, "0.0");
	si_is(999.94, "999.9");
	si_is(999.95, "1.0k");
	si_is(1e3, "1.0k");
	si_is(652.3e6, "652.3M");
	si_is(2.3e9, "2.3G");
	si_is(1e18, "1.0E");
	si_is(1e22, "10000.0E");
	si_is(NAN, "-");
	si_is(INFINITY, "-");
}
END_TEST

START_TEST(the_load_of_a_row)
{
	struct reading mean = {.ppm = 125000, .cpus = 2};
	struct columns_row row;

	mean.v[F_OWN] = 0.25;
	columns_fill(&row, &mean, 3, 1, 0, 0);
	ck_assert_str_eq(row.load, "12.5% x 2");
	ck_assert_double_eq_tol(row.v[C_LEVEL].d, 12.5, 1e-12);
	ck_assert_uint_eq(row.v[C_READINGS].u, 3);
	mean.ppm = 1000000;
	mean.v[F_OWN] = 2;
	columns_fill(&row, &mean, 3, 1, 0, 0);
	ck_assert_str_eq(row.load, "100% x 2");
}
END_TEST

static void load_is(double percent, unsigned int cpus, double own, const char *want)
{
	struct reading mean = {.ppm = (uint32_t)(percent * 1e4),
		.load_ppm = (uint32_t)(percent * 1e4),
		.cpus = cpus};
	struct columns_row row;

	mean.v[F_OWN] = own;
	columns_fill(&row, &mean, 3, 1, 0, 0);
	ck_assert_str_eq(row.load, want);
}

START_TEST(a_load_without_its_cpu)
{
	load_is(100, 2, 0.4, "100% x 2 (0.4)");
	load_is(100, 2, 1.98, "100% x 2");
	load_is(50, 2, 0.949, "50% x 2 (0.9)");
	load_is(12.5, 1, 0.06, "12.5% x 1 (0.06)");
	load_is(12.5, 1, 0.09, "12.5% x 1 (0.09)");
	load_is(100, 64, 12.25, "100% x 64 (12.2)");
	load_is(100, 2, NAN, "100% x 2");
	load_is(100, 4000000000, 3999999999.0 / 2, "100% x 4000000000 (1999999999.5)");
}
END_TEST

static void values_are_missing(const struct columns_row *row)
{
	for (unsigned int c = C_OWN; c < C_N; c++)
		if (c >= C_CTXT && c <= C_INSTRUCTIONS)
			ck_assert_str_eq(row->rate[c - C_CTXT], "-");
		else
			ck_assert(isnan(row->v[c].d));
}

START_TEST(a_test_without_a_reading)
{
	const struct plan_test test = {.ppm = 500000, .cpus = 2, .block = 1};
	struct reading mean;
	struct columns_row row;

	columns_no_reading(&mean, &test);
	columns_fill(&row, &mean, 0, 2, 7, 9);
	ck_assert_str_eq(row.load, "50% x 2");
	ck_assert_double_eq_tol(row.v[C_LEVEL].d, 50, 1e-12);
	ck_assert_uint_eq(row.v[C_CPUS].u, 2);
	ck_assert_uint_eq(row.v[C_BLOCK].u, 2);
	ck_assert_uint_eq(row.v[C_READINGS].u, 0);
	ck_assert_double_eq(row.v[C_SECONDS].d, 0);
	values_are_missing(&row);
}
END_TEST

/* Every value has its column: the figures stand in the order of the enum. */
START_TEST(figures_are_in_their_columns)
{
	struct reading mean = {.cpus = 1};
	struct columns_row row;

	for (unsigned int f = 0; f < F_N; f++)
		mean.v[f] = f + 1;
	columns_fill(&row, &mean, 1, 1, 0, 0);
	ck_assert_double_eq(row.v[C_USER].d, F_USER + 1);
	ck_assert_double_eq(row.v[C_RUN].d, F_RUN + 1);
	ck_assert_double_eq(row.v[C_CTXT_RATE].d, F_CTXT + 1);
	ck_assert_double_eq(row.v[C_INSTRUCTIONS_RATE].d, F_INSTRUCTIONS + 1);
	ck_assert_double_eq(row.v[C_REF_CYCLES_RATE].d, F_REF_CYCLES + 1);
	ck_assert_double_eq(row.v[C_OWN].d, F_OWN + 1);
	ck_assert_double_eq(row.v[C_WATTS].d, F_WATTS + 1);
}
END_TEST

START_TEST(decimals)
{
	static const struct {
		const char *key;
		unsigned int table, machine;
	} t[] = {{"level_pct", 0, 4}, {"measured_s", 0, 6}, {"own_cpus", 0, 6},
		{"other_cpus", 0, 6}, {"user_pct", 1, 3}, {"sys_pct", 1, 3},
		{"idle_pct", 1, 3}, {"run", 1, 3}, {"ctxt_per_s", 0, 3},
		{"intr_per_s", 0, 3}, {"ops_per_s", 0, 0}, {"cycles_per_s", 0, 0},
		{"instructions_per_s", 0, 0}, {"ref_cycles_per_s", 0, 0},
		{"watts", 3, 6}};
	unsigned int found = 0;

	for (unsigned int i = 0; i < C_N; i++) {
		const struct sm_column *c = &power_calibrate_columns[i];

		for (size_t k = 0; k < SM_ARRAY_SIZE(t); k++) {
			if (!c->key || strcmp(c->key, t[k].key) != 0)
				continue;
			found++;
			ck_assert_msg(c->decimals == t[k].table &&
					      c->machine_decimals == t[k].machine,
				"%s: %u and %u", c->key, c->decimals,
				c->machine_decimals);
		}
	}
	ck_assert_uint_eq(found, SM_ARRAY_SIZE(t));
}
END_TEST

START_TEST(means_are_weighted_by_time)
{
	struct readings list = {0};
	struct reading a = {.dt_s = 1, .block = 4}, mean;

	a.v[F_WATTS] = 10;
	a.v[F_CYCLES] = NAN;
	ck_assert_int_eq(readings_add(&list, &a, NULL), 0);
	a.dt_s = 3;
	a.v[F_WATTS] = 20;
	ck_assert_int_eq(readings_add(&list, &a, NULL), 0);
	a.block = 5;
	a.v[F_WATTS] = 1000;
	ck_assert_int_eq(readings_add(&list, &a, NULL), 0);
	ck_assert_uint_eq(readings_mean(&list, 0, &mean), 2);
	ck_assert_double_eq_tol(mean.v[F_WATTS], 17.5, 1e-12);
	ck_assert_double_eq_tol(mean.dt_s, 4, 1e-12);
	ck_assert(isnan(mean.v[F_CYCLES]));
	ck_assert_uint_eq(readings_mean(&list, 3, &mean), 0);
	readings_fini(&list);
}
END_TEST

/* --op is a number in the library's table. */
START_TEST(the_kernels_of_the_option)
{
	const struct sm_opt_spec *spec = sm_tool_spec();
	const char *const *choice = NULL;
	unsigned int n = 0;

	for (size_t i = 0; i < spec->nopts; i++)
		if (spec->opts[i].name && strcmp(spec->opts[i].name, "op") == 0)
			choice = spec->opts[i].choices;
	ck_assert_ptr_nonnull(choice);
	for (; choice[n]; n++) {
		ck_assert_uint_lt(n, sm_ops_count);
		ck_assert_str_eq(choice[n], sm_ops_table[n].name);
	}
	ck_assert_uint_eq(n, sm_ops_count);
}
END_TEST

START_TEST(times)
{
	static const struct {
		uint64_t s;
		const char *text;
	} t[] = {{0, "0 s"}, {59, "59 s"}, {60, "1 min 0 s"}, {3600, "1 h 0 min 0 s"},
		{7384, "2 h 3 min 4 s"}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		struct sm_buf b = {0};

		progress_time(&b, t[i].s * SM_NSEC_PER_SEC);
		sm_buf_chr(&b, '\0');
		ck_assert_str_eq(b.p, t[i].text);
		sm_buf_fini(&b);
	}
}
END_TEST

static void heads(unsigned int columns, const char *want)
{
	struct sm_table t;

	sm_table_init(&t, SM_FORMAT_TABLE, power_calibrate_columns, C_N, "test", NULL);
	sm_table_show(&t, C_TYPE, false);
	sm_table_terminal(&t, columns, 0, true);
	sm_table_header(&t);
	sm_buf_chr(&t.row, '\0');
	ck_assert_str_eq(t.row.p, want);
	sm_table_fini(&t);
}

/* A row is one line of the terminal; load and watts are always in it. */
START_TEST(narrow_terminals)
{
	heads(80, "  CPU load  User   Sys  Idle   Run Ctxt/s  IRQ/s  Ops/s Cycl/s "
		  "Inst/s    Watts\n");
	heads(60, "  CPU load  User   Sys  Idle  Ops/s Cycl/s Inst/s    Watts\n");
	heads(40, "  CPU load  User  Idle  Ops/s    Watts\n");
	heads(20, "  CPU load    Watts\n");
}
END_TEST

static TCase *tc_columns(void)
{
	TCase *tc = tcase_create("columns");

	tcase_add_test(tc, si_prefixes);
	tcase_add_test(tc, the_load_of_a_row);
	tcase_add_test(tc, a_load_without_its_cpu);
	tcase_add_test(tc, a_test_without_a_reading);
	tcase_add_test(tc, figures_are_in_their_columns);
	tcase_add_test(tc, decimals);
	tcase_add_test(tc, means_are_weighted_by_time);
	tcase_add_test(tc, the_kernels_of_the_option);
	tcase_add_test(tc, times);
	tcase_add_test(tc, narrow_terminals);
	return tc;
}

UNIT_MAIN("columns", tc_columns)

// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "powerstat/columns.h"
#include "unit.h"

static struct opts o;
static struct columns t;
static struct sm_source_domain domains[4];
static struct sm_thermal_zone zones[4];
static struct sm_thermal thermal;

static void setup(void)
{
	memset(&t, 0, sizeof(t));
	memset(domains, 0, sizeof(domains));
	memset(zones, 0, sizeof(zones));
	o = opts_default;
	o.domains = o.thermal = true;
	thermal = (struct sm_thermal){.zone = zones, .n = 0};
}

static void teardown(void)
{
	columns_fini(&t);
}

static void make(unsigned int ndomains, unsigned int nzones)
{
	thermal.n = nzones;
	ck_assert_int_eq(columns_init(&t, &o,
				 &(struct sm_source){.domain = domains, .n = ndomains},
				 &thermal, (struct columns_have){true, true, true, true}),
		0);
}

static const struct sm_column *domain(unsigned int i)
{
	return &t.list.col[t.domain0 + i];
}

static const struct sm_column *zone(unsigned int i)
{
	return &t.list.col[t.thermal0 + i];
}

START_TEST(fixed_ones)
{
	static const char *const keys[V_FIXED] = {"time", "mono_ns", "dt_s", "kind",
		"estimate", "incomplete", "window_s", "lost", "user_pct", "nice_pct",
		"sys_pct", "idle_pct", "iowait_pct", "irq_pct", "softirq_pct",
		"steal_pct", "run", "ctxt_per_s", "intr_per_s", "fork", "exec", "exit",
		"watts"};

	o.domains = o.thermal = false;
	domains[0].label = "pkg-0";
	make(1, 1);
	ck_assert_uint_eq(t.list.n, V_FIXED);
	for (unsigned int i = 0; i < V_JOULES; i++)
		ck_assert_str_eq(t.list.col[i].key, keys[i]);
	ck_assert_uint_eq(t.ndomains + t.nthermal + t.nfreq + t.gpu + t.throttle, 0);
	ck_assert(columns_for_machines(&t, V_STEAL) && !t.list.col[V_STEAL].head);
	ck_assert(!columns_for_machines(&t, V_JOULES) && !t.list.col[V_JOULES].head);
	ck_assert(t.list.col[V_WATTS].flags & SM_COLUMN_MARK);
}
END_TEST

/* Domains, zones, then frequencies. */
START_TEST(order)
{
	o.freq = o.gpu = o.joules = true;
	domains[0].label = "pkg-0";
	domains[1].label = "dram";
	strcpy(zones[0].label, "acpitz");
	make(2, 1);
	ck_assert_uint_eq(t.list.n, V_FIXED + 2 + 1 + 3 + 2);
	ck_assert_uint_eq(t.domain0, V_FIXED);
	ck_assert_uint_eq(t.thermal0, V_FIXED + 2);
	ck_assert_uint_eq(t.freq0, V_FIXED + 3);
	ck_assert_uint_eq(t.gpu, V_FIXED + 6);
	ck_assert_str_eq(domain(0)->key, "pkg_0_w");
	ck_assert_str_eq(domain(1)->head, "dram");
	ck_assert_str_eq(zone(0)->key, "acpitz_c");
	ck_assert_str_eq(zone(0)->member, "acpitz");
	ck_assert_str_eq(t.list.col[t.freq0].head, "CPU Freq");
	ck_assert_str_eq(t.list.col[t.gpu].key, "gpu_freq_khz");
	ck_assert_uint_eq(t.throttle, V_FIXED + 7);
	ck_assert_str_eq(t.list.col[t.throttle].key, "throttles");
	ck_assert_str_eq(t.list.col[V_JOULES].head, "Joules");
}
END_TEST

START_TEST(only_what_there_is)
{
	o.freq = o.gpu = true;
	ck_assert_int_eq(columns_init(&t, &o, NULL, NULL, (struct columns_have){0}), 0);
	ck_assert_uint_eq(t.list.n, V_FIXED);
	/* CSV and JSON keep the columns, whatever the privileges are. */
	ck_assert(columns_for_machines(&t, V_FORK) && !t.list.col[V_FORK].head);
}
END_TEST

START_TEST(gpu_alone)
{
	o.freq = o.gpu = true;
	ck_assert_int_eq(
		columns_init(&t, &o, NULL, NULL, (struct columns_have){.gpu = true}), 0);
	ck_assert_uint_eq(t.nfreq, 0);
	ck_assert_uint_eq(t.gpu, V_FIXED);
}
END_TEST

START_TEST(every_column_is_explained)
{
	for (unsigned int i = 0; i < C_N; i++) {
		ck_assert_ptr_nonnull(powerstat_columns[i].key);
		ck_assert_ptr_nonnull(powerstat_columns[i].help);
	}
}
END_TEST

/* Headings of a table that is fitted to a terminal. */
static void expect_fitted(unsigned int columns, const char *want)
{
	struct sm_table out;

	sm_table_init(&out, SM_FORMAT_TABLE, t.list.col, t.list.n, NULL, NULL);
	sm_table_terminal(&out, columns, 0, true);
	sm_table_header(&out);
	sm_buf_chr(&out.row, '\0');
	ck_assert_str_eq(out.row.p, want);
	ck_assert_uint_le(strlen(want), columns + 1);
	sm_table_fini(&out);
}

/* The least important columns are dropped first; requested ones stay longer. */
START_TEST(narrow_terminals)
{
	o.joules = true;
	domains[0].label = "pkg-0";
	domains[1].label = "core";
	strcpy(zones[0].label, "acpitz");
	strcpy(zones[1].label, "wifi");
	make(2, 2);
	expect_fitted(80,
		"    Time  User   Sys  Idle Ctxt/s  Watts  Joules  pkg-0   core acpitz   "
		"wifi\n");
	expect_fitted(40, "    Time  Idle  Watts  Joules  pkg-0\n");
	columns_fini(&t);
	o.joules = o.domains = o.thermal = false;
	make(0, 0);
	expect_fitted(80,
		"    Time  User  Nice   Sys  Idle    IO  Run Ctxt/s  IRQ/s Fork Exec "
		"Exit  Watts\n");
}
END_TEST

static TCase *tc_columns(void)
{
	TCase *tc = tcase_create("columns");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, fixed_ones);
	tcase_add_test(tc, order);
	tcase_add_test(tc, only_what_there_is);
	tcase_add_test(tc, gpu_alone);
	tcase_add_test(tc, narrow_terminals);
	tcase_add_test(tc, every_column_is_explained);
	return tc;
}

UNIT_MAIN("columns", tc_columns)

// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "powerstat/columns.h"
#include "powerstat/table.h"
#include "unit.h"

static struct ps_opts o;
static struct ps_table t;
static struct power_domain domains[4];
static struct sm_thermal_zone zones[4];
static struct sm_thermal thermal;

static void setup(void)
{
	memset(&t, 0, sizeof(t));
	memset(domains, 0, sizeof(domains));
	memset(zones, 0, sizeof(zones));
	o = ps_opts_default;
	o.domains = o.thermal = true;
	thermal = (struct sm_thermal){zones, 0};
}

static void teardown(void)
{
	ps_table_fini(&t);
}

static void make(unsigned int ndomains, unsigned int nzones)
{
	thermal.n = nzones;
	ck_assert_int_eq(
		ps_table_init(&t, &o, domains, ndomains, &thermal, true, true, true), 0);
}

static const struct ps_col *domain(unsigned int i)
{
	return &t.col[t.domain0 + i];
}

static const struct ps_col *zone(unsigned int i)
{
	return &t.col[t.thermal0 + i];
}

START_TEST(fixed_ones)
{
	static const char *const keys[PS_FIXED] = {"user_pct", "nice_pct", "sys_pct",
		"idle_pct", "iowait_pct", "irq_pct", "softirq_pct", "steal_pct", "run",
		"ctxt_per_s", "intr_per_s", "fork", "exec", "exit", "watts", "joules"};

	o.domains = o.thermal = false;
	domains[0].label = "pkg-0";
	make(1, 1);
	ck_assert_uint_eq(t.n, PS_FIXED);
	for (unsigned int i = 0; i < PS_FIXED; i++)
		ck_assert_str_eq(t.col[i].key, keys[i]);
	ck_assert_uint_eq(t.ndomains + t.nthermal + t.nfreq + t.gpu, 0);
	ck_assert(t.col[PS_STEAL].shown && !t.col[PS_STEAL].human);
	ck_assert(!t.col[PS_JOULES].shown && !t.col[PS_JOULES].human);
	ck_assert(t.col[PS_WATTS].mark);
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
	ck_assert_uint_eq(t.n, PS_FIXED + 2 + 1 + 3 + 1);
	ck_assert_uint_eq(t.domain0, PS_FIXED);
	ck_assert_uint_eq(t.thermal0, PS_FIXED + 2);
	ck_assert_uint_eq(t.freq0, PS_FIXED + 3);
	ck_assert_uint_eq(t.gpu, PS_FIXED + 6);
	ck_assert_str_eq(domain(0)->key, "pkg_0_w");
	ck_assert_str_eq(domain(1)->head, "dram");
	ck_assert_str_eq(zone(0)->key, "acpitz_c");
	ck_assert_str_eq(zone(0)->member, "\"acpitz\":");
	ck_assert_str_eq(t.col[t.freq0].head, "CPU Freq");
	ck_assert_str_eq(t.col[t.gpu].key, "gpu_freq_khz");
	ck_assert(t.col[PS_JOULES].human);
}
END_TEST

START_TEST(only_what_there_is)
{
	o.freq = o.gpu = true;
	ck_assert_int_eq(ps_table_init(&t, &o, NULL, 0, NULL, false, false, false), 0);
	ck_assert_uint_eq(t.n, PS_FIXED);
	/* Machine faces keep the columns, whatever the privileges are. */
	ck_assert(t.col[PS_FORK].shown && !t.col[PS_FORK].human);
}
END_TEST

START_TEST(gpu_alone)
{
	o.freq = o.gpu = true;
	ck_assert_int_eq(ps_table_init(&t, &o, NULL, 0, NULL, false, true, false), 0);
	ck_assert_uint_eq(t.nfreq, 0);
	ck_assert_uint_eq(t.gpu, PS_FIXED);
}
END_TEST

START_TEST(whole_labels_widen)
{
	domains[0].label = "core";
	domains[1].label = "package-0-die-1";
	make(2, 0);
	ck_assert_uint_eq(domain(0)->width, 6);
	ck_assert_uint_eq(domain(1)->width, 15);
	ck_assert_str_eq(domain(1)->head, "package-0-die-1");
}
END_TEST

/* Different labels with the same key, and labels that are the same. */
START_TEST(unique_names)
{
	domains[0].label = "a-b";
	domains[1].label = "A_B";
	domains[2].label = "a-b";
	domains[3].label = "a-b-2";
	make(4, 0);
	ck_assert_str_eq(domain(0)->key, "a_b_w");
	ck_assert_str_eq(domain(1)->key, "a_b_2_w");
	ck_assert_str_eq(domain(2)->key, "a_b_3_w");
	ck_assert_str_eq(domain(3)->key, "a_b_2_2_w");
	ck_assert_str_eq(domain(1)->head, "A_B");
	ck_assert_str_eq(domain(2)->head, "a-b-2");
	ck_assert_str_eq(domain(3)->head, "a-b-2-2");
	ck_assert_str_eq(domain(2)->member, "\"a-b-2\":");
	ck_assert_str_eq(domain(3)->member, "\"a-b-2-2\":");
}
END_TEST

/* A zone called as a domain is another column. */
START_TEST(groups_have_their_own_names)
{
	domains[0].label = "x";
	strcpy(zones[0].label, "x");
	make(1, 1);
	ck_assert_str_eq(domain(0)->key, "x_w");
	ck_assert_str_eq(zone(0)->key, "x_c");
	ck_assert_str_eq(zone(0)->head, "x");
}
END_TEST

/* What looks the same after sanitising must not be the same. */
START_TEST(hostile_labels)
{
	strcpy(zones[0].label, "\033[31m");
	strcpy(zones[1].label, "\\x1b[31m");
	strcpy(zones[2].label, "\xff\"");
	strcpy(zones[3].label, "\xfe\"");
	make(0, 4);
	ck_assert_str_eq(zone(0)->head, "\\x1b[31m");
	ck_assert_str_eq(zone(1)->head, "\\x1b[31m-2");
	ck_assert_str_eq(zone(0)->key, "__31m_c");
	/* Both are U+FFFD in JSON. */
	ck_assert_str_eq(zone(2)->member, "\"\xEF\xBF\xBD\\\"\":");
	ck_assert_str_eq(zone(3)->member, "\"\xEF\xBF\xBD\\\"-2\":");
	ck_assert_str_eq(zone(2)->key, "___c");
	ck_assert_str_eq(zone(3)->key, "___2_c");
}
END_TEST

START_TEST(no_label)
{
	domains[0].label = "";
	domains[1].label = "";
	make(2, 0);
	ck_assert_str_eq(domain(0)->head, "-");
	ck_assert_str_eq(domain(0)->key, "__w");
	ck_assert_str_eq(domain(0)->member, "\"\":");
	ck_assert_str_eq(domain(1)->head, "--2");
	ck_assert_str_eq(domain(1)->member, "\"-2\":");
}
END_TEST

/* More columns than a bit mask has bits, all alike. */
START_TEST(very_many)
{
	static struct power_domain many[300];
	static char seen[300][24];

	for (unsigned int i = 0; i < 300; i++)
		many[i] = (struct power_domain){.label = "z"};
	ck_assert_int_eq(ps_table_init(&t, &o, many, 300, NULL, false, false, false), 0);
	for (unsigned int i = 0; i < 300; i++) {
		snprintf(seen[i], sizeof(seen[i]), i ? "z_%u_w" : "z_w", i + 1);
		ck_assert_str_eq(domain(i)->key, seen[i]);
	}
}
END_TEST

START_TEST(every_column_is_explained)
{
	for (unsigned int i = 0; i < C_N; i++) {
		ck_assert_ptr_nonnull(ps_columns[i].key);
		ck_assert_ptr_nonnull(ps_columns[i].help);
	}
}
END_TEST

static TCase *tc_table(void)
{
	TCase *tc = tcase_create("table");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, fixed_ones);
	tcase_add_test(tc, order);
	tcase_add_test(tc, only_what_there_is);
	tcase_add_test(tc, gpu_alone);
	tcase_add_test(tc, whole_labels_widen);
	tcase_add_test(tc, unique_names);
	tcase_add_test(tc, groups_have_their_own_names);
	tcase_add_test(tc, hostile_labels);
	tcase_add_test(tc, no_label);
	tcase_add_test(tc, very_many);
	tcase_add_test(tc, every_column_is_explained);
	return tc;
}

UNIT_MAIN("ps_table", tc_table)

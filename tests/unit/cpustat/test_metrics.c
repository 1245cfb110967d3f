// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cpustat/metrics.h"
#include "unit.h"

#define SEC SM_NSEC_PER_SEC

static char dir[UNIT_DIR], path[80], content_of[32768];
static struct metrics m;
static struct sm_prom prom;
static struct sample sample;

static void setup(void)
{
	unit_mkdtemp(dir);
	snprintf(path, sizeof(path), "%s/cpu.prom", dir);
	metrics_init(&m, true);
	sm_prom_init(&prom, path, "cpustat", SM_VERSION);
	sample = (struct sample){
		.t_ns = 5 * SEC, .dt_ns = SEC, .processes = 100, .online = 2};
}

static void teardown(void)
{
	metrics_fini(&m);
	sm_prom_fini(&prom);
	unlink(path);
	ck_assert_int_eq(rmdir(dir), 0);
}

static const char *written(uint64_t lost_rows)
{
	metrics_write(&m, &prom,
		&(struct metrics_lost){.rows = lost_rows, .names = 6, .exit_names = 5});
	ck_assert_int_eq(sm_prom_commit(&prom), 0);
	return unit_slurp(path, content_of, sizeof(content_of));
}

static bool has(const char *what)
{
	return strstr(written(0), what) != NULL;
}

static struct row row_of(struct sm_str comm, uint64_t usr_ns, uint64_t sys_ns)
{
	return (struct row){.kind = ROW_PROCESS,
		.flags = ROW_HAS_UID, /* root */
		.comm = comm,
		.used_ns = usr_ns + sys_ns,
		.usr_ns = usr_ns,
		.sys_ns = sys_ns,
		.dt_ns = SEC};
}

static void add_one(struct row r)
{
	metrics_add(&m, &sample, &r, 1);
}

START_TEST(exact_text)
{
	struct row r[5] = {row_of(SM_STR("cc1"), SEC / 2, SEC / 4),
		row_of(SM_STR("cc1"), SEC / 2, 0), row_of(SM_STR("make"), 0, SEC / 10),
		row_of(SM_STR(""), SEC, SEC), row_of(SM_STR(""), 0, SEC / 100)};

	r[2].kind = ROW_EXITED;
	r[3].kind = ROW_UNACCOUNTED;
	r[4].kind = ROW_OTHERS;
	sample.machine = true;
	sample.exited_ns = SEC / 10;
	sample.self_ns = 1000000;
	sample.irq_ns = 2000000;
	sample.softirq_ns = 3000000;
	sample.unaccounted_ns = 2 * (int64_t)SEC;
	sample.counted = true;
	sample.created = 3;
	sample.exited = 2;
	sample.unreadable = 1;
	metrics_add(&m, &sample, r, 5);
	metrics_end(&m);
	ck_assert_str_eq(written(7),
		"# HELP sysmon_cpustat_cpu_seconds_total CPU time of tasks shown and of "
		"their exited children, by mode.\n"
		"# TYPE sysmon_cpustat_cpu_seconds_total counter\n"
		"sysmon_cpustat_cpu_seconds_total{mode=\"user\"} 1\n"
		"sysmon_cpustat_cpu_seconds_total{mode=\"system\"} 0.36\n"
		"# HELP sysmon_cpustat_exited_children_cpu_seconds_total CPU time of "
		"processes that started and exited between two samples.\n"
		"# TYPE sysmon_cpustat_exited_children_cpu_seconds_total counter\n"
		"sysmon_cpustat_exited_children_cpu_seconds_total 0.1\n"
		"# HELP sysmon_cpustat_self_cpu_seconds_total CPU time of cpustat "
		"itself.\n"
		"# TYPE sysmon_cpustat_self_cpu_seconds_total counter\n"
		"sysmon_cpustat_self_cpu_seconds_total 0.001\n"
		"# HELP sysmon_cpustat_unaccounted_cpu_seconds_total CPU time of the "
		"machine that no task and no interrupt accounts for.\n"
		"# TYPE sysmon_cpustat_unaccounted_cpu_seconds_total counter\n"
		"sysmon_cpustat_unaccounted_cpu_seconds_total 2\n"
		"# HELP sysmon_cpustat_interrupt_cpu_seconds_total CPU time of "
		"interrupts that no task accounts for, by kind.\n"
		"# TYPE sysmon_cpustat_interrupt_cpu_seconds_total counter\n"
		"sysmon_cpustat_interrupt_cpu_seconds_total{kind=\"irq\"} 0.002\n"
		"sysmon_cpustat_interrupt_cpu_seconds_total{kind=\"softirq\"} 0.003\n"
		"# HELP sysmon_cpustat_processes_created_total Processes created since "
		"the start.\n"
		"# TYPE sysmon_cpustat_processes_created_total counter\n"
		"sysmon_cpustat_processes_created_total 3\n"
		"# HELP sysmon_cpustat_processes_exited_total Processes exited since the "
		"start.\n"
		"# TYPE sysmon_cpustat_processes_exited_total counter\n"
		"sysmon_cpustat_processes_exited_total 2\n"
		"# HELP sysmon_cpustat_samples_total Samples taken.\n"
		"# TYPE sysmon_cpustat_samples_total counter\n"
		"sysmon_cpustat_samples_total 1\n"
		"# HELP sysmon_cpustat_lost_rows_total Rows of output lost.\n"
		"# TYPE sysmon_cpustat_lost_rows_total counter\n"
		"sysmon_cpustat_lost_rows_total 7\n"
		"# HELP sysmon_cpustat_lost_names_total Command lines and cgroups that "
		"were not stored.\n"
		"# TYPE sysmon_cpustat_lost_names_total counter\n"
		"sysmon_cpustat_lost_names_total 6\n"
		"# HELP sysmon_cpustat_lost_exit_names_total Exited processes whose name "
		"was lost.\n"
		"# TYPE sysmon_cpustat_lost_exit_names_total counter\n"
		"sysmon_cpustat_lost_exit_names_total 5\n"
		"# HELP sysmon_cpustat_labels_refused_total Programs in a sample that "
		"found no label and count as (others).\n"
		"# TYPE sysmon_cpustat_labels_refused_total counter\n"
		"sysmon_cpustat_labels_refused_total 0\n"
		"# HELP sysmon_cpustat_processes Processes that exist.\n"
		"# TYPE sysmon_cpustat_processes gauge\n"
		"sysmon_cpustat_processes 100\n"
		"# HELP sysmon_cpustat_unreadable_processes Processes that could not be "
		"read.\n"
		"# TYPE sysmon_cpustat_unreadable_processes gauge\n"
		"sysmon_cpustat_unreadable_processes 1\n"
		"# HELP sysmon_cpustat_cpus_online CPUs online.\n"
		"# TYPE sysmon_cpustat_cpus_online gauge\n"
		"sysmon_cpustat_cpus_online 2\n"
		"# HELP sysmon_cpustat_comm_cpu_seconds_total CPU time of tasks shown "
		"and "
		"of their exited children, by program.\n"
		"# TYPE sysmon_cpustat_comm_cpu_seconds_total counter\n"
		"sysmon_cpustat_comm_cpu_seconds_total{comm=\"cc1\"} 1.25\n"
		"sysmon_cpustat_comm_cpu_seconds_total{comm=\"(others)\"} 0.01\n"
		"sysmon_cpustat_comm_cpu_seconds_total{comm=\"(exited children)\"} "
		"0.1\n"
		"# HELP sysmon_cpustat_info The program that wrote this file.\n"
		"# TYPE sysmon_cpustat_info gauge\n"
		"sysmon_cpustat_info{version=\"" SM_VERSION "\"} 1\n"
		"# HELP sysmon_cpustat_last_sample_timestamp_seconds Unix time of the "
		"last sample.\n"
		"# TYPE sysmon_cpustat_last_sample_timestamp_seconds gauge\n"
		"sysmon_cpustat_last_sample_timestamp_seconds 0\n");
}
END_TEST

START_TEST(counters_add_up)
{
	sample.counted = true;
	sample.created = 3;
	sample.self_ns = SEC;
	for (int i = 0; i < 4; i++)
		add_one(row_of(SM_STR("a"), SEC, 0));
	ck_assert(has("cpu_seconds_total{mode=\"user\"} 4\n"));
	ck_assert(has("{comm=\"a\"} 4\n"));
	ck_assert(has("_processes_created_total 12\n"));
	ck_assert(has("_samples_total 4\n"));
	ck_assert(has("_self_cpu_seconds_total 4\n"));
	ck_assert(has("_processes 100\n")); /* a gauge does not */
}
END_TEST

START_TEST(the_first_sample_is_the_beginning)
{
	sample.dt_ns = 0;
	sample.counted = true;
	sample.created = 100;
	metrics_add(&m, &sample, NULL, 0);
	ck_assert(has("_processes_created_total 0\n"));
	ck_assert(has("_samples_total 0\n"));
	ck_assert(has("_processes 100\n"));
}
END_TEST

/* Without BPF they are unknown, not 0. */
START_TEST(no_turnover_without_the_counter)
{
	metrics_add(&m, &sample, NULL, 0);
	ck_assert(!has("processes_created"));
	ck_assert(!has("processes_exited"));
}
END_TEST

/* In a container /proc/stat is of another set of processes. */
START_TEST(no_residual_without_the_machine)
{
	sample.unaccounted_ns = 1;
	metrics_add(&m, &sample, NULL, 0);
	ck_assert(!has("unaccounted"));
	ck_assert(!has("interrupt"));
}
END_TEST

/* What one sample counted too early is not taken back, but not counted again either. */
START_TEST(unaccounted_never_decreases)
{
	static const struct {
		int64_t ms;
		const char *want;
	} t[] = {{-100, " 0\n"}, {300, " 0.2\n"}, {-150, " 0.2\n"}, {100, " 0.2\n"},
		{100, " 0.25\n"}};
	char want[100];

	sample.machine = true;
	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		sample.unaccounted_ns = t[i].ms * 1000000;
		metrics_add(&m, &sample, NULL, 0);
		snprintf(
			want, sizeof(want), "unaccounted_cpu_seconds_total%s", t[i].want);
		ck_assert(has(want));
	}
}
END_TEST

/* --- exited children ---------------------------------------------------------------- */

#define MS SM_NSEC_PER_MSEC

static struct row_names names;

/* A sample of a shell that reaped children with so much CPU time; the kernel has named
 * so much of it. */
static void shell(uint64_t ns, uint64_t cc1_ns, uint64_t as_ns)
{
	struct row r = row_of(SM_STR("sh"), ns, 0);

	names = (struct row_names){.n = 2,
		.v = {{.comm = "cc1", .count = 2, .ns = cc1_ns},
			{.comm = "as", .count = 1, .ns = as_ns}},
		.others = {.comm = "(others)"}};
	r.kind = ROW_EXITED;
	r.exited = &names;
	sample.t_ns += SEC;
	metrics_add(&m, &sample, &r, ns ? 1 : 0);
}

/* Their time is that of the programs that used it, not of their parent. */
START_TEST(children_under_their_names)
{
	add_one(row_of(SM_STR("sh"), MS, 0));
	shell(500 * MS, 400 * MS, 90 * MS);
	ck_assert(has("{comm=\"sh\"} 0.001\n"));
	ck_assert(has("{comm=\"cc1\"} 0.4\n"));
	ck_assert(has("{comm=\"as\"} 0.09\n"));
	ck_assert(!has("(exited children)"));
	ck_assert(has("{mode=\"user\"} 0.501\n"));
}
END_TEST

/* A name that comes with the next row gets the time of the last one; what no name has
 * explained for two seconds is nameless, and no time counts twice. */
START_TEST(late_names)
{
	shell(500 * MS, 300 * MS, 0);
	shell(100 * MS, 250 * MS, 0);
	ck_assert(has("{comm=\"cc1\"} 0.55\n"));
	shell(0, 0, 0);
	ck_assert(!has("(exited children)"));
	shell(0, 0, 0);
	ck_assert(has("{comm=\"(exited children)\"} 0.05\n"));
	shell(100 * MS, 400 * MS, 400 * MS);
	ck_assert(has("{comm=\"cc1\"} 0.65\n"));
	ck_assert(has("{comm=\"as\"} 0\n"));
	ck_assert(has("{mode=\"user\"} 0.7\n"));
}
END_TEST

/* Without BPF no name is known: never that of the parent. */
START_TEST(children_without_names)
{
	struct row r = row_of(SM_STR("sh"), SEC, 0);

	r.kind = ROW_EXITED;
	add_one(r);
	metrics_end(&m);
	ck_assert(has("{comm=\"(exited children)\"} 1\n"));
	ck_assert(!has("{comm=\"sh\"}"));
}
END_TEST

/* --- labels ------------------------------------------------------------------------- */

static unsigned int series(void)
{
	unsigned int n = 0;

	written(0);
	for (const char *s = content_of; (s = strstr(s, "{comm=")) != NULL; s++)
		n++;
	return n;
}

static void add_many(unsigned int from, unsigned int n, uint64_t ns)
{
	char name[16];

	for (unsigned int i = from; i < from + n; i++) {
		snprintf(name, sizeof(name), "p%u", i);
		add_one(row_of((struct sm_str){name, strlen(name)}, ns, 0));
	}
}

START_TEST(the_idle_do_not_take_all_labels)
{
	add_many(0, 64, 1000);
	ck_assert_uint_eq(series(), SM_PROMCOMM_MAX / 2 + 1);
	add_one(row_of(SM_STR("busy"), SEC / 100, 0));
	ck_assert(has("{comm=\"busy\"} 0.01\n"));
	add_one(row_of(SM_STR("busy"), 1, 0)); /* idle now, it keeps it */
	ck_assert(has("{comm=\"busy\"} 0.010000001\n"));
	ck_assert_uint_eq(series(), SM_PROMCOMM_MAX / 2 + 2);
}
END_TEST

/* Children of a user that root has reaped take the user's labels. */
START_TEST(children_take_labels_of_their_user)
{
	struct row r = row_of(SM_STR("init"), SEC, 0);
	char name[100][16];

	r.kind = ROW_EXITED;
	r.exited = &names;
	for (unsigned int i = 0; i < 100; i++) {
		snprintf(name[i], sizeof(name[i]), "u%u", i);
		names = (struct row_names){
			.n = 1, .v = {{.count = 1, .ns = SEC, .uid = 1000}}};
		memcpy(names.v[0].comm, name[i], strlen(name[i]));
		add_one(r);
	}
	ck_assert_uint_eq(series(), (SM_PROMCOMM_MAX - SM_PROMCOMM_ROOT) / 2 + 1);
}
END_TEST

/* The labels of a user are counted by the uid of the rows. */
START_TEST(a_user_leaves_labels_for_root)
{
	struct row r[200];
	char name[200][16];

	for (unsigned int i = 0; i < 200; i++) {
		snprintf(name[i], sizeof(name[i]), "u%u", i);
		r[i] = row_of((struct sm_str){name[i], strlen(name[i])}, SEC, 0);
		r[i].uid = 1000;
	}
	metrics_add(&m, &sample, r, 200);
	ck_assert_uint_eq(series(), (SM_PROMCOMM_MAX - SM_PROMCOMM_ROOT) / 2 + 1);
	ck_assert(has("labels_refused_total 172\n"));
	add_one(row_of(SM_STR("sshd"), SEC, 0));
	ck_assert(has("{comm=\"sshd\"} 1\n"));
}
END_TEST

/* --- the file ----------------------------------------------------------------------- */

START_TEST(no_file)
{
	struct row r = row_of(SM_STR("a"), SEC, 0);
	struct metrics other;

	metrics_init(&other, false);
	metrics_add(&other, &sample, &r, 1);
	ck_assert_uint_eq(other.samples, 0);
	metrics_fini(&other);
}
END_TEST

START_TEST(no_memory_in_steady_state)
{
	const char *text, *label;
	size_t cap;

	add_many(0, 100, SEC);
	written(0);
	text = prom.b.p;
	cap = prom.b.cap;
	label = m.comms.label.p;
	for (int i = 0; i < 50; i++) {
		add_many(0, 100, 1);
		written(0);
	}
	ck_assert_ptr_eq(prom.b.p, text);
	ck_assert_uint_eq(prom.b.cap, cap);
	ck_assert_ptr_eq(m.comms.label.p, label);
}
END_TEST

#define FIXTURE(tc) tcase_add_checked_fixture(tc, setup, teardown)

static TCase *tc_totals(void)
{
	TCase *tc = tcase_create("totals");

	FIXTURE(tc);
	tcase_add_test(tc, exact_text);
	tcase_add_test(tc, counters_add_up);
	tcase_add_test(tc, the_first_sample_is_the_beginning);
	tcase_add_test(tc, no_turnover_without_the_counter);
	tcase_add_test(tc, no_residual_without_the_machine);
	tcase_add_test(tc, unaccounted_never_decreases);
	return tc;
}

static TCase *tc_children(void)
{
	TCase *tc = tcase_create("children");

	FIXTURE(tc);
	tcase_add_test(tc, children_under_their_names);
	tcase_add_test(tc, late_names);
	tcase_add_test(tc, children_without_names);
	return tc;
}

static TCase *tc_labels(void)
{
	TCase *tc = tcase_create("labels");

	FIXTURE(tc);
	tcase_add_test(tc, the_idle_do_not_take_all_labels);
	tcase_add_test(tc, a_user_leaves_labels_for_root);
	tcase_add_test(tc, children_take_labels_of_their_user);
	return tc;
}

static TCase *tc_file(void)
{
	TCase *tc = tcase_create("file");

	FIXTURE(tc);
	tcase_add_test(tc, no_file);
	tcase_add_test(tc, no_memory_in_steady_state);
	return tc;
}

UNIT_MAIN("metrics", tc_totals, tc_children, tc_labels, tc_file)

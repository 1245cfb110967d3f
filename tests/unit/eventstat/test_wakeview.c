// SPDX-License-Identifier: GPL-2.0-or-later
/* Wake-ups as table, CSV, JSON and Prometheus text. */
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cli/app_rows.h"
#include "columns.h"
#include "eventstat_wake_rig.h"
#include "metrics.h"
#include "outputs_rig.h"
#include "wakeups/wakeview.h"

#define WALL UINT64_C(1795266359123456789) /* 2026-11-21T13:05:59Z */
#define MONO UINT64_C(5000000000)

static struct opts o;
static struct sm_app app;
static struct view v;
static struct wake_cpu cpu[40];
static struct sample sample;
static char dir[UNIT_DIR], human_path[80], json_path[80], csv_path[80], text[32768];

static void table(void *ctx, struct sm_table *t, enum sm_format f, struct sm_sink *sink)
{
	(void)ctx;
	columns_set_up(t, f, sink, &o);
	sm_table_set_time(t, C_TIME, SM_TIME_CLOCK, 0);
	t->no_header = o.app.no_header || o.tui; /* a screen has none at the start */
}

static void setup(void)
{
	setenv("TZ", "UTC0", 1);
	tzset();
	unit_mkdtemp(dir);
	snprintf(human_path, sizeof(human_path), "%s/human", dir);
	snprintf(json_path, sizeof(json_path), "%s/json", dir);
	snprintf(csv_path, sizeof(csv_path), "%s/csv", dir);
	o = opts_default;
	o.wakeups = true;
	o.app.output = human_path;
	o.app.json.file = json_path;
	o.app.csv.file = csv_path;
	memset(&app, 0, sizeof(app));
	memset(cpu, 0, sizeof(cpu));
	cpu[0] = (struct wake_cpu){{10, 50000000}, 1, 11};
	cpu[3] = (struct wake_cpu){{2, 7000000}, 0, 2};
	sample = (struct sample){.t_ns = MONO,
		.wall_ns = WALL,
		.dt_ns = 2 * SM_NSEC_PER_SEC,
		.woken = {.cpu = cpu, .cpus = 4, .all = {{12, 57000000}, 1, 13}}};
	sample.woken.by_cause[SM_WAKE_HRTIMER] = (struct sm_wake_sum){6, 40000000};
	sample.woken.by_cause[SM_WAKE_WHEEL] = (struct sm_wake_sum){1, 1000000};
	sample.woken.by_cause[SM_WAKE_IRQ] = (struct sm_wake_sum){2, 2000000};
	sample.woken.by_cause[SM_WAKE_CALL] = (struct sm_wake_sum){2, 2000000};
	sample.woken.by_cause[SM_WAKE_UNKNOWN] = (struct sm_wake_sum){1, 12000000};
}

static void begin(void)
{
	const char *what;

	ck_assert_int_eq(outputs_open(&app.outputs, &o.app, table, NULL, &what), 0);
	app.opts = &o.app;
	ck_assert_int_eq(view_init(&v, &o, &app), 0);
	for (unsigned int i = 0; i < app.outputs.n; i++)
		sm_table_header(&app.outputs.out[i]);
}

static void teardown(void)
{
	sm_outputs_close(&app.outputs);
	view_fini(&v);
	unlink(human_path);
	unlink(json_path);
	unlink(csv_path);
	ck_assert_int_eq(rmdir(dir), 0);
}

static const char *content(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	ck_assert_int_eq(outputs_flush(&app.outputs), 0);
	ck_assert_int_ge(fd, 0);
	n = read(fd, text, sizeof(text) - 1);
	ck_assert_int_ge(n, 0);
	text[n] = '\0';
	close(fd);
	return text;
}

/* One row of each kind, with hostile names. */
static struct event rows[5];
static const struct rows arranged = {.n = 5, .matched = 5}, none;

static void show(void)
{
	rows[0] = of(SM_WAKE_HRTIMER, 10, 11, "a\033[2Jb", "hrtimer_wakeup", 6);
	rows[1] = device(24, "virtio0\n\033]0;x,y", 2);
	rows[2] = of(SM_WAKE_CALL, 0, 0, "", "", 2);
	rows[3] = of(SM_WAKE_WHEEL, -1, -1, "", "", 1);
	rows[3].func = 0xffffffff81001000u;
	rows[4] = cause(SM_WAKE_UNKNOWN, 0, 1);
	view_count(&v, &sample);
	ck_assert_int_eq(view_sample(&v, &sample, rows, &arranged, 5), 0);
}

START_TEST(as_table)
{
	begin();
	show();
	ck_assert_str_eq(content(human_path),
		"Wakeup/s  Share  Slept ms   PID Task                 Cause      "
		"Callback or device\n"
		"    3.00  50.0%     1.000    11 a\\x1b[2Jb            hrtimer    "
		"hrtimer_wakeup\n"
		"    1.00  16.7%     1.000     - -                    irq        24 "
		"virtio0\\x0a\\x1b]0;x,y\n"
		"    1.00  16.7%     1.000     0 (interrupt)          call       -\n"
		"    0.50   8.3%     1.000     - -                    unknown    -\n"
		"    0.50   8.3%     1.000     - ?                    wheel      "
		"0xffffffff81001000\n"
		"12 Total wakeups, 6.00 wakeups/sec\n"
		"unknown: 0.50, timers: 3.50, devices: 1.00, other CPUs: 1.00\n"
		"  CPU Wakeup/s  Slept ms\n"
		"    0     5.00     5.000\n"
		"    3     1.00     3.500\n"
		"\n");
}
END_TEST

START_TEST(brief_and_cumulative)
{
	o.brief = true;
	o.cumulative = true;
	o.app.no_header = true;
	begin();
	show();
	ck_assert_str_eq(content(human_path),
		"      12    11 a\\x1b[2Jb            hrtimer\n"
		"       4     - -                    irq\n"
		"       4     0 (interrupt)          call\n"
		"       2     - -                    unknown\n"
		"       2     - ?                    wheel\n"
		"12 Total wakeups, 6.00 wakeups/sec\n"
		"unknown: 0.50, timers: 3.50, devices: 1.00, other CPUs: 1.00\n");
}
END_TEST

START_TEST(as_csv)
{
	begin();
	show();
	ck_assert_str_eq(content(csv_path),
		"time,mono_ns,dt_s,wakeups_per_s,wakeups,share_pct,slept_s,slept_mean_s,"
		"tid,pid,uid,kthread,comm,cgroup,command,cause,irq,device,func,work\n"
		"2026-11-21T13:05:59.123456789Z,5000000000,2.000000000,3.000,6,50.000,"
		"0.006000000,0.001000000,11,10,1000,0,a\\x1b[2Jb,,,hrtimer,,,hrtimer_"
		"wakeup,\n"
		"2026-11-21T13:05:59.123456789Z,5000000000,2.000000000,1.000,2,16.667,"
		"0.002000000,0.001000000,,,,,,,,irq,24,\"virtio0\\x0a\\x1b]0;x,y\",,\n"
		"2026-11-21T13:05:59.123456789Z,5000000000,2.000000000,1.000,2,16.667,"
		"0.002000000,0.001000000,0,0,1000,,,,,call,,,,\n"
		"2026-11-21T13:05:59.123456789Z,5000000000,2.000000000,0.500,1,8.333,"
		"0.001000000,0.001000000,,,1000,0,,,,wheel,,,0xffffffff81001000,\n"
		"2026-11-21T13:05:59.123456789Z,5000000000,2.000000000,0.500,1,8.333,"
		"0.001000000,0.001000000,,,,,,,,unknown,,,,\n");
}
END_TEST

/* Columns of Task: of all but 30, a callback has 22 on a narrow terminal, 42 on a wide
 * one.
 */
START_TEST(widths_of_callbacks)
{
	static const struct {
		uint32_t columns;
		unsigned int task;
	} row[] = {{60, 12}, {72, 20}, {80, 24}, {132, 60}, {200, 128}};
	struct sm_table t;

	o = opts_default;
	for (size_t i = 0; i < SM_ARRAY_SIZE(row); i++) {
		columns_set_up(&t, SM_FORMAT_TABLE, NULL, &o);
		t.columns = row[i].columns;
		columns_fit(&t);
		ck_assert_uint_eq(sm_table_width(&t, C_TASK), row[i].task);
		sm_table_fini(&t);
	}
}
END_TEST

/* Rows differ by the task that ran first; the name is untrusted. */
static void show_woke(void)
{
	static const char name[SM_TASK_COMM_LEN] = "k\033[2Jx";

	for (int i = 0; i < 5; i++)
		rows[i] = of(SM_WAKE_WHEEL, 10, 11, "a", "delayed_fn", 5u - (unsigned)i);
	rows[0].flags |= EVENT_WORK;
	rows[1].woke = SM_WAKE_WOKE_TASK;
	memcpy(rows[1].woke_comm, name, sizeof(name));
	rows[2] = rows[1];
	rows[2].woke = SM_WAKE_WOKE_KTHREAD;
	rows[3].woke = SM_WAKE_WOKE_OTHERS;
	rows[4].flags |= EVENT_WORK;
	rows[4].func = 0xffff00ff;
	rows[4].func_name = "";
	view_count(&v, &sample);
	ck_assert_int_eq(view_sample(&v, &sample, rows, &arranged, 5), 0);
}

START_TEST(works_and_who_ran)
{
	o.woke = true;
	begin();
	show_woke();
	(void)content(human_path);
	ck_assert_ptr_nonnull(
		strstr(text, "wheel      -                 work:delayed_fn\n"));
	ck_assert_ptr_nonnull(strstr(text, "wheel      k\\x1b[2Jx         delayed_fn\n"));
	ck_assert_ptr_nonnull(strstr(text, "wheel      [k\\x1b[2Jx]       delayed_fn\n"));
	ck_assert_ptr_nonnull(strstr(text, "wheel      (others)          delayed_fn\n"));
	ck_assert_ptr_nonnull(strstr(text, "work:0xffff00ff\n"));
	(void)content(csv_path);
	ck_assert_ptr_nonnull(
		strstr(text, "cause,woke,woke_kthread,irq,device,func,work\n"));
	ck_assert_ptr_nonnull(
		strstr(text, "wheel,,,,,delayed_work_timer_fn,delayed_fn\n"));
	ck_assert_ptr_nonnull(strstr(text, "wheel,k\\x1b[2Jx,0,,,delayed_fn,\n"));
	(void)content(json_path);
	ck_assert_ptr_nonnull(strstr(text, "\"cause\":\"wheel\",\"func\":\"delayed_work_"
					   "timer_fn\",\"work\":\"delayed_fn\"}\n"));
	ck_assert_ptr_nonnull(
		strstr(text, "\"woke\":\"k\\u001b[2Jx\",\"woke_kthread\":true,"
			     "\"func\":\"delayed_fn\"}\n"));
	ck_assert_ptr_nonnull(strstr(text, "\"woke\":\"(others)\",\"func\""));
}
END_TEST

START_TEST(as_json)
{
	begin();
	sample.partial = true;
	sample.woken.no_room = 4;
	sample.lost = (struct sm_timer_losses){.events = 5, .owners = 6};
	show();
	(void)content(json_path);
	ck_assert_ptr_nonnull(
		strstr(text, "{\"type\":\"wakeups\",\"time\":\"2026-11-21T13:05:59."
			     "123456789Z\",\"mono_ns\":5000000000,"
			     "\"dt_s\":2.000000000,\"wakeups_per_s\":3.000,\"wakeups\":6,"
			     "\"share_pct\":50.000,"
			     "\"slept_s\":0.006000000,\"slept_mean_s\":0.001000000,"
			     "\"tid\":11,\"pid\":10,\"uid\":1000,"
			     "\"kthread\":false,\"comm\":\"a\\u001b[2Jb\",\"cause\":"
			     "\"hrtimer\",\"func\":\"hrtimer_wakeup\"}\n"));
	ck_assert_ptr_nonnull(strstr(text, "\"cause\":\"irq\",\"irq\":24,\"device\":"
					   "\"virtio0\\u000a\\u001b]0;x,y\"}\n"));
	ck_assert_ptr_nonnull(strstr(text,
		"{\"type\":\"wakeup_sample\",\"time\":\"2026-11-21T13:05:59.123456789Z\","
		"\"mono_ns\":5000000000,"
		"\"dt_s\":2.000000000,\"sample\":1,\"partial\":true,\"matched\":5,"
		"\"shown\":5,"
		"\"wakeups\":12,\"idle_exits\":13,\"unknown\":1,\"slept_s\":0.057000000,"
		"\"causes\":{\"unknown\":1,\"clock\":0,\"irq\":2,\"hrtimer\":6,\"wheel\":"
		"1,\"call\":2,"
		"\"reschedule\":0,\"flag\":0,\"vector\":0,\"limit\":0},"
		"\"cpus\":[{\"cpu\":0,\"wakeups\":10,\"idle_exits\":11,\"unknown\":1,"
		"\"slept_s\":0.050000000},"
		"{\"cpu\":3,\"wakeups\":2,\"idle_exits\":2,\"unknown\":0,\"slept_s\":0."
		"007000000}],"
		"\"without_task\":4,\"lost_events\":5,\"lost_owners\":6,\"lost_rows\":0}"
		"\n"));
	view_summary(&v, &sample);
	(void)content(json_path);
	ck_assert_ptr_nonnull(strstr(text,
		",\"wakeups\":12,\"rows\":5,\"without_task\":4,\"lost_events\":5,"
		"\"lost_owners\":6,\"lost_rows\":0}\n"));
}
END_TEST

/* A line for each CPU is too much: those that were woken most, in order. */
START_TEST(many_cpus)
{
	begin();
	for (unsigned int i = 0; i < SM_ARRAY_SIZE(cpu); i++)
		cpu[i].sum = (struct sm_wake_sum){2 + i % 20, 1000000};
	sample.woken.cpus = SM_ARRAY_SIZE(cpu);
	sample.woken.no_room = 3;
	view_count(&v, &sample);
	ck_assert_int_eq(view_sample(&v, &sample, NULL, &none, 0), 0);
	(void)content(human_path);
	ck_assert_ptr_nonnull(strstr(
		text, "Counted without their task, for lack of room: 3 wakeups\n"));
	ck_assert_ptr_nonnull(strstr(text, "Slept ms\n   12     7.00"));
	ck_assert_ptr_nonnull(strstr(text, "\n   32     7.00"));
	ck_assert_ptr_nonnull(strstr(text, "\n   39    10.50"));
	ck_assert_ptr_null(strstr(text, "\n   31 "));
	ck_assert_ptr_nonnull(strstr(text, "   24 more CPUs\n"));
}
END_TEST

/* What is left of a screen of 12 lines: the heading, two rows, the text and the line of
 * the shell. */
START_TEST(after_screen)
{
	o.tui = true;
	o.stamp = true;
	begin();
	show();
	ck_assert_str_eq(content(human_path), "");
	sample.lost.events = 7;
	ck_assert_int_eq(view_of_screen(&v, &sample, rows, 5, 12), 0);
	ck_assert_str_eq(content(human_path),
		"Wakeup/s  Share  Slept ms   PID Task                 Cause      "
		"Callback or device\n"
		"    3.00  50.0%     1.000    11 a\\x1b[2Jb            hrtimer    "
		"hrtimer_wakeup\n"
		"    1.00  16.7%     1.000     - -                    irq        24 "
		"virtio0\\x0a\\x1b]0;x,y\n"
		"12 Total wakeups, 6.00 wakeups/sec\n"
		"unknown: 0.50, timers: 3.50, devices: 1.00, other CPUs: 1.00\n"
		"  CPU Wakeup/s  Slept ms\n"
		"    0     5.00     5.000\n"
		"    3     1.00     3.500\n"
		"Lost: 7 events\n"
		"Timestamp: Sat Nov 21 13:05:59 2026, Total Run Duration: 2.0 secs\n"
		"\n");
}
END_TEST

START_TEST(quiet)
{
	o.app.quiet = true;
	begin();
	show();
	ck_assert_ptr_null(strstr(content(human_path), "hrtimer"));
	ck_assert_ptr_nonnull(strstr(content(csv_path), "hrtimer"));
}
END_TEST

START_TEST(totals)
{
	struct event w = of(SM_WAKE_HRTIMER, 10, 11, "x", "wake", 6);
	const struct span span = {MONO, WALL, 4 * SM_NSEC_PER_SEC, 8};

	begin();
	v.samples = 3;
	ck_assert_int_eq(view_totals(&v, &span, &w, 1, 1), 0);
	ck_assert_ptr_nonnull(
		strstr(content(human_path), "Total of 3 samples, 4.0 seconds:\n"));
	ck_assert_ptr_nonnull(strstr(text, "\n    1.50  75.0% "));
	ck_assert_ptr_nonnull(strstr(content(json_path), "{\"type\":\"wakeup_total\""));
	ck_assert_ptr_null(strstr(content(csv_path), "wake,"));
}
END_TEST

/* Two callbacks of one task are one row of the table, also if the limit is 1. */
START_TEST(totals_with_a_limit)
{
	struct event w[] = {of(SM_WAKE_HRTIMER, 10, 11, "x", "wake", 6),
		of(SM_WAKE_HRTIMER, 20, 21, "y", "wake", 5),
		of(SM_WAKE_HRTIMER, 20, 21, "y", "beat", 4)};
	const struct span span = {MONO, WALL, 4 * SM_NSEC_PER_SEC, 15};

	o.app.limit = 1;
	o.brief = true;
	begin();
	v.samples = 3;
	ck_assert_int_eq(view_totals(&v, &span, w, 3, 1), 0);
	ck_assert_ptr_nonnull(strstr(content(human_path), "\n    2.25 "));
	ck_assert_ptr_null(strstr(text, "    1.50 "));
	ck_assert_ptr_nonnull(strstr(content(json_path), "\"wakeups\":6"));
	ck_assert_ptr_null(strstr(text, "\"wakeups\":5"));
}
END_TEST

START_TEST(sleeps)
{
	begin();
	sample.woken.sleeps[0] = 4;
	sample.woken.sleeps[SM_WAKE_BUCKETS - 1] = 1;
	wakeview_sleeps(&v, &sample);
	ck_assert_ptr_nonnull(
		strstr(content(human_path), "Histogram (of 5 idle periods)"));
	ck_assert_ptr_nonnull(strstr(text, "\n       0.000 -        0.001        4 #"));
	ck_assert_ptr_nonnull(strstr(text, "\n 1099511.628 -                     1 #"));
	ck_assert_ptr_nonnull(strstr(content(json_path),
		"{\"type\":\"sleeps\",\"time\":\"2026-11-21T13:05:59.123456789Z\","
		"\"count\":5,\"bins\":["
		"{\"low_s\":0.000000000,\"high_s\":0.000001024,\"count\":4},"
		"{\"low_s\":1099.511627776,\"count\":1}]}\n"));
}
END_TEST

START_TEST(as_metrics)
{
	struct metrics m;
	struct sm_prom p;

	begin();
	show();
	sample.woken.sleeps[0] = 4;
	sample.woken.sleeps[20] = 8;
	sample.woken.no_room = 3;
	sample.lost.events = 9;
	sm_prom_init(&p, json_path, "eventstat", "1");
	ck_assert_int_eq(metrics_init(&m, 4), 0);
	metrics_add(&m, &sample, rows, 5);
	metrics_add(&m, &sample, rows, 5);
	metrics_write(&m, &p, 7);
	sm_buf_chr(&p.b, '\0');
	ck_assert_ptr_nonnull(strstr(p.b.p, "wakeups_total{cause=\"hrtimer\"} 12\n"));
	ck_assert_ptr_nonnull(strstr(p.b.p, "wakeups_total{cause=\"unknown\"} 2\n"));
	ck_assert_ptr_nonnull(
		strstr(p.b.p, "slept_seconds_total{cause=\"irq\"} 0.004\n"));
	ck_assert_ptr_nonnull(strstr(p.b.p, "idle_exits_total{cpu=\"0\"} 22\n"));
	ck_assert_ptr_nonnull(strstr(p.b.p, "idle_exits_total{cpu=\"3\"} 4\n"));
	ck_assert_ptr_null(strstr(p.b.p, "cpu=\"1\""));
	ck_assert_ptr_nonnull(
		strstr(p.b.p, "sleep_seconds_bucket{le=\"0.000001024\"} 4\n"));
	ck_assert_ptr_nonnull(
		strstr(p.b.p, "sleep_seconds_bucket{le=\"1.073741824\"} 12\n"));
	ck_assert_ptr_nonnull(strstr(p.b.p, "sleep_seconds_bucket{le=\"+Inf\"} 12\n"));
	ck_assert_ptr_nonnull(strstr(p.b.p, "sleep_seconds_sum 0.114\n"));
	ck_assert_ptr_nonnull(strstr(p.b.p, "sleep_seconds_count 12\n"));
	ck_assert_ptr_nonnull(strstr(p.b.p, "wakeups_without_task_total 6\n"));
	ck_assert_ptr_nonnull(strstr(p.b.p, "lost_events_total 9\n"));
	ck_assert_ptr_nonnull(strstr(p.b.p, "lost_rows_total 7\n"));
	ck_assert_ptr_nonnull(
		strstr(p.b.p, "comm_wakeups_total{comm=\"a\\\\x1b[2Jb\"} 12\n"));
	metrics_fini(&m);
	sm_prom_fini(&p);
}
END_TEST

static TCase *tc_view(void)
{
	TCase *tc = tcase_create("view");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, as_table);
	tcase_add_test(tc, brief_and_cumulative);
	tcase_add_test(tc, as_csv);
	tcase_add_test(tc, works_and_who_ran);
	tcase_add_test(tc, widths_of_callbacks);
	tcase_add_test(tc, as_json);
	tcase_add_test(tc, many_cpus);
	tcase_add_test(tc, after_screen);
	tcase_add_test(tc, quiet);
	tcase_add_test(tc, totals);
	tcase_add_test(tc, totals_with_a_limit);
	tcase_add_test(tc, sleeps);
	tcase_add_test(tc, as_metrics);
	return tc;
}

UNIT_MAIN("wakeview", tc_view)

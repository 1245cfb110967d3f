// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <time.h>

#include "forkstat_outputs_rig.h"
#include "forkstat/summary.h"
#include "forkstat_rig.h"

#define WALL UINT64_C(1795266359000000000) /* 2026-11-21T13:05:59Z */
#define SEC  SM_NSEC_PER_SEC
#define MS   SM_NSEC_PER_MSEC

static struct rig r;
static struct opts o;
static struct view v;
static struct summary s;
static struct sm_proc_event ev;
static char path[80], json[80], text[65536];
static pid_t next_pid;

static void setup(void)
{
	const char *what;

	setenv("TZ", "UTC0", 1);
	tzset();
	rig_open(&r, 8u << 20, false);
	snprintf(path, sizeof(path), "%s/out", r.dir);
	snprintf(json, sizeof(json), "%s/json", r.dir);
	o = opts_default;
	o.app.summary = true;
	o.app.output = path;
	o.app.json.file = json;
	ck_assert_int_eq(open_view(&v, &o, 32768, &what), 0);
	v.wall_offset_ns = (int64_t)(WALL - 12 * SEC);
	v.offset_read_ns = 12 * SEC;
	ck_assert_int_eq(summary_init(&s, &o, 10 * SEC), 0);
	next_pid = 100;
}

static void teardown(void)
{
	summary_fini(&s);
	close_view(&v);
	rig_close(&r);
}

static const char *content(const char *file)
{
	ck_assert_int_eq(outputs_flush(v.outputs), 0);
	return unit_slurp(file, text, sizeof(text));
}

static const char *shown(void)
{
	summary_show(&s, &v, 12 * SEC);
	return content(path);
}

static struct sm_task *named(const char *name)
{
	pid_t pid = next_pid++;
	struct sm_task *p = sm_tasktable_fork(&r.procs, pid, pid, 1, 1);

	ck_assert_ptr_nonnull(p);
	sm_tasktable_exec(&r.procs, p,
		sm_tasktable_intern(&r.procs, name, strlen(name), SM_NAME_EXEC),
		SM_STR("x"));
	return p;
}

static void add(enum event kind, struct sm_task *p, struct sm_task *parent)
{
	struct row row = {.kind = kind, .p = p, .parent = parent, .ev = &ev};

	summary_add(&s, &row);
}

static void add_exit(struct sm_task *p, uint32_t code, uint64_t duration_ns)
{
	struct row row = {.kind = EVENT_EXIT,
		.p = p,
		.ev = &ev,
		.duration_ns = duration_ns,
		.end_ns = p->start_ns + duration_ns,
		.has_duration = duration_ns > 0,
		.exit = {.process_end = true, .known = true, .code = code}};

	summary_add(&s, &row);
}

START_TEST(nothing)
{
	ck_assert_str_eq(shown(), "\nNo statistics gathered.\n"
				  "\nEvents received 0, shown 0, filtered 0; lost: "
				  "kernel 0, output 0, arguments 0, names 0, "
				  "facts 0, status 0, truncated 0\n");
	ck_assert_str_eq(content(json),
		"{\"type\":\"summary\","
		"\"time\":\"2026-11-21T13:05:59.000000000Z\",\"elapsed_s\":2.000000000,"
		"\"received\":0,\"filtered\":0,\"events\":{\"fork\":0,\"exec\":0,"
		"\"exit\":0,"
		"\"core\":0,\"comm\":0,\"clone\":0,\"ptrce\":0,\"uid\":0,\"gid\":0,"
		"\"sid\":0,"
		"\"process_end\":0,\"nonzero_exit\":0},\"lost\":{\"kernel\":0,\"output\":"
		"0,"
		"\"arguments\":0,\"names\":0,\"facts\":0,\"status\":0,"
		"\"truncated\":0},"
		"\"signals\":[],\"programs\":[]}\n");
}
END_TEST

START_TEST(counts_by_program)
{
	struct sm_task *make = named("make"), *cc = named("cc");

	add(EVENT_FORK, cc, make); /* counted for the parent */
	add(EVENT_FORK, cc, make);
	add(EVENT_EXEC, cc, NULL);
	add(EVENT_PTRCE, cc, make); /* for the one it is done to */
	add_exit(cc, 1 << 8, 0);
	add_exit(cc, 0, 0);
	s.received = 10;
	s.filtered = 4;
	ck_assert_str_eq(shown(),
		"\n"
		"    Fork     Exec     Exit Coredump     Comm    Clone   Ptrace      Uid "
		"     Gid      Sid  Nonzero    Total Process\n"
		"       0        1        2        0        0        0        1        0 "
		"       0        0        1        4 cc\n"
		"       2        0        0        0        0        0        0        0 "
		"       0        0        0        2 make\n"
		"\nRates over 2.0 s, per second: fork 1.0 exec 0.5 exit 1.0 ptrce 0.5\n"
		"\nEvents received 10, shown 6, filtered 4; lost: kernel 0, output 0, "
		"arguments 0, names 0, facts 0, status 0, truncated 0\n");
	ck_assert_uint_eq(s.count[EVENT_FORK], 2);
	ck_assert_uint_eq(s.nonzero, 1);
	content(json);
	ck_assert_ptr_nonnull(strstr(text,
		"\"programs\":[{\"name\":\"cc\",\"fork\":0,\"exec\":1,\"exit\":2,"));
	ck_assert_ptr_nonnull(strstr(text, "\"process_end\":2,\"nonzero_exit\":1,"
					   "\"total\":4,\"lifetime_s\":0.000000000},"
					   "{\"name\":\"make\",\"fork\":2"));
}
END_TEST

START_TEST(lifetimes)
{
	struct sm_task *a = named("short"), *b = named("long");
	uint64_t q;

	for (int i = 1; i <= 99; i++)
		add_exit(a, 0, (uint64_t)i * MS);
	add_exit(b, 0, 10 * SEC);
	add_exit(b, 0, 0); /* not known */
	ck_assert_uint_eq(s.lifetimes.n, 100);
	ck_assert_uint_eq(s.lifetime_sum_ns, 4950 * MS + 10 * SEC);
	ck_assert_int_eq(sm_loghist_quantile(&s.lifetimes, 0.5, &q), 0);
	ck_assert_uint_ge(q, 48 * MS); /* right within 1/32 */
	ck_assert_uint_le(q, 52 * MS);
	shown();
	ck_assert_ptr_nonnull(
		strstr(text, "Lifetimes of 100 processes that exited: p50 "));
	ck_assert_ptr_nonnull(strstr(text, " p90 "));
	ck_assert_ptr_nonnull(strstr(text, " p99 "));
	ck_assert_ptr_nonnull(strstr(text, "   Lifetime    Exits Longest total lifetime\n"
					   "    10.000s        2 long\n"
					   "     4.950s       99 short\n"));
	content(json);
	ck_assert_ptr_nonnull(strstr(text, "\"lifetime_s\":{\"count\":100,\"p50\":0.0"));
	ck_assert_ptr_nonnull(strstr(text, "\"max\":"));
	ck_assert_ptr_nonnull(strstr(text, "\"lifetime_s\":4.950000000"));
}
END_TEST

static void cpu_record(struct exitcpu *x, const struct sm_task *p, uint64_t cpu_ns)
{
	exitcpu_record(
		x, &(struct sm_taskexit_record){
			   .pid = p->pid, .start_ns = p->start_ns, .cpu_ns = cpu_ns});
}

START_TEST(cpu_time)
{
	struct exitcpu cpu = {.open = true};
	struct sm_task *make = named("make"),
		       *cc[3] = {named("cc"), named("cc"), named("cc")};

	s.cpu = &cpu;
	ck_assert_int_eq(sm_map_init(&cpu.waiting, 16), 0);
	add_exit(make, 0, 10 * SEC);
	for (int i = 0; i < 3; i++)
		add_exit(cc[i], 0, SEC);
	add_exit(named("zombie"), 0, SEC);
	cpu_record(&cpu, make, 1000 * MS);
	cpu_record(&cpu, cc[0], 2000 * MS);
	cpu_record(&cpu, cc[2], 1000 * MS);
	exitcpu_settle(&cpu);
	shown();
	ck_assert_ptr_nonnull(strstr(text,
		"\nCPU time of 3 processes that exited: 4.000s; unknown for 2\n"
		"\n"
		"        CPU      %   Lifetime    Exits Most CPU time\n"
		"     3.000s   75.0     3.000s        3 cc\n"
		"     1.000s   25.0    10.000s        1 make\n"
		"          ?      ?     1.000s        1 zombie\n"));
	content(json);
	ck_assert_ptr_nonnull(strstr(
		text, "\"cpu_s\":{\"count\":3,\"unknown\":2,\"total\":4.000000000},"));
	ck_assert_ptr_nonnull(
		strstr(text, "\"lifetime_s\":3.000000000,\"cpu_s\":3.000000000,"
			     "\"cpu_unknown\":1}"));
	ck_assert_ptr_nonnull(
		strstr(text, "\"lifetime_s\":1.000000000,\"cpu_unknown\":1}"));
	cpu.open = false; /* there is no stream to close */
	exitcpu_close(&cpu);
}
END_TEST

/* No record of any: not 0. */
START_TEST(cpu_time_of_none_known)
{
	struct exitcpu cpu = {.open = true};

	s.cpu = &cpu;
	ck_assert_int_eq(sm_map_init(&cpu.waiting, 16), 0);
	add_exit(named("zombie"), 0, SEC);
	shown();
	ck_assert_ptr_nonnull(
		strstr(text, "\nCPU time of 1 process that exited is unknown\n"
			     "\n"
			     "        CPU      %   Lifetime    Exits Most CPU time\n"
			     "          ?      ?     1.000s        1 zombie\n"));
	content(json);
	ck_assert_ptr_nonnull(strstr(text, "\"cpu_s\":{\"count\":0,\"unknown\":1},"));
	ck_assert_ptr_nonnull(
		strstr(text, "\"lifetime_s\":1.000000000,\"cpu_unknown\":1}"));
	cpu.open = false; /* there is no stream to close */
	exitcpu_close(&cpu);
}
END_TEST

/* The ends of threads are events and nothing else; a status that is not known is neither
 * 0 nor not. */
START_TEST(threads_and_unknown_statuses)
{
	struct sm_task *p = named("app");
	struct row row = {.kind = EVENT_EXIT,
		.p = p,
		.ev = &ev,
		.duration_ns = SEC,
		.has_duration = true,
		.exit = {.known = true, .code = 9}};

	summary_add(&s, &row);
	ck_assert_uint_eq(s.count[EVENT_EXIT], 1);
	ck_assert_uint_eq(s.ends + s.nonzero + s.signals[9] + s.lifetimes.n, 0);
	ck_assert_uint_eq(s.lifetime_sum_ns, 0);
	row.exit = (struct exits_status){.process_end = true};
	summary_add(&s, &row);
	ck_assert_uint_eq(s.ends, 1);
	ck_assert_uint_eq(s.nonzero, 0);
	ck_assert_uint_eq(s.lifetimes.n, 1);
	shown();
	content(json);
	ck_assert_ptr_nonnull(strstr(text, "\"exit\":2,"));
	ck_assert_ptr_nonnull(
		strstr(text, "\"process_end\":1,\"nonzero_exit\":0,\"total\":2,"));
}
END_TEST

START_TEST(cpu_time_not_permitted)
{
	struct exitcpu none = {.err = -EPERM};

	s.cpu = &none;
	add_exit(named("cc"), 0, SEC);
	ck_assert_ptr_nonnull(strstr(shown(),
		"\nCPU time of programs is unknown (BPF: Operation not permitted)\n"
		"\n"
		"   Lifetime    Exits Longest total lifetime\n"));
	ck_assert_ptr_null(strstr(content(json), "cpu_s"));
}
END_TEST

START_TEST(signals)
{
	struct sm_task *p = named("app");

	add_exit(p, 9, 0);
	add_exit(p, 0x8b, 0);
	add_exit(p, 0x0b, 0);
	add_exit(p, 0x7f, 0); /* no such signal */
	shown();
	ck_assert_ptr_nonnull(
		strstr(text, "\nKilled by a signal:\n"
			     "       1 SIGKILL (killed)\n"
			     "       2 SIGSEGV (segmentation fault), core dumped: 1\n"));
	ck_assert_uint_eq(s.nonzero, 4);
	content(json);
	ck_assert_ptr_nonnull(
		strstr(text, "\"signals\":[{\"signal\":9,\"name\":\"SIGKILL\",\"words\":"
			     "\"killed\",\"count\":1,"
			     "\"core\":0},{\"signal\":11,\"name\":\"SIGSEGV\","));
}
END_TEST

/* A terminal: names are whole, after the counts of events that happened. */
START_TEST(narrow_terminal)
{
	sm_table_terminal(&v.outputs->out[0], 60, 24, true);
	add(EVENT_EXEC, named("a-program-of-a-very-long-name"), NULL);
	ck_assert_ptr_nonnull(strstr(shown(),
		"\n    Exec  Nonzero    Total Process\n"
		"       1        0        1 a-program-of-a-very-long-name\n"));
	ck_assert_ptr_nonnull(strstr(text, "truncated 0\n"));
	ck_assert_ptr_null(strstr(text, "…"));
}
END_TEST

START_TEST(losses)
{
	summary_lost(&s, LOST_KERNEL, 5);
	summary_lost(&s, LOST_KERNEL, 2);
	summary_lost(&s, LOST_ARGUMENTS, 11);
	summary_lost(&s, LOST_OUTPUT, 13);
	summary_lost(&s, LOST_NAMES, 17);
	summary_lost(&s, LOST_FACTS, 23);
	summary_lost(&s, LOST_STATUS, 19);
	summary_lost(&s, LOST_TRUNCATED, 29);
	ck_assert_uint_eq(summary_lost_total(&s), 119);
	ck_assert_ptr_nonnull(strstr(shown(),
		"lost: kernel 7, output 13, arguments 11, names 17, facts 23, status "
		"19, truncated 29\n"));
	ck_assert_ptr_nonnull(strstr(content(json),
		"\"lost\":{\"kernel\":7,\"output\":13,\"arguments\":11,\"names\":17,"
		"\"facts\":23,\"status\":19,\"truncated\":29}"));
}
END_TEST

START_TEST(limit)
{
	char name[16];

	o.app.limit = 2;
	for (int i = 0; i < 5; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		for (int j = 0; j <= i; j++)
			add(EVENT_EXEC, named(name), NULL);
	}
	shown();
	ck_assert_ptr_nonnull(strstr(text, " 5 p4\n"));
	ck_assert_ptr_nonnull(
		strstr(text, " 4 p3\n(3 more programs; --limit shows more)\n"));
	ck_assert_ptr_null(strstr(text, " p2\n"));
}
END_TEST

/* Memory is bounded: who comes late is one of the others. */
START_TEST(others)
{
	struct sm_task *p = named("x");
	char name[16];

	for (unsigned int i = 0; i < SUMMARY_PROGRAMS_MAX + 10; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		sm_tasktable_exec(&r.procs, p,
			sm_tasktable_intern(&r.procs, name, strlen(name), SM_NAME_EXEC),
			SM_STR("x"));
		add(EVENT_EXEC, p, NULL);
	}
	ck_assert_uint_eq(s.programs.used, SUMMARY_PROGRAMS_MAX);
	ck_assert_uint_eq(s.others.total, 10);
	ck_assert_uint_eq(sm_strpool_count(s.names), SUMMARY_PROGRAMS_MAX);
	ck_assert_uint_eq(s.count[EVENT_EXEC], SUMMARY_PROGRAMS_MAX + 10);
	ck_assert_ptr_nonnull(strstr(shown(), "      10 (others)\n"));
}
END_TEST

static struct sm_task *runs(const char *args, size_t n, const char *comm)
{
	struct sm_task *p = named("x");

	sm_tasktable_exec(&r.procs, p,
		sm_tasktable_intern(&r.procs, args, n, SM_NAME_EXEC), SM_STR("x"));
	sm_tasktable_comm(p, comm);
	return p;
}
#define RUNS(args, comm) add(EVENT_EXEC, runs(args, sizeof(args) - 1, comm), NULL)

static void run_some(void)
{
	RUNS("/usr/lib/gcc/cc1\0-quiet\0a.c\0", "cc1");
	RUNS("cc1\0-quiet\0b.c\0", "cc1");
	RUNS("/bin/sh\0-e\0/opt/configure-things\0--prefix\0", "configure-thing");
	RUNS("/bin/sh\0configure\0", "sh");
	RUNS("/usr/bin/python3\0./plot.py\0", "plot.py");
	RUNS("python3\0", "plot.py"); /* renamed: no argument has the name */
	RUNS("a\nb\0", "a\nb");
}

START_TEST(by_program)
{
	run_some();
	shown();
	ck_assert_ptr_nonnull(strstr(text, " 2 cc1\n"));
	ck_assert_ptr_nonnull(strstr(text, " 1 configure-things\n"));
	ck_assert_ptr_nonnull(strstr(text, " 1 sh\n"));
	ck_assert_ptr_nonnull(strstr(text, " 1 plot.py\n"));
	ck_assert_ptr_nonnull(strstr(text, " 1 python3\n"));
	ck_assert_ptr_nonnull(strstr(text, " 1 a\\x0ab\n"));
	ck_assert_uint_eq(s.programs.used, 6);
}
END_TEST

START_TEST(by_command)
{
	o.by_command = true;
	run_some();
	shown();
	ck_assert_ptr_nonnull(strstr(text, " 1 /usr/lib/gcc/cc1 -quiet a.c\n"));
	ck_assert_ptr_nonnull(strstr(text, " 1 cc1 -quiet b.c\n"));
	ck_assert_uint_eq(s.programs.used, 7);
}
END_TEST

START_TEST(long_and_empty_names)
{
	char name[2000];

	o.by_command = true;
	add(EVENT_EXEC, named(""), NULL);
	memset(name, 'y', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	add(EVENT_EXEC, named(name), NULL);
	name[300] = 'z'; /* beyond the shown length */
	add(EVENT_EXEC, named(name), NULL);
	ck_assert_uint_eq(s.programs.used, 2);
	ck_assert_ptr_null(strstr(shown(), "yz"));
	ck_assert_ptr_nonnull(strstr(text, "y\xe2\x80\xa6\n"));
}
END_TEST

START_TEST(without_statistics)
{
	o.app.summary = false;
	add(EVENT_EXEC, named("x"), NULL);
	add_exit(named("y"), 1, 5);
	ck_assert_uint_eq(s.programs.used, 0);
	ck_assert_str_eq(shown(), "");
	content(json);
	ck_assert_ptr_nonnull(strstr(text, "\"exec\":1,\"exit\":1,"));
	ck_assert_ptr_null(strstr(text, "programs"));
}
END_TEST

static TCase *tc_summary(void)
{
	TCase *tc = tcase_create("summary");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, nothing);
	tcase_add_test(tc, counts_by_program);
	tcase_add_test(tc, lifetimes);
	tcase_add_test(tc, cpu_time);
	tcase_add_test(tc, cpu_time_of_none_known);
	tcase_add_test(tc, cpu_time_not_permitted);
	tcase_add_test(tc, threads_and_unknown_statuses);
	tcase_add_test(tc, signals);
	tcase_add_test(tc, narrow_terminal);
	tcase_add_test(tc, losses);
	tcase_add_test(tc, limit);
	tcase_add_test(tc, others);
	tcase_add_test(tc, by_program);
	tcase_add_test(tc, by_command);
	tcase_add_test(tc, long_and_empty_names);
	tcase_add_test(tc, without_statistics);
	return tc;
}

UNIT_MAIN("summary", tc_summary)

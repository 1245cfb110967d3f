// SPDX-License-Identifier: GPL-2.0-or-later
#include "forkstat_view_rig.h"

#define JSON_HEAD                                                                      \
	"{\"type\":\"event\",\"time\":\"2026-11-21T13:05:59.123456789Z\",\"mono_ns\":" \
	"5000000000,"
#define CSV_TIME "2026-11-21T13:05:59.123456789Z,5000000000,"

START_TEST(headings)
{
	o.app.no_header = false;
	begin();
	head_view(&v);
	ck_assert_str_eq(
		content(human_path), "Time     Event   PID Info   Duration Process\n");
	ck_assert_str_eq(content(csv_path),
		"time,mono_ns,event,pid,tgid,ppid,uid,euid,duration_s,status,signal,"
		"signal_name,core,process_end,tracer_pid,sid,gid,egid,count,source,comm,"
		"old_comm,"
		"name_source,truncated,cmd\n");
}
END_TEST

START_TEST(headings_of_all_columns)
{
	o.app.no_header = false;
	o.extra = o.glyphs = o.show_ppid = o.show_tid = true;
	begin();
	head_view(&v);
	ck_assert_str_eq(content(human_path), "Time     Event   PID  TGID  PPID     UID  "
					      "  EUID TTY     Info   Duration Process\n");
	content(csv_path);
	ck_assert_ptr_nonnull(strstr(content_of, ",euid,tty,duration_s,"));
}
END_TEST

START_TEST(fork_has_two_lines_and_one_record)
{
	begin();
	row.parent = task(100, "make\0all", "/usr/bin/make");
	ev = ev_fork(MONO, 200, 200, 100);
	show(EVENT_FORK, sm_tasktable_fork(&r.procs, 200, 200, 100, MONO));
	ck_assert_uint_eq(v.rows, 1);
	ck_assert_str_eq(content(human_path),
		"13:05:59 fork    100 parent          make all\n"
		"13:05:59 fork    200 child           make all\n");
	ck_assert_str_eq(content(json_path),
		JSON_HEAD "\"event\":\"fork\",\"pid\":200,\"tgid\":200,\"ppid\":100,"
			  "\"comm\":\"make\","
			  "\"name_source\":\"inherited\",\"truncated\":false,\"argv\":["
			  "\"make\",\"all\"]}\n");
	ck_assert_str_eq(content(csv_path),
		CSV_TIME "fork,200,200,100,,,,,,,,,,,,,,,make,,inherited,0,make all\n");
}
END_TEST

START_TEST(fork_of_an_unknown_parent)
{
	begin();
	row.parent = NULL;
	ev = ev_fork(MONO, 200, 200, 100);
	show(EVENT_FORK, sm_tasktable_fork(&r.procs, 200, 200, 100, MONO));
	ck_assert_str_eq(content(human_path), "13:05:59 fork    100 parent          ?\n"
					      "13:05:59 fork    200 child           ?\n");
	content(json_path);
	ck_assert_ptr_nonnull(strstr(content_of, "\"name_source\":\"none\"}\n"));
}
END_TEST

START_TEST(clone_names_the_process)
{
	begin();
	row.parent = task(100, "app", "/bin/app");
	ev = ev_fork(MONO, 101, 100, 1);
	show(EVENT_CLONE, sm_tasktable_fork(&r.procs, 101, 100, 1, MONO));
	ck_assert_str_eq(content(human_path),
		"13:05:59 clone   100 parent          app\n"
		"13:05:59 clone   101 thread          app\n");
	content(json_path);
	ck_assert_ptr_nonnull(
		strstr(content_of, "\"pid\":101,\"tgid\":100,\"ppid\":100,"));
}
END_TEST

START_TEST(exec)
{
	begin();
	ev = ev_exec(MONO, 100);
	show(EVENT_EXEC, task(100, "/bin/echo\0a b\0", "/bin/echo"));
	ck_assert_str_eq(content(human_path),
		"13:05:59 exec    100                 /bin/echo a b\n");
	ck_assert_str_eq(content(json_path),
		JSON_HEAD "\"event\":\"exec\",\"pid\":100,\"tgid\":100,\"ppid\":1,"
			  "\"comm\":\"echo\","
			  "\"name_source\":\"exec\",\"truncated\":false,"
			  "\"argv\":[\"/bin/echo\",\"a b\",\"\"]}\n");
	content(csv_path);
	ck_assert_ptr_nonnull(strstr(content_of, ",echo,,exec,0,"));
}
END_TEST

START_TEST(exits)
{
	begin();
	task(100, "app", "/bin/app");
	show_exit(0, 20000000);
	show_exit(3 << 8, 30399000000);
	show_exit(9, 100920000000);
	show_exit(0x80 | 6, 1);
	row.has_duration = false;
	row.exit.code = 255 << 8;
	show(EVENT_EXIT, row.p);
	ck_assert_str_eq(content(human_path),
		"13:05:59 exit    100      0   0.020s app\n"
		"13:05:59 exit    100      3  30.399s app\n"
		"13:05:59 exit    100 SIGKILL  1.682m app\n"
		"13:05:59 exit    100 SIGABRT+core 0.000s app\n"
		"13:05:59 exit    100    255          app\n");
	ck_assert_uint_eq(v.rows, 5);
}
END_TEST

START_TEST(exits_of_threads_and_without_status)
{
	begin();
	task(100, "app", "/bin/app");
	show_exit(3 << 8, 20000000);
	row.exit.known = false;
	show(EVENT_EXIT, row.p);
	row.exit = (struct exits_status){.known = true, .code = 9};
	show(EVENT_EXIT, row.p);
	ck_assert_str_eq(content(human_path),
		"13:05:59 exit    100      3   0.020s app\n"
		"13:05:59 exit    100 ?        0.020s app\n"
		"13:05:59 exit    100 thread   0.020s app\n");
	content(json_path);
	ck_assert_ptr_nonnull(strstr(content_of,
		"\"status\":3,\"signal\":0,\"core\":false,\"process_end\":true,"));
	ck_assert_ptr_nonnull(
		strstr(content_of, "\"duration_s\":0.020000000,\"process_end\":true,"));
	ck_assert_ptr_nonnull(strstr(content_of,
		"\"status\":0,\"signal\":9,\"signal_name\":\"SIGKILL\",\"core\":false,"
		"\"process_end\":false,"));
}
END_TEST

START_TEST(exit_records)
{
	begin();
	task(100, "app", "/bin/app");
	show_exit(0x80 | 11, 1500000000);
	ck_assert_str_eq(content(json_path), JSON_HEAD
		"\"event\":\"exit\",\"pid\":100,\"tgid\":100,\"ppid\":1,"
		"\"duration_s\":1.500000000,\"status\":0,\"signal\":11,"
		"\"signal_name\":\"SIGSEGV\",\"core\":true,"
		"\"process_end\":true,\"comm\":\"app\","
		"\"name_source\":\"exec\",\"truncated\":false,\"argv\":[\"app\"]}\n");
	ck_assert_str_eq(content(csv_path), CSV_TIME
		"exit,100,100,1,,,1.500000000,0,11,SIGSEGV,1,1,,,,,,,app,,exec,0,app\n");
	show_exit(7 << 8, 0);
	content(json_path);
	ck_assert_ptr_nonnull(
		strstr(content_of, "\"status\":7,\"signal\":0,\"core\":false,"));
}
END_TEST

START_TEST(comm)
{
	begin();
	strcpy(row.old_comm, "old\nname");
	show(EVENT_COMM, task(100, "app", "/bin/newname"));
	ck_assert_str_eq(content(human_path),
		"13:05:59 comm    100                 old\\x0aname -> newname\n");
	content(json_path);
	ck_assert_ptr_nonnull(strstr(
		content_of, "\"comm\":\"newname\",\"old_comm\":\"old\\u000aname\","));
}
END_TEST

START_TEST(ids)
{
	begin();
	ev.rid = 0;
	ev.eid = 0;
	show(EVENT_UID, task(100, "app", "app"));
	ev.rid = 4000000001;
	ev.eid = 7;
	show(EVENT_GID, row.p);
	ck_assert_str_eq(content(human_path),
		"13:05:59 uid     100 root            app\n"
		"13:05:59 gid     100 4000000001      app\n");
	content(json_path);
	ck_assert_ptr_nonnull(strstr(content_of, "\"gid\":4000000001,\"egid\":7,"));
	row.p->uid = 12;
	row.p->euid = 13;
	row.p->flags |= SM_TASK_CREDS;
	show(EVENT_UID, row.p);
	content(json_path);
	ck_assert_ptr_nonnull(strstr(content_of, "\"uid\":12,\"euid\":13,"));
}
END_TEST

START_TEST(sid_core_ptrace)
{
	begin();
	ev.tgid = 100;
	show(EVENT_SID, task(100, "app", "app"));
	show(EVENT_CORE, row.p);
	ev.ptgid = 0;
	show(EVENT_PTRCE, row.p);
	ev.ptgid = 300;
	row.parent = task(300, "gdb", "gdb");
	show(EVENT_PTRCE, sm_tasktable_get(&r.procs, 100));
	ck_assert_str_eq(content(human_path),
		"13:05:59 sid     100    100          app\n"
		"13:05:59 core    100                 app\n"
		"13:05:59 ptrce   100 detach          app\n"
		"13:05:59 ptrce   300 attach          gdb\n"
		"13:05:59 ptrce   100 attach          app\n");
	content(json_path);
	ck_assert_ptr_nonnull(strstr(content_of, "\"sid\":100,"));
	ck_assert_ptr_nonnull(strstr(content_of, "\"tracer_pid\":0,"));
	ck_assert_ptr_nonnull(strstr(content_of, "\"tracer_pid\":300,"));
	ck_assert_uint_eq(v.rows, 4);
}
END_TEST

START_TEST(losses)
{
	static const char *const sources[] = {
		"kernel", "output", "arguments", "names", "facts", "status", "truncated"};
	char want[64];

	begin();
	row.lost = 5402;
	for (int i = 0; i < LOST_SOURCES; i++) {
		row.lost_source = (enum lost_source)i;
		show(EVENT_LOST, NULL);
	}
	content(human_path);
	ck_assert_int_eq(strncmp(content_of, "13:05:59 lost  ----- ", 21), 0);
	ck_assert_ptr_nonnull(strstr(content_of, " 5402 events lost (kernel buffer)\n"));
	ck_assert_ptr_nonnull(
		strstr(content_of, " 5402 argument lists truncated or unknown\n"));
	ck_assert_ptr_nonnull(strstr(content_of, " 5402 names unknown\n"));
	ck_assert_ptr_nonnull(strstr(content_of, " 5402 names truncated\n"));
	ck_assert_ptr_nonnull(strstr(content_of, " 5402 exit statuses unknown\n"));
	ck_assert_ptr_nonnull(
		strstr(content_of, " 5402 rows lost (slow reader or no memory)\n"));
	content(json_path);
	for (int i = 0; i < LOST_SOURCES; i++) {
		snprintf(want, sizeof(want), "\"count\":5402,\"source\":\"%s\"",
			sources[i]);
		ck_assert_ptr_nonnull(strstr(content_of, want));
	}
	ck_assert_uint_eq(v.rows, 0); /* nothing that happened */
}
END_TEST

START_TEST(more_columns)
{
	o.extra = o.glyphs = o.show_ppid = o.show_tid = true;
	begin();
	task(100, "app", "app");
	show(EVENT_EXEC, sm_tasktable_get(&r.procs, 100));
	ck_assert_str_eq(content(human_path), "13:05:59 exec    100   100     1       ?  "
					      "     ?      ? →                app\n");
	row.p->flags |= SM_TASK_CREDS;
	row.p->uid = 0;
	row.p->euid = 0;
	row.p->tty_nr = 0x8803;
	show_exit(0, 1000000000);
	ck_assert_ptr_nonnull(
		strstr(content(human_path), "13:05:59 exit    100   100     1    root    "
					    "root  pts/3 ⇥     0   1.000s app\n"));
	ck_assert_ptr_nonnull(strstr(content(json_path), "\"tty\":\"pts/3\""));
}
END_TEST

START_TEST(glyphs)
{
	static const struct {
		enum event kind;
		const char *glyph;
	} want[] = {{EVENT_CORE, "☠"}, {EVENT_COMM, "↻"}, {EVENT_SID, "  "},
		{EVENT_UID, "  "}};

	o.glyphs = true;
	begin();
	task(100, "app", "app");
	for (size_t i = 0; i < SM_ARRAY_SIZE(want); i++) {
		show(want[i].kind, sm_tasktable_get(&r.procs, 100));
		ck_assert_ptr_nonnull(strstr(content(human_path), want[i].glyph));
	}
	row.parent = row.p;
	show(EVENT_FORK, row.p);
	content(human_path);
	ck_assert_ptr_nonnull(strstr(content_of, "┬parent"));
	ck_assert_ptr_nonnull(strstr(content_of, "└child"));
}
END_TEST

/* --- names ------------------------------------------------------------------------- */

static const char *name(const struct sm_task *p)
{
	struct sm_buf b = {0};

	view_name(&o, p, &b);
	snprintf(content_of, sizeof(content_of), "%.*s", (int)b.len, b.p ? b.p : "");
	sm_buf_fini(&b);
	return content_of;
}

START_TEST(names)
{
	struct sm_task *p =
		task(100, "/usr/bin/python3 -O\0/a/b.py\0x", "/usr/bin/python3");

	ck_assert_str_eq(name(p), "/usr/bin/python3 -O /a/b.py x");
	o.strip_path = true;
	ck_assert_str_eq(name(p), "python3 -O /a/b.py x");
	o.short_name = true;
	ck_assert_str_eq(name(p), "python3");
	o.strip_path = false;
	ck_assert_str_eq(name(p), "/usr/bin/python3");
	o.comm = true;
	ck_assert_str_eq(name(p), "python3");
	p->comm[0] = '\0';
	ck_assert_str_eq(name(p), "/usr/bin/python3");
	ck_assert_str_eq(name(NULL), "?");
	ck_assert_str_eq(name(task_of(101, NULL, "x")), "x"); /* --comm */
	o.comm = false;
	ck_assert_str_eq(name(sm_tasktable_get(&r.procs, 101)), "x [comm]");
	ck_assert_str_eq(name(task_of(101, NULL, "")), "?");
	o.short_name = false;
	o.strip_path = true;
	ck_assert_str_eq(name(task(102, "dir/\0x", "x")), "dir/ x"); /* no base name */
}
END_TEST

static struct sm_task *marked(pid_t pid, const char *s, uint32_t tag)
{
	return task_of(pid, sm_tasktable_intern(&r.procs, s, strlen(s), tag), "x");
}

START_TEST(names_that_are_not_whole_are_marked)
{
	struct sm_task *p = marked(100, "/bin/x", SM_NAME_FILE);

	ck_assert_str_eq(name(p), "/bin/x [file]");
	ck_assert_str_eq(
		name(marked(102, "x", SM_NAME_EXEC | SM_NAME_TRUNCATED)), "x [...]");
	ck_assert_str_eq(name(marked(103, "x", SM_NAME_PROC)), "x");
	begin();
	show(EVENT_EXEC, p);
	ck_assert_ptr_nonnull(strstr(content(human_path), " /bin/x [file]\n"));
	ck_assert_ptr_nonnull(strstr(
		content(json_path), "\"name_source\":\"file\",\"file\":\"/bin/x\"}\n"));
	show(EVENT_EXEC, sm_tasktable_get(&r.procs, 102));
	ck_assert_ptr_nonnull(
		strstr(content(json_path), "\"truncated\":true,\"argv\":[\"x\"]"));
	ck_assert_ptr_nonnull(strstr(content(csv_path), ",exec,1,x"));
}
END_TEST

START_TEST(kernel_threads_are_in_brackets)
{
	struct sm_task *p = task_of(57, NULL, "fifteen-chars!!");

	p->flags |= SM_TASK_KTHREAD;
	ck_assert_str_eq(name(p), "[fifteen-chars!!]");
	o.comm = true;
	ck_assert_str_eq(name(p), "[fifteen-chars!!]");
	begin();
	show(EVENT_EXIT, p);
	ck_assert_ptr_nonnull(strstr(content(human_path), " [fifteen-chars!!]\n"));
}
END_TEST

START_TEST(hostile_names)
{
	struct sm_task *p = task(100, "a\033[31mb\0c\nd\0\xff\xe2\x80\xae", "\033x");

	ck_assert_str_eq(name(p), "a\\x1b[31mb c\\x0ad \\xff\\u{202e}");
	begin();
	show(EVENT_EXEC, p);
	content(human_path);
	for (const char *s = content_of; s[0] && s[1]; s++)
		ck_assert_int_ge((unsigned char)*s, ' ');
	content(json_path);
	ck_assert_ptr_null(memchr(content_of, '\033', strlen(content_of)));
	ck_assert_ptr_nonnull(strstr(content_of, "\"argv_b64\":"));
}
END_TEST

/* argv of one empty argument, as /proc has it. */
START_TEST(empty_name)
{
	begin();
	ck_assert_str_eq(name(task(100, "", "x")), "");
	show(EVENT_EXEC, sm_tasktable_get(&r.procs, 100));
	ck_assert_ptr_nonnull(strstr(content(json_path), "\"argv\":[\"\"]"));
}
END_TEST

#define FIXTURE(tc) tcase_add_checked_fixture(tc, setup, teardown)

static TCase *tc_rows(void)
{
	TCase *tc = tcase_create("rows");

	FIXTURE(tc);
	tcase_add_test(tc, headings);
	tcase_add_test(tc, headings_of_all_columns);
	tcase_add_test(tc, fork_has_two_lines_and_one_record);
	tcase_add_test(tc, fork_of_an_unknown_parent);
	tcase_add_test(tc, clone_names_the_process);
	tcase_add_test(tc, exec);
	tcase_add_test(tc, exits);
	tcase_add_test(tc, exits_of_threads_and_without_status);
	tcase_add_test(tc, exit_records);
	tcase_add_test(tc, comm);
	tcase_add_test(tc, ids);
	tcase_add_test(tc, sid_core_ptrace);
	tcase_add_test(tc, losses);
	tcase_add_test(tc, more_columns);
	tcase_add_test(tc, glyphs);
	return tc;
}

static TCase *tc_names(void)
{
	TCase *tc = tcase_create("names");

	FIXTURE(tc);
	tcase_add_test(tc, names);
	tcase_add_test(tc, names_that_are_not_whole_are_marked);
	tcase_add_test(tc, kernel_threads_are_in_brackets);
	tcase_add_test(tc, hostile_names);
	tcase_add_test(tc, empty_name);
	return tc;
}

UNIT_MAIN("view", tc_rows, tc_names)

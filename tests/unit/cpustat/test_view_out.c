// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text.h"
#include "format/value.h"

#include "cpustat_view_rig.h"

#define TIME	"2026-11-21T13:05:59.123456789Z"
#define JSON_AT "\"time\":\"" TIME "\",\"mono_ns\":5000000000,"

/* --- records ------------------------------------------------------------------------ */

START_TEST(json_row)
{
	struct row r = floor32();

	r.cgroup = sm_strpool_get(names, "/user.slice", 11, 0);
	begin();
	show_one(r);
	content(json_path);
	*strchr(content_of, '\n') = '\0';
	ck_assert_str_eq(content_of,
		"{\"type\":\"task\"," JSON_AT
		"\"dt_s\":1.000000000,\"kind\":\"process\",\"cpu_pct\":25.2400,"
		"\"usr_pct\":24.2700,\"sys_pct\":0.9700,\"pid\":1579,\"tgid\":1579,"
		"\"ppid\":1,\"uid\":1000,\"state\":\"R\",\"cpu\":0,"
		"\"cpu_time_s\":12.760000000,\"cpu_ns\":252400000,\"comm\":\"floor32\","
		"\"cgroup\":\"/user.slice\",\"argv\":[\"./floor32\",\"-b\"]}");
}
END_TEST

START_TEST(json_of_what_is_no_task)
{
	static const struct {
		enum row_kind kind;
		const char *name;
	} t[] = {{ROW_SOFTIRQ, "softirq"}, {ROW_IRQ, "irq"},
		{ROW_UNACCOUNTED, "unaccounted"}, {ROW_OTHERS, "others"}};
	char want[400];

	begin();
	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		show_one(residual(t[i].kind));
		snprintf(want, sizeof(want),
			"\"kind\":\"%s\",\"cpu_pct\":2.0000,\"usr_pct\":0.0000,"
			"\"sys_pct\":2.0000,%s\"cpu_ns\":20000000}\n",
			t[i].name,
			t[i].kind == ROW_OTHERS ? "\"cpu_time_s\":0.020000000," : "");
		ck_assert(has(json_path, want));
	}
}
END_TEST

/* An empty comm is known; of what could not be read none is. */
START_TEST(json_without_a_name)
{
	struct row r = floor32();

	begin();
	r.comm = SM_STR("");
	r.start_ticks = 1;
	show_one(r);
	ck_assert(has(json_path, ",\"comm\":\"\",\"argv\":"));
	r = (struct row){
		.kind = ROW_PROCESS, .pid = 7, .tgid = 7, .dt_ns = SM_NSEC_PER_SEC};
	show_one(r);
	ck_assert(has(json_path, "\"pid\":7,\"tgid\":7,"));
	ck_assert_ptr_null(strstr(strstr(content_of, "\"pid\":7,"), "\"comm\""));
	ck_assert(has(human_path, " 7 -    0   0.00s -\n"));
}
END_TEST

START_TEST(json_kinds_of_tasks)
{
	struct row r = floor32();

	begin();
	r.kind = ROW_EXITED;
	show_one(r);
	ck_assert(has(json_path, "\"kind\":\"exited\","));
	r.kind = ROW_GROUP;
	show_one(r);
	ck_assert(has(json_path, "\"kind\":\"group\","));
}
END_TEST

START_TEST(json_sample)
{
	sample.processes = 10112;
	sample.counted = true;
	sample.created = 21;
	sample.exited = 20;
	sample.unreadable = 3;
	sample.tasks_ns = 69 * PCT;
	sample.exited_ns = 10 * PCT;
	sample.self_ns = PCT / 4;
	sample.busy_ns = 85 * PCT;
	sample.irq_ns = PCT;
	sample.softirq_ns = 2 * PCT;
	sample.unaccounted_ns = -3 * (int64_t)PCT;
	rows.total = floor32();
	begin();
	show(NULL, 0);
	ck_assert_str_eq(content(json_path),
		"{\"type\":\"sample\"," JSON_AT
		"\"dt_s\":1.000000000,\"sample\":1,\"partial\":false,\"source\":"
		"\"clock\",\"procs\":10112,"
		"\"processes_created\":21,\"processes_exited\":20,\"unreadable\":3,"
		"\"matched\":0,\"shown\":0,"
		"\"total_pct\":25.2400,\"total_usr_pct\":24.2700,\"total_sys_pct\":0."
		"9700,"
		"\"tasks_pct\":69.0000,\"exited_pct\":10.0000,\"self_pct\":0.2500,"
		"\"capacity_cpus\":2.000,\"lost_rows\":0}\n");
	sample.machine = true;
	show(NULL, 0);
	ck_assert(has(json_path,
		"\"self_pct\":0.2500,\"busy_pct\":85.0000,\"irq_pct\":1.0000,"
		"\"softirq_pct\":2.0000,\"unaccounted_pct\":-3.0000,"));
}
END_TEST

START_TEST(json_sample_after_its_rows)
{
	struct row r[2] = {floor32(), floor32()};

	begin();
	show(r, 2);
	content(json_path);
	ck_assert_ptr_nonnull(strstr(content_of, "\"matched\":2,\"shown\":2,"));
	ck_assert_int_eq(strncmp(content_of, "{\"type\":\"task\"", 14), 0);
	ck_assert_ptr_eq(strrchr(content_of, '\n'),
		strchr(strstr(content_of, "\"type\":\"sample\""), '\n'));
}
END_TEST

START_TEST(json_with_the_system)
{
	struct sm_root root = SM_ROOT_INIT;
	struct sysline system;

	sample.online = 2;
	ck_assert_int_eq(sysline_open(&system, &root), 0);
	begin();
	show(NULL, 0);
	ck_assert(!has(json_path, "cpus_online"));
	v.system = &system;
	show(NULL, 0);
	ck_assert(has(json_path, "\"lost_rows\":0,\"cpus_online\":2}\n"));
	sysline_close(&system);
}
END_TEST

START_TEST(starts)
{
	begin();
	view_start(&v, "boot-id");
	ck_assert(has(json_path, "{\"type\":\"header\",\"tool\":\"cpustat\""));
	ck_assert(has(json_path, "\"boot_id\":\"boot-id\""));
	ck_assert_str_eq(content(csv_path), "time,mono_ns,dt_s,kind,cpu_pct,usr_pct,sys_"
					    "pct,pid,tgid,ppid,uid,state,cpu,"
					    "cpu_time_s,cpu_ns,comm,cgroup,command,"
					    "truncated\n");
	ck_assert_str_eq(content(human_path), "");
	show_one(floor32());
	ck_assert_str_eq(strchr(content(csv_path), '\n') + 1,
		TIME ",5000000000,1.000000000,process,25.2400,24.2700,0.9700,1579,1579,1,"
		     "1000,R,0,12.760000000,252400000,floor32,,./floor32 -b,\n");
}
END_TEST

START_TEST(sample_without_rows)
{
	begin();
	show(NULL, 0);
	ck_assert_str_eq(strchr(content(csv_path), '\n') + 1,
		TIME ",5000000000,1.000000000,,,,,,,,,,,,,,,,\n");
}
END_TEST

START_TEST(csv_of_all_columns)
{
	struct row r = floor32();

	o.wait = true;
	o.subsamples = 2;
	o.group = GROUP_USER;
	o.app.no_header = true;
	begin();
	view_start(&v, "b");
	r.flags = 0;
	r.kind = ROW_GROUP;
	r.comm = SM_STR("a,\"b\"");
	r.cmd = NULL;
	show_one(r);
	ck_assert_str_eq(content(csv_path), TIME
		",5000000000,1.000000000,group,25.2400,24.2700,0.9700,1579,1579,1,,R,"
		"0,12.760000000,,0.0000,0.0000,1,252400000,\"a,\"\"b\"\"\",,,\n");
}
END_TEST

START_TEST(records_of_others)
{
	struct sm_buf b = {0};

	sm_buf_str(&b, "{\"type\":\"summary\"}\n");
	begin();
	view_json(&v, &b);
	ck_assert_str_eq(content(json_path), "{\"type\":\"summary\"}\n");
	ck_assert_str_eq(content(human_path), "");
	ck_assert_str_eq(content(csv_path), "");
	sm_buf_fini(&b);
}
END_TEST

START_TEST(machine_faces_on_standard_output)
{
	o.app.json.here = true;
	o.app.json.file = NULL;
	o.app.csv.file = NULL;
	begin_with(32768);
	ck_assert_uint_eq(v.outputs->n, 1);
	show_one(floor32());
	ck_assert(has(human_path, "{\"type\":\"task\","));
	close_view(&v);
	o.app.json.here = false;
	o.app.csv.here = true;
	begin_with(32768);
	show_one(floor32()); /* the heading precedes the first row */
	ck_assert_int_eq(strncmp(content(human_path), "time,mono_ns,", 13), 0);
}
END_TEST

START_TEST(a_file_that_cannot_be_opened)
{
	const char *what;

	o.app.csv.file = "/nonexistent/x.csv";
	ck_assert_int_eq(open_view(&v, &o, 32768, &what), -ENOENT);
	ck_assert_str_eq(what, "/nonexistent/x.csv");
	opened = true; /* what was opened before is closed */
}
END_TEST

START_TEST(lost_rows_are_counted)
{
	o.total = true;
	begin();
	v.outputs->sink[0].max_bytes = 0;
	show_one(floor32());
	/* The row and the total; a heading and an empty line are none. */
	ck_assert_uint_eq(sm_outputs_dropped(v.outputs), 2);
	ck_assert_str_eq(content(human_path), "");
	ck_assert(has(json_path, "\"lost_rows\":2}\n"));
	show_one(floor32());
}
END_TEST

/* --- names -------------------------------------------------------------------------- */

static const char *name(struct row r)
{
	static char text[400];
	struct view_scratch scratch = {.text_flags = SM_TEXT_UTF8};
	struct sm_value value = view_name_value(view_name_form(&o), &r, &scratch);
	struct sm_buf b = {0};

	sm_value_put(&value, SM_TEXT_UTF8, &b);
	sm_buf_fini(&scratch.exited);
	snprintf(text, sizeof(text), "%.*s", (int)b.len, b.len ? b.p : "");
	sm_buf_fini(&b);
	return text;
}

START_TEST(names_by_option)
{
	struct row r = floor32();

	r.cmd = CMD("/usr/bin/python3 -O\0/a/b.py\0x");
	ck_assert_str_eq(name(r), "/usr/bin/python3 -O");
	o.strip_path = true;
	ck_assert_str_eq(name(r), "python3 -O");
	o.short_name = true;
	ck_assert_str_eq(name(r), "python3");
	o.strip_path = false;
	ck_assert_str_eq(name(r), "/usr/bin/python3");
	o.short_name = false;
	o.full_command = true;
	ck_assert_str_eq(name(r), "/usr/bin/python3 -O /a/b.py x");
	o.strip_path = true;
	ck_assert_str_eq(name(r), "python3 -O /a/b.py x");
	o.full_command = false;
	o.comm = true;
	ck_assert_str_eq(name(r), "floor32");
}
END_TEST

START_TEST(names_without_arguments)
{
	struct row r = floor32();

	r.cmd = NULL;
	ck_assert_str_eq(name(r), "floor32");
	r.cmd = sm_strpool_get(names, "", 0, 0);
	ck_assert_str_eq(name(r), "floor32");
	r.cmd = CMD("\0x"); /* an empty argv[0] */
	ck_assert_str_eq(name(r), "floor32");
	r.cmd = CMD("  \0x");
	ck_assert_str_eq(name(r), "floor32");
	r.cmd = CMD(" x");
	o.short_name = true;
	ck_assert_str_eq(name(r), "floor32");
	o.short_name = false;
	r.comm = (struct sm_str){NULL, 0};
	r.cmd = CMD("\0x");
	ck_assert_str_eq(name(r), "-");
	r.cmd = CMD("  \0x");
	ck_assert_str_eq(name(r), "-");
	r.cmd = NULL;
	ck_assert_str_eq(name(r), "-");
	r.kind = ROW_EXITED;
	ck_assert_str_eq(name(r), "- (exited children)");
	r.kind = ROW_PROCESS;
	r.comm = SM_STR(" ");
	o.comm = true;
	ck_assert_str_eq(name(r), "-");
	o.comm = false;
	r.cmd = sm_strpool_get(names, "unended", 7, 0);
	o.full_command = true;
	ck_assert_str_eq(name(r), "unended");
	o.strip_path = true;
	r.cmd = CMD("dir/\0x"); /* no base name */
	ck_assert_str_eq(name(r), "dir/ x");
}
END_TEST

START_TEST(programs_of_exited_children)
{
	static const struct row_names list = {.n = 2,
		.v = {{"cc1", 10, 1106400000, 0}, {"a\x1b\xff\xc3\xa9", 1, 80000, 0}},
		.others = {"(others)", 3, 9940000, 0}};
	struct row r = floor32();

	r.kind = ROW_EXITED;
	r.cmd = NULL;
	r.exited = &list;
	ck_assert_str_eq(name(r),
		"floor32 (exited: cc1 ×10 1106 ms, a\\x1b\\xffé ×1 0.1 ms, "
		"(others) ×3 9.9 ms)");
	begin();
	view_start(&v, "b");
	show_one(r);
	ck_assert(has(json_path,
		",\"exited\":[{\"comm\":\"cc1\",\"count\":10,\"cpu_ns\":1106400000},"
		"{\"comm\":\"a\\u001b\xef\xbf\xbdé\",\"count\":1,\"cpu_ns\":80000},"
		"{\"comm\":\"(others)\",\"count\":3,\"cpu_ns\":9940000}]}\n"));
}
END_TEST

/* The mark stands where the end of the command line is shown. */
START_TEST(commands_that_were_cut)
{
	static const char line[] = "/bin/prog\0one\0tw";
	struct row r = floor32();

	r.cmd = sm_strpool_get(names, line, sizeof(line) - 1, ROW_CMD_CUT);
	ck_assert_str_eq(name(r), "/bin/prog");
	o.full_command = true;
	ck_assert_str_eq(name(r), "/bin/prog one tw [...]");
	r.kind = ROW_EXITED;
	ck_assert_str_eq(name(r), "/bin/prog one tw [...] (exited children)");
	r.kind = ROW_PROCESS;
	begin();
	view_start(&v, "b");
	show_one(r);
	ck_assert(has(human_path, " /bin/prog one tw [...]\n"));
	ck_assert(has(json_path,
		"\"argv\":[\"/bin/prog\",\"one\",\"tw\"],\"truncated\":true}\n"));
	ck_assert(has(csv_path, ",/bin/prog one tw,1\n"));
	o.full_command = false;
	r.cmd = sm_strpool_get(names, "endless name", 12, ROW_CMD_CUT);
	ck_assert_str_eq(name(r), "endless name [...]");
	o.short_name = true;
	ck_assert_str_eq(name(r), "endless");
}
END_TEST

START_TEST(names_of_kernel_threads)
{
	struct row r = floor32();

	r.flags = ROW_KTHREAD;
	r.cmd = NULL;
	r.comm = SM_STR("kworker/1:1H-kblockd");
	ck_assert_str_eq(name(r), "[kworker/1:1H-kblockd]");
	o.comm = true;
	ck_assert_str_eq(name(r), "[kworker/1:1H-kblockd]");
	r.comm = SM_STR("0123456789012345678901234567890123456789012345678901234567890123"
			"more than the kernel has");
	ck_assert_str_eq(name(r),
		"[01234567890123456789012345678901234567890123456789012345"
		"67890123]");
	r.kind = ROW_EXITED;
	r.comm = (struct sm_str){NULL, 0};
	ck_assert_str_eq(name(r), "[] (exited children)");
}
END_TEST

START_TEST(names_of_groups)
{
	struct row r = floor32();

	r.kind = ROW_GROUP; /* whatever one of its members is */
	r.comm = SM_STR("root");
	ck_assert_str_eq(name(r), "root");
}
END_TEST

START_TEST(hostile_bytes)
{
	struct row r = floor32();

	r.cmd = CMD("a\033[31m\n99.99\xff\xe2\x80\xae\0\t");
	r.comm = SM_STR("\033]0;x\a");
	r.cgroup = sm_strpool_get(names, "/\n\"", 3, 0);
	r.state = '\033';
	ck_assert_str_eq(name(r), "a\\x1b[31m\\x0a99.99\\xff\\u{202e}");
	o.full_command = true;
	o.app.no_header = true;
	begin();
	show_one(r);
	content(human_path);
	ck_assert_ptr_nonnull(strstr(content_of, "\\xff\\u{202e} \\x09\n"));
	for (const char *s = content_of; s[0] && s[1]; s++)
		ck_assert_int_ge((unsigned char)*s, ' ');
	ck_assert(!has(csv_path, "\033"));
	ck_assert_ptr_eq(strchr(content_of, '\n') + 1, content_of + strlen(content_of));
	ck_assert(!has(json_path, "\033"));
	ck_assert_ptr_nonnull(strstr(content_of, "\"comm\":\"\\u001b]0;x\\u0007\","));
	ck_assert_ptr_nonnull(strstr(content_of, "\"argv_b64\":"));
	ck_assert_ptr_null(strstr(content_of, "\"comm_b64\":"));
	r.comm = SM_STR("ok\377");
	show_one(r);
	ck_assert(has(json_path, "\"comm\":\"ok\xef\xbf\xbd\",\"comm_b64\":\"b2v/\","));
}
END_TEST

#define FIXTURE(tc) tcase_add_checked_fixture(tc, setup, teardown)

static TCase *tc_records(void)
{
	TCase *tc = tcase_create("records");

	FIXTURE(tc);
	tcase_add_test(tc, json_row);
	tcase_add_test(tc, json_of_what_is_no_task);
	tcase_add_test(tc, json_without_a_name);
	tcase_add_test(tc, json_kinds_of_tasks);
	tcase_add_test(tc, json_sample);
	tcase_add_test(tc, json_sample_after_its_rows);
	tcase_add_test(tc, json_with_the_system);
	tcase_add_test(tc, starts);
	tcase_add_test(tc, sample_without_rows);
	tcase_add_test(tc, csv_of_all_columns);
	tcase_add_test(tc, records_of_others);
	tcase_add_test(tc, machine_faces_on_standard_output);
	tcase_add_test(tc, a_file_that_cannot_be_opened);
	tcase_add_test(tc, lost_rows_are_counted);
	return tc;
}

static TCase *tc_names(void)
{
	TCase *tc = tcase_create("names");

	FIXTURE(tc);
	tcase_add_test(tc, names_by_option);
	tcase_add_test(tc, names_without_arguments);
	tcase_add_test(tc, programs_of_exited_children);
	tcase_add_test(tc, commands_that_were_cut);
	tcase_add_test(tc, names_of_kernel_threads);
	tcase_add_test(tc, names_of_groups);
	tcase_add_test(tc, hostile_bytes);
	return tc;
}

UNIT_MAIN("view_out", tc_records, tc_names)

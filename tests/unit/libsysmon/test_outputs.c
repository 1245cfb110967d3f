// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "outputs_rig.h"
#include "unit.h"

static const struct sm_column columns[] = {{.key = "pid", .head = "PID", .width = 5}};
static char dir[UNIT_DIR];
static char main_path[64], json_path[64], csv_path[64];
static struct sm_outputs f;
static unsigned int set_ups;

static void setup(void)
{
	unit_mkdtemp(dir);
	snprintf(main_path, sizeof(main_path), "%s/main", dir);
	snprintf(json_path, sizeof(json_path), "%s/json", dir);
	snprintf(csv_path, sizeof(csv_path), "%s/csv", dir);
	memset(&f, 0, sizeof(f));
	set_ups = 0;
}

static void teardown(void)
{
	sm_outputs_close(&f);
	unlink(main_path);
	unlink(json_path);
	unlink(csv_path);
	rmdir(dir);
}

static void set_up(
	void *ctx, struct sm_table *out, enum sm_format format, struct sm_sink *sink)
{
	ck_assert_ptr_eq(ctx, &set_ups);
	set_ups++;
	sm_table_init(out, format, columns, 1, "row", sink);
}

static struct sm_outputs_want want(void)
{
	return (struct sm_outputs_want){
		.queue_bytes = SM_SINK_DEFAULT_MAX, .set_up = set_up, .ctx = &set_ups};
}

static void put(uint64_t pid)
{
	struct sm_value v = {.type = SM_VALUE_U64, .u = pid};

	for (unsigned int i = 0; i < f.n; i++)
		ck_assert(sm_table_row(&f.out[i], &v));
	ck_assert_int_eq(outputs_flush(&f), 0);
}

static const char *content(const char *path)
{
	static char text[256];

	return unit_slurp(path, text, sizeof(text));
}

START_TEST(three_at_once)
{
	struct sm_outputs_want w = want();
	const char *what;

	w.output = main_path;
	w.json.file = json_path;
	w.csv.file = csv_path;
	ck_assert_int_eq(sm_outputs_open(&f, &w, &what), 0);
	ck_assert_uint_eq(f.n, 3);
	ck_assert_uint_eq(set_ups, 3);
	put(42);
	ck_assert_str_eq(content(main_path), "PID\n   42\n");
	ck_assert_str_eq(content(json_path), "{\"type\":\"row\",\"pid\":42}\n");
	ck_assert_str_eq(content(csv_path), "pid\n42\n");
}
END_TEST

START_TEST(the_first_face)
{
	static const struct {
		bool json, csv;
		const char *text;
	} t[] = {{true, false, "{\"type\":\"row\",\"pid\":7}\n"},
		{false, true, "pid\n7\n"}};
	const char *what;

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		struct sm_outputs_want w = want();

		w.output = main_path;
		w.json.here = t[i].json;
		w.csv.here = t[i].csv;
		ck_assert_int_eq(sm_outputs_open(&f, &w, &what), 0);
		ck_assert_uint_eq(f.n, 1);
		put(7);
		ck_assert_str_eq(content(main_path), t[i].text);
		sm_outputs_close(&f);
	}
}
END_TEST

/* It was not opened here: it stays open. */
START_TEST(standard_output)
{
	struct sm_outputs_want w = want();
	const char *what = NULL;
	int kept = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	ck_assert_int_ge(kept, 0);
	ck_assert_int_eq(dup2(null, STDOUT_FILENO), STDOUT_FILENO);
	ck_assert_int_eq(sm_outputs_open(&f, &w, &what), 0);
	ck_assert_str_eq(what, "standard output");
	ck_assert_uint_eq(f.n, 1);
	ck_assert(!sm_outputs_color(&f, SM_COLOR_AUTO));
	ck_assert(sm_outputs_color(&f, SM_COLOR_ALWAYS));
	sm_outputs_close(&f);
	ck_assert_int_eq(fcntl(STDOUT_FILENO, F_GETFD), 0);
	ck_assert_int_eq(dup2(kept, STDOUT_FILENO), STDOUT_FILENO);
	close(kept);
	close(null);
}
END_TEST

/* The error names the file, and what was opened before it can be closed. */
START_TEST(cannot_be_opened)
{
	struct sm_outputs_want w = want();
	const char *what;
	int next;

	w.output = main_path;
	w.json.file = json_path;
	w.csv.file = "/nonexistent/csv";
	next = open("/dev/null", O_RDONLY | O_CLOEXEC);
	close(next);
	ck_assert_int_eq(sm_outputs_open(&f, &w, &what), -ENOENT);
	ck_assert_str_eq(what, "/nonexistent/csv");
	ck_assert_uint_eq(f.n, 2);
	sm_outputs_close(&f);
	ck_assert_uint_eq(f.n, 0);
	ck_assert_int_eq(open("/dev/null", O_RDONLY | O_CLOEXEC), next); /* none leaks */
	close(next);
	w.json.file = "/nonexistent/json";
	ck_assert_int_eq(sm_outputs_open(&f, &w, &what), -ENOENT);
	ck_assert_str_eq(what, "/nonexistent/json");
	sm_outputs_close(&f);
	w.output = "/nonexistent/main";
	ck_assert_int_eq(sm_outputs_open(&f, &w, &what), -ENOENT);
	ck_assert_str_eq(what, "/nonexistent/main");
	ck_assert_uint_eq(f.n, 0);
}
END_TEST

START_TEST(colour_in_a_file)
{
	struct sm_outputs_want w = want();
	const char *what;

	w.output = main_path;
	ck_assert_int_eq(sm_outputs_open(&f, &w, &what), 0);
	ck_assert(!sm_outputs_color(&f, SM_COLOR_AUTO));
	ck_assert(!sm_outputs_color(&f, SM_COLOR_NEVER));
	ck_assert(sm_outputs_color(&f, SM_COLOR_ALWAYS));
}
END_TEST

START_TEST(dropped_of_all)
{
	struct sm_outputs_want w = want();
	const char *what;

	w.output = main_path;
	w.json.file = json_path;
	w.csv.file = csv_path;
	ck_assert_int_eq(sm_outputs_open(&f, &w, &what), 0);
	ck_assert_uint_eq(sm_outputs_dropped(&f), 0);
	f.sink[1].dropped = 4;
	f.sink[2].dropped = 5;
	ck_assert_uint_eq(sm_outputs_dropped(&f), 9);
}
END_TEST

START_TEST(all_are_in_the_writers)
{
	struct sm_outputs_want w = want();
	struct sm_writers o;
	struct sm_loop l;
	const char *what;

	w.output = main_path;
	w.json.file = json_path;
	ck_assert_int_eq(sm_outputs_open(&f, &w, &what), 0);
	ck_assert_int_eq(sm_loop_init(&l), 0);
	sm_writers_init(&o, &l);
	ck_assert_int_eq(sm_outputs_writers(&f, &o), 0);
	ck_assert_uint_eq(o.n, 2);
	ck_assert(sm_sink_put(&f.sink[1], "x\n", 2, 1));
	ck_assert_uint_eq(sm_writers_waiting(&o), 1);
	ck_assert(sm_writers_flush(&o));
	ck_assert_str_eq(content(json_path), "x\n");
	sm_loop_fini(&l);
}
END_TEST

static TCase *tc_outputs(void)
{
	TCase *tc = tcase_create("outputs");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, three_at_once);
	tcase_add_test(tc, the_first_face);
	tcase_add_test(tc, standard_output);
	tcase_add_test(tc, cannot_be_opened);
	tcase_add_test(tc, colour_in_a_file);
	tcase_add_test(tc, dropped_of_all);
	tcase_add_test(tc, all_are_in_the_writers);
	return tc;
}

UNIT_MAIN("outputs", tc_outputs)

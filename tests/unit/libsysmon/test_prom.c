// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/prom.h"
#include "unit.h"

static char dir[UNIT_DIR], path[80];

static void set_up(void)
{
	unit_mkdtemp(dir);
	snprintf(path, sizeof(path), "%s/t.prom", dir);
}

/* Nothing but what the test made may be left. */
static void tear_down(void)
{
	unlink(path);
	ck_assert_int_eq(rmdir(dir), 0);
}

static const char *content(void)
{
	static char text[4096];

	return unit_slurp(path, text, sizeof(text));
}

static unsigned int files_in_dir(void)
{
	unsigned int n = 0;
	DIR *d = opendir(dir);

	ck_assert_ptr_nonnull(d);
	for (const struct dirent *e; (e = readdir(d)) != NULL;)
		n += e->d_name[0] != '.';
	closedir(d);
	return n;
}

START_TEST(exact_text)
{
	struct sm_prom p;
	struct sm_prom_label event[] = {{"event", SM_STR("fork")}};
	struct sm_prom_label two[] = {
		{"name", SM_STR("a\"b\\c\nd")}, {"le", SM_STR("+Inf")}};

	sm_prom_init(&p, path, NULL, NULL);
	sm_prom_family(&p, "forkstat_events_total", "counter", "Events,\nby \\ kind.");
	sm_prom_u64(&p, NULL, event, 1, UINT64_MAX);
	sm_prom_u64(&p, "", NULL, 0, 0);
	sm_prom_family(&p, "forkstat_life_seconds", "histogram", "Life.");
	sm_prom_u64(&p, "_bucket", two, 2, 3);
	sm_prom_double(&p, "_sum", NULL, 0, 0.1);
	ck_assert_int_eq(sm_prom_commit(&p), 0);
	ck_assert_str_eq(content(),
		"# HELP forkstat_events_total Events,\\nby \\\\ kind.\n"
		"# TYPE forkstat_events_total counter\n"
		"forkstat_events_total{event=\"fork\"} 18446744073709551615\n"
		"forkstat_events_total 0\n"
		"# HELP forkstat_life_seconds Life.\n"
		"# TYPE forkstat_life_seconds histogram\n"
		"forkstat_life_seconds_bucket{name=\"a\\\"b\\\\c\\nd\",le=\"+Inf\"} 3\n"
		"forkstat_life_seconds_sum 0.1\n");
	sm_prom_fini(&p);
}
END_TEST

static void expect_double(double v, const char *want)
{
	struct sm_prom p;

	sm_prom_init(&p, path, NULL, NULL);
	p.family = "x";
	sm_prom_double(&p, NULL, NULL, 0, v);
	ck_assert_int_eq(sm_prom_commit(&p), 0);
	ck_assert_str_eq(content(), want);
	sm_prom_fini(&p);
}

START_TEST(doubles)
{
	/* Where the locale is installed its comma must not get through. */
	setlocale(LC_NUMERIC, "de_DE.UTF-8");
	expect_double(0, "x 0\n");
	expect_double(-2.5, "x -2.5\n");
	expect_double(1e300, "x 1e+300\n");
	expect_double(0.1 + 0.2, "x 0.30000000000000004\n");
	expect_double(5e-324, "x 4.94065645841247e-324\n");
	expect_double(1234567890.125, "x 1234567890.125\n");
	expect_double(NAN, "x NaN\n");
	expect_double(INFINITY, "x +Inf\n");
	expect_double(-INFINITY, "x -Inf\n");
}
END_TEST

START_TEST(hostile_label_is_one_line)
{
	static const char evil[] = "a\x1b[2J\r\0\xff\xe2\x80\xa8\n\"} 1\nfake 2";
	struct sm_prom_label l = {"comm", {evil, sizeof(evil) - 1}};
	const char *text;
	struct sm_prom p;

	sm_prom_init(&p, path, NULL, NULL);
	p.family = "x";
	sm_prom_u64(&p, NULL, &l, 1, 1);
	ck_assert_int_eq(sm_prom_commit(&p), 0);
	text = content();
	ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
	ck_assert_ptr_null(strpbrk(text, "\x1b\r\xff"));
	ck_assert_ptr_nonnull(strstr(text, "\\n\\\"} 1\\nfake 2\"} 1\n"));
	sm_prom_fini(&p);
}
END_TEST

START_TEST(replaces_whole_file)
{
	struct stat st;
	struct sm_prom p;
	mode_t mask = umask(027);

	sm_prom_init(&p, path, NULL, NULL);
	p.family = "x";
	sm_prom_u64(&p, NULL, NULL, 0, 12345);
	ck_assert_int_eq(sm_prom_commit(&p), 0);
	ck_assert_str_eq(content(), "x 12345\n");
	p.family = "x";
	sm_prom_u64(&p, NULL, NULL, 0, 1);
	ck_assert_int_eq(sm_prom_commit(&p), 0);
	ck_assert_str_eq(content(), "x 1\n"); /* the buffer was emptied */
	umask(mask);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0640);
	ck_assert_uint_eq(files_in_dir(), 1);
	ck_assert_int_eq(sm_prom_commit(&p), 0); /* nothing to say is an empty file */
	ck_assert_str_eq(content(), "");
	sm_prom_fini(&p);
}
END_TEST

START_TEST(missing_directory)
{
	struct sm_prom p;
	char missing[128];

	snprintf(missing, sizeof(missing), "%s/none/t.prom", dir);
	sm_prom_init(&p, missing, NULL, NULL);
	p.family = "x";
	sm_prom_u64(&p, NULL, NULL, 0, 1);
	ck_assert_int_eq(sm_prom_commit(&p), -ENOENT);
	ck_assert_uint_eq(p.b.len, 0);
	ck_assert_uint_eq(files_in_dir(), 0);
	sm_prom_fini(&p);
}
END_TEST

START_TEST(failure_leaves_old_file)
{
	struct sm_prom p;

	sm_prom_init(&p, path, NULL, NULL);
	p.family = "x";
	sm_prom_u64(&p, NULL, NULL, 0, 1);
	ck_assert_int_eq(sm_prom_commit(&p), 0);
	p.family = "x";
	sm_prom_u64(&p, NULL, NULL, 0, 2);
	p.b.err = -ENOMEM; /* as if the text had not fitted in memory */
	ck_assert_int_eq(sm_prom_commit(&p), -ENOMEM);
	ck_assert_str_eq(content(), "x 1\n");
	ck_assert_uint_eq(files_in_dir(), 1);
	sm_prom_fini(&p);
}
END_TEST

/* What is no regular file stays what it is. */
START_TEST(other_kinds_are_refused)
{
	struct sm_prom p;
	struct stat st;

	sm_prom_init(&p, path, NULL, NULL);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_assert_int_eq(sm_prom_commit(&p), -EOPNOTSUPP);
	ck_assert_int_eq(rmdir(path), 0);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(sm_prom_commit(&p), -EOPNOTSUPP);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert(S_ISFIFO(st.st_mode));
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(symlink("/dev/null", path), 0);
	ck_assert_int_eq(sm_prom_commit(&p), -EOPNOTSUPP);
	ck_assert_int_eq(lstat(path, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_uint_eq(files_in_dir(), 1);
	ck_assert_int_eq(unlink(path), 0);
	sm_prom_fini(&p);
}
END_TEST

START_TEST(path_too_long)
{
	static char name[PATH_MAX];
	struct sm_prom p;

	memset(name, 'a', sizeof(name) - 1);
	sm_prom_init(&p, name, NULL, NULL);
	ck_assert_int_eq(sm_prom_commit(&p), -ENAMETOOLONG);
	sm_prom_fini(&p);
}
END_TEST

/* In each file, once. */
START_TEST(own_families)
{
	struct sm_prom p;

	sm_prom_init(&p, path, "x-y", "1.2\"3");
	p.sampled_ns = UINT64_C(1764270000123000000);
	for (int i = 0; i < 2; i++) {
		sm_prom_family(&p, "a", "gauge", "A.");
		sm_prom_u64(&p, "", NULL, 0, 7);
		ck_assert_int_eq(sm_prom_commit(&p), 0);
		ck_assert_str_eq(content(),
			"# HELP a A.\n# TYPE a gauge\na 7\n"
			"# HELP sysmon_x_y_info The program that wrote this file.\n"
			"# TYPE sysmon_x_y_info gauge\n"
			"sysmon_x_y_info{version=\"1.2\\\"3\"} 1\n"
			"# HELP sysmon_x_y_last_sample_timestamp_seconds "
			"Unix time of the last sample.\n"
			"# TYPE sysmon_x_y_last_sample_timestamp_seconds gauge\n"
			"sysmon_x_y_last_sample_timestamp_seconds "
			"1764270000.123\n");
	}
	sm_prom_fini(&p);
}
END_TEST

/* Counters, histograms and results stay; a gauge does not, even with several lines. */
START_TEST(end_of_the_run)
{
	static const struct sm_prom_label l[] = {{"a", SM_STR("b")}};
	struct sm_prom p;

	sm_prom_init(&p, path, "x", "1");
	sm_prom_end(&p);
	sm_prom_one(&p, "c_total", "counter", "C.", 1);
	sm_prom_one_double(&p, "g", "gauge", "G.", 2);
	sm_prom_family(&p, "h", "gauge", "H.");
	sm_prom_u64(&p, NULL, l, 1, 3);
	sm_prom_u64(&p, NULL, NULL, 0, 3);
	sm_prom_result(&p, "r", "R.");
	sm_prom_u64(&p, NULL, l, 1, 4);
	sm_prom_family(&p, "s", "histogram", "S.");
	sm_prom_u64(&p, "_count", NULL, 0, 5);
	ck_assert_int_eq(sm_prom_commit(&p), 0);
	ck_assert_str_eq(content(),
		"# HELP c_total C.\n# TYPE c_total counter\nc_total 1\n"
		"# HELP r R.\n# TYPE r gauge\nr{a=\"b\"} 4\n"
		"# HELP s S.\n# TYPE s histogram\ns_count 5\n");
	sm_prom_fini(&p);
}
END_TEST

static TCase *tc_text(void)
{
	TCase *t = tcase_create("text");

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, exact_text);
	tcase_add_test(t, own_families);
	tcase_add_test(t, end_of_the_run);
	tcase_add_test(t, doubles);
	tcase_add_test(t, hostile_label_is_one_line);
	return t;
}

static TCase *tc_commit(void)
{
	TCase *t = tcase_create("commit");

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, replaces_whole_file);
	tcase_add_test(t, missing_directory);
	tcase_add_test(t, failure_leaves_old_file);
	tcase_add_test(t, other_kinds_are_refused);
	tcase_add_test(t, path_too_long);
	return t;
}

UNIT_MAIN("prom", tc_text, tc_commit)

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibrate_rig.h"
#include "power-calibrate/files.h"

static char dir[UNIT_DIR], path[UNIT_DIR + 32], what[FILES_NAME], content[65536];
static char names[4 * UNIT_DIR + 64]; /* those that were written */

static void setup(void)
{
	rig_up();
	model_fini(&model);
	ck_assert_int_eq(model_fit(&model, &readings, &plan, false), 0);
	unit_mkdtemp(dir);
}

static void teardown(void)
{
	char command[64];

	rig_down();
	snprintf(command, sizeof(command), "rm -r %s", dir);
	ck_assert_int_eq(system(command), 0);
}

static const char *in_dir(const char *name)
{
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void put(const char *name, const char *s)
{
	FILE *f = fopen(in_dir(name), "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(s, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

static int write_all(bool keep)
{
	struct sm_buf written = {0};
	int err = files_write(&result, keep, &written, what);

	sm_buf_chr(&written, '\0');
	snprintf(names, sizeof(names), "%s", written.p);
	sm_buf_fini(&written);
	return err;
}

static const char *get(const char *name)
{
	return unit_slurp(in_dir(name), content, sizeof(content));
}

/* Counts the files.  A rename leaves no temporary file. */
static unsigned int files_in_dir(void)
{
	unsigned int n = 0;
	DIR *d = opendir(dir);

	ck_assert_ptr_nonnull(d);
	for (const struct dirent *e; (e = readdir(d));)
		n += e->d_name[0] != '.' || strlen(e->d_name) > 2;
	closedir(d);
	return n;
}

START_TEST(nothing_asked)
{
	ck_assert_int_eq(files_check(&opts, what), 0);
	ck_assert_int_eq(write_all(false), 0);
	ck_assert_uint_eq(files_in_dir(), 0);
}
END_TEST

START_TEST(all_are_written_and_replaced)
{
	char yaml[64], prefix[64];

	snprintf(yaml, sizeof(yaml), "%s", in_dir("x.yaml"));
	snprintf(prefix, sizeof(prefix), "%s", in_dir("plot"));
	opts.yaml = yaml;
	opts.gnuplot = prefix;
	put("x.yaml", "earlier\n");
	ck_assert_int_eq(chmod(yaml, 0640), 0);
	ck_assert_int_eq(files_check(&opts, what), 0);
	ck_assert_str_eq(get("x.yaml"), "earlier\n");
	ck_assert_int_eq(write_all(false), 0);
	ck_assert_int_eq(strncmp(get("x.yaml"), "---\npower-calibrate:\n", 21), 0);
	ck_assert_str_eq(content + strlen(content) - 4, "...\n");
	ck_assert_int_eq(strncmp(get("plot.dat"), "# complete: true\n", 17), 0);
	has(content, "\n# t_s cpus");
	has(get("plot.gp"), "/plot.dat'\n");
	ck_assert_uint_eq(files_in_dir(), 3);
}
END_TEST

static void ask_for_files(void)
{
	static char yaml[64], prefix[64];

	snprintf(yaml, sizeof(yaml), "%s", in_dir("x.yaml"));
	snprintf(prefix, sizeof(prefix), "%s", in_dir("plot"));
	opts.yaml = yaml;
	opts.gnuplot = prefix;
	result.complete = false;
}

/* A limit of the user: there is no other result to wait for. */
START_TEST(a_limited_run_replaces_files)
{
	ask_for_files();
	put("x.yaml", "earlier\n");
	put("plot.gp", "earlier\n");
	ck_assert_int_eq(write_all(false), 0);
	has(get("x.yaml"), "\n    complete: false\n");
	has(get("plot.dat"), "# complete: false\n");
	has(get("plot.gp"), " W, incomplete run'\n");
	ck_assert_uint_eq(files_in_dir(), 3);
}
END_TEST

START_TEST(an_interrupted_run_keeps_files)
{
	char want[sizeof(names)];

	ask_for_files();
	put("x.yaml", "earlier\n");
	put("plot.gp", "earlier\n");
	ck_assert_int_eq(write_all(true), 0);
	snprintf(want, sizeof(want),
		"%s/x.yaml.partial, %s/plot.dat.partial, %s/plot.gp.partial", dir, dir,
		dir);
	ck_assert_str_eq(names, want);
	ck_assert_str_eq(get("x.yaml"), "earlier\n");
	ck_assert_str_eq(get("plot.gp"), "earlier\n");
	has(get("x.yaml.partial"), "\n    complete: false\n");
	has(get("plot.gp.partial"), "/plot.dat.partial'\n");
	has(get("plot.dat.partial"), "# complete: false\n");
	ck_assert_uint_eq(files_in_dir(), 5);
	/* The next run replaces the partial file. */
	put("x.yaml.partial", "earlier\n");
	ck_assert_int_eq(write_all(true), 0);
	has(get("x.yaml.partial"), "complete: false");
}
END_TEST

START_TEST(an_interrupted_run_without_earlier_files)
{
	ask_for_files();
	put("x.yaml", ""); /* as mktemp(1) creates it */
	ck_assert_int_eq(write_all(true), 0);
	has(get("x.yaml"), "\n    complete: false\n");
	has(get("plot.gp"), "/plot.dat'\n");
	ck_assert_uint_eq(files_in_dir(), 3);
}
END_TEST

/* The earlier file is kept also if the partial one cannot be written. */
START_TEST(a_partial_file_that_cannot_be_written)
{
	ask_for_files();
	put("x.yaml", "earlier\n");
	ck_assert_int_eq(mkdir(in_dir("x.yaml.partial"), 0700), 0);
	ck_assert_int_eq(write_all(true), -EOPNOTSUPP);
	ck_assert_str_eq(what, in_dir("x.yaml.partial"));
	ck_assert_str_eq(get("x.yaml"), "earlier\n");
	ck_assert_str_eq(names, "");
}
END_TEST

static void refused(int err, const char *name)
{
	ck_assert_int_eq(files_check(&opts, what), err);
	ck_assert_str_eq(what, name);
}

START_TEST(what_cannot_be_written_is_refused_before)
{
	char prefix[64];

	opts.yaml = "/no/such/folder/x";
	refused(-ENOENT, "/no/such/folder/x");
	opts.yaml = "/dev/null";
	refused(-EOPNOTSUPP, "/dev/null");
	opts.yaml = dir;
	refused(-EISDIR, dir);
	opts.yaml = NULL;
	opts.gnuplot = "/no/such/folder/x";
	refused(-ENOENT, "/no/such/folder/x.dat");
	snprintf(prefix, sizeof(prefix), "%s", in_dir("plot"));
	opts.gnuplot = prefix;
	ck_assert_int_eq(mkdir(in_dir("plot.gp"), 0700), 0);
	refused(-EISDIR, in_dir("plot.gp"));
}
END_TEST

START_TEST(names_that_are_too_long)
{
	static char name[PATH_MAX + 100];

	memset(name, 'x', sizeof(name) - 1);
	opts.yaml = name;
	ck_assert_int_eq(files_check(&opts, what), -ENAMETOOLONG);
	ck_assert_int_eq(write_all(false), -ENAMETOOLONG);
	opts.yaml = NULL;
	opts.gnuplot = name;
	ck_assert_int_eq(files_check(&opts, what), -ENAMETOOLONG);
	ck_assert_int_eq(write_all(false), -ENAMETOOLONG);
}
END_TEST

/* Makes a path of n bytes: dir/././x */
static void long_name(char *name, size_t n)
{
	int from = snprintf(name, PATH_MAX, "%s/", dir);

	for (size_t i = (size_t)from; i < n; i++)
		name[i] = (i - (size_t)from) % 2 ? '/' : '.';
	name[n] = '\0';
	name[n - 1] = 'x';
	if (name[n - 2] == '.')
		name[n - 2] = 'x';
}

/* PATH_MAX has room for a byte 0, and that is refused before the run. */
START_TEST(names_of_the_greatest_length)
{
	static char name[PATH_MAX + 16];

	opts.yaml = name;
	long_name(name, PATH_MAX);
	ck_assert_int_eq(files_check(&opts, what), -ENAMETOOLONG);
	long_name(name, PATH_MAX + 8);
	ck_assert_int_eq(files_check(&opts, what), -ENAMETOOLONG);
	long_name(name, PATH_MAX - 1);
	ck_assert_int_eq(files_check(&opts, what), 0);
	ck_assert_str_eq(what, name);
	ck_assert_int_eq(write_all(false), 0);
	/* This run would have no name for FILE.partial. */
	ck_assert_int_eq(files_check(&opts, what), -ENAMETOOLONG);
	/* The suffix makes the name too long. */
	opts.yaml = NULL;
	opts.gnuplot = name;
	long_name(name, PATH_MAX - 4);
	ck_assert_int_eq(files_check(&opts, what), -ENAMETOOLONG);
	long_name(name, PATH_MAX - 5);
	ck_assert_int_eq(files_check(&opts, what), 0);
}
END_TEST

/* A file may have 255 bytes, and an interrupted run adds ".partial". */
START_TEST(names_of_long_files)
{
	static char name[UNIT_DIR + 256];
	char *base = name + snprintf(name, sizeof(name), "%s/", dir);

	opts.yaml = name;
	memset(base, 'y', 247);
	ck_assert_int_eq(write_all(false), 0);
	ck_assert_int_eq(files_check(&opts, what), 0);
	ck_assert_int_eq(write_all(true), 0);
	memset(base, 'y', 255);
	ck_assert_int_eq(files_check(&opts, what), 0);
	ck_assert_int_eq(write_all(false), 0);
	ck_assert_uint_eq(files_in_dir(), 3);
	ck_assert_int_eq(files_check(&opts, what), -ENAMETOOLONG);
	ck_assert_str_eq(what + strlen(what) - 8, ".partial");
	/* The longer one of PREFIX.dat and PREFIX.gp counts. */
	opts.yaml = NULL;
	opts.gnuplot = name;
	memset(base + 251, '\0', 1);
	ck_assert_int_eq(files_check(&opts, what), 0);
	ck_assert_int_eq(write_all(false), 0);
	ck_assert_int_eq(files_check(&opts, what), -ENAMETOOLONG);
}
END_TEST

/* The folder goes away during the run: the data file is written before its script. */
START_TEST(a_failure_at_the_end_names_the_file)
{
	opts.yaml = "/no/such/folder/x";
	ck_assert_int_eq(write_all(false), -ENOENT);
	ck_assert_str_eq(what, "/no/such/folder/x");
	opts.yaml = NULL;
	opts.gnuplot = "/no/such/folder/x";
	ck_assert_int_eq(write_all(false), -ENOENT);
	ck_assert_str_eq(what, "/no/such/folder/x.dat");
}
END_TEST

/* Root may write to any. */
START_TEST(a_folder_without_permission)
{
	char yaml[64];

	if (geteuid() == 0)
		return;
	snprintf(yaml, sizeof(yaml), "%s", in_dir("x.yaml"));
	opts.yaml = yaml;
	ck_assert_int_eq(chmod(dir, 0500), 0);
	refused(-EACCES, yaml);
	ck_assert_int_eq(chmod(dir, 0700), 0);
	put("x.yaml", "");
	ck_assert_int_eq(chmod(yaml, 0400), 0);
	refused(-EACCES, yaml);
}
END_TEST

static TCase *tc_files(void)
{
	TCase *tc = tcase_create("files");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, nothing_asked);
	tcase_add_test(tc, all_are_written_and_replaced);
	tcase_add_test(tc, a_limited_run_replaces_files);
	tcase_add_test(tc, an_interrupted_run_keeps_files);
	tcase_add_test(tc, an_interrupted_run_without_earlier_files);
	tcase_add_test(tc, a_partial_file_that_cannot_be_written);
	tcase_add_test(tc, what_cannot_be_written_is_refused_before);
	tcase_add_test(tc, names_that_are_too_long);
	tcase_add_test(tc, names_of_the_greatest_length);
	tcase_add_test(tc, names_of_long_files);
	tcase_add_test(tc, a_failure_at_the_end_names_the_file);
	tcase_add_test(tc, a_folder_without_permission);
	return tc;
}

UNIT_MAIN("files", tc_files)

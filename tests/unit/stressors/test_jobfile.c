// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "stressors/run/jobfile.h"
#include "unit.h"

static char dir[UNIT_DIR], path[UNIT_DIR + 8], seen[512];
static struct jobfile f;
static struct sm_buf why;

static void setup(void)
{
	unit_mkdtemp(dir);
	snprintf(path, sizeof(path), "%s/job", dir);
}

static void teardown(void)
{
	sm_buf_fini(&why);
	unlink(path);
	rmdir(dir);
}

static void write_job(const char *text, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, n), (ssize_t)n);
	close(fd);
}

static int take(void *ctx, const char *name, const char *value, struct sm_buf *reason)
{
	size_t at = strlen(seen);

	ck_assert_ptr_eq(ctx, &f);
	if (strcmp(name, "bad") == 0) {
		sm_buf_str(reason, "is bad");
		return -EINVAL;
	}
	snprintf(seen + at, sizeof(seen) - at, "%s[%s%s%s]", at ? " " : "", name,
		value ? "=" : "", value ? value : "");
	return 0;
}

static int parse(const char *text, size_t n)
{
	int err;

	seen[0] = '\0';
	sm_buf_reset(&why);
	write_job(text, n);
	ck_assert_int_eq(jobfile_open(&f, path, &why), 0);
	err = jobfile_each(&f, take, &f, &why);
	jobfile_close(&f);
	return err;
}

static void gives(const char *text, enum jobfile_run run, const char *want)
{
	ck_assert_int_eq(parse(text, strlen(text)), 0);
	ck_assert_str_eq(seen, want);
	ck_assert_int_eq(f.run, run);
	ck_assert_uint_eq(why.len, 0);
}

static void refuses_bytes(
	const char *text, size_t n, unsigned int line, const char *reason)
{
	char want[256];

	ck_assert_int_eq(parse(text, n), -EINVAL);
	snprintf(want, sizeof(want), "%s:%u: %s", path, line, reason);
	sm_buf_chr(&why, '\0');
	ck_assert_str_eq(why.p, want);
}

static void refuses(const char *text, unsigned int line, const char *reason)
{
	refuses_bytes(text, strlen(text), line, reason);
}

START_TEST(options)
{
	gives("", JOBFILE_RUN_NOT_SAID, "");
	gives("\n  \n# nothing\n\t# at all", JOBFILE_RUN_NOT_SAID, "");
	gives("vm 2\nvm-bytes\t 1g \n--cpu 1\nverify\n", JOBFILE_RUN_NOT_SAID,
		"[vm=2] [vm-bytes=1g] [cpu=1] [verify]");
	gives("vm=2\nvm-bytes = 1g\ncpu =1\nnop= 4", JOBFILE_RUN_NOT_SAID,
		"[vm=2] [vm-bytes=1g] [cpu=1] [nop=4]");
	gives("vm 2 # two\nvm 2#two\nvm 2\r\n", JOBFILE_RUN_NOT_SAID,
		"[vm=2] [vm=2#two] [vm=2]");
	gives("yaml a file\nyaml =a=b", JOBFILE_RUN_NOT_SAID, "[yaml=a file] [yaml=a=b]");
}
END_TEST

START_TEST(run)
{
	gives("run sequential\ncpu 1", JOBFILE_RUN_SEQUENTIAL, "[cpu=1]");
	gives("cpu 1\nrun sequentially # so\nrun seq", JOBFILE_RUN_SEQUENTIAL, "[cpu=1]");
	gives("run parallel\nrun par", JOBFILE_RUN_PARALLEL, "");
	refuses("run", 1, "'run' must be followed by sequential or parallel");
	refuses("run first", 1, "'run' must be followed by sequential or parallel");
	refuses("run seq\n\nrun par", 3, "'run' is given twice, with different values");
}
END_TEST

START_TEST(errors)
{
	refuses("cpu 1\n#\nbad 2\nworse", 3, "is bad");
	ck_assert_str_eq(seen, "[cpu=1] [worse]");
	refuses("bad 1\nbad 2\ncpu =\nnop", 3, "the value is empty");
	ck_assert_str_eq(seen, "[nop]");
	refuses("cpu =", 1, "the value is empty");
	refuses_bytes("cpu 1\nvm\0 2\n", 12, 2,
		"not a text file: the line contains a NUL byte");
}
END_TEST

START_TEST(no_file)
{
	ck_assert_int_eq(jobfile_open(&f, path, &why), -ENOENT);
	sm_buf_chr(&why, '\0');
	ck_assert_ptr_nonnull(strstr(why.p, "/job: No such file or directory"));
	sm_buf_reset(&why);
	ck_assert_int_eq(jobfile_open(&f, dir, &why), -EISDIR);
}
END_TEST

START_TEST(size)
{
	size_t n = JOBFILE_MAX + 1;
	char *text = malloc(n);

	ck_assert_ptr_nonnull(text);
	memset(text, '\n', n);
	memcpy(text + n - 6, "nop 1", 5);
	ck_assert_int_eq(parse(text + 1, n - 1), 0);
	ck_assert_str_eq(seen, "[nop=1]");
	write_job(text, n);
	ck_assert_int_eq(jobfile_open(&f, path, &why), -EFBIG);
	ck_assert_int_eq(jobfile_open(&f, "/dev/zero", &why), -EFBIG);
	free(text);
}
END_TEST

static TCase *tc_jobfile(void)
{
	TCase *t = tcase_create("jobfile");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, options);
	tcase_add_test(t, run);
	tcase_add_test(t, errors);
	tcase_add_test(t, no_file);
	tcase_add_test(t, size);
	return t;
}

UNIT_MAIN("jobfile", tc_jobfile)

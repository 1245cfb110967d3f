// SPDX-License-Identifier: GPL-2.0-or-later
/* Jobs of command lines and files; help, lists and the dry run. */
#include "stressors_opts_rig.h"

START_TEST(jobs)
{
	RUNS(A("--qsort-ops=9"), A("--qsort-size=8k"), A("--qsort=1"),
		A("--qsort-size=4k"), A("--nop=1"), A("--qsort=2"), A("--qsort-ops=5"),
		A("--qsort-ops=7"), A("--qsort=3"));
	plan_is("qsort 1, nop 1, qsort 2, qsort 3");
	ck_assert_uint_eq(value(0, "size"), 4096);
	ck_assert_uint_eq(value(2, "size"), 8192);
	ck_assert_uint_eq(value(3, "size"), 8192);
	ck_assert_uint_eq(c->plan.job[0].ops, 9);
	ck_assert_uint_eq(c->plan.job[1].ops, UINT64_MAX);
	ck_assert_uint_eq(c->plan.job[2].ops, 7);
	ck_assert_uint_eq(c->plan.job[3].ops, 9);
	RUNS(A("--qsort=1"), A("--qsort=2"), A("--exclude=qsort"), A("--nop=1"));
	plan_is("nop 1");
	RUNS(A("--all=1"), A("--with=qsort"), A("--qsort-ops=3"));
	ck_assert_uint_eq(c->plan.job[0].ops, 3);
}
END_TEST

START_TEST(jobs_of_a_file)
{
	write_job("qsort 1\nqsort-size 4k\nqsort-ops 2\nqsort 2\nqsort-size 8k\n");
	RUNS(A("-j"), job);
	plan_is("qsort 1, qsort 2");
	ck_assert_uint_eq(value(0, "size"), 4096);
	ck_assert_uint_eq(value(1, "size"), 8192);
	ck_assert_uint_eq(c->plan.job[0].ops, 2);
	ck_assert_uint_eq(c->plan.job[1].ops, UINT64_MAX);
	RUNS(A("-j"), job, A("--qsort-size=2k"));
	plan_is("qsort 1, qsort 2");
	ck_assert_uint_eq(value(0, "size"), 2048);
	ck_assert_uint_eq(value(1, "size"), 2048);
	ck_assert_uint_eq(c->plan.job[0].ops, 2);
	/* A stressor that the command line names: its jobs, with options of the file. */
	RUNS(A("--qsort=5"), A("--qsort-ops=1"), A("-j"), job, A("--qsort=6"));
	plan_is("qsort 5, qsort 6");
	ck_assert_uint_eq(value(0, "size"), 8192);
	ck_assert_uint_eq(c->plan.job[0].ops, 1);
	ck_assert_uint_eq(c->plan.job[1].ops, 2);
}
END_TEST

START_TEST(job_file)
{
	write_job("run sequential\nqsort 1\nqsort-size 4k\ncpu = 2\nverify\ntimeout 2m\n"
		  "json\nyaml out # here\ntemp-path /tmp\n");
	RUNS(A("-j"), job);
	plan_is("qsort 1, cpu 2");
	ck_assert(c->plan.sequential && c->plan.verify && c->app.json.here);
	ck_assert_uint_eq(c->plan.time_ns, 120 * SM_NSEC_PER_SEC);
	ck_assert_uint_eq(value(0, "size"), 4096);
	ck_assert_str_eq(c->yaml, "out");
	RUNS(A("--timeout=1"), A("--cpu=3"), A("--job"), job); /* these go before it */
	plan_is("cpu 3, qsort 1");
	ck_assert_uint_eq(c->plan.time_ns, SM_NSEC_PER_SEC);
	write_job("all 2\nclass cpu");
	RUNS(A("-j"), job, A("--seq"));
	ck_assert_uint_eq(c->plan.job[0].instances, 2);
	ck_assert(c->plan.sequential);
}
END_TEST

static void job_fails(const char *text, unsigned int line, const char *message)
{
	char want[512];

	write_job(text);
	snprintf(want, sizeof(want), "%s:%u: %s", job, line, message);
	fails(want, ARGV(A("-j"), job));
}

START_TEST(bad_job_files)
{
	char want[512];

	job_fails("nop 1\nnosuch 4\n", 2, "unknown option");
	job_fails("\n\nnop", 3, "nop: needs a value (N)");
	job_fails("verify yes", 1, "verify: takes no value");
	job_fails("tun 1", 1,
		"unknown option: stressor tun of stress-ng does not exist here "
		"(--stressors lists those that do)");
	job_fails("nop 1 2", 1, "nop: must be a whole number");
	job_fails("job other", 1, "job: allowed only on the command line");
	job_fails("version", 1, "version: allowed only on the command line");
	job_fails("help nop", 1, "help: allowed only on the command line");
	job_fails("\x1b]0;x\a 1", 1, "unknown option");
	/* All errors are reported. */
	write_job("nosuch 4\nnop 1\ntimeout 5x\nnop -x\n");
	ck_assert_int_eq(parse(ARGV(A("-j"), job)), DONE);
	snprintf(want, sizeof(want),
		"stressors: %s:1: unknown option\n"
		"stressors: %s:3: timeout: must be a duration (5, 1.5s, 200ms, 2m)\n"
		"stressors: %s:4: nop: must be a whole number\n"
		"Try 'stressors --help' for more information.\n",
		job, job, job);
	ck_assert_str_eq(got.err, want);
	write_job("# nothing\n");
	parse(ARGV(A("-j"), job));
	ck_assert_ptr_nonnull(strstr(got.err, "no stressor was selected"));
	FAILS("/nonexistent/job: No such file or directory", A("-j"),
		A("/nonexistent/job"));
}
END_TEST

/* ---- what is shown ---- */

static unsigned int lines(const char *text)
{
	unsigned int n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

START_TEST(help)
{
	PRINTS(A("--help"));
	ck_assert_uint_le(lines(got.out), 60);
	ck_assert_ptr_nonnull(strstr(got.out, "\nExit status: 0 ok"));
	PRINTS(A("--help"), A("qsort"));
	for (const char *const *has = (const char *const[]){"--qsort N", "--qsort-ops=N",
		     "--qsort-size=", "Class: cpu", "One op: ", "Checked: ", "Needs: ",
		     "Metrics", "default 262144", NULL};
		*has; has++)
		ck_assert_msg(strstr(got.out, *has), "no %s", *has);
	for (size_t i = 0; list_all[i]; i++) {
		char name[64];

		snprintf(name, sizeof(name), "--help=%s", list_all[i]->name);
		PRINTS(name);
		ck_assert_uint_le(lines(got.out), 60);
	}
	FAILS("option '--help': unknown stressor 'qsrot': the nearest is qsort",
		A("--help=qsrot"));
	PRINTS(A("-V"));
	ck_assert_ptr_nonnull(strstr(got.out, "stressors (sysmon-tools) "));
}
END_TEST

START_TEST(lists)
{
	PRINTS(A("--stressors"));
	ck_assert_uint_eq(lines(got.out), how_many());
	PRINTS(A("--stressors"), A("-v"));
	ck_assert_uint_eq(lines(got.out), 2 * how_many());
	PRINTS(A("--verifiable"));
	ck_assert_uint_lt(lines(got.out), how_many());
	ck_assert_ptr_null(strstr(got.out, "\nnop "));
	ck_assert_ptr_nonnull(strstr(got.out, "\nqsort "));
	PRINTS(A("--class"), A("pathological?"));
	ck_assert_str_eq(got.out, "pathological: sysinval\n");
	PRINTS(A("--class"), A("?"));
	ck_assert_ptr_nonnull(strstr(got.out, "pathological:"));
}
END_TEST

START_TEST(dry_run)
{
	PRINTS(A("-n"), A("--qsort=2"), A("--qsort-size=4k"), A("--nop=1"), A("-t90s"),
		A("--nop-ops=7"), A("--taskset=0"));
	ck_assert_str_eq(got.out,
		"2 stressors would run at the same time, for 90s, on 1 CPU:\n"
		"  --qsort 2 --qsort-size 4096  # memory: 64.0 KiB\n"
		"  --nop 1 --nop-ops 7  # memory: less than 1 MB\n");
	PRINTS(A("-n"), A("--qsort=64"), A("--qsort-size=4m"), A("--max-memory=1m"));
	ck_assert_ptr_nonnull(strstr(got.out, "# skipped: needs "));
	PRINTS(A("-n"), A("--nop=1"), A("--forever"));
	ck_assert_ptr_nonnull(
		strstr(got.out, "1 stressor would run, without a time limit, on "));
}
END_TEST

static TCase *tc_jobs(void)
{
	TCase *t = tcase_create("jobs");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, jobs);
	tcase_add_test(t, jobs_of_a_file);
	tcase_add_test(t, job_file);
	tcase_add_test(t, bad_job_files);
	return t;
}

static TCase *tc_show(void)
{
	TCase *t = tcase_create("show");

	tcase_add_test(t, help);
	tcase_add_test(t, lists);
	tcase_add_test(t, dry_run);
	return t;
}

UNIT_MAIN("opts_jobs", tc_jobs, tc_show)

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/priv.h"
#include "cpustat/report.h"
#include "unit.h"

#define MS   SM_NSEC_PER_MSEC
#define SEC  SM_NSEC_PER_SEC
#define WALL UINT64_C(1795266359000000000) /* 2026-11-21T13:05:59Z */

static struct opts o;
static struct sm_widecsv *w;
static char dir[UNIT_DIR], path[64], text[1 << 16];

static void setup(void)
{
	setenv("TZ", "UTC0", 1);
	tzset();
	unit_mkdtemp(dir);
	snprintf(path, sizeof(path), "%s/out.csv", dir);
	memset(&o, 0, sizeof(o));
	o.report = path;
	w = NULL;
}

static void teardown(void)
{
	char name[300];
	struct dirent *e;
	DIR *d;

	sm_widecsv_close(w);
	(void)!chmod(dir, 0700);
	d = opendir(dir);
	while ((e = readdir(d))) {
		snprintf(name, sizeof(name), "%s/%s", dir, e->d_name);
		unlink(name);
	}
	closedir(d);
	ck_assert_int_eq(rmdir(dir), 0);
}

static int report_open(struct sm_widecsv **out, const struct opts *options)
{
	struct sm_widecsv_want want = report_want(options);

	want.open = sm_priv_open_as_invoker;
	return sm_widecsv_open(out, &want);
}

static void open_it(void)
{
	ck_assert_int_eq(report_open(&w, &o), 0);
}

static const char *content(const char *file)
{
	return unit_slurp(file, text, sizeof(text));
}

static const char *finished(void)
{
	ck_assert_int_eq(sm_widecsv_finish(w), 0);
	sm_widecsv_close(w);
	w = NULL;
	return content(path);
}

static void starts(const char *want)
{
	ck_assert_msg(strncmp(text, want, strlen(want)) == 0, "%.200s", text);
}

static void overwrite(const char *s, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ck_assert_int_eq(write(fd, s, strlen(s)), (ssize_t)strlen(s));
	ck_assert_int_eq(fchmod(fd, mode), 0);
	close(fd);
}

/* Names in the directory besides out.csv. */
static unsigned int strays(void)
{
	unsigned int n = 0;
	struct dirent *e;
	DIR *d = opendir(dir);

	while ((e = readdir(d)))
		n += e->d_name[0] == '.' ? strlen(e->d_name) > 2
					 : strcmp(e->d_name, "out.csv") != 0;
	closedir(d);
	return n;
}

static struct row task(pid_t pid, const char *comm, uint64_t used_ms)
{
	return (struct row){.kind = ROW_PROCESS,
		.pid = pid,
		.tgid = pid,
		.used_ns = used_ms * MS,
		.dt_ns = SEC,
		.members = 1,
		.comm = {comm, strlen(comm)}};
}

static int try_add(uint64_t at_ms, const struct row *rows, size_t n, double scale)
{
	struct sample s = {
		.t_ns = 5 * SEC + at_ms * MS, .wall_ns = WALL + at_ms * MS, .dt_ns = SEC};

	return report_add(w, &s, rows, n, scale);
}

static void add(uint64_t at_ms, const struct row *rows, size_t n)
{
	ck_assert_int_eq(try_add(at_ms, rows, n, 1), 0);
}

static uint64_t ticks(uint64_t ms)
{
	return ms * (uint64_t)sysconf(_SC_CLK_TCK) / 1000;
}

/* The original's example: it gave 9.99 for a task of 50 %. */
START_TEST(one_task)
{
	struct row row = task(26462, "busy-50", 500);
	char want[256];

	o.heading_time = true;
	open_it();
	for (uint64_t s = 0; s < 3; s++)
		add(s * 1000, &row, 1);
	snprintf(want, sizeof(want),
		"Task:,,busy-50 (26462)\nTicks:,,%llu\n0.000000,13:05:59,50.000000\n"
		"1.000000,13:06:00,50.000000\n2.000000,13:06:01,50.000000\n",
		(unsigned long long)ticks(1500));
	ck_assert_str_eq(finished(), want);
	ck_assert_uint_eq(strays(), 0);
}
END_TEST

START_TEST(tasks_come_and_go)
{
	struct row rows[3] = {task(1, "a", 100), task(2, "b", 200), task(3, "c", 300)};
	struct row again = task(2, "b", 55);
	char want[400];

	open_it();
	add(0, rows, 1);
	add(1000, NULL, 0);
	add(1500, rows, 3);
	again.start_ticks = 9; /* the pid was used again */
	rows[2].used_ns = MS / 1000;
	rows[1] = again;
	add(2500, rows + 1, 2);
	snprintf(want, sizeof(want),
		"Task:,a (1),b (2),c (3),b (2)\nTicks:,%llu,%llu,%llu,%llu\n"
		"0.000000,10.000000,,,\n1.000000,,,,\n"
		"1.500000,10.000000,20.000000,30.000000,\n"
		"2.500000,,,0.000100,5.500000\n",
		(unsigned long long)ticks(200), (unsigned long long)ticks(200),
		(unsigned long long)ticks(300),
		(unsigned long long)(55 * sysconf(_SC_CLK_TCK) + 500) / 1000);
	ck_assert_str_eq(finished(), want);
}
END_TEST

/* Each divided by the time of its own interval, times the scale of -a. */
START_TEST(percent_of_cpu)
{
	struct row row = task(1, "a", 100);

	open_it();
	row.dt_ns = 200 * MS;
	add(0, &row, 1);
	row.dt_ns = 2 * SEC;
	ck_assert_int_eq(try_add(1, &row, 1, 0.5), 0);
	row.used_ns = 240 * SEC;
	add(2, &row, 1);
	ck_assert_ptr_nonnull(
		strstr(finished(), "\n0.000000,50.000000\n0.001000,2.500000\n"
				   "0.002000,12000.000000\n"));
}
END_TEST

START_TEST(which_rows)
{
	struct row rows[] = {task(1, "idle", 0), task(2, "gone", 10), task(3, "irq", 10),
		task(4, "t", 10), task(5, "sum", 10)};
	struct sample first = {.t_ns = SEC};

	rows[1].kind = ROW_EXITED;
	rows[2].kind = ROW_SOFTIRQ;
	rows[3].kind = ROW_THREAD;
	rows[4].kind = ROW_OTHERS;
	open_it();
	ck_assert_int_eq(report_add(w, &first, NULL, 0, 1), 0); /* no interval yet */
	add(0, rows, 5);
	finished();
	starts("Task:,gone (exited children) (2),t (4)\nTicks:,");
	ck_assert_ptr_nonnull(strstr(text, "\n0.000000,1.000000,1.000000\n"));
}
END_TEST

START_TEST(hostile_names)
{
	struct row rows[] = {task(1, "a,b", 10), task(2, "\"q\"", 10),
		task(3, "x\ny\x1b[31m", 10), task(4, "", 10), task(5, "\xff", 10),
		task(6, "", 10)};
	static char endless[5000];

	memset(endless, 'e', sizeof(endless));
	rows[5].comm = (struct sm_str){endless, sizeof(endless)};
	rows[3].comm.p = NULL;
	open_it();
	add(0, rows, 6);
	finished();
	*strchr(text, '\n') = '\0';
	starts("Task:,\"a,b (1)\",\"\"\"q\"\" (2)\",x\\x0ay\\x1b[31m (3),"
	       "'- (4),\\xff (5),eee");
	ck_assert_uint_eq(strspn(strstr(text, ",eee") + 1, "e"), SM_PIDSTAT_COMM_MAX);
}
END_TEST

START_TEST(no_samples)
{
	open_it();
	ck_assert_str_eq(finished(), "Task:\nTicks:\n");
}
END_TEST

/* Rows and samples that need more than one reading of the spool and one write. */
START_TEST(much)
{
	static struct row rows[500];
	unsigned int lines = 0, commas = 0;
	struct stat st;
	FILE *f;

	for (int i = 0; i < 500; i++)
		rows[i] = task(i + 1, "t", 10 + (uint64_t)i % 3);
	open_it();
	for (uint64_t s = 0; s < 60; s++)
		add(s * 1000, rows, 500);
	ck_assert_int_eq(sm_widecsv_finish(w), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	f = fopen(path, "re");
	for (int c; (c = fgetc(f)) != EOF;) {
		lines += c == '\n';
		commas += c == ',';
	}
	fclose(f);
	ck_assert_uint_eq(lines, 62);
	ck_assert_uint_eq(commas, 62 * 500);
	ck_assert_ptr_nonnull(strstr(content(path), "Task:,t (1),t (2),"));
}
END_TEST

static bool has_exited(void *ctx, const struct sm_widecsv_task *t)
{
	(void)ctx;
	return t->tgid < 4;
}

/* The PID of one exited task is known; exited children are those of their parent. */
START_TEST(exited_tasks)
{
	struct row rows[] = {task(1, "a", 100), task(2, "a", 200), task(3, "b", 300),
		task(4, "b", 400), task(1, "a", 10)};
	struct sm_widecsv_want want = report_want(&o);

	rows[4].kind = ROW_EXITED;
	want.open = sm_priv_open_as_invoker;
	want.exited = has_exited;
	ck_assert_int_eq(sm_widecsv_open(&w, &want), 0);
	add(0, rows, 5);
	add(1000, rows + 1, 1);
	finished();
	starts("Task:,a (exited),b (3),b (4),a (exited children) (1)\nTicks:,");
	ck_assert_ptr_nonnull(
		strstr(text, "\n0.000000,30.000000,30.000000,40.000000,1.000000\n"
			     "1.000000,20.000000,,,\n"));
}
END_TEST

/* Tasks beyond the bound share a column, and several of one sample add up in it. */
START_TEST(too_many_tasks)
{
	static struct row rows[SM_WIDECSV_COLUMNS_MAX];
	char want[64], *line = NULL;
	size_t cap = 0;
	FILE *f;

	for (int i = 0; i < SM_WIDECSV_COLUMNS_MAX; i++)
		rows[i] = task(i + 1, "t", 10);
	open_it();
	add(0, rows, SM_WIDECSV_COLUMNS_MAX); /* three fields fewer have room */
	add(1000, rows + SM_WIDECSV_COLUMNS_MAX - 1, 1);
	add(2000, rows, 1);
	ck_assert_int_eq(sm_widecsv_finish(w), 0);
	f = fopen(path, "re");
	ck_assert_int_gt(getline(&line, &cap, f), 0);
	ck_assert_ptr_nonnull(strstr(line, ",t (16381),(others)\n"));
	ck_assert_int_gt(getline(&line, &cap, f), 0);
	snprintf(want, sizeof(want), ",%llu\n", (unsigned long long)ticks(40));
	ck_assert_str_eq(strrchr(line, ','), want);
	ck_assert_int_gt(getline(&line, &cap, f), 0);
	ck_assert_str_eq(strrchr(line, ','), ",3.000000\n");
	ck_assert_int_gt(getline(&line, &cap, f), 0);
	ck_assert_str_eq(strrchr(line, ','), ",1.000000\n");
	ck_assert_int_gt(getline(&line, &cap, f), 0);
	ck_assert_int_eq(strncmp(line, "2.000000,1.000000,,", 19), 0);
	ck_assert_str_eq(strrchr(line, ','), ",\n");
	free(line);
	fclose(f);
}
END_TEST

/* --- the file ----------------------------------------------------------------------- */

START_TEST(old_table_stays_until_the_end)
{
	struct row row = task(1, "a", 100);
	struct stat st;

	overwrite("old and longer than what comes, so that a rest would be seen\n", 0640);
	open_it();
	add(0, &row, 1);
	content(path);
	starts("old and");
	ck_assert_uint_eq(strays(), 0); /* the values have no name */
	finished();
	starts("Task:,a (1)\n");
	ck_assert_ptr_null(strstr(text, "rest"));
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0640);
}
END_TEST

START_TEST(never_finished)
{
	struct row row = task(1, "a", 100);

	overwrite("old\n", 0600);
	open_it();
	add(0, &row, 1);
	sm_widecsv_close(w);
	w = NULL;
	ck_assert_str_eq(content(path), "old\n");
	ck_assert_uint_eq(strays(), 0);
}
END_TEST

START_TEST(symbolic_link_stays)
{
	char link[64];
	struct stat st;

	snprintf(link, sizeof(link), "%s/link", dir);
	overwrite("old\n", 0600);
	ck_assert_int_eq(symlink("out.csv", link), 0);
	o.report = link;
	open_it();
	ck_assert_str_eq(finished(), "Task:\nTicks:\n");
	ck_assert_int_eq(lstat(link, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
}
END_TEST

START_TEST(no_name)
{
	struct row row = task(7, "", 100);

	row.comm.p = NULL; /* a process that /proc hides */
	open_it();
	add(0, &row, 1);
	(void)finished();
	starts("Task:,'- (7)\nTicks:,10\n");
}
END_TEST

START_TEST(cannot_be_written)
{
	o.report = "/tmp/wide.no-such-directory/out.csv";
	ck_assert_int_eq(report_open(&w, &o), -ENOENT);
	o.report = dir;
	ck_assert_int_eq(report_open(&w, &o), -EISDIR);
	o.report = "";
	ck_assert_int_eq(report_open(&w, &o), -ENOENT);
	ck_assert_ptr_null(w);
}
END_TEST

/* As an ordinary user: nobody, when run by root. */
static bool became_ordinary(void)
{
	if (geteuid() != 0)
		return false;
	ck_assert_int_eq(chown(dir, 65534, 65534), 0);
	ck_assert_int_eq(seteuid(65534), 0);
	return true;
}

/* A file that may be written in a directory where none may be made. */
START_TEST(directory_not_writable)
{
	struct row row = task(1, "a", 100);
	bool was_root;
	int err;

	overwrite("old and longer than what comes, so that a rest would be seen\n", 0666);
	was_root = became_ordinary();
	ck_assert_int_eq(chmod(dir, 0500), 0);
	open_it();
	add(0, &row, 1);
	err = sm_widecsv_finish(w);
	if (was_root)
		ck_assert_int_eq(seteuid(0), 0);
	ck_assert_int_eq(err, 0);
	ck_assert_str_eq(content(path), "Task:,a (1)\nTicks:,10\n0.000000,10.000000\n");
	ck_assert_uint_eq(strays(), 0);
}
END_TEST

START_TEST(file_not_writable)
{
	bool was_root;

	overwrite("old\n", 0444);
	was_root = became_ordinary();
	ck_assert_int_eq(chmod(dir, 0500), 0);
	ck_assert_int_eq(report_open(&w, &o), -EACCES);
	if (was_root)
		ck_assert_int_eq(seteuid(0), 0);
	ck_assert_str_eq(content(path), "old\n");
}
END_TEST

/* Rights dropped between start and end: the file that is open is written. */
START_TEST(rights_given_up)
{
	struct row row = task(1, "a", 100);
	bool was_root;
	int err;

	overwrite("old and longer than what comes, so that a rest would be seen\n", 0600);
	open_it();
	add(0, &row, 1);
	was_root = became_ordinary();
	ck_assert_int_eq(chmod(dir, 0500), 0);
	err = sm_widecsv_finish(w);
	if (was_root)
		ck_assert_int_eq(seteuid(0), 0);
	ck_assert_int_eq(err, 0);
	content(path);
	starts("Task:,a (1)\n");
	ck_assert_str_eq(strrchr(text, ','), ",10.000000\n");
	ck_assert_uint_eq(strays(), 0);
}
END_TEST

START_TEST(fifo)
{
	struct row row = task(1, "a", 100);
	int fd;
	ssize_t n;

	ck_assert_int_eq(mkfifo(path, 0600), 0);
	fd = open(path, O_RDWR | O_CLOEXEC);
	open_it();
	add(0, &row, 1);
	ck_assert_int_eq(sm_widecsv_finish(w), 0);
	n = read(fd, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	close(fd);
	starts("Task:,a (1)\n");
}
END_TEST

/* -r /dev/stdout > FILE: what the table stands behind is not overwritten. */
START_TEST(standard_output)
{
	int fd, saved;

	fflush(stdout);
	overwrite("", 0600);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	saved = dup(STDOUT_FILENO);
	ck_assert_int_eq(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
	(void)!write(STDOUT_FILENO, "before\n", 7);
	o.report = "/dev/stdout";
	fd = report_open(&w, &o);
	if (!fd)
		fd = sm_widecsv_finish(w);
	(void)!write(STDOUT_FILENO, "after\n", 6);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	ck_assert_int_eq(fd, 0);
	ck_assert_str_eq(content(path), "before\nTask:\nTicks:\nafter\n");
}
END_TEST

START_TEST(full)
{
	struct row row = task(1, "a", 100);

	o.report = "/dev/full";
	open_it();
	add(0, &row, 1);
	ck_assert_int_eq(sm_widecsv_finish(w), -ENOSPC);
}
END_TEST

/* A spool that cannot grow: the samples before that are in the table all the same. */
START_TEST(errors_are_sticky)
{
	static struct row rows[1000];
	struct rlimit was, small;
	int err;

	for (int i = 0; i < 1000; i++)
		rows[i] = task(i + 1, "t", 10);
	open_it();
	add(0, rows, 1);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &was), 0);
	small = was;
	small.rlim_cur = 2000;
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	err = try_add(1000, rows, 1000, 1);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &was), 0);
	signal(SIGXFSZ, SIG_DFL);
	ck_assert_int_eq(err, -EFBIG);
	ck_assert_int_eq(try_add(2000, rows, 1, 1), -EFBIG);
	ck_assert_int_eq(sm_widecsv_finish(w), -EFBIG);
	ck_assert_ptr_nonnull(strstr(content(path), "\n0.000000,1.000000,"));
	ck_assert_ptr_null(strstr(text, "\n1.000000"));
	ck_assert_ptr_null(strstr(text, "\n2.000000"));
}
END_TEST

static TCase *tc_table(void)
{
	TCase *tc = tcase_create("table");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, one_task);
	tcase_add_test(tc, tasks_come_and_go);
	tcase_add_test(tc, percent_of_cpu);
	tcase_add_test(tc, which_rows);
	tcase_add_test(tc, hostile_names);
	tcase_add_test(tc, no_samples);
	tcase_add_test(tc, much);
	tcase_add_test(tc, too_many_tasks);
	tcase_add_test(tc, exited_tasks);
	return tc;
}

static TCase *tc_file(void)
{
	TCase *tc = tcase_create("file");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, old_table_stays_until_the_end);
	tcase_add_test(tc, never_finished);
	tcase_add_test(tc, symbolic_link_stays);
	tcase_add_test(tc, no_name);
	tcase_add_test(tc, cannot_be_written);
	tcase_add_test(tc, directory_not_writable);
	tcase_add_test(tc, file_not_writable);
	tcase_add_test(tc, rights_given_up);
	tcase_add_test(tc, fifo);
	tcase_add_test(tc, standard_output);
	tcase_add_test(tc, full);
	tcase_add_test(tc, errors_are_sticky);
	return tc;
}

UNIT_MAIN("report", tc_table, tc_file)

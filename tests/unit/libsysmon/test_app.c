// SPDX-License-Identifier: GPL-2.0-or-later
/* The life of a tool: the order of its functions, exit codes, losses.  Each run is a
 * child process, as sm_app_main() gives up privileges. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/app.h"
#include "cli/err.h"
#include "unit.h"

struct demo_opts {
	struct sm_app_opts app;
};

static const struct sm_opt rows[] = {
	SM_APP_OPT_JSON('j'),
	SM_APP_OPT_CSV,
	SM_APP_OPT_PROM,
	SM_APP_OPT_OUTPUT('o'),
	SM_APP_OPT_INTERVAL(0, SM_NSEC_PER_MSEC, "interval"),
	SM_APP_OPT_COUNT("count"),
	SM_APP_OPT_DURATION('D'),
	SM_APP_OPT_STRICT,
	SM_APP_OPT_HELP,
};

static const struct sm_opt_spec spec = {.tool = "demo",
	.version = "1",
	.summary = "A demonstration",
	.synopsis = "[OPTION]...",
	.opts = rows,
	.nopts = SM_ARRAY_SIZE(rows),
	.rest = SM_REST_COMMAND,
	.finish = sm_app_opts_finish};

static const struct sm_opt_spec *demo_spec(void)
{
	return &spec;
}

/* What the tool of this test does. */
static struct demo {
	struct sm_app app;
	struct demo_opts opts;
	int log; /* a letter for each function that is called */
	unsigned int samples, stop_after;
	int fail_open, fail_begin, error, verdict, done;
	bool lose_rows, no_memory, write_row;
	int raise;		/* a signal at each sample */
	const char *until_gone; /* a directory that COMMAND removes before a sample */
	int sampled;		/* a pipe from which COMMAND reads a line after that */
	bool forks;
	pid_t child;
	struct sm_column column[1];
} demo;

static void called(char letter)
{
	ck_assert_int_eq(write(demo.log, &letter, 1), 1);
}

static void table(
	void *ctx, struct sm_table *t, enum sm_format format, struct sm_sink *sink)
{
	(void)ctx;
	called('t');
	sm_table_init(t, format, demo.column, 1, "row", sink);
}

static int prepare(void *ctx)
{
	(void)ctx;
	called('p');
	return demo.done;
}

static int open_demo(void *ctx)
{
	(void)ctx;
	called('o');
	return demo.fail_open ? sm_app_refuse("source", demo.fail_open) : 0;
}

static int begin(void *ctx)
{
	struct demo *d = ctx;

	called('b');
	if (d->fail_begin)
		return sm_app_refuse("list", d->fail_begin);
	if (d->forks) {
		d->child = fork();
		if (d->child == 0)
			_exit(0);
	}
	sm_app_go(&d->app, sm_clock_mono_ns(), d->opts.app.interval_ns);
	return 0;
}

static void await_command(const struct demo *d)
{
	while (access(d->until_gone, F_OK) == 0)
		usleep(1000);
	ck_assert_int_eq(write(d->sampled, "\n", 1), 1);
}

static void sample(void *ctx, uint64_t now_ns)
{
	struct demo *d = ctx;

	(void)now_ns;
	called('s');
	if (d->error)
		sm_app_fail(&d->app, "sensor", d->error);
	if (d->lose_rows)
		d->app.outputs.sink[0].dropped++;
	if (d->no_memory)
		sm_table_text(&d->app.outputs.out[0],
			&(const struct sm_buf){.err = -ENOMEM}, 0);
	if (d->write_row)
		sm_table_text(&d->app.outputs.out[0],
			&(const struct sm_buf){.p = (char[]){"row\n"}, .len = 4}, 1);
	if (d->until_gone)
		await_command(d);
	if (d->raise)
		raise(d->raise);
	if (++d->samples >= d->stop_after)
		d->app.stop = true;
}

static void interim(void *ctx)
{
	(void)ctx;
	called('i');
}

static void last(void *ctx)
{
	struct demo *d = ctx;

	called('l');
	if (d->forks)
		called(waitpid(d->child, NULL, 0) == d->child ? 'w' : '-');
}

static void summary(void *ctx)
{
	(void)ctx;
	called('e');
}

static void files(void *ctx)
{
	(void)ctx;
	called('F');
}

static void metrics(void *ctx, struct sm_prom *p)
{
	const struct demo *d = ctx;

	called('m');
	sm_prom_one(p, "samples_total", "counter", "Samples.", d->samples);
	sm_prom_one(p, "level", "gauge", "Level.", 7);
}

static int verdict(void *ctx)
{
	(void)ctx;
	return demo.verdict;
}

static void close_demo(void *ctx)
{
	(void)ctx;
	called('c');
}

static struct sm_app_tool tool;
static char log_text[64], err_text[512];

static void setup(void)
{
	memset(&demo, 0, sizeof(demo));
	demo.column[0] = (struct sm_column){.key = "n", .head = "N", .width = 3};
	demo.opts.app = (struct sm_app_opts){.interval_ns = SM_NSEC_PER_MSEC,
		.count_min = 1,
		.queue_bytes = SM_SINK_DEFAULT_MAX};
	demo.stop_after = 2;
	tool = (struct sm_app_tool){.spec = demo_spec,
		.table = table,
		.prepare = prepare,
		.open = open_demo,
		.begin = begin,
		.sample = sample,
		.last = last,
		.summary = summary,
		.files = files,
		.metrics = metrics,
		.verdict = verdict,
		.close = close_demo};
}

static void drain(int fd, char *to, size_t cap)
{
	size_t at = 0;
	ssize_t n;

	while ((n = read(fd, to + at, cap - 1 - at)) > 0)
		at += (size_t)n;
	to[at] = '\0';
	close(fd);
}

/* The wait status of `demo ARGS`. */
static int run(const char *const *argv)
{
	int log[2], err[2], status, argc = 0;
	pid_t pid;

	while (argv[argc])
		argc++;
	ck_assert_int_eq(pipe(log), 0);
	ck_assert_int_eq(pipe(err), 0);
	pid = fork();
	if (pid == 0) {
		dup2(err[1], STDERR_FILENO);
		ck_assert_int_ge(dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO), 0);
		demo.log = log[1];
		_exit(sm_app_main(&demo.app, &tool, &demo, &demo.opts, argc,
			(char **)(uintptr_t)argv));
	}
	close(log[1]);
	close(err[1]);
	drain(log[0], log_text, sizeof(log_text));
	drain(err[0], err_text, sizeof(err_text));
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

#define RUN(...) run((const char *[]){"demo", ##__VA_ARGS__, NULL})

static void expect(int status, int code, const char *log, const char *err)
{
	ck_assert(WIFEXITED(status));
	ck_assert_str_eq(log_text, log);
	ck_assert_str_eq(err_text, err);
	ck_assert_int_eq(WEXITSTATUS(status), code);
}

START_TEST(order)
{
	expect(RUN(), SM_EXIT_OK, "ptobssleFc", "");
	/* A table for each output. */
	demo.stop_after = 1;
	expect(RUN("--csv=/dev/null", "--json"), SM_EXIT_OK, "pttobsleFc", "");
}
END_TEST

START_TEST(usage)
{
	expect(RUN("--csv", "--json"), SM_EXIT_USAGE, "",
		"demo: --json and --csv cannot both write to standard output; use "
		"--json=FILE or --csv=FILE\n"
		"Try 'demo --help' for more information.\n");
}
END_TEST

START_TEST(all_done_before_the_outputs)
{
	demo.done = SM_APP_DONE;
	expect(RUN(), SM_EXIT_OK, "pc", "");
}
END_TEST

START_TEST(failed_start)
{
	demo.fail_open = -EPERM;
	expect(RUN(), SM_EXIT_PERMISSION, "ptoc",
		"demo: source: Operation not permitted\n");
	demo.fail_open = -ENODEV;
	expect(RUN(), SM_EXIT_FEATURE, "ptoc", "demo: source: No such device\n");
	demo.fail_open = 0;
	expect(RUN("--prom=/no/such/file"), SM_EXIT_RUNTIME, "ptomc",
		"demo: /no/such/file: No such file or directory\n");
	expect(RUN("-o", "/no/such/file"), SM_EXIT_RUNTIME, "pc",
		"demo: /no/such/file: No such file or directory\n");
}
END_TEST

START_TEST(failed_run)
{
	demo.error = -EIO;
	demo.stop_after = 9;
	/* What there is is still shown. */
	expect(RUN(), SM_EXIT_RUNTIME, "ptobsleFc", "demo: sensor: Input/output error\n");
}
END_TEST

/* --prom is written before the first sample, after a sample at most once a second, and at
 * the end without gauges. */
START_TEST(prometheus)
{
	static const char message[] = "/prom: No such file or directory\n"
				      "demo: the run continues; each update tries to "
				      "write the file again\n";
	static const char command[] = "rm -r \"$0\"; read sampled";
	char dir[UNIT_DIR], arg[100], text[200];
	int to_command[2];

	unit_mkdtemp(dir);
	snprintf(arg, sizeof(arg), "--prom=%s/prom", dir);
	expect(RUN(arg), SM_EXIT_OK, "ptombssleFmc", "");
	ck_assert_str_eq(unit_slurp(arg + 7, text, sizeof(text)),
		"# HELP samples_total Samples.\n# TYPE samples_total counter\n"
		"samples_total 2\n");
	demo.fail_begin = -ENOMEM;
	expect(RUN(arg), SM_EXIT_RUNTIME, "ptombmc",
		"demo: list: Cannot allocate memory\n");
	ck_assert_ptr_null(strstr(unit_slurp(arg + 7, text, sizeof(text)), "gauge"));
	demo.fail_begin = 0;
	demo.stop_after = 1;
	demo.opts.app.interval_ns = SM_NSEC_PER_SEC;
	demo.until_gone = dir;
	ck_assert_int_eq(pipe(to_command), 0);
	ck_assert_int_eq(dup2(to_command[0], STDIN_FILENO), STDIN_FILENO);
	demo.sampled = to_command[1];
	ck_assert_int_eq(
		WEXITSTATUS(RUN(arg, "--", "sh", "-c", command, dir)), SM_EXIT_RUNTIME);
	ck_assert_str_eq(log_text, "ptombsmleFmc");
	ck_assert_ptr_nonnull(strstr(err_text, message));
	ck_assert_ptr_null(strstr(strstr(err_text, message) + 1, message));
}
END_TEST

START_TEST(losses)
{
	static const char message[] = "demo: 2 rows were lost to a slow reader\n";

	demo.lose_rows = true;
	expect(RUN(), SM_EXIT_OK, "ptobssleFc", message);
	expect(RUN("--strict"), SM_EXIT_LOST, "ptobssleFc", message);
	demo.write_row = true;
	expect(RUN("-o", "/dev/full"), SM_EXIT_RUNTIME, "ptobslFc",
		"demo: write error: No space left on device\n");
	demo.write_row = false;
	demo.lose_rows = false;
	demo.no_memory = true;
	expect(RUN(), SM_EXIT_RUNTIME, "ptobssleFc",
		"demo: 2 rows were lost: Cannot allocate memory\n");
	demo.no_memory = false;
	demo.verdict = SM_EXIT_LOST;
	expect(RUN(), SM_EXIT_OK, "ptobssleFc", "");
	expect(RUN("--strict"), SM_EXIT_LOST, "ptobssleFc", "");
	demo.verdict = SM_EXIT_FEATURE;
	expect(RUN(), SM_EXIT_FEATURE, "ptobssleFc", "");
}
END_TEST

/* The signal of the last sample comes with the end of the run. */
START_TEST(interim_result)
{
	demo.raise = SIGUSR1;
	demo.stop_after = 3;
	tool.interim = interim;
	expect(RUN(), SM_EXIT_OK, "ptobsisisleFc", "");
	demo.raise = SIGUSR2;
	ck_assert_int_eq(WEXITSTATUS(RUN()), SM_EXIT_OK);
	ck_assert_str_eq(log_text, "ptobsleFc");
	/* A tool without an interim result ends. */
	tool.interim = NULL;
	demo.raise = SIGUSR1;
	ck_assert_int_eq(WEXITSTATUS(RUN()), SM_EXIT_OK);
	ck_assert_str_eq(log_text, "ptobsleFc");
}
END_TEST

static void stop_at_the_second(void *ctx, int signal, uint64_t now_ns)
{
	struct demo *d = ctx;

	(void)now_ns;
	called('x');
	d->app.stop = d->app.stopped_by == SIGUSR2 && signal == SIGTERM;
	d->raise = SIGTERM;
}

/* A tool that has to end what it runs ends when it is ready. */
START_TEST(end_in_order)
{
	demo.stop_after = 1000000;
	demo.raise = SIGUSR2;
	tool.stopping = stop_at_the_second;
	expect(RUN(), SM_EXIT_OK, "ptobsxsxleFc", "");
}
END_TEST

/* A child that the frame reaped would be lost to the tool. */
START_TEST(own_children)
{
	demo.forks = true;
	demo.stop_after = 20;
	tool.reaps_children = true;
	ck_assert_int_eq(WEXITSTATUS(RUN()), SM_EXIT_OK);
	ck_assert_ptr_nonnull(strstr(log_text, "slweFc"));
}
END_TEST

/* The verdict on what was measured goes before errors of the outputs, the end by a signal
 * after them. */
START_TEST(verdicts)
{
	demo.stop_after = 1;
	demo.write_row = true;
	demo.verdict = SM_EXIT_FEATURE;
	ck_assert_int_eq(WEXITSTATUS(RUN("--output=/dev/full")), SM_EXIT_FEATURE);
	demo.verdict = 128 + SIGTERM;
	ck_assert_int_eq(WEXITSTATUS(RUN("--output=/dev/full")), SM_EXIT_RUNTIME);
	ck_assert_int_eq(WEXITSTATUS(RUN()), 128 + SIGTERM);
}
END_TEST

START_TEST(duration)
{
	demo.stop_after = 1000000;
	demo.opts.app.interval_ns = 3600 * SM_NSEC_PER_SEC;
	expect(RUN("-D", "20ms"), SM_EXIT_OK, "ptobleFc", "");
}
END_TEST

START_TEST(command)
{
	demo.stop_after = 1000000;
	demo.opts.app.interval_ns = 3600 * SM_NSEC_PER_SEC;
	expect(RUN("--", "sh", "-c", "exit 7"), 7, "ptobleFc", "");
	tool.keeps_command = true;
	expect(RUN("--", "sh", "-c", "exit 8"), 8, "ptobleFc", "");
	expect(RUN("--", "sh", "-c", "kill -9 $$"), 137, "ptobleFc", "");
	expect(RUN("--", "/no/such/program"), 127, "ptobleFc",
		"demo: cannot run '/no/such/program': No such file or directory\n");
	/* One that never runs as the start fails leaves nothing. */
	demo.fail_open = -EIO;
	expect(RUN("--", "sh", "-c", "echo run >&2"), SM_EXIT_RUNTIME, "ptoc",
		"demo: source: Input/output error\n");
}
END_TEST

START_TEST(reader_that_ends)
{
	int fd[2], status;

	demo.stop_after = 1000000;
	ck_assert_int_eq(pipe(fd), 0);
	close(fd[0]);
	if (fork() == 0) {
		char name[] = "demo", *argv[] = {name, NULL};

		dup2(fd[1], STDOUT_FILENO);
		demo.log = open("/dev/null", O_WRONLY);
		signal(SIGPIPE, SIG_DFL);
		_exit(sm_app_main(&demo.app, &tool, &demo, &demo.opts, 1, argv));
	}
	close(fd[1]);
	ck_assert_int_gt(wait(&status), 0);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}
END_TEST

static TCase *tc_app(void)
{
	TCase *tc = tcase_create("app");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, order);
	tcase_add_test(tc, usage);
	tcase_add_test(tc, all_done_before_the_outputs);
	tcase_add_test(tc, failed_start);
	tcase_add_test(tc, failed_run);
	tcase_add_test(tc, prometheus);
	tcase_add_test(tc, losses);
	tcase_add_test(tc, interim_result);
	tcase_add_test(tc, end_in_order);
	tcase_add_test(tc, own_children);
	tcase_add_test(tc, verdicts);
	tcase_add_test(tc, duration);
	tcase_add_test(tc, command);
	tcase_add_test(tc, reader_that_ends);
	return tc;
}

UNIT_MAIN("app", tc_app)

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "err.h"
#include "opt.h"
#include "unit.h"

struct cfg {
	bool all, quiet, summary;
	const char *file, *csv;
	uint64_t count, duration_ns, size;
	int color;
	unsigned int events;   /* calls of call_event */
	unsigned int operands; /* calls of on_operand */
	char last[64];
};

static int call_event(void *cfg, const char *arg, struct sm_buf *why)
{
	struct cfg *c = cfg;

	if (strcmp(arg, "mute") == 0)
		return -EINVAL;
	if (strcmp(arg, "fork") != 0) {
		sm_buf_printf(why, "unknown event '%s'", arg);
		return -EINVAL;
	}
	c->events++;
	return 0;
}

static int on_operand(void *cfg, unsigned int index, const char *arg, struct sm_buf *why)
{
	struct cfg *c = cfg;

	ck_assert_uint_eq(index, c->operands);
	if (strcmp(arg, "bad") == 0) {
		sm_buf_str(why, "no such thing");
		return -ENOENT;
	}
	snprintf(c->last, sizeof(c->last), "%s", arg);
	c->operands++;
	return 0;
}

static int on_finish(void *cfg, struct sm_buf *why)
{
	struct cfg *c = cfg;

	if (!c->quiet || !c->all)
		return 0;
	sm_buf_str(why, "--quiet and --all exclude each other");
	return -EINVAL;
}

#define AT(field) offsetof(struct cfg, field)
static const char *const when[] = {"auto", "always", "never", NULL};
static const char *const kinds[] = {"fork", "exec", "exit", NULL};
static const struct sm_opt opts[] = {
	{.kind = SM_OPT_GROUP, .help = "What"},
	{'a', "all", SM_OPT_FLAG, .offset = AT(all), .help = "everything"},
	{'c', "count", SM_OPT_U64, "N", .offset = AT(count), .min = 1, .max = 100,
		.help = "stop after N rows"},
	{'D', "duration", SM_OPT_DURATION, "SECS", .offset = AT(duration_ns),
		.min = SM_NSEC_PER_MSEC, .max = 3600 * SM_NSEC_PER_SEC,
		.help = "run for SECS; a fraction and a unit of time may be given, as in "
			"1.5s or 2m, "
			"and the run ends then\nsecond 'line' [x]: y"},
	{'s', "size", SM_OPT_SIZE, "BYTES", .offset = AT(size), .min = 4096},
	{'e', NULL, SM_OPT_CALL, "EVENT", .call = call_event, .choices = kinds,
		.complete = SM_COMPLETE_LIST, .help = "events"},
	{.kind = SM_OPT_GROUP, .help = "How"},
	{'q', "quiet", SM_OPT_FLAG, .offset = AT(quiet), .help = "no rows"},
	{0, "summary", SM_OPT_FLAG, .offset = AT(summary), .help = "totals"},
	{0, "color", SM_OPT_CHOICE, "WHEN", .offset = AT(color), .choices = when,
		.help = "colours"},
	{0, "colour", SM_OPT_CHOICE, "WHEN", .hidden = true, .offset = AT(color),
		.choices = when},
	{'f', "file", SM_OPT_STR, "FILE", .offset = AT(file),
		.complete = SM_COMPLETE_FILE, .help = "output"},
	{'C', "csv", SM_OPT_STR, "FILE", .arg_optional = true, .offset = AT(csv),
		.complete = SM_COMPLETE_FILE, .help = "CSV"},
	{'p', "pid", SM_OPT_U64, "PID", .offset = AT(count), .complete = SM_COMPLETE_PID},
	{'h', "help", SM_OPT_HELP, .help = "this text"},
	{'V', "version", SM_OPT_VERSION, .help = "the version"},
};
static const char *const examples[] = {"demo -D 5", "five seconds", NULL};

static struct sm_opt_spec spec(enum sm_opt_rest rest)
{
	return (struct sm_opt_spec){
		.tool = "demo",
		.version = "1.2.3",
		.summary = "show what a table can do",
		.synopsis = "[OPTION]... [-- COMMAND [ARG]...]",
		.opts = opts,
		.nopts = SM_ARRAY_SIZE(opts),
		.rest = rest,
		.operand = on_operand,
		.finish = on_finish,
		.examples = examples,
		.exit_notes = "Exit codes: 0 ok.",
	};
}

/* What a run printed and returned. */
static struct result {
	int r, status, command, argc;
	char out[8192], err[32768];
} got;
static struct cfg cfg;

static void slurp(int fd, char *to, size_t size)
{
	ssize_t n = pread(fd, to, size - 1, 0);

	ck_assert_int_ge(n, 0);
	to[n] = '\0';
}

static int scratch(int as)
{
	char name[] = "/tmp/sm_test_opt_XXXXXX";
	int saved = dup(as), fd = mkstemp(name);

	ck_assert_int_ge(fd, 0);
	unlink(name);
	ck_assert_int_eq(dup2(fd, as), as);
	close(fd);
	return saved;
}

static void restore(int saved, int as)
{
	ck_assert_int_eq(dup2(saved, as), as);
	close(saved);
}

static void run(enum sm_opt_rest rest, char **argv)
{
	struct sm_opt_spec s = spec(rest);
	int out, err;

	for (got.argc = 0; argv[got.argc]; got.argc++)
		;
	cfg = (struct cfg){.color = -1};
	sm_err_init("demo");
	out = scratch(STDOUT_FILENO);
	err = scratch(STDERR_FILENO);
	got.r = sm_opt_parse(&s, &cfg, got.argc, argv, &got.command, &got.status);
	slurp(STDOUT_FILENO, got.out, sizeof(got.out));
	slurp(STDERR_FILENO, got.err, sizeof(got.err));
	restore(out, STDOUT_FILENO);
	restore(err, STDERR_FILENO);
}

#define ARGV(...)  ((char *[]){(char[]){"demo"}, __VA_ARGS__, NULL})
#define A(literal) ((char[]){literal})

static void accepted(enum sm_opt_rest rest, char **argv)
{
	run(rest, argv);
	ck_assert_str_eq(got.err, "");
	ck_assert_int_eq(got.r, 0);
	ck_assert_int_eq(got.status, SM_EXIT_OK);
	ck_assert_str_eq(got.out, "");
}

static void refused(enum sm_opt_rest rest, char **argv, const char *message)
{
	char want[16384];

	run(rest, argv);
	snprintf(want, sizeof(want),
		"demo: %s\nTry 'demo --help' for more information.\n", message);
	ck_assert_str_eq(got.err, want);
	ck_assert_str_eq(got.out, "");
	ck_assert_int_eq(got.r, 1);
	ck_assert_int_eq(got.status, SM_EXIT_USAGE);
}

#define OK(...)		  accepted(SM_REST_NONE, ARGV(__VA_ARGS__))
#define BAD(message, ...) refused(SM_REST_NONE, ARGV(__VA_ARGS__), message)

START_TEST(nothing)
{
	char *argv[] = {A("demo"), NULL};

	accepted(SM_REST_NONE, argv);
	ck_assert_int_eq(got.command, 1);
	accepted(SM_REST_COMMAND, argv);
	ck_assert_int_eq(got.command, 1);
	accepted(SM_REST_NONE, argv + 1); /* argc is 0 */
}
END_TEST

START_TEST(clusters)
{
	OK(A("-aD5"));
	ck_assert(cfg.all && !cfg.quiet);
	ck_assert_uint_eq(cfg.duration_ns, 5 * SM_NSEC_PER_SEC);
	OK(A("-aD"), A("200ms"), A("-c"), A("7"));
	ck_assert(cfg.all);
	ck_assert_uint_eq(cfg.duration_ns, 200 * SM_NSEC_PER_MSEC);
	ck_assert_uint_eq(cfg.count, 7);
	OK(A("-f-x")); /* everything after the letter is the value */
	ck_assert_str_eq(cfg.file, "-x");
	OK(A("-f"), A("--")); /* and so is the next element, whatever it is */
	ck_assert_str_eq(cfg.file, "--");
	OK(A("-Ca")); /* an optional value never goes with the letter */
	ck_assert_str_eq(cfg.csv, "");
	ck_assert(cfg.all);
}
END_TEST

START_TEST(long_forms)
{
	OK(A("--all"), A("--count=9"), A("--file"), A("a=b"), A("--size=64K"));
	ck_assert(cfg.all);
	ck_assert_uint_eq(cfg.count, 9);
	ck_assert_str_eq(cfg.file, "a=b");
	ck_assert_uint_eq(cfg.size, 65536);
	OK(A("--file=a=b"));
	ck_assert_str_eq(cfg.file, "a=b");
	OK(A("--csv"), A("--quiet"));
	ck_assert_str_eq(cfg.csv, "");
	ck_assert(cfg.quiet);
	OK(A("--csv=x"));
	ck_assert_str_eq(cfg.csv, "x");
	OK(A("--color=never"), A("--colour"), A("always"));
	ck_assert_int_eq(cfg.color, 1); /* the last one wins */
	OK(A("--color=auto"));
	ck_assert_int_eq(cfg.color, 0);
	OK(A("-e"), A("fork"), A("-efork"));
	ck_assert_uint_eq(cfg.events, 2);
}
END_TEST

START_TEST(abbreviations)
{
	OK(A("--dur"), A("5"));
	ck_assert_uint_eq(cfg.duration_ns, 5 * SM_NSEC_PER_SEC);
	OK(A("--col=never")); /* the hidden --colour does not make it ambiguous */
	ck_assert_int_eq(cfg.color, 2);
	OK(A("--colou=auto"));
	ck_assert_int_eq(cfg.color, 0);
	BAD("option '--s' is ambiguous: --size, --summary", A("--s"));
	BAD("option '--c=1' is ambiguous: --count, --color, --csv", A("--c=1"));
	BAD("unknown option '--all1'", A("--all1"));
	BAD("unknown option '--=x'", A("--=x"));
}
END_TEST

START_TEST(unknown)
{
	BAD("unknown option '--nope=5'", A("--nope=5"));
	BAD("unknown option '-z'", A("-azq"));
	BAD("unknown option '-='", A("-a=1"));
	BAD("unknown option '-\\xff'", A("-\xff"));
	BAD("unknown option '-\\x1b'", A("-\x1b[2J"));
	BAD("unknown option '--\\x1b[31m\\x0a'", A("--\x1b[31m\n"));
	BAD("unknown option '---'", A("---"));
}
END_TEST

START_TEST(missing_and_empty)
{
	BAD("option '--quiet' takes no value", A("--quiet=1"));
	BAD("option '--quiet' takes no value", A("--qui="));
	BAD("option '--help' takes no value", A("--help=x"));
	BAD("option '-D' needs a value (SECS)", A("-aD"));
	BAD("option '--duration' needs a value (SECS)", A("--dur"));
	BAD("option '--duration' has an empty value", A("--duration="));
	BAD("option '-f' has an empty value", A("-f"), A(""));
	BAD("option '--csv' has an empty value", A("--csv="));
}
END_TEST

START_TEST(bad_values)
{
	BAD("invalid value '1x' for option '--count': not a whole number",
		A("--count=1x"));
	BAD("invalid value '0' for option '-c': must be from 1 to 100", A("-c0"));
	BAD("invalid value '101' for option '-c': must be from 1 to 100", A("-c"),
		A("101"));
	BAD("invalid value '99999999999999999999' for option '-c': must be from 1 to 100",
		A("-c"), A("99999999999999999999"));
	BAD("invalid value '-5' for option '-c': not a whole number", A("-c"), A("-5"));
	BAD("invalid value '99999999999999999999' for option '-p': too large", A("-p"),
		A("99999999999999999999"));
	BAD("invalid value '0' for option '-D': must be from 1ms to 1h", A("-D0"));
	BAD("invalid value '61m' for option '--duration': must be from 1ms to 1h",
		A("--dur=61m"));
	BAD("invalid value 'soon' for option '-D': not a duration (5, 1.5s, 200ms, 2m)",
		A("-Dsoon"));
	BAD("invalid value '1' for option '-s': must be at least 4K", A("-s1"));
	BAD("invalid value 'x' for option '-s': not a size (4096, 64K, 1M)", A("-sx"));
	BAD("invalid value 'al' for option '--color': must be one of auto, always, never",
		A("--color=al"));
	BAD("option '-e': unknown event 'x'", A("-ex"));
	BAD("option '-e': unknown event '\\x1b]0;pwned\\x07'", A("-e\x1b]0;pwned\x07"));
	BAD("option '-e': invalid value", A("-emute"));
	BAD("invalid value '\\xff\\x0a' for option '--count': not a whole number",
		A("--count=\xff\n"));
}
END_TEST

START_TEST(operands)
{
	BAD("extra operand 'x'", A("-a"), A("x"));
	BAD("extra operand '-'", A("-"));
	BAD("extra operand ''", A(""));
	BAD("extra operand 'x'", A("--"), A("x"));
	OK(A("-a"), A("--"));
	accepted(SM_REST_OPERANDS,
		ARGV(A("one"), A("-q"), A("-"), A("--"), A("-a"), A("--")));
	ck_assert(cfg.quiet && !cfg.all); /* options may follow operands */
	ck_assert_uint_eq(cfg.operands, 4);
	ck_assert_str_eq(cfg.last, "--");
	refused(SM_REST_OPERANDS, ARGV(A("ok"), A("bad")),
		"operand 'bad': no such thing");
}
END_TEST

START_TEST(command_line)
{
	accepted(SM_REST_COMMAND, ARGV(A("-a"), A("--"), A("ls"), A("-q"), A("--")));
	ck_assert_int_eq(got.command, 3);
	ck_assert(cfg.all && !cfg.quiet);
	accepted(SM_REST_COMMAND, ARGV(A("-a")));
	ck_assert_int_eq(got.command, got.argc);
	refused(SM_REST_COMMAND, ARGV(A("--")), "'--' must be followed by a command");
	refused(SM_REST_COMMAND, ARGV(A("--"), A("")),
		"'--' must be followed by a command");
	refused(SM_REST_COMMAND, ARGV(A("ls")), "extra operand 'ls'");
}
END_TEST

START_TEST(conflicts)
{
	BAD("--quiet and --all exclude each other", A("-aq"));
	BAD("invalid value 'x' for option '-c': not a whole number", A("-aqcx"));
}
END_TEST

START_TEST(long_values_are_cut)
{
	static char big[100000];
	const char *quote;

	memset(big, 'x', sizeof(big) - 1);
	run(SM_REST_NONE, ARGV(big));
	ck_assert_int_eq(got.status, SM_EXIT_USAGE);
	quote = strstr(got.err, "...'\nTry 'demo --help'");
	ck_assert_ptr_nonnull(quote);
	ck_assert_uint_lt(strlen(got.err), 1200);
	memset(big, '\x1b', sizeof(big) - 1); /* four times as long when shown */
	run(SM_REST_NONE, ARGV(big));
	ck_assert_ptr_nonnull(strstr(got.err, "\\x1b...'\nTry 'demo --help'"));
	/* The same through a callback, which cuts nothing: the message ends in a newline.
	 */
	big[0] = '-';
	big[1] = 'e';
	run(SM_REST_NONE, ARGV(big));
	ck_assert_int_eq(got.status, SM_EXIT_USAGE);
	ck_assert_int_eq(got.err[strlen(got.err) - 1], '\n');
	ck_assert_ptr_null(strchr(got.err, '\x1b'));
}
END_TEST

START_TEST(version_and_help)
{
	run(SM_REST_NONE, ARGV(A("-aV"), A("--nonsense")));
	ck_assert_int_eq(got.r, 1);
	ck_assert_int_eq(got.status, SM_EXIT_OK);
	ck_assert_str_eq(got.out, "demo (sysmon-tools) 1.2.3\n");
	ck_assert_str_eq(got.err, "");
	run(SM_REST_NONE, ARGV(A("--he")));
	ck_assert_int_eq(got.r, 1);
	ck_assert_int_eq(got.status, SM_EXIT_OK);
	ck_assert_str_eq(got.out,
		"Usage: demo [OPTION]... [-- COMMAND [ARG]...]\n"
		"show what a table can do.\n"
		"\n"
		"What:\n"
		"  -a, --all            everything\n"
		"  -c, --count=N        stop after N rows\n"
		"  -D, --duration=SECS  run for SECS; a fraction and a unit of time may "
		"be given,\n"
		"                       as in 1.5s or 2m, and the run ends then\n"
		"                       second 'line' [x]: y\n"
		"  -s, --size=BYTES\n"
		"  -e EVENT             events\n"
		"\n"
		"How:\n"
		"  -q, --quiet          no rows\n"
		"      --summary        totals\n"
		"      --color=WHEN     colours\n"
		"  -f, --file=FILE      output\n"
		"  -C, --csv[=FILE]     CSV\n"
		"  -p, --pid=PID\n"
		"  -h, --help           this text\n"
		"  -V, --version        the version\n"
		"\n"
		"Examples:\n"
		"  demo -D 5  five seconds\n"
		"\n"
		"Exit codes: 0 ok.\n");
}
END_TEST

START_TEST(write_errors)
{
	struct sm_opt_spec s = spec(SM_REST_NONE);
	int command, status = -1, out = dup(STDOUT_FILENO), err = scratch(STDERR_FILENO);
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	sm_err_init("demo");
	ck_assert_int_ge(full, 0);
	dup2(full, STDOUT_FILENO);
	ck_assert_int_eq(
		sm_opt_parse(&s, &cfg, 2, ARGV(A("--help")), &command, &status), 1);
	slurp(STDERR_FILENO, got.err, sizeof(got.err));
	restore(out, STDOUT_FILENO);
	restore(err, STDERR_FILENO);
	close(full);
	ck_assert_int_eq(status, SM_EXIT_RUNTIME);
	ck_assert_str_eq(got.err,
		"demo: cannot write to standard output: No space left on device\n");
}
END_TEST

START_TEST(help_fits_every_width)
{
	struct sm_opt_spec s = spec(SM_REST_NONE);
	struct sm_buf b = {0};

	for (unsigned int columns = 1; columns < 200; columns++) {
		size_t longest = 0;

		sm_buf_reset(&b);
		sm_opt_help(&s, &b, columns);
		sm_buf_chr(&b, '\0');
		ck_assert_int_eq(b.err, 0);
		for (char *line = strstr(b.p, "What:"); *line;
			line += strspn(line, "\n")) {
			size_t n = strcspn(line, "\n");

			longest = n > longest ? n : longest;
			line += n;
		}
		if (columns >= 40)
			ck_assert_uint_le(longest, columns);
	}
	sm_buf_fini(&b);
}
END_TEST

START_TEST(dump)
{
	struct sm_opt_spec s = spec(SM_REST_NONE);
	struct sm_buf b = {0};

	sm_opt_dump(&s, &b);
	sm_buf_chr(&b, '\0');
	ck_assert_str_eq(b.p, "-a\t--all\t-\n-c\t--count\tN\n"
			      "-D\t--duration\tSECS\n-s\t--size\tBYTES\n"
			      "-e\t-\tEVENT\n-q\t--quiet\t-\n"
			      "-\t--summary\t-\n-\t--color\tWHEN\n"
			      "-f\t--file\tFILE\n-C\t--csv\t[FILE]\n"
			      "-p\t--pid\tPID\n-h\t--help\t-\n"
			      "-V\t--version\t-\n");
	sm_buf_fini(&b);
}
END_TEST

/* ---- completions: the shells themselves judge; one that is not installed is passed over
 * ----
 */

#define ABSENT	    99
#define HAVE(shell) "command -v " shell " >/dev/null || { cat >/dev/null; exit 99; }; "

static int feed(const char *shell_command, const char *script, size_t n)
{
	FILE *f = popen(shell_command, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(script, 1, n, f), n);
	return WEXITSTATUS(pclose(f));
}

static void check_syntax(enum sm_opt_shell shell, const char *command, const char *bad)
{
	struct sm_buf b = {0};
	int status;

	for (int rest = SM_REST_NONE; rest <= SM_REST_BOTH; rest++) {
		struct sm_opt_spec s = spec(rest);

		sm_buf_reset(&b);
		sm_opt_completion(&s, shell, &b);
		ck_assert_int_eq(b.err, 0);
		status = feed(command, b.p, b.len);
		ck_assert_msg(status == 0 || status == ABSENT, "%s: %d", command, status);
		sm_buf_str(&b, bad); /* does the check check at all? */
		if (status == 0)
			ck_assert_int_ne(feed(command, b.p, b.len), 0);
	}
	sm_buf_fini(&b);
}

START_TEST(syntax)
{
	check_syntax(SM_SHELL_BASH, HAVE("bash") "bash -n 2>/dev/null", "\n)\n");
	check_syntax(SM_SHELL_ZSH, HAVE("zsh") "zsh -n 2>/dev/null", "\n)\n");
	check_syntax(SM_SHELL_FISH, HAVE("fish") "fish -n 2>/dev/null", "\n)\n");
}
END_TEST

/* Runs the bash function on a command line; the answers go to `answers`, sorted by bash.
 */
static bool bash_completes(const char *words, const char *answers)
{
	struct sm_opt_spec s = spec(SM_REST_COMMAND);
	struct sm_buf b = {0};
	char name[] = "/tmp/sm_test_complete_XXXXXX", have[4096];
	int fd = mkstemp(name), status;

	ck_assert_int_ge(fd, 0);
	sm_opt_completion(&s, SM_SHELL_BASH, &b);
	sm_buf_printf(&b,
		"COMP_WORDS=(demo %s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
		"_demo; printf '%%s|' \"${COMPREPLY[@]}\" > %s\n",
		words, name);
	status = feed(HAVE("bash") "bash --norc 2>/dev/null", b.p, b.len);
	slurp(fd, have, sizeof(have));
	close(fd);
	unlink(name);
	sm_buf_fini(&b);
	if (status == ABSENT)
		return false;
	ck_assert_str_eq(have, answers);
	return true;
}

START_TEST(bash_answers)
{
	if (!bash_completes("--co", "--count=|--color=|"))
		return;
	bash_completes("--color = a", "auto|always|");
	bash_completes("-e fork,ex", "fork,exec|fork,exit|");
	bash_completes("-e ''", "fork|exec|exit|");
	bash_completes("-f /dev/nul", "/dev/null|");
	bash_completes("--csv = /dev/nul", "/dev/null|");
	bash_completes("--csv --qu", "--quiet|");
	bash_completes("-D --qu", "|");	       /* a value follows: no idea which */
	bash_completes("--colo", "--color=|"); /* and not the alias */
	bash_completes("-- /bin/fals", "/bin/false|");
}
END_TEST

static TCase *tc_parse(void)
{
	TCase *t = tcase_create("parse");

	tcase_add_test(t, nothing);
	tcase_add_test(t, clusters);
	tcase_add_test(t, long_forms);
	tcase_add_test(t, abbreviations);
	tcase_add_test(t, unknown);
	tcase_add_test(t, missing_and_empty);
	tcase_add_test(t, bad_values);
	tcase_add_test(t, operands);
	tcase_add_test(t, command_line);
	tcase_add_test(t, conflicts);
	tcase_add_test(t, long_values_are_cut);
	return t;
}

static TCase *tc_texts(void)
{
	TCase *t = tcase_create("texts");

	tcase_set_timeout(t, 30);
	tcase_add_test(t, version_and_help);
	tcase_add_test(t, write_errors);
	tcase_add_test(t, help_fits_every_width);
	tcase_add_test(t, dump);
	tcase_add_test(t, syntax);
	tcase_add_test(t, bash_answers);
	return t;
}

UNIT_MAIN("opt", tc_parse, tc_texts)

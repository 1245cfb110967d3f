// SPDX-License-Identifier: GPL-2.0-or-later
/* What is made of the table: help, completions, the dump. */
#include "opt_rig.h"

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

/* --- completions -------------------------------------------------------------------- */

/* The shells themselves judge; one that is not installed is passed over. */

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

static TCase *tc_texts(void)
{
	TCase *t = tcase_create("texts");

	tcase_add_test(t, version_and_help);
	tcase_add_test(t, write_errors);
	tcase_add_test(t, help_fits_every_width);
	tcase_add_test(t, dump);
	tcase_add_test(t, syntax);
	tcase_add_test(t, bash_answers);
	return t;
}

UNIT_MAIN("opt_text", tc_texts)

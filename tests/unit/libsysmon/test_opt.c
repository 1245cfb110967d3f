// SPDX-License-Identifier: GPL-2.0-or-later
#include "opt_rig.h"

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
	ck_assert(cfg.csv.here && cfg.all);
}
END_TEST

START_TEST(here_or_to_a_file)
{
	OK(A("-a"));
	ck_assert(!cfg.csv.here && !cfg.csv.file);
	OK(A("-C"));
	ck_assert(cfg.csv.here && !cfg.csv.file);
	OK(A("--csv"));
	ck_assert(cfg.csv.here && !cfg.csv.file);
	OK(A("--csv=x"), A("-C"), A("--csv=y")); /* both; the last file wins */
	ck_assert(cfg.csv.here);
	ck_assert_str_eq(cfg.csv.file, "y");
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
	ck_assert(cfg.csv.here && cfg.quiet);
	OK(A("--csv=x"));
	ck_assert(!cfg.csv.here);
	ck_assert_str_eq(cfg.csv.file, "x");
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
	BAD("unknown option '--all1': the nearest is --all", A("--all1"));
	BAD("unknown option '--=x'", A("--=x"));
}
END_TEST

START_TEST(unknown)
{
	BAD("unknown option '--nope=5'", A("--nope=5"));
	BAD("unknown option '-z'", A("-azq"));
	BAD("option '-a' takes no value", A("-a=1"));
	BAD("unknown option '-='", A("-="));
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
	BAD("option '-C' takes no value after '=': use --csv=FILE", A("-C=/tmp/x"));
	BAD("option '-C' takes no value after '=': use --csv=FILE", A("-aC="));
	BAD("option '--csv' has an empty value", A("--csv="));
}
END_TEST

START_TEST(bad_values)
{
	BAD("option '--count': '1x' must be a whole number", A("--count=1x"));
	BAD("option '-c': '0' must be from 1 to 100", A("-c0"));
	BAD("option '-c': '101' must be from 1 to 100", A("-c"), A("101"));
	BAD("option '-c': '99999999999999999999' must be from 1 to 100", A("-c"),
		A("99999999999999999999"));
	BAD("option '-c': '-5' must be a whole number", A("-c"), A("-5"));
	BAD("option '-p': '99999999999999999999' is too large", A("-p"),
		A("99999999999999999999"));
	BAD("option '-D': '0' must be from 1ms to 1h", A("-D0"));
	BAD("option '--duration': '61m' must be from 1ms to 1h", A("--dur=61m"));
	BAD("option '-D': 'soon' must be a duration (5, 1.5s, 200ms, 2m)", A("-Dsoon"));
	BAD("option '-s': '1' must be at least 4K", A("-s1"));
	BAD("option '-s': 'x' must be a size (4096, 64K, 1M)", A("-sx"));
	BAD("option '--color': 'al' must be auto, always or never", A("--color=al"));
	BAD("option '--color': 'ansi': ansi was removed; use always", A("--color=ansi"));
	BAD("option '--color': 'ans' must be auto, always or "
	    "never",
		A("--color=ans"));
	BAD("option '-e': unknown event 'x'", A("-ex"));
	BAD("option '-e': unknown event '\\x1b]0;pwned\\x07'", A("-e\x1b]0;pwned\x07"));
	BAD("option '-e': invalid value", A("-emute"));
	BAD("option '--count': '\\xff\\x0a' must be a whole number", A("--count=\xff\n"));
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
	BAD("option '-c': 'x' must be a whole number", A("-aqcx"));
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

static TCase *tc_parse(void)
{
	TCase *t = tcase_create("parse");

	tcase_add_test(t, nothing);
	tcase_add_test(t, clusters);
	tcase_add_test(t, here_or_to_a_file);
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

UNIT_MAIN("opt", tc_parse)

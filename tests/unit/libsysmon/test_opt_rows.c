// SPDX-License-Identifier: GPL-2.0-or-later
/* What a table that is made at run time needs: the row for its function, values of their
 * own elements, rows that the help leaves out, the nearest name; and rows that fill a
 * list. */
#include <limits.h>

#include "base/distance.h"
#include "cli/opt_value.h"
#include "opt_rig.h"

struct rows {
	uint64_t n[4];
	const struct sm_opt *row;
	char value[32];
	struct sm_opt_list pids, uids;
};

static int take(void *c, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct rows *r = c;

	if (arg && strcmp(arg, "bad") == 0) {
		sm_buf_str(why, "is bad");
		return -EINVAL;
	}
	r->n[o->offset]++;
	r->row = o;
	snprintf(r->value, sizeof(r->value), "%s", arg ? arg : "(none)");
	return 0;
}

static int help_on(void *c, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	(void)c;
	(void)o;
	sm_buf_str(why, arg);
	if (strcmp(arg, "all\n") == 0)
		return 0;
	sm_buf_str(why, " is not known");
	return -EINVAL;
}

static const struct sm_opt table[] = {
	{'q', "qsort", SM_OPT_CALL, "N", .call_row = take, .offset = 0, .detail = true,
		.help = "sort"},
	{0, "qsort-size", SM_OPT_CALL, "N", .call_row = take, .offset = 1,
		.detail = true},
	{'s', "seq", SM_OPT_CALL, "N", .call_row = take, .offset = 2,
		.arg_optional = true, .apart = true, .help = "in turn"},
	{0, "alias", SM_OPT_CALL, "N", .call_row = take, .offset = 3, .hidden = true},
	{'p', "pid", SM_OPT_PIDS, "LIST", .offset = offsetof(struct rows, pids),
		.hidden = true},
	{'u', "uid", SM_OPT_USERS, "LIST", .offset = offsetof(struct rows, uids),
		.hidden = true},
	{0, "user", SM_OPT_USERS, "LIST", .offset = offsetof(struct rows, uids),
		.hidden = true},
	{'h', "help", SM_OPT_HELP, "NAME", .call_row = help_on, .arg_optional = true,
		.apart = true, .help = "help"},
};
static bool unknown(struct sm_str name, struct sm_buf *why)
{
	bool known = name.n == 1 ? *name.p == 'q' || *name.p == 'F'
				 : name.n == 7 && memcmp(name.p, "foreign", 7) == 0;

	if (!known)
		return false;
	sm_buf_str(why, "elsewhere\a");
	return true;
}

static const struct sm_opt_spec rows_spec = {
	.tool = "demo", .opts = table, .nopts = SM_ARRAY_SIZE(table), .unknown = unknown};
static struct rows rows;

static void parse(char **argv)
{
	int out, err;

	for (got.argc = 0; argv[got.argc]; got.argc++)
		;
	rows = (struct rows){0};
	sm_err_init("demo");
	out = scratch(STDOUT_FILENO);
	err = scratch(STDERR_FILENO);
	got.r = sm_opt_parse(
		&rows_spec, &rows, got.argc, argv, &got.command, &got.status);
	slurp(STDOUT_FILENO, got.out, sizeof(got.out));
	slurp(STDERR_FILENO, got.err, sizeof(got.err));
	restore(out, STDOUT_FILENO);
	restore(err, STDERR_FILENO);
}

static void fails(const char *message, char **argv)
{
	char want[512];

	parse(argv);
	snprintf(want, sizeof(want),
		"demo: %s\nTry 'demo --help' for more information.\n", message);
	ck_assert_str_eq(got.err, want);
	ck_assert_int_eq(got.status, SM_EXIT_USAGE);
}

static void takes(size_t row, const char *value, char **argv)
{
	parse(argv);
	ck_assert_str_eq(got.err, "");
	ck_assert_int_eq(got.r, 0);
	ck_assert_ptr_eq(rows.row, &table[row]);
	ck_assert_str_eq(rows.value, value);
}

START_TEST(the_row)
{
	takes(0, "4", ARGV(A("--qsort"), A("4")));
	takes(0, "4", ARGV(A("-q4")));
	takes(1, "1k", ARGV(A("--qsort-s=1k")));
	fails("option '--qsort': is bad", ARGV(A("--qsort"), A("bad")));
}
END_TEST

/* Values of an option and of its alias add up, each in its own list. */
START_TEST(lists)
{
	parse(ARGV(A("-p7,4"), A("--pid"), A("5"), A("-u"), A("54321"), A("--user=0")));
	ck_assert_str_eq(got.err, "");
	ck_assert_uint_eq(rows.pids.n, 3);
	ck_assert_uint_eq(rows.pids.v[0], 4);
	ck_assert_uint_eq(rows.pids.v[1], 5);
	ck_assert_uint_eq(rows.pids.v[2], 7);
	ck_assert_uint_eq(rows.uids.n, 2);
	ck_assert_uint_eq(rows.uids.v[0], 0);
	ck_assert_uint_eq(rows.uids.v[1], 54321);
	sm_opt_list_fini(&rows.pids);
	sm_opt_list_fini(&rows.uids);
	fails("option '--pid': '0' must be a process ID", ARGV(A("--pid=0")));
	fails("option '-u': unknown user 'no-such-user'", ARGV(A("-uno-such-user")));
}
END_TEST

START_TEST(apart)
{
	takes(2, "4", ARGV(A("--seq"), A("4")));
	takes(2, "4", ARGV(A("--seq=4")));
	takes(2, "4", ARGV(A("-s"), A("4")));
	takes(2, "(none)", ARGV(A("--seq")));
	takes(0, "2", ARGV(A("--seq"), A("-q"), A("2")));
	ck_assert_uint_eq(rows.n[2], 1);
	fails("option '--seq' has an empty value", ARGV(A("--seq"), A("")));
	fails("extra operand '5'", ARGV(A("--seq"), A("4"), A("5")));
}
END_TEST

START_TEST(help_with_a_value)
{
	parse(ARGV(A("--help"), A("all\n")));
	ck_assert_int_eq(got.r, 1);
	ck_assert_int_eq(got.status, SM_EXIT_OK);
	ck_assert_str_eq(got.out, "all\n");
	fails("option '--help': x is not known", ARGV(A("--help=x")));
	parse(ARGV(A("-h")));
	ck_assert_str_eq(got.out, "Usage: demo [OPTION]...\n"
				  "\n"
				  "  -s, --seq[=N]      in turn\n"
				  "  -h, --help[=NAME]  help\n");
}
END_TEST

START_TEST(details_are_elsewhere)
{
	struct sm_buf b = {0};

	sm_opt_dump(&rows_spec, &b);
	sm_opt_completion(&rows_spec, SM_SHELL_BASH, &b);
	sm_buf_chr(&b, '\0');
	ck_assert_int_eq(b.err, 0);
	ck_assert_ptr_nonnull(strstr(b.p, "-q\t--qsort\tN\n"));
	ck_assert_ptr_nonnull(strstr(b.p, "--qsort-size="));
	ck_assert_ptr_null(strstr(b.p, "alias"));
	sm_buf_fini(&b);
}
END_TEST

START_TEST(the_nearest)
{
	fails("unknown option '--qsrot': the nearest is --qsort", ARGV(A("--qsrot")));
	fails("unknown option '--qsrot=4': the nearest is --qsort", ARGV(A("--qsrot=4")));
	fails("unknown option '--qsortsize': the nearest is --qsort-size",
		ARGV(A("--qsortsize")));
	fails("unknown option '--sqe': the nearest is --seq", ARGV(A("--sqe")));
	fails("unknown option '--xyz'", ARGV(A("--xyz")));
	fails("unknown option '--aliaz'", ARGV(A("--aliaz"))); /* hidden */
	fails("unknown option '--=x'", ARGV(A("--=x")));
	/* A first word that differs in more than a third belongs to something else. */
	fails("unknown option '--qsort-siez': the nearest is --qsort-size",
		ARGV(A("--qsort-siez")));
	fails("unknown option '--psort-size': the nearest is --qsort-size",
		ARGV(A("--psort-size")));
	fails("unknown option '--psrot-size'", ARGV(A("--psrot-size")));
}
END_TEST

/* What the tool knows of a name that is no option goes before abbreviations. */
START_TEST(explained)
{
	fails("unknown option '--foreign': elsewhere\\x07", ARGV(A("--foreign")));
	fails("unknown option '--foreign=4': elsewhere\\x07", ARGV(A("--foreign=4")));
	fails("unknown option '--q': elsewhere\\x07", ARGV(A("--q"), A("1")));
	fails("unknown option '-F': elsewhere\\x07", ARGV(A("-F")));
	fails("unknown option '-y'", ARGV(A("-y")));
}
END_TEST

static unsigned int distance(const char *a, const char *b)
{
	unsigned int d =
		sm_distance((struct sm_str){a, strlen(a)}, (struct sm_str){b, strlen(b)});

	ck_assert_uint_eq(
		sm_distance((struct sm_str){b, strlen(b)}, (struct sm_str){a, strlen(a)}),
		d);
	return d;
}

START_TEST(distances)
{
	char longest[SM_DISTANCE_WORD + 2];

	ck_assert_uint_eq(distance("", ""), 0);
	ck_assert_uint_eq(distance("", "abc"), 3);
	ck_assert_uint_eq(distance("abc", "abc"), 0);
	ck_assert_uint_eq(distance("abc", "abd"), 1);
	ck_assert_uint_eq(distance("abc", "ab"), 1);
	ck_assert_uint_eq(distance("abc", "acb"), 1);
	ck_assert_uint_eq(distance("ab", "ba"), 1);
	ck_assert_uint_eq(distance("kitten", "sitting"), 3);
	ck_assert_uint_eq(distance("ca", "abc"), 3); /* no letter between the two */
	memset(longest, 'x', sizeof(longest));
	longest[SM_DISTANCE_WORD] = '\0';
	ck_assert_uint_eq(distance(longest, ""), SM_DISTANCE_WORD);
	longest[SM_DISTANCE_WORD] = 'x';
	longest[SM_DISTANCE_WORD + 1] = '\0';
	ck_assert_uint_eq(distance(longest, ""), UINT_MAX);
}
END_TEST

static TCase *tc_rows(void)
{
	TCase *t = tcase_create("rows");

	tcase_add_test(t, the_row);
	tcase_add_test(t, lists);
	tcase_add_test(t, apart);
	tcase_add_test(t, help_with_a_value);
	tcase_add_test(t, details_are_elsewhere);
	tcase_add_test(t, the_nearest);
	tcase_add_test(t, explained);
	tcase_add_test(t, distances);
	return t;
}

UNIT_MAIN("opt_rows", tc_rows)

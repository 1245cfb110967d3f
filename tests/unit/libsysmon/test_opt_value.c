// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "format/table.h"
#include "cli/opt_value.h"
#include "cli/tty.h"
#include "unit.h"

static struct sm_buf why;

static void setup(void)
{
	why = (struct sm_buf){0};
}

static void teardown(void)
{
	sm_buf_fini(&why);
}

static struct sm_str str(const char *s)
{
	return (struct sm_str){s, strlen(s)};
}

/* The reason given since the last check. */
static void check_why(const char *want)
{
	ck_assert_uint_eq(why.len, strlen(want));
	ck_assert_mem_eq(why.p ? why.p : "", want, why.len);
	sm_buf_reset(&why);
}

START_TEST(complaints_are_clean)
{
	sm_opt_complain(&why, "no such thing as", SM_STR("a\x1b[31mb\nc"));
	ck_assert_ptr_null(memchr(why.p, '\x1b', why.len));
	ck_assert_ptr_null(memchr(why.p, '\n', why.len));
	ck_assert_mem_eq(why.p, "no such thing as 'a", 19);
	ck_assert_int_eq(why.p[why.len - 1], '\'');
	sm_buf_reset(&why);
	sm_opt_complain(&why, "bad", SM_STR("naïve"));
	check_why("bad 'naïve'");
	sm_opt_complain(&why, "bad", SM_STR(""));
	check_why("bad ''");
	ck_assert_int_eq(sm_opt_refuse(&why, "2x", "must consist of digits"), -EINVAL);
	check_why("'2x' must consist of digits");
}
END_TEST

struct seen {
	char text[64];
	size_t n;
};

/* "[a][b]"; "stop" is an error. */
static int note(void *ctx, struct sm_str s, struct sm_buf *reason)
{
	struct seen *seen = ctx;

	if (s.n == 4 && memcmp(s.p, "stop", 4) == 0) {
		sm_opt_complain(reason, "stopped at", s);
		return -EDOM;
	}
	seen->text[seen->n++] = '[';
	memcpy(seen->text + seen->n, s.p, s.n);
	seen->n += s.n;
	seen->text[seen->n++] = ']';
	return 0;
}

START_TEST(lists)
{
	static const struct {
		const char *arg, *seen;
		int ret;
	} t[] = {
		{"a", "[a]", 0},
		{"a,bc,d", "[a][bc][d]", 0},
		{"", "[]", 0},
		{",", "[][]", 0},
		{"a,", "[a][]", 0},
		{"a,stop,b", "[a]", -EDOM},
		{"stop", "", -EDOM},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		struct seen seen = {.n = 0};

		ck_assert_int_eq(sm_opt_each(t[i].arg, note, &seen, &why), t[i].ret);
		seen.text[seen.n] = '\0';
		ck_assert_str_eq(seen.text, t[i].seen);
		check_why(t[i].ret ? "stopped at 'stop'" : "");
	}
}
END_TEST

START_TEST(pids)
{
	static const char *const bad[] = {"", "0", "-1", "+1", " 1", "1 ", "1x", "abc",
		"0x1", "1.0", "2147483648", "18446744073709551617"};
	struct sm_buf expected = {0};
	uint32_t pid = 7;

	ck_assert_int_eq(sm_opt_pid(SM_STR("1"), &pid, &why), 0);
	ck_assert_uint_eq(pid, 1);
	ck_assert_int_eq(sm_opt_pid(SM_STR("2147483647"), &pid, &why), 0);
	ck_assert_uint_eq(pid, INT32_MAX);
	ck_assert_int_eq(sm_opt_pid((struct sm_str){"123,4", 3}, &pid, &why), 0);
	ck_assert_uint_eq(pid, 123);
	check_why("");
	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++) {
		ck_assert_int_eq(sm_opt_pid(str(bad[i]), &pid, &why), -EINVAL);
		ck_assert_uint_eq(pid, 123);
		sm_buf_printf(&expected, "'%s' must be a process ID", bad[i]);
		ck_assert_mem_eq(why.p, expected.p, expected.len);
		ck_assert_uint_eq(why.len, expected.len);
		sm_buf_reset(&why);
		sm_buf_reset(&expected);
	}
	sm_buf_fini(&expected);
}
END_TEST

START_TEST(users)
{
	char huge[300];
	uint32_t uid = 7;

	memset(huge, 'x', sizeof(huge));
	ck_assert_int_eq(sm_opt_user(SM_STR("root"), &uid, &why), 0);
	ck_assert_uint_eq(uid, 0);
	ck_assert_int_eq(sm_opt_user((struct sm_str){"root,daemon", 4}, &uid, &why), 0);
	ck_assert_int_eq(sm_opt_user(SM_STR("54321"), &uid, &why), 0);
	ck_assert_uint_eq(uid, 54321);
	check_why("");
	ck_assert_int_eq(sm_opt_user(SM_STR("no-such-user"), &uid, &why), -ENOENT);
	check_why("unknown user 'no-such-user'");
	ck_assert_int_eq(sm_opt_user(SM_STR(""), &uid, &why), -EINVAL);
	check_why("'' must be a user name or ID");
	ck_assert_int_eq(
		sm_opt_user((struct sm_str){huge, sizeof(huge)}, &uid, &why), -EINVAL);
	ck_assert_mem_eq(why.p, "'xxx", 4);
	ck_assert_mem_eq(why.p + 301, "' must be a user name or ID", 27);
	ck_assert_uint_eq(why.len, 301 + 27);
	sm_buf_reset(&why);
	ck_assert_int_eq(sm_opt_user((struct sm_str){huge, 255}, &uid, &why), -ENOENT);
	sm_buf_reset(&why);
	ck_assert_int_eq(sm_opt_user((struct sm_str){huge, 256}, &uid, &why), -EINVAL);
	ck_assert_uint_eq(uid, 54321);
}
END_TEST

START_TEST(lists_of_numbers)
{
	struct sm_opt_list l = {0};

	ck_assert(!sm_opt_list_has(&l, 0));
	ck_assert_int_eq(sm_opt_pids("10,20", &l, &why), 0);
	ck_assert_int_eq(sm_opt_users("root,54321", &l, &why), 0); /* they add up */
	ck_assert_uint_eq(l.n, 4);
	ck_assert_uint_eq(l.v[1], 10);
	ck_assert(sm_opt_list_has(&l, 10) && sm_opt_list_has(&l, 0));
	ck_assert(sm_opt_list_has(&l, 54321) && !sm_opt_list_has(&l, 11));
	ck_assert(sm_opt_list_selects(&l, 11, 20) && sm_opt_list_selects(&l, 20, 11));
	ck_assert(!sm_opt_list_selects(&l, 11, 21));
	ck_assert_int_eq(sm_opt_pids("5,x", &l, &why), -EINVAL);
	check_why("'x' must be a process ID");
	ck_assert_int_eq(sm_opt_users("no-such-user", &l, &why), -ENOENT);
	check_why("unknown user 'no-such-user'");
	sm_opt_list_fini(&l);
	ck_assert_uint_eq(l.n, 0);
	ck_assert(sm_opt_list_selects(&l, 11, 21));
}
END_TEST

/* The odd numbers below 10,000, from the largest to the smallest, twice. */
START_TEST(long_lists)
{
	struct sm_opt_list l = {0};
	struct sm_buf text = {0};

	for (unsigned int i = 0; i < 10000; i++)
		sm_buf_printf(&text, "%s%u", i ? "," : "", 9999 - i % 5000 * 2);
	sm_buf_chr(&text, '\0');
	ck_assert_int_eq(sm_opt_pids(text.p, &l, &why), 0);
	ck_assert_uint_eq(l.n, 5000);
	for (unsigned int i = 0; i < 10002; i++)
		ck_assert_int_eq(sm_opt_list_has(&l, i), i % 2 && i < 10000);
	sm_opt_list_fini(&l);
	sm_buf_fini(&text);
}
END_TEST

START_TEST(time_styles)
{
	static const struct {
		const char *name;
		enum sm_time_style style;
	} t[] = {
		{"clock", SM_TIME_CLOCK},
		{"iso", SM_TIME_ISO},
		{"epoch", SM_TIME_EPOCH},
		{"mono", SM_TIME_MONO},
		{"delta", SM_TIME_DELTA},
	};
	int style = 77;

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		ck_assert_int_eq(sm_opt_time_style(t[i].name, &style, &why), 0);
		ck_assert_int_eq(style, (int)t[i].style);
		ck_assert_str_eq(sm_opt_time_styles[style], t[i].name);
	}
	ck_assert_ptr_null(sm_opt_time_styles[SM_ARRAY_SIZE(t)]);
	style = 77;
	ck_assert_int_eq(sm_opt_time_style("ISO", &style, &why), -EINVAL);
	check_why("'ISO' must be clock, iso, epoch, mono or delta");
	ck_assert_int_eq(sm_opt_time_style("", &style, &why), -EINVAL);
	ck_assert_int_eq(style, 77);
}
END_TEST

START_TEST(sources)
{
	static const char *const choices[] = {"auto", "hwmon", NULL};
	const char *sensors = "x";
	int source = 77;

	ck_assert_int_eq(
		sm_opt_source("hwmon:a,b c", choices, &source, &sensors, &why), 0);
	ck_assert_int_eq(source, 1);
	ck_assert_str_eq(sensors, "a,b c");
	/* a later option without a list */
	ck_assert_int_eq(sm_opt_source("auto", choices, &source, &sensors, &why), 0);
	ck_assert_int_eq(source, 0);
	ck_assert_ptr_null(sensors);
	ck_assert_int_eq(
		sm_opt_source("hwmon:", choices, &source, &sensors, &why), -EINVAL);
	check_why("'hwmon:' must be hwmon:LABEL[,LABEL]");
	ck_assert_int_eq(
		sm_opt_source("hwmonitor", choices, &source, &sensors, &why), -EINVAL);
	check_why("'hwmonitor' must be auto or hwmon");
	ck_assert_int_eq(
		sm_opt_source("auto:a", choices, &source, &sensors, &why), -EINVAL);
	check_why("'auto:a' must be auto or hwmon");
}
END_TEST

START_TEST(colors)
{
	ck_assert_str_eq(sm_opt_colors[SM_COLOR_AUTO], "auto");
	ck_assert_str_eq(sm_opt_colors[SM_COLOR_ALWAYS], "always");
	ck_assert_str_eq(sm_opt_colors[SM_COLOR_NEVER], "never");
	ck_assert_ptr_null(sm_opt_colors[3]);
}
END_TEST

START_TEST(files)
{
	static const struct {
		const char *name[3];
		const char *why;
	} t[] = {
		{{NULL, NULL, NULL}, ""},
		{{"a", "b", "c"}, ""},
		{{"a", "ab", NULL}, ""},
		{{"a", "a", NULL}, "--output and --json cannot both write to 'a'"},
		{{"a", NULL, "a"}, "--output and --prom cannot both write to 'a'"},
		{{"b", "a\nb", "a\nb"},
			"--json and --prom cannot both write to 'a\\x0ab'"},
		{{"/dev/null", "/dev/null", NULL}, ""},
		{{"/dev/shm/a", "/dev/shm/a", NULL},
			"--output and --json cannot both write to '/dev/shm/a'"},
		{{"/dev", "/dev", NULL},
			"--output and --json cannot both write to '/dev'"},
		{{"-", NULL, NULL}, "--output cannot write to '-'; without it, rows are "
				    "written to standard "
				    "output"},
		{{"-", "-", NULL}, "--output cannot write to '-'; without it, rows are "
				   "written to standard "
				   "output"},
		{{NULL, "-", NULL},
			"--json cannot write to '-'; without =FILE it writes to standard "
			"output"},
		{{NULL, NULL, "-"}, "--prom cannot write to '-'"},
		{{"./-", "--", ""}, ""},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		const struct sm_opt_file f[] = {
			{"--output", t[i].name[0], SM_OPT_STDOUT_OUTPUT},
			{"--json", t[i].name[1], SM_OPT_STDOUT_TO},
			{"--prom", t[i].name[2], NULL},
		};

		ck_assert_int_eq(sm_opt_files(f, 3, &why), *t[i].why ? -EINVAL : 0);
		check_why(t[i].why);
	}
	ck_assert_int_eq(sm_opt_files(NULL, 0, &why), 0);
}
END_TEST

static TCase *tc_values(void)
{
	TCase *tc = tcase_create("values");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, complaints_are_clean);
	tcase_add_test(tc, lists);
	tcase_add_test(tc, pids);
	tcase_add_test(tc, users);
	tcase_add_test(tc, lists_of_numbers);
	tcase_add_test(tc, long_lists);
	tcase_add_test(tc, time_styles);
	tcase_add_test(tc, sources);
	tcase_add_test(tc, colors);
	tcase_add_test(tc, files);
	return tc;
}

UNIT_MAIN("opt_value", tc_values)

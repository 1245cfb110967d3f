// SPDX-License-Identifier: GPL-2.0-or-later
/* Options of a file, which come after those of the command line. */
#include "opt_rig.h"

struct values {
	uint64_t time_ns, n;
	const char *name;
	bool flag;
	struct sm_opt_to json;
	int colour;
	unsigned int calls;
};

static int take(void *c, const char *arg, struct sm_buf *why)
{
	struct values *v = c;

	v->calls++;
	if (strcmp(arg, "bad") != 0)
		return 0;
	sm_buf_printf(why, "'%s': is 'bad'", arg);
	return -EINVAL;
}

#define IN(field) .offset = offsetof(struct values, field)

static const char *const colours[] = {"red", "blue", NULL};
static const struct sm_opt table[] = {
	{.kind = SM_OPT_FLAG, .name = "first", IN(flag)},
	{0, "time", SM_OPT_DURATION, "TIME", IN(time_ns), .min = 1, .max = 1000,
		.unit = "ns"},
	{0, "alias", SM_OPT_DURATION, "TIME", IN(time_ns), .hidden = true},
	{0, "number", SM_OPT_U64, "N", IN(n)},
	{0, "name", SM_OPT_STR, "NAME", IN(name)},
	{0, "json", SM_OPT_TO, "FILE", IN(json), .arg_optional = true},
	{0, "colour", SM_OPT_CHOICE, "NAME", IN(colour), .choices = colours},
	{0, "call", SM_OPT_CALL, "X", .call = take},
	{0, "job", SM_OPT_CALL, "X", .call = take, .repeats = true},
	{0, "file", SM_OPT_STR, "FILE", IN(name), .not_in_file = true},
	{'h', "help", SM_OPT_HELP, .help = "help"},
};
static unsigned char given[SM_ARRAY_SIZE(table)];
static const struct sm_opt_spec tool_spec = {.tool = "tool",
	.version = "1",
	.opts = table,
	.nopts = SM_ARRAY_SIZE(table),
	.given = given,
	.usage_status = 7};
static struct values v;

static void line(char **argv)
{
	int argc = 0, command, status;

	memset(given, 0, sizeof(given));
	v = (struct values){0};
	while (argv[argc])
		argc++;
	ck_assert_int_eq(sm_opt_parse(&tool_spec, &v, argc, argv, &command, &status), 0);
}

static void takes(const char *name, const char *value)
{
	struct sm_buf why = {0};

	ck_assert_int_eq(sm_opt_take_line(&tool_spec, &v, name, value, &why), 0);
	ck_assert_uint_eq(why.len, 0);
}

static void refuses(const char *name, const char *value, const char *reason)
{
	struct sm_buf why = {0};

	ck_assert_int_eq(sm_opt_take_line(&tool_spec, &v, name, value, &why), -EINVAL);
	sm_buf_chr(&why, '\0');
	ck_assert_str_eq(why.p, reason);
	sm_buf_fini(&why);
}

#define LINE(...) line((char *[]){A("tool"), ##__VA_ARGS__, NULL})

START_TEST(each_kind)
{
	LINE();
	takes("first", NULL);
	takes("time", "5");
	takes("time", "7"); /* the last one counts */
	takes("number", "4");
	takes("name", "x y");
	takes("json", NULL);
	takes("json", "out");
	takes("colour", "blue");
	takes("call", "x");
	ck_assert(v.flag && v.time_ns == 7 && v.n == 4 && v.colour == 1 && v.calls == 1);
	ck_assert_str_eq(v.name, "x y");
	ck_assert(v.json.here);
	ck_assert_str_eq(v.json.file, "out");
	ck_assert_uint_eq(sm_opt_given(&tool_spec, "time"), SM_OPT_IN_FILE);
	ck_assert_uint_eq(sm_opt_given(&tool_spec, "alias"), 0);
	ck_assert_uint_eq(sm_opt_given(&tool_spec, "tim"), 0);
}
END_TEST

START_TEST(after_the_command_line)
{
	LINE(A("--time=3"), A("--call=x"), A("--job=a"), A("--job=b"), A("--json"));
	takes("time", "5");
	takes("alias", "6");  /* the same value by another name */
	takes("call", "bad"); /* is not even looked at */
	takes("job", "c");
	takes("json", "out");
	takes("number", "4");
	ck_assert_uint_eq(v.time_ns, 3);
	ck_assert_uint_eq(v.calls, 4);
	ck_assert_ptr_null(v.json.file);
	ck_assert_uint_eq(v.n, 4);
	ck_assert_uint_eq(
		sm_opt_given(&tool_spec, "time"), SM_OPT_IN_LINE | SM_OPT_IN_FILE);
	ck_assert_uint_eq(sm_opt_given(&tool_spec, "alias"), SM_OPT_IN_FILE);
}
END_TEST

/* Reasons have nothing of the text of the file. */
START_TEST(errors)
{
	LINE();
	refuses("secret", "x", "unknown option");
	refuses("numbr", "x", "unknown option: the nearest is number");
	refuses("num", "1", "unknown option");
	refuses("number", NULL, "number: needs a value (N)");
	refuses("first", "yes", "first: takes no value");
	refuses("number", "secret", "number: must be a whole number");
	refuses("time", "1001", "time: must be from 1ns to 1us");
	refuses("time", "0", "time: must be from 1ns to 1us");
	refuses("colour", "secret", "colour: must be red or blue");
	refuses("call", "bad", "call: invalid value");
	refuses("file", "x", "file: allowed only on the command line");
	refuses("help", NULL, "help: allowed only on the command line");
}
END_TEST

START_TEST(usage_status)
{
	char *argv[] = {A("tool"), A("--number=x"), NULL};
	int command, status, err = scratch(STDERR_FILENO);

	ck_assert_int_eq(sm_opt_parse(&tool_spec, &v, 2, argv, &command, &status), 1);
	restore(err, STDERR_FILENO);
	ck_assert_int_eq(status, 7);
}
END_TEST

static TCase *tc_file(void)
{
	TCase *t = tcase_create("file");

	tcase_add_test(t, each_kind);
	tcase_add_test(t, after_the_command_line);
	tcase_add_test(t, errors);
	tcase_add_test(t, usage_status);
	return t;
}

UNIT_MAIN("opt_file", tc_file)

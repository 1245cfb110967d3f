// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "format/table.h"
#include "unit.h"

static void expect(struct sm_buf *b, const char *want)
{
	ck_assert_int_eq(sm_buf_error(b), 0);
	sm_buf_chr(b, '\0');
	ck_assert_str_eq(b->p, want);
	sm_buf_fini(b);
}

START_TEST(scalars)
{
	struct sm_buf b = {0};
	struct sm_json j;

	sm_json_open(&j, &b, "summary");
	sm_json_u64(&j, "u", UINT64_MAX);
	sm_json_i64(&j, "i", INT64_MIN);
	sm_json_double(&j, "d", 2.5, 2);
	sm_json_double(&j, "nan", NAN, 2);
	sm_json_double(&j, "inf", -INFINITY, 2);
	sm_json_seconds(&j, "s", 1000000001);
	sm_json_bool(&j, "t", true);
	sm_json_bool(&j, "f", false);
	sm_json_time(&j, "w", UINT64_C(1795266359123456789));
	sm_json_close(&j);
	expect(&b, "{\"type\":\"summary\",\"u\":18446744073709551615,"
		   "\"i\":-9223372036854775808,\"d\":2.50,"
		   "\"s\":1.000000001,\"t\":true,\"f\":false,"
		   "\"w\":\"2026-11-21T13:05:59.123456789Z\"}\n");
}
END_TEST

START_TEST(texts)
{
	struct sm_buf b = {0};
	struct sm_json j;

	sm_json_open(&j, &b, "t");
	sm_json_text(&j, "a", "q\"b\\n\n\x1b", 7);
	sm_json_text(&j, "b", "", 0);
	sm_json_text(&j, "c", NULL, 0);
	sm_json_text(&j, "d", "\xff", 1);
	sm_json_close(&j);
	expect(&b, "{\"type\":\"t\",\"a\":\"q\\\"b\\\\n\\u000a\\u001b\",\"b\":\"\",\"c\":"
		   "\"\","
		   "\"d\":\"\xef\xbf\xbd\"}\n");
}
END_TEST

START_TEST(nested)
{
	struct sm_buf b = {0};
	struct sm_json j;

	sm_json_open(&j, &b, "n");
	sm_json_array(&j, "top");
	sm_json_object(&j, NULL);
	sm_json_u64(&j, "a", 1);
	sm_json_u64(&j, "b", 2);
	sm_json_end(&j);
	sm_json_object(&j, NULL);
	sm_json_end(&j);
	sm_json_array(&j, NULL);
	sm_json_u64(&j, NULL, 3);
	sm_json_text(&j, NULL, "x", 1);
	sm_json_end(&j);
	sm_json_end(&j);
	sm_json_array(&j, "empty");
	sm_json_end(&j);
	sm_json_u64(&j, "after", 4);
	sm_json_end(&j); /* one too many: the record stays open */
	sm_json_u64(&j, "z", 5);
	sm_json_close(&j);
	expect(&b,
		"{\"type\":\"n\",\"top\":[{\"a\":1,\"b\":2},{},[3,\"x\"]],\"empty\":[],"
		"\"after\":4,\"z\":5}\n");
}
END_TEST

START_TEST(close_ends_all)
{
	struct sm_buf b = {0};
	struct sm_json j;

	sm_json_open(&j, &b, "c");
	sm_json_object(&j, "o");
	sm_json_array(&j, "a");
	sm_json_close(&j);
	expect(&b, "{\"type\":\"c\",\"o\":{\"a\":[]}}\n");
}
END_TEST

START_TEST(deep)
{
	struct sm_buf b = {0};
	struct sm_json j;
	char want[128] = "{\"type\":\"d\",\"a\":";

	sm_json_open(&j, &b, "d");
	for (int i = 0; i < 31; i++) {
		sm_json_array(&j, i ? NULL : "a");
		strcat(want, "[");
	}
	sm_json_bool(&j, NULL, true);
	sm_json_close(&j);
	strcat(want, "true");
	for (int i = 0; i < 31; i++)
		strcat(want, "]");
	strcat(want, "}\n");
	expect(&b, want);
}
END_TEST

static TCase *tc_json(void)
{
	TCase *t = tcase_create("json");

	tcase_add_test(t, scalars);
	tcase_add_test(t, texts);
	tcase_add_test(t, nested);
	tcase_add_test(t, close_ends_all);
	tcase_add_test(t, deep);
	return t;
}

UNIT_MAIN("json", tc_json)

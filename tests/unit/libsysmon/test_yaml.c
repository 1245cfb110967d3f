// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/yaml.h"
#include "unit.h"

static struct sm_buf b;
static struct sm_yaml y;

static void two_decimals(struct sm_buf *to, double v)
{
	sm_buf_double(to, v, 2);
}

static void start(unsigned int step)
{
	sm_buf_fini(&b);
	sm_yaml_open(&y, &b, step, two_decimals);
}

static void expect(const char *want)
{
	ck_assert_int_eq(sm_buf_error(&b), 0);
	sm_buf_chr(&b, '\0');
	ck_assert_str_eq(b.p, want);
	sm_buf_fini(&b);
}

static void word_is(const char *word, const char *want)
{
	char line[128];

	start(2);
	sm_yaml_word(&y, "k", word);
	snprintf(line, sizeof(line), "---\nk: %s\n", want);
	expect(line);
}

START_TEST(scalars)
{
	start(2);
	sm_yaml_u64(&y, "u", UINT64_MAX);
	sm_yaml_bool(&y, "t", true);
	sm_yaml_bool(&y, "f", false);
	sm_yaml_number(&y, "d", -2.5);
	sm_yaml_number(&y, "nan", NAN);
	sm_yaml_number(&y, "inf", INFINITY);
	sm_yaml_pair(&y, "pair", 1, -0.25);
	sm_yaml_pair(&y, "low", NAN, 1);
	sm_yaml_pair(&y, "high", 1, -INFINITY);
	sm_yaml_key(&y, "key");
	sm_buf_str(&b, "{a: 1}\n");
	expect("---\nu: 18446744073709551615\nt: true\nf: false\nd: -2.50\n"
	       "pair: [1.00, -0.25]\nkey: {a: 1}\n");
}
END_TEST

START_TEST(plain_words)
{
	word_is("cpu", "cpu");
	word_is("x86_64", "x86_64");
	word_is("af-alg", "af-alg");
	word_is("Nobody", "Nobody");
}
END_TEST

/* YAML 1.1 or 1.2 reads such text as a number, a boolean, null or a time. */
START_TEST(text_that_looks_like_other_types)
{
	word_is("null", "\"null\"");
	word_is("True", "\"True\"");
	word_is("NO", "\"NO\"");
	word_is("off", "\"off\"");
	word_is("y", "\"y\"");
	word_is("~", "\"~\"");
	word_is("", "\"\"");
	word_is("42", "\"42\"");
	word_is("1e3", "\"1e3\"");
	word_is("0x1f", "\"0x1f\"");
	word_is(".inf", "\".inf\"");
	word_is("1:30", "\"1:30\"");
	word_is("2026-11-21", "\"2026-11-21\"");
}
END_TEST

START_TEST(text_with_signs_of_yaml)
{
	word_is("- a", "\"- a\"");
	word_is("-x", "\"-x\"");
	word_is("a: b", "\"a: b\"");
	word_is("a b", "\"a b\"");
	word_is("#", "\"#\"");
	word_is("&a", "\"&a\"");
	word_is("a\"\\", "\"a\\\"\\\\\"");
	word_is("<<", "\"<<\"");
	word_is("...", "\"...\"");
}
END_TEST

START_TEST(hostile_bytes)
{
	word_is("a\nb", "\"a\\\\x0ab\"");
	word_is("\033[31m", "\"\\\\x1b[31m\"");
	word_is("\xff", "\"\\\\xff\"");
	word_is("a\xc3", "\"a\\\\xc3\"");
	word_is("\xed\xa0\x80", "\"\\\\xed\\\\xa0\\\\x80\"");
	word_is("\xc2\x85", "\"\\\\u{0085}\"");
	word_is("\xe2\x80\xae", "\"\\\\u{202e}\"");
	word_is("\xf3\xa0\x80\x81", "\"\\\\u{e0001}\"");
	word_is("\xc3\xa9", "\"\xc3\xa9\"");
	start(2);
	sm_yaml_string(&y, "s", "yes\n\033\xff");
	expect("---\ns: \"yes\\u000a\\u001b\xef\xbf\xbd\"\n");
}
END_TEST

START_TEST(mappings)
{
	start(6);
	sm_yaml_begin(&y, "a");
	sm_yaml_u64(&y, "n", 1);
	sm_yaml_end(&y, "{}");
	sm_yaml_begin(&y, "none");
	sm_yaml_end(&y, "{}");
	sm_yaml_begin(&y, "removed");
	sm_yaml_end(&y, NULL);
	sm_yaml_u64(&y, "z", 2);
	expect("---\na:\n      n: 1\nnone:\n    {}\nz: 2\n");
}
END_TEST

START_TEST(lists)
{
	start(6);
	sm_yaml_begin(&y, "jobs");
	sm_yaml_word(&y, "- name", "cpu");
	sm_yaml_u64(&y, "ops", 3);
	sm_yaml_word(&y, "- name", "vm");
	sm_yaml_end(&y, "[]");
	sm_yaml_begin(&y, "none");
	sm_yaml_end(&y, "[]");
	expect("---\njobs:\n    - name: cpu\n      ops: 3\n    - name: vm\n"
	       "none:\n    []\n");
}
END_TEST

START_TEST(nested)
{
	start(2);
	sm_yaml_begin(&y, "tool");
	sm_yaml_begin(&y, "zones");
	sm_yaml_string(&y, "- zone", "no");
	sm_yaml_begin(&y, "values");
	sm_yaml_pair(&y, "- c", 1, 2);
	sm_yaml_end(&y, "[]");
	sm_yaml_begin(&y, "empty");
	sm_yaml_end(&y, "[]");
	sm_yaml_end(&y, "[]");
	sm_yaml_begin(&y, "gone");
	sm_yaml_begin(&y, "gone-too");
	sm_yaml_end(&y, NULL);
	sm_yaml_end(&y, NULL);
	sm_yaml_end(&y, "{}");
	expect("---\ntool:\n  zones:\n  - zone: \"no\"\n    values:\n"
	       "    - c: [1.00, 2.00]\n    empty:\n      []\n");
}
END_TEST

START_TEST(time_of_day)
{
	setenv("TZ", "UTC-3", 1);
	tzset();
	start(2);
	sm_yaml_time(&y, "date", "time", 1795266359);
	expect("---\ndate: \"2026-11-21\"\ntime: \"16:05:59\"\n");
}
END_TEST

static TCase *tc_yaml(void)
{
	TCase *tc = tcase_create("yaml");

	tcase_add_test(tc, scalars);
	tcase_add_test(tc, plain_words);
	tcase_add_test(tc, text_that_looks_like_other_types);
	tcase_add_test(tc, text_with_signs_of_yaml);
	tcase_add_test(tc, hostile_bytes);
	tcase_add_test(tc, mappings);
	tcase_add_test(tc, lists);
	tcase_add_test(tc, nested);
	tcase_add_test(tc, time_of_day);
	return tc;
}

UNIT_MAIN("yaml", tc_yaml)

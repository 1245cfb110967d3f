// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "unit.h"

/* The text in memory of exactly its size: ASan sees a read past the end. */
static char *mem;
static const char *p, *end;

static void set_bytes(const char *s, size_t n)
{
	free(mem);
	mem = malloc(n ? n : 1);
	ck_assert_ptr_nonnull(mem);
	memcpy(mem, s, n);
	p = mem;
	end = mem + n;
}

static void set(const char *s)
{
	set_bytes(s, strlen(s));
}

static void fini(void)
{
	free(mem);
	mem = NULL;
}

static void check_u64(const char *s, uint64_t want, size_t taken)
{
	uint64_t v = 99;

	set(s);
	ck_assert_msg(sm_parse_u64(&p, end, &v), "%s", s);
	ck_assert_uint_eq(v, want);
	ck_assert_int_eq(p - mem, (long)taken);
}

static void check_no_u64(const char *s)
{
	uint64_t v = 99;

	set(s);
	ck_assert_msg(!sm_parse_u64(&p, end, &v), "%s", s);
	ck_assert_uint_eq(v, 99);
	ck_assert_ptr_eq(p, mem);
}

START_TEST(u64)
{
	check_u64("0", 0, 1);
	check_u64("007", 7, 3);
	check_u64("42 rest", 42, 2);
	check_u64("12x", 12, 2);
	check_u64("18446744073709551615", UINT64_MAX, 20);
	check_no_u64("18446744073709551616");
	check_no_u64("18446744073709551620");
	check_no_u64("99999999999999999999999");
	check_no_u64("");
	check_no_u64(" 1");
	check_no_u64("-1");
	check_no_u64("+1");
	check_no_u64("x");
	check_no_u64("\xb1"); /* no isdigit() of a locale */
}
END_TEST

static void check_i64(const char *s, int64_t want, size_t taken)
{
	int64_t v = 99;

	set(s);
	ck_assert_msg(sm_parse_i64(&p, end, &v), "%s", s);
	ck_assert_int_eq(v, want);
	ck_assert_int_eq(p - mem, (long)taken);
}

static void check_no_i64(const char *s)
{
	int64_t v = 99;

	set(s);
	ck_assert_msg(!sm_parse_i64(&p, end, &v), "%s", s);
	ck_assert_int_eq(v, 99);
	ck_assert_ptr_eq(p, mem);
}

START_TEST(i64)
{
	check_i64("-1", -1, 2);
	check_i64("-0", 0, 2);
	check_i64("5-3", 5, 1);
	check_i64("9223372036854775807", INT64_MAX, 19);
	check_i64("-9223372036854775808", INT64_MIN, 20);
	check_no_i64("9223372036854775808");
	check_no_i64("-9223372036854775809");
	check_no_i64("18446744073709551615");
	check_no_i64("-");
	check_no_i64("--1");
	check_no_i64("- 1");
	check_no_i64("");
}
END_TEST

START_TEST(blanks)
{
	set(" \t \n x");
	sm_parse_skip_blanks(&p, end);
	ck_assert_int_eq(p - mem, 3);
	sm_parse_skip_blanks(&p, end);
	ck_assert_int_eq(p - mem, 3);
	set("   ");
	sm_parse_skip_blanks(&p, end);
	ck_assert_ptr_eq(p, end);
}
END_TEST

START_TEST(tokens_stop_at_the_line)
{
	struct sm_str s = {NULL, 77};

	set("  one\ttwo \nthree");
	ck_assert(sm_parse_token(&p, end, &s));
	ck_assert(sm_parse_eq(s, "one"));
	ck_assert(sm_parse_token(&p, end, &s));
	ck_assert(sm_parse_eq(s, "two"));
	ck_assert_int_eq(*p, ' ');
	ck_assert(!sm_parse_token(&p, end, &s));
	ck_assert(sm_parse_eq(s, "two"));
	ck_assert_int_eq(*p, ' ');
	p += 2;
	ck_assert(sm_parse_token(&p, end, &s));
	ck_assert(sm_parse_eq(s, "three"));
	ck_assert_ptr_eq(p, end);
	ck_assert(!sm_parse_token(&p, end, &s));
}
END_TEST

START_TEST(tokens_hold_any_byte)
{
	struct sm_str s;

	set_bytes("a\0b\xff\r c", 7);
	ck_assert(sm_parse_token(&p, end, &s));
	ck_assert_uint_eq(s.n, 5);
	ck_assert_mem_eq(s.p, "a\0b\xff\r", 5);
}
END_TEST

START_TEST(lines)
{
	struct sm_str s;

	set("first\n\nlast");
	ck_assert(sm_parse_line(&p, end, &s));
	ck_assert(sm_parse_eq(s, "first"));
	ck_assert(sm_parse_line(&p, end, &s));
	ck_assert_uint_eq(s.n, 0);
	ck_assert(sm_parse_line(&p, end, &s));
	ck_assert(sm_parse_eq(s, "last"));
	ck_assert(!sm_parse_line(&p, end, &s));
	set("only\n");
	ck_assert(sm_parse_line(&p, end, &s));
	ck_assert(sm_parse_eq(s, "only"));
	ck_assert(!sm_parse_line(&p, end, &s));
	set("");
	ck_assert(!sm_parse_line(&p, end, &s));
}
END_TEST

START_TEST(comparing)
{
	struct sm_str s = SM_STR("Tgid:");

	ck_assert_uint_eq(s.n, 5);
	ck_assert(sm_parse_eq(s, "Tgid:"));
	ck_assert(!sm_parse_eq(s, "Tgid"));
	ck_assert(!sm_parse_eq(s, "Tgid: "));
	ck_assert(!sm_parse_eq(s, "tgid:"));
	ck_assert(sm_parse_eq((struct sm_str){"xyz", 0}, ""));
	ck_assert(sm_parse_starts(s, "Tg"));
	ck_assert(sm_parse_starts(s, ""));
	ck_assert(sm_parse_starts(s, "Tgid:"));
	ck_assert(!sm_parse_starts(s, "Tgid:1"));
	ck_assert(!sm_parse_starts(s, "g"));
}
END_TEST

START_TEST(whole_string_numbers)
{
	uint64_t v = 99;

	ck_assert(!sm_parse_whole_u64(SM_STR("12 "), &v));
	ck_assert(!sm_parse_whole_u64(SM_STR("12\n"), &v));
	ck_assert(!sm_parse_whole_u64(SM_STR(""), &v));
	ck_assert(!sm_parse_whole_u64(SM_STR("18446744073709551616"), &v));
	ck_assert_uint_eq(v, 99);
	ck_assert(sm_parse_whole_u64(SM_STR("12"), &v));
	ck_assert_uint_eq(v, 12);
	ck_assert(sm_parse_whole_u64((struct sm_str){"345", 2}, &v));
	ck_assert_uint_eq(v, 34);
}
END_TEST

static TCase *tc_parse(void)
{
	TCase *tc = tcase_create("parse");

	tcase_add_checked_fixture(tc, NULL, fini);
	tcase_add_test(tc, u64);
	tcase_add_test(tc, i64);
	tcase_add_test(tc, blanks);
	tcase_add_test(tc, tokens_stop_at_the_line);
	tcase_add_test(tc, tokens_hold_any_byte);
	tcase_add_test(tc, lines);
	tcase_add_test(tc, comparing);
	tcase_add_test(tc, whole_string_numbers);
	return tc;
}

UNIT_MAIN("parse", tc_parse)

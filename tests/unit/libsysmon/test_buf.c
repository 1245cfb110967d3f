// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "unit.h"

static struct sm_buf b;

static void fini(void)
{
	sm_buf_fini(&b);
}

/* What was appended since the last look. */
static const char *text(void)
{
	ck_assert_int_eq(sm_buf_error(&b), 0);
	sm_buf_chr(&b, '\0');
	sm_buf_reset(&b);
	return b.p;
}

START_TEST(bytes_and_strings)
{
	sm_buf_add(&b, NULL, 0);
	ck_assert_uint_eq(b.len, 0);
	ck_assert_ptr_null(b.p);
	sm_buf_str(&b, "");
	sm_buf_str(&b, "ab");
	sm_buf_chr(&b, '-');
	sm_buf_add(&b, "c\0d", 3);
	ck_assert_uint_eq(b.len, 6);
	ck_assert_mem_eq(b.p, "ab-c\0d", 6);
	sm_buf_reset(&b);
	sm_buf_fill(&b, 'x', 0);
	sm_buf_fill(&b, 'x', 5);
	ck_assert_str_eq(text(), "xxxxx");
}
END_TEST

START_TEST(growth_doubles_and_keeps_content)
{
	size_t grown = 0, cap = 0;

	for (unsigned int i = 0; i < 100000; i++) {
		sm_buf_chr(&b, (char)i);
		grown += b.cap != cap;
		cap = b.cap;
	}
	ck_assert_uint_eq(b.len, 100000);
	ck_assert_uint_ge(b.cap, b.len);
	ck_assert_uint_le(b.cap, 2 * b.len);
	ck_assert_uint_le(grown, 17);
	for (unsigned int i = 0; i < 100000; i++)
		ck_assert_int_eq(b.p[i], (char)i);
}
END_TEST

START_TEST(reset_keeps_the_memory)
{
	const char *p;
	size_t cap;

	sm_buf_fill(&b, 'a', 5000);
	p = b.p;
	cap = b.cap;
	sm_buf_reset(&b);
	ck_assert_uint_eq(b.len, 0);
	sm_buf_fill(&b, 'b', 5000);
	ck_assert_ptr_eq(b.p, p);
	ck_assert_uint_eq(b.cap, cap);
}
END_TEST

START_TEST(failure_is_sticky_until_reset)
{
	sm_buf_str(&b, "kept");
	ck_assert_ptr_null(sm_buf_room(&b, PTRDIFF_MAX));
	ck_assert_int_eq(sm_buf_error(&b), -ENOMEM);
	sm_buf_chr(&b, 'x');
	sm_buf_fill(&b, 'x', 3);
	sm_buf_u64(&b, 1);
	sm_buf_i64(&b, -1);
	sm_buf_fixed(&b, 1, 1);
	sm_buf_double(&b, 1, 1);
	sm_buf_double(&b, DBL_MAX, 1);
	sm_buf_printf(&b, "%d", 1);
	sm_buf_base64(&b, "a", 1);
	ck_assert_uint_eq(b.len, 4);
	ck_assert_mem_eq(b.p, "kept", 4);
	ck_assert_int_eq(sm_buf_grow(&b, 1), -ENOMEM);
	sm_buf_reset(&b);
	sm_buf_fill(&b, 'y', 600);
	ck_assert_int_eq(sm_buf_error(&b), 0);
	ck_assert_uint_eq(b.len, 600);
	ck_assert_int_eq(b.p[599], 'y');
}
END_TEST

START_TEST(size_max_does_not_wrap)
{
	sm_buf_str(&b, "x");
	ck_assert_ptr_null(sm_buf_room(&b, SIZE_MAX));
	ck_assert_int_eq(b.err, -ENOMEM);
	ck_assert_uint_eq(b.len, 1);
}
END_TEST

static void check_u64(uint64_t v)
{
	char want[32];

	snprintf(want, sizeof(want), "%" PRIu64, v);
	sm_buf_u64(&b, v);
	ck_assert_str_eq(text(), want);
}

START_TEST(u64_at_every_length)
{
	uint64_t p = 1;

	sm_buf_u64(&b, 0);
	ck_assert_str_eq(text(), "0");
	sm_buf_u64(&b, 18446744073709551615u);
	ck_assert_str_eq(text(), "18446744073709551615");
	for (int i = 0; i < 20; i++, p *= 10) {
		check_u64(p - 1);
		check_u64(p);
		check_u64(p + 1);
		check_u64(p + p / 7);
	}
	for (int i = 0; i < 64; i++) {
		check_u64(UINT64_C(1) << i);
		check_u64((UINT64_C(1) << i) - 1);
	}
	for (uint64_t v = 0; v < 20000; v++)
		check_u64(v);
}
END_TEST

START_TEST(i64_ends)
{
	sm_buf_i64(&b, INT64_MIN);
	ck_assert_str_eq(text(), "-9223372036854775808");
	sm_buf_i64(&b, INT64_MAX);
	ck_assert_str_eq(text(), "9223372036854775807");
	sm_buf_i64(&b, -1);
	ck_assert_str_eq(text(), "-1");
	sm_buf_i64(&b, 0);
	ck_assert_str_eq(text(), "0");
}
END_TEST

START_TEST(u64_padded)
{
	static const struct {
		uint64_t v;
		int digits;
		const char *want;
	} t[] = {
		{7, 2, "07"},
		{7, 1, "7"},
		{7, 0, "7"},
		{7, -3, "7"},
		{123, 2, "123"},
		{0, 3, "000"},
		{5, 20, "00000000000000000005"},
		{5, 1000, "00000000000000000005"},
		{UINT64_MAX, 20, "18446744073709551615"},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		sm_buf_u64_pad(&b, t[i].v, t[i].digits);
		ck_assert_str_eq(text(), t[i].want);
	}
}
END_TEST

START_TEST(fixed_point)
{
	static const struct {
		uint64_t v;
		int scale;
		const char *want;
	} t[] = {
		{1234, 3, "1.234"},
		{1234, 0, "1234"},
		{1234, -1, "1234"},
		{5, 3, "0.005"},
		{0, 2, "0.00"},
		{100, 2, "1.00"},
		{UINT64_MAX, 9, "18446744073.709551615"},
		{UINT64_MAX, 19, "1.8446744073709551615"},
		{1, 19, "0.0000000000000000001"},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		sm_buf_fixed(&b, t[i].v, t[i].scale);
		ck_assert_str_eq(text(), t[i].want);
	}
}
END_TEST

START_TEST(doubles)
{
	static const struct {
		double v;
		int decimals;
		const char *want;
	} t[] = {
		{0, 0, "0"},
		{0, 2, "0.00"},
		{3.14159, 2, "3.14"},
		{3.14159, 0, "3"},
		{0.5, 0, "1"},
		{0.125, 2, "0.13"},
		{-0.125, 2, "-0.13"},
		{0.999, 2, "1.00"},
		{9.9999, 3, "10.000"},
		{99.5, 0, "100"},
		{-0.001, 2, "0.00"},
		{-0.0, 1, "0.0"},
		{-12.75, 1, "-12.8"},
		{1e-300, 9, "0.000000000"},
		{123456789.987654321, 6, "123456789.987654"},
		{2251799813685248.5, 1, "2251799813685248.5"},
		{1e15, 3, "1000000000000000.000"},
		{0x1p63, 2, "9223372036854775808.00"},
		{0x1.fffffffffffffp63, 0, "18446744073709549568"},
		{0x1p64, 0, "18446744073709551616"},
		{0x1p64, 3, "18446744073709551616.000"},
		{-0x1p64, 1, "-18446744073709551616.0"},
		{1.5, -1, "2"},
		{1.5, 12, "1.500000000"},
		{NAN, 2, "-"},
		{INFINITY, 2, "-"},
		{-INFINITY, 0, "-"},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		sm_buf_double(&b, t[i].v, t[i].decimals);
		ck_assert_str_eq(text(), t[i].want);
	}
	sm_buf_double(&b, DBL_MAX, 0);
	ck_assert_uint_eq(b.len, 309);
	ck_assert_mem_eq(b.p, "17976931348623157", 17);
}
END_TEST

START_TEST(doubles_right)
{
	sm_buf_double_right(&b, 1.5, 2, 6);
	sm_buf_double_right(&b, -1.5, 1, 5);
	sm_buf_double_right(&b, 1234.5, 1, 4);
	sm_buf_double_right(&b, NAN, 1, 3);
	ck_assert_str_eq(text(), "  1.50 -1.51234.5  -");
}
END_TEST

START_TEST(doubles_come_back)
{
	for (int i = 1; i < 3000; i++) {
		double v = (i % 2 ? 1 : -1) * i * 1.7320508 * (1 << i % 20);

		sm_buf_double(&b, v, 6);
		ck_assert_double_eq_tol(strtod(text(), NULL), v, 0.5000001e-6);
	}
}
END_TEST

START_TEST(formatted)
{
	sm_buf_printf(&b, "%s", "");
	ck_assert_uint_eq(b.len, 0);
	sm_buf_printf(&b, "%d-%s", 42, "x");
	sm_buf_printf(&b, "%s", "!");
	ck_assert_str_eq(text(), "42-x!");
	sm_buf_printf(&b, "%*d", 1000, 7);
	ck_assert_uint_eq(b.len, 1000);
	ck_assert_int_eq(b.p[999], '7');
	ck_assert_int_eq(b.p[998], ' ');
}
END_TEST

/* The vectors of RFC 4648 section 10. */
START_TEST(base64)
{
	static const char *const t[][2] = {
		{"", ""},
		{"f", "Zg=="},
		{"fo", "Zm8="},
		{"foo", "Zm9v"},
		{"foob", "Zm9vYg=="},
		{"fooba", "Zm9vYmE="},
		{"foobar", "Zm9vYmFy"},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		sm_buf_base64(&b, t[i][0], strlen(t[i][0]));
		ck_assert_str_eq(text(), t[i][1]);
	}
	sm_buf_base64(&b, "\xff\xff\xfe\0\x10\x83", 6);
	ck_assert_str_eq(text(), "///+ABCD");
}
END_TEST

static TCase *tc_bytes(void)
{
	TCase *tc = tcase_create("bytes");

	tcase_add_checked_fixture(tc, NULL, fini);
	tcase_add_test(tc, bytes_and_strings);
	tcase_add_test(tc, growth_doubles_and_keeps_content);
	tcase_add_test(tc, reset_keeps_the_memory);
	tcase_add_test(tc, failure_is_sticky_until_reset);
	tcase_add_test(tc, size_max_does_not_wrap);
	tcase_add_test(tc, formatted);
	tcase_add_test(tc, base64);
	return tc;
}

static TCase *tc_numbers(void)
{
	TCase *tc = tcase_create("numbers");

	tcase_add_checked_fixture(tc, NULL, fini);
	tcase_add_test(tc, u64_at_every_length);
	tcase_add_test(tc, i64_ends);
	tcase_add_test(tc, u64_padded);
	tcase_add_test(tc, fixed_point);
	tcase_add_test(tc, doubles);
	tcase_add_test(tc, doubles_right);
	tcase_add_test(tc, doubles_come_back);
	return tc;
}

UNIT_MAIN("buf", tc_bytes, tc_numbers)

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "unit.h"

#define SEC SM_NSEC_PER_SEC

typedef int (*parse_fn)(const char *s, uint64_t *out);

struct good {
	const char *s;
	uint64_t want;
};

static void check_good(parse_fn fn, const struct good *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t v = ~t[i].want;

		ck_assert_msg(fn(t[i].s, &v) == 0, "refused: '%s'", t[i].s);
		ck_assert_msg(v == t[i].want, "'%s' gave %ju", t[i].s, (uintmax_t)v);
	}
}

/* Fails with that error and leaves *out alone. */
static void check_bad(parse_fn fn, int err, const char *const *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t v = 4711;
		int ret = fn(t[i], &v);

		ck_assert_msg(ret == err, "'%s' gave %d", t[i], ret);
		ck_assert_uint_eq(v, 4711);
	}
}

static int parse_percent(const char *s, uint64_t *out)
{
	uint32_t v;
	int ret = sm_units_percent(s, &v);

	if (ret == 0)
		*out = v;
	return ret;
}

/* What no parser takes. */
static const char *const not_numbers[] = {"", " ", " 1", "1 ", "+1", "-1", "-", "1x", "x",
	"1e3", "nan", "inf", "infinity", "0x10", "1,5", "1..5", ".", "..", "1.2.3", "1\n",
	"\xc2\xb2", "1.5x", "s", "%", "99999999999999999999999999x"};

START_TEST(junk_is_invalid)
{
	static const parse_fn fns[] = {
		sm_units_u64, sm_units_duration_ns, sm_units_size_bytes, parse_percent};

	for (size_t i = 0; i < SM_ARRAY_SIZE(fns); i++)
		check_bad(fns[i], -EINVAL, not_numbers, SM_ARRAY_SIZE(not_numbers));
}
END_TEST

START_TEST(u64)
{
	static const struct good good[] = {
		{"0", 0}, {"7", 7}, {"007", 7}, {"18446744073709551615", UINT64_MAX}};
	static const char *const inval[] = {"1.5", "1.", "1s", "1k", "1_000"};
	static const char *const range[] = {
		"18446744073709551616", "99999999999999999999999"};

	check_good(sm_units_u64, good, SM_ARRAY_SIZE(good));
	check_bad(sm_units_u64, -EINVAL, inval, SM_ARRAY_SIZE(inval));
	check_bad(sm_units_u64, -ERANGE, range, SM_ARRAY_SIZE(range));
}
END_TEST

START_TEST(duration_good)
{
	static const struct good good[] = {
		{"0", 0},
		{"5", 5 * SEC},
		{"5s", 5 * SEC},
		{"1.5", 1500000000},
		{"1.5s", 1500000000},
		{".5s", 500000000},
		{"0.1", 100000000},
		{"200ms", 200000000},
		{"0.25ms", 250000},
		{"50us", 50000},
		{"10ns", 10},
		{"1.9ns", 1},
		{"2m", 120 * SEC},
		{"1.5m", 90 * SEC},
		{"1h", 3600 * SEC},
		{"1d", 86400 * SEC},
		{"1w", 604800 * SEC},
		{"0.5w", 302400 * SEC},
		{"1.000000001", SEC + 1},
		{"1.0000000019", SEC + 1},
		{"0.999999999999999999999999", SEC - 1},
		{"0.123456789012w",
			74666665994457}, /* 0.123456789012 * 604800e9 = ..457.6 */
		{"18446744073.709551615", UINT64_MAX},
		{"18446744073709551615ns", UINT64_MAX},
		{"0000000000000000000000000001", SEC},
		{"1y", 31536000 * SEC},
		{"0.999999999999y", 31535999999968464},
		{"1h30m", 5400 * SEC},
		{"1d1.5h10ms", 91800 * SEC + 10000000},
		{"1y1d", 366 * 86400 * SEC},
		{"0s0ns", 0},
	};

	check_good(sm_units_duration_ns, good, SM_ARRAY_SIZE(good));
}
END_TEST

START_TEST(duration_bad)
{
	static const char *const inval[] = {"1 s", "1S", "1sec", "1min", "1mss", "5.",
		"5.s", "ms", "1.5.s", "1h30", "1h 30m", "1h2x", "1.2.3s", "1d1",
		"99999999999999999999s1x"};
	static const char *const range[] = {"18446744073.709551616", "18446744074",
		"18446744073709551616ns", "30501w", "600y", "500y100y",
		"99999999999999999999d1s", "99999999999999999999999"};

	check_bad(sm_units_duration_ns, -EINVAL, inval, SM_ARRAY_SIZE(inval));
	check_bad(sm_units_duration_ns, -ERANGE, range, SM_ARRAY_SIZE(range));
}
END_TEST

/* A bare number in another unit. */
START_TEST(duration_unit)
{
	uint64_t ns;

	ck_assert_int_eq(sm_units_time_ns("1.5", "ms", &ns), 0);
	ck_assert_uint_eq(ns, 1500000);
	ck_assert_int_eq(sm_units_time_ns("1.5s", "ms", &ns), 0);
	ck_assert_uint_eq(ns, 1500000000);
	ck_assert_int_eq(sm_units_time_ns("1s5", "ms", &ns), -EINVAL);
	ck_assert_int_eq(sm_units_time_ns("18446744073709551615", "ns", &ns), 0);
	ck_assert_uint_eq(ns, UINT64_MAX);
}
END_TEST

START_TEST(size)
{
	static const struct good good[] = {
		{"0", 0},
		{"4096", 4096},
		{"4096B", 4096},
		{"4k", 4096},
		{"4K", 4096},
		{"8KiB", 8192},
		{"8kiB", 8192},
		{"4kB", 4000},
		{"1MB", 1000000},
		{"64M", 64 << 20},
		{"64m", 64 << 20},
		{"1t", UINT64_C(1) << 40},
		{"1G", 1 << 30},
		{"1GB", 1000000000},
		{"2T", UINT64_C(2) << 40},
		{"3P", UINT64_C(3) << 50},
		{"15E", UINT64_C(15) << 60},
		{"18EB", UINT64_C(18000000000000000000)},
		{"0E", 0},
	};
	static const char *const inval[] = {"1.5G", "k", "1KB1", "1Ki", "1iB", "1Kib",
		"1kk", "1b", "1Z", "1e", "1p", "4 k"};
	static const char *const range[] = {
		"16E", "19EB", "18014398509481984K", "18446744073709551616"};

	check_good(sm_units_size_bytes, good, SM_ARRAY_SIZE(good));
	check_bad(sm_units_size_bytes, -EINVAL, inval, SM_ARRAY_SIZE(inval));
	check_bad(sm_units_size_bytes, -ERANGE, range, SM_ARRAY_SIZE(range));
}
END_TEST

START_TEST(percent)
{
	static const struct good good[] = {{"0", 0}, {"12.5", 1250}, {"12.5%", 1250},
		{"100%", 10000}, {"250", 25000}, {"0.01", 1}, {"33.333", 3333},
		{"0.005", 1}, {"0.0049", 0}, {"99.999", 10000},
		{"42949672.95", UINT32_MAX}};
	static const char *const inval[] = {"5%%", "5 %", "%5", "5.%"};
	static const char *const range[] = {
		"42949672.96", "42949673", "4294967296", "18446744073709551616"};

	check_good(parse_percent, good, SM_ARRAY_SIZE(good));
	check_bad(parse_percent, -EINVAL, inval, SM_ARRAY_SIZE(inval));
	check_bad(parse_percent, -ERANGE, range, SM_ARRAY_SIZE(range));
}
END_TEST

static struct sm_buf buf;

static const char *result(void)
{
	sm_buf_chr(&buf, '\0');
	ck_assert_int_eq(buf.err, 0);
	return buf.p;
}

static const char *duration(uint64_t ns)
{
	sm_buf_reset(&buf);
	sm_units_print_duration(&buf, ns);
	ck_assert_uint_eq(buf.len, 8);
	return result();
}

static const char *iec(uint64_t bytes)
{
	sm_buf_reset(&buf);
	sm_units_print_iec(&buf, bytes);
	return result();
}

static void free_buf(void)
{
	sm_buf_fini(&buf);
}

START_TEST(print_duration)
{
	ck_assert_str_eq(duration(0), "  0.000s");
	ck_assert_str_eq(duration(499999), "  0.000s");
	ck_assert_str_eq(duration(500000), "  0.001s");
	ck_assert_str_eq(duration(20000000), "  0.020s");
	ck_assert_str_eq(duration(30399000000), " 30.399s");
	ck_assert_str_eq(duration(100900000000), "  1.682m");
	ck_assert_str_eq(duration(599 * SEC), "  9.983m");
	ck_assert_str_eq(duration(3600 * SEC), "  1.000h");
	ck_assert_str_eq(duration(86400 * SEC), "  1.000d");
	ck_assert_str_eq(duration(604800 * SEC), "  1.000w");
	ck_assert_str_eq(duration(364 * 86400 * SEC), " 52.000w");
	ck_assert_str_eq(duration(31557600 * SEC), "  1.000y");
	ck_assert_str_eq(duration(UINT64_MAX), "584.542y");
}
END_TEST

/* What rounds up to a whole unit is one of the next. */
START_TEST(print_duration_at_the_limits)
{
	ck_assert_str_eq(duration(60 * SEC - 500001), " 59.999s");
	ck_assert_str_eq(duration(60 * SEC - 500000), "  1.000m");
	ck_assert_str_eq(duration(60 * SEC), "  1.000m");
	ck_assert_str_eq(duration(3600 * SEC - 30000001), " 59.999m");
	ck_assert_str_eq(duration(3600 * SEC - 30000000), "  1.000h");
	ck_assert_str_eq(duration(86400 * SEC - 1800000001), " 23.999h");
	ck_assert_str_eq(duration(86400 * SEC - 1800000000), "  1.000d");
	ck_assert_str_eq(duration(604800 * SEC - 43200000001), "  6.999d");
	ck_assert_str_eq(duration(604800 * SEC - 43200000000), "  1.000w");
	ck_assert_str_eq(duration(31557600 * SEC - 43200000001), " 52.178w");
	ck_assert_str_eq(duration(31557600 * SEC - 43200000000), "  1.000y");
}
END_TEST

START_TEST(print_iec)
{
	ck_assert_str_eq(iec(0), "0 B");
	ck_assert_str_eq(iec(12), "12 B");
	ck_assert_str_eq(iec(1023), "1023 B");
	ck_assert_str_eq(iec(1024), "1.0 KiB");
	ck_assert_str_eq(iec(1536), "1.5 KiB");
	ck_assert_str_eq(iec(1023 * 1024), "1023.0 KiB");
	ck_assert_str_eq(iec(1048524), "1023.9 KiB");
	ck_assert_str_eq(iec(1048525), "1.0 MiB"); /* 1023.951 KiB */
	ck_assert_str_eq(iec(1048576), "1.0 MiB");
	ck_assert_str_eq(iec(UINT64_C(5) << 30), "5.0 GiB");
	ck_assert_str_eq(iec(UINT64_C(5) << 49), "2.5 PiB");
	ck_assert_str_eq(iec(UINT64_MAX), "16.0 EiB");
}
END_TEST

static TCase *tc_parse(void)
{
	TCase *tc = tcase_create("parse");

	tcase_add_test(tc, junk_is_invalid);
	tcase_add_test(tc, u64);
	tcase_add_test(tc, duration_good);
	tcase_add_test(tc, duration_bad);
	tcase_add_test(tc, duration_unit);
	tcase_add_test(tc, size);
	tcase_add_test(tc, percent);
	return tc;
}

static TCase *tc_print(void)
{
	TCase *tc = tcase_create("print");

	tcase_add_checked_fixture(tc, NULL, free_buf);
	tcase_add_test(tc, print_duration);
	tcase_add_test(tc, print_duration_at_the_limits);
	tcase_add_test(tc, print_iec);
	return tc;
}

UNIT_MAIN("num", tc_parse, tc_print)

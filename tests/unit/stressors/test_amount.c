// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "fixroot_rig.h"
#include "stressors/run/amount.h"

#define MB (UINT64_C(1) << 20)

static const struct amount_base base = {.free = 1000 * MB, .cache = {32768, 0, 480 * MB}};

static void count(const char *s, int r, uint64_t want)
{
	uint64_t n = 0;

	ck_assert_int_eq(amount_count(s, &n), r);
	if (!r)
		ck_assert_uint_eq(n, want);
}

static void size(const char *s, int r, uint64_t want)
{
	struct amount a;
	uint64_t n = 0;
	int err = amount_size(s, &a);

	if (!err)
		err = amount_resolve(&a, &base, &n);
	ck_assert_int_eq(err, r);
	if (!r)
		ck_assert_uint_eq(n, want);
}

START_TEST(counts)
{
	count("0", 0, 0);
	count("17", 0, 17);
	count("4k", 0, 4096);
	count("4M", 0, 4 * MB);
	count("1t", 0, MB * MB);
	count("18446744073709551615", 0, UINT64_MAX);
	count("18446744073709551616", -ERANGE, 0);
	count("99999999999999t", -ERANGE, 0);
	for (const char *const *bad =
			(const char *const[]){"", "x", "-1", "+1", "1.5", "1e3", "0x10",
				"4 ", " 4", "4b", "4kB", "4KiB", "4kk", "4%", "L1", NULL};
		*bad; bad++)
		count(*bad, -EINVAL, 0);
}
END_TEST

START_TEST(sizes)
{
	size("4096", 0, 4096);
	size("4096b", 0, 4096);
	size("4096B", 0, 4096);
	size("64k", 0, 65536);
	size("64K", 0, 65536);
	size("64KiB", 0, 65536);
	size("64kB", 0, 64000);
	size("3g", 0, 3072 * MB);
	size("2T", 0, 2 * MB * MB);
	size("1.5g", 0, 1536 * MB);
	size("0.5G", 0, 512 * MB);
	size("1.5kB", 0, 1500);
	size("1.25KiB", 0, 1280);
	size("0.000000001t", 0, 1099);
	size("1.999999999t", 0, 2199023254452);
	for (const char *const *bad = (const char *const[]){"", "b", "k", "4x", "4kb",
		     "4bb", "-4k", "1.5", "1.5b", "1.g", ".5g", "1..5g", "1.5.5g", "1.5x",
		     "1.5 g", "1.0000000000g", "%", "x%", "-1%", "1%%", "L", "L0", "L4",
		     "L11", "l1k", NULL};
		*bad; bad++)
		size(*bad, -EINVAL, 0);
	size("99999999999g", -ERANGE, 0);
	size("99999999999.5g", -ERANGE, 0);
	size("16777215.999999999t", 0, UINT64_C(0xfffffffffffffbb4));
	size("16777216.1t", -ERANGE, 0);
}
END_TEST

START_TEST(shares)
{
	size("0%", 0, 0);
	size("50%", 0, 500 * MB);
	size("12.5%", 0, 125 * MB);
	size("75%", 0, 750 * MB);
	size("90%", 0, 900 * MB);
	size("100%", 0, 1000 * MB);
	size("100.01%", -ERANGE, 0);
	size("99999999999%", -ERANGE, 0);
}
END_TEST

START_TEST(share_of_very_much)
{
	struct amount a;
	struct amount_base all = {.free = UINT64_MAX};
	uint64_t n;

	ck_assert_int_eq(amount_size("100%", &a), 0);
	ck_assert_int_eq(amount_resolve(&a, &all, &n), 0);
	ck_assert_uint_eq(n, UINT64_MAX);
	all.free = 0; /* not known */
	ck_assert_int_eq(amount_resolve(&a, &all, &n), -ENODATA);
}
END_TEST

START_TEST(caches)
{
	size("L1", 0, 32768);
	size("l3", 0, 480 * MB);
	size("L2", -ENODATA, 0);
}
END_TEST

START_TEST(caches_of_a_machine)
{
	struct amount_base b;

	fix_open();
	fix_put("sys/devices/system/cpu/cpu0/cache/index0/level", "2\n");
	fix_put("sys/devices/system/cpu/cpu0/cache/index0/type", "Unified\n");
	fix_put("sys/devices/system/cpu/cpu0/cache/index0/size", "512K\n");
	amount_caches(&b, &fix);
	ck_assert_uint_eq(b.cache[0], 0);
	ck_assert_uint_eq(b.cache[1], 512 << 10);
	ck_assert_uint_eq(b.cache[2], 0);
	fix_close();
}
END_TEST

static void text(void (*put)(struct sm_buf *, uint64_t), uint64_t v, const char *want)
{
	struct sm_buf b = {0};

	put(&b, v);
	sm_buf_chr(&b, '\0');
	ck_assert_int_eq(b.err, 0);
	ck_assert_str_eq(b.p, want);
	sm_buf_fini(&b);
}

START_TEST(texts)
{
	text(amount_put_size, 0, "0");
	text(amount_put_size, 1023, "1023");
	text(amount_put_size, 1536, "1536");
	text(amount_put_size, 65536, "64K");
	text(amount_put_size, 5 * MB * MB, "5T");
	text(amount_put_time, 0, "0ns");
	text(amount_put_time, 100000, "100us");
	text(amount_put_time, 1500000000, "1500ms");
	text(amount_put_time, 60 * SM_NSEC_PER_SEC, "1m");
	text(amount_put_time, 61 * SM_NSEC_PER_SEC, "61s");
}
END_TEST

static TCase *tc_amount(void)
{
	TCase *t = tcase_create("amount");

	tcase_add_test(t, counts);
	tcase_add_test(t, sizes);
	tcase_add_test(t, shares);
	tcase_add_test(t, share_of_very_much);
	tcase_add_test(t, caches);
	tcase_add_test(t, caches_of_a_machine);
	tcase_add_test(t, texts);
	return t;
}

UNIT_MAIN("amount", tc_amount)

// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/pass_reader.h"
#include "pages/sign.h"
#include "unit.h"

static unsigned char sign(
	uint64_t pages, uint64_t n, uint64_t categories, uint64_t more, uint64_t also)
{
	struct sign s = {0};

	if (n)
		sign_add(&s, n, sign_kinds(categories));
	if (more)
		sign_add(&s, more, sign_kinds(also));
	return sign_of(&s, pages);
}

enum {
	P = SM_PAGE_PRESENT,
	M = P | SM_PAGE_FILE,
	H = P | SM_PAGE_HUGE,
	Z = P | SM_PAGE_ZERO,
	S = SM_PAGE_SWAPPED,
	G = SM_PAGE_GUARD,
	D = SM_PAGE_SOFT_DIRTY,
	X = SM_PAGE_POISON,
};

START_TEST(glyphs)
{
	static const struct {
		uint64_t n, categories, more, also;
		char sign;
	} t[] = {
		{0, 0, 0, 0, '.'},
		{8, P, 0, 0, 'P'},
		{7, P, 0, 0, 'p'},
		{8, M, 0, 0, 'M'},
		{1, M, 7, P, 'p'}, /* most pages are P */
		{4, M, 4, P, 'm'},
		{3, M, 2, P, 'm'},
		{8, H, 0, 0, 'H'},
		{8, H | M, 0, 0, 'H'},
		{4, H, 4, M, 'h'},
		{8, Z, 0, 0, 'Z'},
		{1, Z, 0, 0, 'z'},
		{4, Z, 4, P, 'p'},
		{7, Z, 1, M, 'z'},
		{8, G, 0, 0, 'G'},
		{4, G, 4, Z, 'z'},
		{4, G, 0, 0, 'g'},
		{8, S, 0, 0, 'S'},
		{1, S, 7, H | D, 's'}, /* a single page that is swapped or dirty counts */
		{8, S | D, 0, 0, 'S'},
		{8, P | D, 0, 0, 'D'},
		{1, P | D, 7, M, 'd'},
		{8, Z | D, 0, 0, 'D'},
		{8, X, 0, 0, 'X'},
		{4, X, 4, S, 's'},
		{8, SM_PAGE_HIDDEN, 0, 0, 'X'},
		{4, SM_PAGE_MARKER, 4, SM_PAGE_OTHER, 'X'},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		char got = sign_letter(
			sign(8, t[i].n, t[i].categories, t[i].more, t[i].also));

		ck_assert_msg(got == t[i].sign, "%zu: %c, not %c", i, got, t[i].sign);
	}
}
END_TEST

/* Seven steps for a part of the pages, the eighth for all of them. */
START_TEST(steps)
{
	const uint64_t pages = UINT64_C(1) << 40;

	for (uint64_t n = 1; n <= 700; n++)
		ck_assert_uint_eq(sign_step(sign(700, n, P, 0, 0)), 1 + n / 100);
	ck_assert_uint_eq(sign_step(sign(pages, 1, M, 0, 0)), 1);
	ck_assert_uint_eq(sign_step(sign(pages, pages - 1, M, 0, 0)), 7);
	ck_assert_int_eq(sign_letter(sign(pages, pages - 1, M, 0, 0)), 'm');
	ck_assert_uint_eq(sign_step(sign(pages, pages, M, 0, 0)), 8);
}
END_TEST

static TCase *all(void)
{
	TCase *tc = tcase_create("sign");

	tcase_add_test(tc, glyphs);
	tcase_add_test(tc, steps);
	return tc;
}

UNIT_MAIN("sign", all)

// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "cli/tty.h"
#include "tui_opened_rig.h"

/* Returns the relative luminance (WCAG) of one of the 6x6x6 colours of xterm-256color. */
static double luminance(int color)
{
	static const double level[] = {0, 95, 135, 175, 215, 255};
	static const double weight[] = {0.0722, 0.7152, 0.2126};
	double sum = 0;

	ck_assert_int_ge(color, 16); /* the first 16 depend on the palette */
	color -= 16;
	for (int i = 0; i < 3; i++, color /= 6) {
		double v = level[color % 6] / 255;

		sum += weight[i] * (v > 0.04 ? pow((v + 0.055) / 1.055, 2.4) : v / 12.92);
	}
	return sum;
}

/* A text without a background is readable on a black and on a white terminal. */
START_TEST(readable_on_any_background)
{
	for (short i = 1; i < SM_TUI_NSTYLES; i++) {
		short fg = -1, bg = -1;

		ck_assert_int_eq(pair_content(i, &fg, &bg), OK);
		if (fg <= 0 || bg >= 0) /* the terminal's own, or not a pair */
			continue;
		ck_assert_double_ge(1.05 / (luminance(fg) + 0.05), 3);
		ck_assert_double_ge((luminance(fg) + 0.05) / 0.05, 3);
	}
}
END_TEST

static TCase *tc_colors(void)
{
	TCase *tc = tcase_create("colors");

	tcase_add_checked_fixture(tc, tui_setup, tui_teardown);
	tcase_add_test(tc, readable_on_any_background);
	return tc;
}

UNIT_MAIN("tui_colors", tc_colors)

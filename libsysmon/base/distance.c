// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>

#include "base/distance.h"

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Optimal string alignment: computes row i of the table of distances between the
 * beginnings of a and b; row[1] is the previous row, row[2] the one before that. */
static void fill_row(
	unsigned int *const row[3], size_t i, struct sm_str a, struct sm_str b)
{
	row[0][0] = (unsigned int)i;
	for (size_t j = 1; j <= b.n; j++) {
		bool same = a.p[i - 1] == b.p[j - 1];

		row[0][j] =
			least(least(row[1][j], row[0][j - 1]) + 1, row[1][j - 1] + !same);
		if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] &&
			a.p[i - 2] == b.p[j - 1])
			row[0][j] = least(row[0][j], row[2][j - 2] + 1);
	}
}

unsigned int sm_distance(struct sm_str a, struct sm_str b)
{
	unsigned int cells[3][SM_DISTANCE_WORD + 1];
	unsigned int *row[3] = {cells[0], cells[1], cells[2]};

	if (a.n > SM_DISTANCE_WORD || b.n > SM_DISTANCE_WORD)
		return UINT_MAX;
	for (size_t j = 0; j <= b.n; j++)
		row[0][j] = (unsigned int)j;
	for (size_t i = 1; i <= a.n; i++) {
		unsigned int *last = row[2];

		row[2] = row[1];
		row[1] = row[0];
		row[0] = last;
		fill_row(row, i, a, b);
	}
	return row[0][b.n];
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The option that was probably meant by an unknown name. */
#include <limits.h>
#include <string.h>

#include "cli/opt.h"

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

unsigned int sm_opt_distance(struct sm_str a, struct sm_str b)
{
	unsigned int cells[3][SM_OPT_WORD + 1];
	unsigned int *row[3] = {cells[0], cells[1], cells[2]};

	if (a.n > SM_OPT_WORD || b.n > SM_OPT_WORD)
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

static struct sm_str first_word(struct sm_str name)
{
	const char *end = memchr(name.p, '-', name.n);

	return (struct sm_str){name.p, end ? (size_t)(end - name.p) : 0};
}

/* Returns false if the first words differ in more than a third of their letters:
 * --no-madvise must not match --vm-madvise. */
static bool similar_word(struct sm_str a, struct sm_str b)
{
	struct sm_str word_a = first_word(a), word_b = first_word(b);

	return !word_a.n || !word_b.n || sm_opt_distance(word_a, word_b) <= word_a.n / 3;
}

const struct sm_opt *sm_opt_nearest(const struct sm_opt_spec *s, struct sm_str name)
{
	const struct sm_opt *found = NULL;
	unsigned int nearest = (unsigned int)(name.n / 3) + 1;

	for (size_t i = 0; i < s->nopts; i++) {
		const struct sm_opt *o = &s->opts[i];
		struct sm_str own = {o->name, o->name ? strlen(o->name) : 0};
		unsigned int d;

		if (!o->name || o->hidden || !similar_word(name, own))
			continue;
		d = sm_opt_distance(name, own);
		if (d >= nearest)
			continue;
		nearest = d;
		found = o;
	}
	return found;
}

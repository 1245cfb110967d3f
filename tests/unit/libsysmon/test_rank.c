// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "format/rank.h"
#include "unit.h"

#define MOST 40

struct thing {
	int key;
	char pad[90]; /* more than is swapped at once */
	int mark;
};

static int by_key(const void *a, const void *b, void *ctx)
{
	const struct thing *x = a, *y = b;
	int sign = *(const int *)ctx;

	return sign * ((x->key > y->key) - (x->key < y->key));
}

static int plain(const void *a, const void *b)
{
	int one = 1;

	return by_key(a, b, &one);
}

/* Each k of each n: the first k are those of qsort(3), and nothing is lost. */
START_TEST(like_qsort)
{
	struct thing v[MOST], sorted[MOST];
	int up = 1;

	memset(v, 0, sizeof(v)); /* the padding is compared, too */
	srand((unsigned int)_i + 1);
	for (size_t n = 0; n <= MOST; n++) {
		for (size_t k = 0; k <= n + 1; k++) {
			for (size_t i = 0; i < n; i++) {
				v[i].key = rand() % 100;
				memset(v[i].pad, v[i].key, sizeof(v[i].pad));
				v[i].mark = -v[i].key;
			}
			memcpy(sorted, v, n * sizeof(*v));
			qsort(sorted, n, sizeof(*v), plain);
			sm_rank_first(v, n, sizeof(*v), k, by_key, &up);
			for (size_t i = 0; i < k && i < n; i++)
				ck_assert_int_eq(v[i].key, sorted[i].key);
			qsort(v, n, sizeof(*v), plain);
			ck_assert_int_eq(memcmp(v, sorted, n * sizeof(*v)), 0);
		}
	}
}
END_TEST

START_TEST(the_other_way)
{
	int v[] = {3, 1, 2}, down = -1;
	struct thing t[3] = {{.key = v[0]}, {.key = v[1]}, {.key = v[2]}};

	sm_rank_first(t, 3, sizeof(*t), 1, by_key, &down);
	ck_assert_int_eq(t[0].key, 3);
	sm_rank_first(NULL, 0, sizeof(*t), 5, by_key, &down);
}
END_TEST

static TCase *tc_rank(void)
{
	TCase *tc = tcase_create("rank");

	tcase_add_loop_test(tc, like_qsort, 0, 5);
	tcase_add_test(tc, the_other_way);
	return tc;
}

UNIT_MAIN("rank", tc_rank)

// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "rank.h"

struct heap {
	char *v;
	size_t size;
	int (*compare)(const void *a, const void *b, void *ctx);
	void *ctx;
};

static void swap(const struct heap *h, size_t a, size_t b)
{
	char t[64], *x = h->v + a * h->size, *y = h->v + b * h->size;

	for (size_t left = h->size, n; left; left -= n, x += n, y += n) {
		n = left < sizeof(t) ? left : sizeof(t);
		memcpy(t, x, n);
		memcpy(x, y, n);
		memcpy(y, t, n);
	}
}

/* Returns true if element a comes after element b. */
static bool after(const struct heap *h, size_t a, size_t b)
{
	return h->compare(h->v + a * h->size, h->v + b * h->size, h->ctx) > 0;
}

/* Restores the heap: the first n elements are a heap with the maximum at the root, except
 * at i, which may be too small. */
static void sift_down(const struct heap *h, size_t n, size_t i)
{
	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && after(h, child + 1, child))
			child++;
		if (!after(h, child, i))
			return;
		swap(h, i, child);
	}
}

void sm_rank_first(void *v, size_t n, size_t size, size_t k,
	int (*compare)(const void *a, const void *b, void *ctx), void *ctx)
{
	struct heap h = {v, size, compare, ctx};

	if (k > n)
		k = n;
	for (size_t i = k / 2; i-- > 0;)
		sift_down(&h, k, i);
	for (size_t i = k; k && i < n; i++) {
		if (!after(&h, 0, i))
			continue;
		swap(&h, i, 0);
		sift_down(&h, k, 0);
	}
	while (k > 1) {
		swap(&h, 0, --k);
		sift_down(&h, k, 0);
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array: growth of a plain array, in powers of two from 8; order of elements.
 *
 *	struct zone *zone = NULL;
 *	size_t cap = 0;
 *	err = sm_array_reserve(&zone, &cap, n + 1, sizeof(*zone));
 *
 * New elements are not initialised.  On -ENOMEM, array and cap are unchanged.
 */
#ifndef SM_ARRAY_H
#define SM_ARRAY_H

#include "base/base.h"

/* Below 0, 0 or above 0, for an ascending order. */
#define SM_COMPARE(a, b) (((a) > (b)) - ((a) < (b)))
/* Exchanges two elements. */
#define SM_SWAP(a, b) do { __typeof__(a) swap_ = (a); (a) = (b); (b) = swap_; } while (0)

/* array: the address of a pointer to elements of `size` bytes, initially NULL; cap: its capacity in
 * elements, at least `need` after the call. */
int sm_array_reserve(void *array, size_t *cap, size_t need, size_t size) SM_MUST;

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order: the numbers 0 to n - 1, each once, in an order that looks random, without a table.
 *
 * A Feistel network permutes the numbers of 2k bits, of which there are less than 4n; results that are not
 * below n are permuted again until one is.
 */
#ifndef STRESSORS_DISK_ORDER_H
#define STRESSORS_DISK_ORDER_H

#include "base/base.h"

struct disk_order {
	uint64_t n, key;
	unsigned int half; /* bits */
};

/* n must not be 0. */
void disk_order_init(struct disk_order *o, uint64_t n, uint64_t key);
/* Return the number at a place, and the place of a number. */
uint64_t disk_order_at(const struct disk_order *o, uint64_t place);
uint64_t disk_order_of(const struct disk_order *o, uint64_t number);

#endif

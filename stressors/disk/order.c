// SPDX-License-Identifier: GPL-2.0-or-later
#include "order.h"

#define ROUNDS 4u

void disk_order_init(struct disk_order *o, uint64_t n, uint64_t key)
{
	*o = (struct disk_order){.n = n, .key = key, .half = 1};
	while (o->half < 32 && (n - 1) >> (2 * o->half))
		o->half++;
}

/* The function of one round, which may be any function. */
static uint64_t scatter(const struct disk_order *o, uint64_t v, unsigned int round)
{
	uint64_t z = (v + round + o->key) * UINT64_C(0xbf58476d1ce4e5b9);

	z = (z ^ (z >> 32)) * UINT64_C(0x94d049bb133111eb);
	return (z >> 32) & ((UINT64_C(1) << o->half) - 1);
}

static uint64_t forward(const struct disk_order *o, uint64_t v)
{
	uint64_t high = v >> o->half, low = v & ((UINT64_C(1) << o->half) - 1);

	for (unsigned int i = 0; i < ROUNDS; i++) {
		uint64_t next = high ^ scatter(o, low, i);

		high = low;
		low = next;
	}
	return high << o->half | low;
}

static uint64_t backward(const struct disk_order *o, uint64_t v)
{
	uint64_t high = v >> o->half, low = v & ((UINT64_C(1) << o->half) - 1);

	for (unsigned int i = ROUNDS; i-- > 0;) {
		uint64_t last = low ^ scatter(o, high, i);

		low = high;
		high = last;
	}
	return high << o->half | low;
}

uint64_t disk_order_at(const struct disk_order *o, uint64_t place)
{
	do {
		place = forward(o, place);
	} while (place >= o->n);
	return place;
}

uint64_t disk_order_of(const struct disk_order *o, uint64_t number)
{
	do {
		number = backward(o, number);
	} while (number >= o->n);
	return number;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "run/stress.h"

#include "cpu.h"

void cpu_fill(unsigned char *p, size_t n, uint64_t state)
{
	uint64_t z = 0;

	for (size_t k = 0; k < n; k++) {
		z = k % 8 ? z >> 8 : stress_random(&state);
		p[k] = (unsigned char)z;
	}
}

/* ---- bitops: bits that are counted and moved without special instructions ---- */

#define BITOPS 2048u /* in a step */

#define ODD_BITS  UINT64_C(0x5555555555555555)
#define ODD_PAIRS UINT64_C(0x3333333333333333)
#define ODD_FOURS UINT64_C(0x0f0f0f0f0f0f0f0f)
#define BYTES	  UINT64_C(0x0101010101010101)

static uint64_t ones(uint64_t x)
{
	x -= x >> 1 & ODD_BITS;
	x = (x & ODD_PAIRS) + (x >> 2 & ODD_PAIRS);
	x = (x + (x >> 4)) & ODD_FOURS;
	return x * BYTES >> 56;
}

static uint64_t swap(uint64_t x, unsigned int by, uint64_t mask)
{
	return (x >> by & mask) | (x & mask) << by;
}

static uint64_t reversed(uint64_t x)
{
	x = swap(x, 1, ODD_BITS);
	x = swap(x, 2, ODD_PAIRS);
	x = swap(x, 4, ODD_FOURS);
	x = swap(x, 8, UINT64_C(0x00ff00ff00ff00ff));
	x = swap(x, 16, UINT64_C(0x0000ffff0000ffff));
	return x >> 32 | x << 32;
}

/* Moves the lower half's bits to the even places: one half of a Morton number. */
static uint64_t spread(uint64_t x)
{
	x &= UINT64_C(0xffffffff);
	x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
	x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x | x << 4) & ODD_FOURS;
	x = (x | x << 2) & ODD_PAIRS;
	return (x | x << 1) & ODD_BITS;
}

/* Returns the number of the highest bit that is set, from 0; 0 also for x = 0. */
static unsigned int place(uint64_t x)
{
	unsigned int n = 0;

	for (unsigned int by = 32; by > 0; by /= 2)
		if (x >> by) {
			x >>= by;
			n += by;
		}
	return n;
}

void cpu_bitops(struct cpu_state *st, unsigned int i)
{
	uint64_t state = i;

	for (unsigned int k = 0; k < BITOPS; k++) {
		uint64_t x = stress_random(&state);

		st->sum += ones(x) * reversed(x) ^ spread(x);
		st->sum += place(x >> (x & 63)) ^ (x ^ x >> 1);
	}
}

/* ---- crc: CRC-32 of IEEE 802.3 and zlib, with a table of 256 values ---- */

#define CRC_BYTES 32768u
#define CRC_STEPS 4u /* for all of them once */

struct crc {
	uint32_t table[256];
	unsigned char data[CRC_BYTES];
};

_Static_assert(sizeof(struct crc) <= CPU_MEM_BYTES, "mem is too small");

static void crc_table(uint32_t table[256])
{
	for (uint32_t n = 0; n < 256; n++) {
		uint32_t c = n;

		for (int bit = 0; bit < 8; bit++)
			c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
		table[n] = c;
	}
}

static uint32_t crc_of(const struct crc *m, uint32_t crc, size_t from, size_t n)
{
	crc = ~crc;
	for (size_t k = from; k < from + n; k++)
		crc = m->table[(crc ^ m->data[k]) & 0xff] ^ crc >> 8;
	return ~crc;
}

void cpu_crc(struct cpu_state *st, unsigned int i)
{
	const size_t n = CRC_BYTES / CRC_STEPS;
	struct crc *m = st->mem;

	if (i == 0) {
		crc_table(m->table);
		cpu_fill(m->data, sizeof(m->data), 1);
	}
	st->sum = crc_of(m, (uint32_t)st->sum, i % CRC_STEPS * n, n);
}

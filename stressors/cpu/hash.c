// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "cpu.h"

/* hash: SHA-256 (FIPS 180-4) in portable C. */

#define BLOCK	   64u
#define DATA_BYTES 16384u
#define STEPS	   8u /* of DATA_BYTES / STEP_PARTS each */
#define STEP_PARTS 4u

struct hash {
	unsigned char data[DATA_BYTES];
	uint32_t h[8];
};

_Static_assert(sizeof(struct hash) <= CPU_MEM_BYTES, "mem is too small");

static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
	0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static const uint32_t constants[64] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5,
	0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
	0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
	0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138,
	0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624,
	0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
	0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f,
	0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rot(uint32_t x, unsigned int n)
{
	return x >> n | x << (32 - n);
}

static uint32_t big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void schedule(uint32_t w[64], const unsigned char *p)
{
	for (unsigned int t = 0; t < 16; t++)
		w[t] = big_endian(p + (size_t)4 * t);
	for (unsigned int t = 16; t < 64; t++) {
		uint32_t a = w[t - 15], b = w[t - 2];

		w[t] = w[t - 16] + (rot(a, 7) ^ rot(a, 18) ^ a >> 3) + w[t - 7] +
		       (rot(b, 17) ^ rot(b, 19) ^ b >> 10);
	}
}

static void block(uint32_t h[8], const unsigned char *p)
{
	uint32_t w[64], v[8];

	schedule(w, p);
	memcpy(v, h, sizeof(v));
	for (unsigned int t = 0; t < 64; t++) {
		uint32_t a = v[0], e = v[4];
		uint32_t x = v[7] + (rot(e, 6) ^ rot(e, 11) ^ rot(e, 25)) +
			     ((e & v[5]) ^ (~e & v[6])) + constants[t] + w[t];
		uint32_t y = (rot(a, 2) ^ rot(a, 13) ^ rot(a, 22)) +
			     ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[4] += x;
		v[0] = x + y;
	}
	for (unsigned int k = 0; k < 8; k++)
		h[k] += v[k];
}

/* A bit that is set, zeros, and the length in bits; the data are whole blocks. */
static void pad(uint32_t h[8], uint64_t bytes)
{
	unsigned char last[BLOCK] = {0x80};

	for (unsigned int k = 0; k < 8; k++)
		last[BLOCK - 1 - k] = (unsigned char)(bytes * 8 >> 8 * k);
	block(h, last);
}

void cpu_hash(struct cpu_state *st, unsigned int i)
{
	const size_t n = DATA_BYTES / STEP_PARTS;
	struct hash *m = st->mem;
	const unsigned char *p = m->data + i % STEP_PARTS * n;

	if (i == 0) {
		cpu_fill(m->data, sizeof(m->data), 2);
		memcpy(m->h, start, sizeof(m->h));
	}
	for (size_t k = 0; k < n; k += BLOCK)
		block(m->h, p + k);
	if (i < STEPS - 1)
		return;
	pad(m->h, STEPS * n);
	st->sum = (uint64_t)m->h[0] << 32 | m->h[1];
}

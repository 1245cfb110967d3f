// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "run/stress.h"

#include "cpu.h"

/* ---- sieve: of Eratosthenes, a segment each step ---- */

#define SEGMENT	   32768u
#define ROOT	   512u /* of all segments together: 8 * 32768 */
#define ROOT_COUNT 97u	/* primes below */

struct sieve {
	unsigned char composite[SEGMENT];
	uint16_t prime[ROOT_COUNT];
};

_Static_assert(sizeof(struct sieve) <= CPU_MEM_BYTES, "mem is too small");

static void strike(struct sieve *m, unsigned int from, unsigned int p)
{
	unsigned int first = p * p;

	if (first < from)
		first = (from + p - 1) / p * p;
	for (unsigned int k = first - from; k < SEGMENT; k += p)
		m->composite[k] = 1;
}

static void sieve_roots(struct sieve *m)
{
	unsigned int n = 0;

	memset(m->composite, 0, ROOT);
	for (unsigned int p = 2; p < ROOT && n < ROOT_COUNT; p++) {
		if (m->composite[p])
			continue;
		m->prime[n++] = (uint16_t)p;
		strike(m, 0, p);
	}
}

/* Adds up the primes of a segment. */
void cpu_sieve(struct cpu_state *st, unsigned int i)
{
	unsigned int from = i * SEGMENT;
	struct sieve *m = st->mem;

	if (i == 0)
		sieve_roots(m);
	memset(m->composite, 0, sizeof(m->composite));
	for (unsigned int k = 0; k < ROOT_COUNT; k++)
		strike(m, from, m->prime[k]);
	for (unsigned int k = i == 0 ? 2 : 0; k < SEGMENT; k++)
		st->sum += m->composite[k] ? 0 : from + k;
}

/* ---- prime: by trial division ---- */

#define NUMBERS 1024u /* in a step */

static bool is_prime(uint32_t n)
{
	if (n < 4 || n % 2 == 0)
		return n == 2 || n == 3;
	for (uint32_t d = 3; d * d <= n; d += 2)
		if (n % d == 0)
			return false;
	return true;
}

void cpu_prime(struct cpu_state *st, unsigned int i)
{
	for (uint32_t n = i * NUMBERS; n < (i + 1) * NUMBERS; n++)
		if (is_prime(n))
			st->sum += n;
}

/* ---- queens: how many ways there are to put ten of them ---- */

#define QUEENS 10u
#define BOARD  ((1u << QUEENS) - 1)

/* Returns the number of ways to complete a board.  The arguments are the columns that are
 * taken, and those that diagonals take in this row. */
static unsigned int ways(unsigned int columns, unsigned int left, unsigned int right)
{
	unsigned int free = BOARD & ~(columns | left | right), n = 0;

	if (columns == BOARD)
		return 1;
	while (free) {
		unsigned int here = free & -free;

		free ^= here;
		n += ways(columns | here, (left | here) << 1, (right | here) >> 1);
	}
	return n;
}

/* The first queen stands in column i. */
void cpu_queens(struct cpu_state *st, unsigned int i)
{
	st->sum += ways(1u << i, 2u << i, 1u << i >> 1);
}

/* ---- sort: a binary heap is made, then emptied ---- */

#define SORT_N	   4096u
#define SORT_STEPS 8u

static void sift(uint32_t *a, unsigned int k, unsigned int n)
{
	uint32_t x = a[k];

	for (;;) {
		unsigned int child = 2 * k + 1;

		if (child >= n)
			break;
		if (child + 1 < n && a[child + 1] > a[child])
			child++;
		if (a[child] <= x)
			break;
		a[k] = a[child];
		k = child;
	}
	a[k] = x;
}

static void make_heap(uint32_t *a)
{
	uint64_t state = 3;

	for (unsigned int k = 0; k < SORT_N; k++)
		a[k] = (uint32_t)stress_random(&state);
	for (unsigned int k = SORT_N / 2; k-- > 0;)
		sift(a, k, SORT_N);
}

/* Sorts the highest part of the remaining values.  sum: each value times its place. */
void cpu_sort(struct cpu_state *st, unsigned int i)
{
	const unsigned int part = SORT_N / SORT_STEPS;
	uint32_t *a = st->mem;
	unsigned int n = SORT_N - i * part;

	if (i == 0)
		make_heap(a);
	for (unsigned int k = n; k-- > n - part;) {
		uint32_t highest = a[0];

		a[0] = a[k];
		sift(a, 0, k);
		a[k] = highest;
		st->sum += (uint64_t)highest * (k + 1);
	}
}

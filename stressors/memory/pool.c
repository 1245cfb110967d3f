// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/clock.h"
#include "fault.h"
#include "pool.h"

#define PAGE_WORDS (MEMORY_PAGE / sizeof(uint64_t))

static char *page(const struct pool *p, size_t i)
{
	return p->p + i * MEMORY_PAGE;
}

static uint64_t *words(const struct pool *p, size_t i)
{
	return (uint64_t *)(void *)page(p, i);
}

int pool_init(struct stress *s, struct pool *p, size_t bytes, int advice)
{
	p->pages = bytes / MEMORY_PAGE;
	p->p = stress_map(s, p->pages * MEMORY_PAGE, advice);
	p->byte = p->p ? stress_map(s, p->pages, 0) : NULL;
	return p->byte ? 0 : -1;
}

static uint8_t next_byte(struct pool *p)
{
	return (uint8_t)(1 + p->written++ % UINT8_MAX);
}

/* Touches pages that no writer has reached yet. */
static void touch(struct pool *p, size_t first, size_t n)
{
	uint8_t byte = next_byte(p);

	memory_fill(words(p, first), n * PAGE_WORDS, method_word(byte));
	memory_fence();
	memset(p->byte + first, byte, n);
	p->touched = first + n;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

void pool_fill(const struct stress *s, struct pool *p, struct rate *r)
{
	size_t most = rate_chunk(r, SM_NSEC_PER_MSEC, MEMORY_PAGE,
			      POOL_CHUNK_PAGES * MEMORY_PAGE) /
		      MEMORY_PAGE;

	rate_begin(r, sm_clock_mono_ns());
	while (p->touched < p->pages && !stress_stopped(s)) {
		size_t n = least(most, p->pages - p->touched);

		touch(p, p->touched, n);
		rate_done(r, n * MEMORY_PAGE);
		rate_wait(r);
	}
}

static int wrong(struct stress *s, const struct pool *p, size_t i, size_t word)
{
	const uint64_t *at = words(p, i) + word;

	return fault_word(s, "", i * MEMORY_PAGE + word * sizeof(uint64_t), at, *at,
		method_word(p->byte[i]));
}

static int check_page(struct stress *s, const struct pool *p, size_t i)
{
	size_t at = memory_differs(words(p, i), PAGE_WORDS, method_word(p->byte[i]));

	return at < PAGE_WORDS ? wrong(s, p, i, at) : 0;
}

static void spoil(struct pool *p, size_t i)
{
	if (p->spoil)
		((volatile char *)page(p, i))[MEMORY_PAGE / 3] ^= 4;
	p->spoil = false;
}

static int check_sums(struct stress *s, const struct pool *p, const struct method *m,
	size_t first, size_t n, const uint64_t *sums)
{
	for (size_t i = first; i < first + n; i++) {
		uint64_t want = method_sum(m, p->byte[i]), got = sums[i - first], again;

		if (got == want)
			continue;
		/* If it is right now, the CPU or the bus was wrong. */
		if (check_page(s, p, i))
			return -1;
		fault_drop(page(p, i), MEMORY_PAGE);
		m->read(page(p, i), 1, &again);
		return fault_page(
			s, i * MEMORY_PAGE, page(p, i), m->unit, got, want, again);
	}
	return 0;
}

/* Returns the number of pages that follow a position, which wraps around at the end. */
static size_t go(size_t *at, size_t end, size_t most)
{
	if (*at >= end)
		*at = 0;
	return least(end - *at, most);
}

static void flush(struct pool *p, size_t first, size_t n)
{
	uint64_t begin;

	if (!p->flush)
		return;
	begin = sm_clock_mono_ns();
	(void)method_flush(page(p, first), n * MEMORY_PAGE);
	p->aside_ns += sm_clock_mono_ns() - begin;
}

static ssize_t read_chunk(
	struct stress *s, struct pool *p, const struct method *m, size_t most)
{
	uint64_t sums[POOL_CHUNK_PAGES];
	size_t n = go(&p->read_at, p->touches ? p->pages : p->touched, most), first;

	first = p->read_at;
	if (first + n > p->touched)
		touch(p, p->touched, first + n - p->touched);
	spoil(p, first);
	flush(p, first, n);
	m->read(page(p, first), n, sums);
	p->read_at += n;
	return check_sums(s, p, m, first, n, sums) ? -1 : (ssize_t)n;
}

/* Checks every look-th page of those that will be overwritten, with another start each
 * time. */
static int look(struct stress *s, struct pool *p, size_t first, size_t n)
{
	size_t end = least(first + n, p->touched), i = first + p->written % p->look;
	uint64_t begin;
	int r = 0;

	if (i >= end)
		return 0;
	begin = sm_clock_mono_ns();
	spoil(p, i);
	for (; r == 0 && i < end; i += p->look)
		r = check_page(s, p, i);
	p->aside_ns += sm_clock_mono_ns() - begin;
	return r;
}

static ssize_t write_chunk(
	struct stress *s, struct pool *p, const struct method *m, size_t most)
{
	size_t n = go(&p->write_at, p->pages, most), first = p->write_at;
	uint8_t byte;

	if (look(s, p, first, n))
		return -1;
	flush(p, first, n);
	byte = next_byte(p);
	m->write(page(p, first), n * MEMORY_PAGE, method_word(byte));
	memset(p->byte + first, byte, n);
	p->write_at += n;
	if (p->touched < p->write_at)
		p->touched = p->write_at;
	return (ssize_t)n;
}

ssize_t pool_move(struct stress *s, struct pool *p, const struct method *m, size_t most)
{
	most = least(most, POOL_CHUNK_PAGES);
	return m->read ? read_chunk(s, p, m, most) : write_chunk(s, p, m, most);
}

int pool_check(struct stress *s, const struct pool *p, uint64_t deadline)
{
	int r = 0;

	/* Checks the pages that were written longest ago first. */
	for (size_t i = 0, n = p->touched; r == 0 && i < n; i++) {
		if (i % 64 == 0 && sm_clock_mono_ns() > deadline)
			break;
		r = check_page(s, p, (p->write_at + i) % n);
	}
	return r;
}

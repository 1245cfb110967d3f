// SPDX-License-Identifier: GPL-2.0-or-later
#include "memory/fault.h"
#include "vm.h"

/* A part takes 50 us at 5 GB/s. */
#define PART_WORDS (MEMORY_PART / sizeof(uint64_t))

uint64_t vm_mix(uint64_t x)
{
	return stress_random(&x);
}

void vm_init(struct vm *v, struct stress *s)
{
	uint64_t seed = s->seed;

	*v = (struct vm){.s = s, .spoil = s->spoil};
	for (size_t i = 0; i < VM_PAGE_WORDS; i++)
		v->random[i] = stress_random(&seed);
}

bool vm_goes_on(const struct vm *v)
{
	return !stress_stopped(v->s) && !v->failed;
}

static bool wrong(struct vm *v, size_t word, uint64_t got, uint64_t want)
{
	v->failed = true;
	fault_word(v->s, "", word * sizeof(uint64_t), v->p + word, got, want);
	return false;
}

bool vm_check(struct vm *v, size_t word, uint64_t want)
{
	uint64_t got = ((volatile uint64_t *)v->p)[word];

	return got == want || wrong(v, word, got, want);
}

/* Damages a word with --spoil; called before a check. */
static void spoil(struct vm *v, size_t first)
{
	if (v->spoil)
		((volatile uint64_t *)v->p)[first + 5] ^= 1u << 9;
	v->spoil = false;
}

static size_t part(const struct vm *v, size_t i)
{
	return v->words - i < PART_WORDS ? v->words - i : PART_WORDS;
}

bool vm_set(struct vm *v, uint64_t value)
{
	for (size_t i = 0, n; i < v->words; i += n) {
		if (!vm_goes_on(v))
			return false;
		n = part(v, i);
		memory_fill(v->p + i, n, value);
		v->stores += n;
	}
	memory_fence();
	return true;
}

static bool part_is(struct vm *v, size_t first, size_t n, uint64_t value)
{
	size_t at;

	spoil(v, first);
	at = memory_differs(v->p + first, n, value);
	v->loads += n;
	return at == n || wrong(v, first + at, v->p[first + at], value);
}

bool vm_is(struct vm *v, uint64_t value)
{
	for (size_t i = 0, n; i < v->words; i += n) {
		n = part(v, i);
		if (!vm_goes_on(v) || !part_is(v, i, n, value))
			return false;
	}
	return true;
}

/* Works page by page: the words were just loaded, so plain stores are cheaper. */
static bool turn_part(
	struct vm *v, size_t first, size_t n, uint64_t was, uint64_t value, bool down)
{
	for (size_t i = 0; i < n; i += VM_PAGE_WORDS) {
		size_t at = first + (down ? n - VM_PAGE_WORDS - i : i);

		if (!part_is(v, at, VM_PAGE_WORDS, was))
			return false;
		for (size_t w = 0; w < VM_PAGE_WORDS; w++)
			v->p[at + w] = value;
		v->stores += VM_PAGE_WORDS;
	}
	return true;
}

bool vm_turn(struct vm *v, uint64_t was, uint64_t value, bool down)
{
	for (size_t i = 0, n; i < v->words; i += n) {
		n = part(v, i);
		if (!vm_goes_on(v) ||
			!turn_part(v, down ? v->words - i - n : i, n, was, value, down))
			return false;
	}
	return true;
}

bool vm_put(struct vm *v, vm_make_fn *make, uint64_t arg)
{
	_Alignas(64) uint64_t page[VM_PAGE_WORDS];

	for (size_t i = 0; i < v->words; i += VM_PAGE_WORDS) {
		if (i % PART_WORDS == 0 && !vm_goes_on(v))
			return false;
		make(v, page, i, arg);
		memory_copy(v->p + i, page, VM_PAGE_WORDS);
		v->stores += VM_PAGE_WORDS;
	}
	memory_fence();
	return true;
}

bool vm_has(struct vm *v, vm_make_fn *make, uint64_t arg)
{
	_Alignas(64) uint64_t page[VM_PAGE_WORDS];

	for (size_t i = 0; i < v->words; i += VM_PAGE_WORDS) {
		size_t at;

		if (i % PART_WORDS == 0 && !vm_goes_on(v))
			return false;
		make(v, page, i, arg);
		spoil(v, i);
		at = memory_unlike(v->p + i, page, VM_PAGE_WORDS);
		v->loads += VM_PAGE_WORDS;
		if (at < VM_PAGE_WORDS)
			return wrong(v, i + at, v->p[i + at], page[at]);
	}
	return true;
}

static uint64_t sum(const uint64_t *p)
{
	uint64_t n = 0;

	for (size_t i = 0; i < VM_PAGE_WORDS; i++)
		n += p[i];
	return n;
}

static bool sum_is(struct vm *v, size_t first, uint64_t want)
{
	uint64_t got = sum(v->p + first);

	if (got == want)
		return true;
	v->failed = true;
	fault_drop(v->p + first, MEMORY_PAGE);
	fault_page(v->s, first * sizeof(uint64_t), v->p + first, sizeof(uint64_t), got,
		want, sum(v->p + first));
	return false;
}

bool vm_has_sums(struct vm *v, vm_make_fn *make, uint64_t arg)
{
	_Alignas(64) uint64_t page[VM_PAGE_WORDS];

	for (size_t i = 0; i < v->words; i += VM_PAGE_WORDS) {
		if (i % PART_WORDS == 0 && !vm_goes_on(v))
			return false;
		make(v, page, i, arg);
		spoil(v, i);
		v->loads += VM_PAGE_WORDS;
		if (!sum_is(v, i, sum(page)))
			return false;
	}
	return true;
}

bool vm_change(struct vm *v, vm_change_fn *change, uint64_t arg, unsigned int loads,
	unsigned int stores)
{
	for (size_t i = 0, n; i < v->words; i += n) {
		if (!vm_goes_on(v))
			return false;
		n = part(v, i);
		change(v->p + i, i, n, arg);
		v->loads += n / VM_PAGE_WORDS * loads;
		v->stores += n / VM_PAGE_WORDS * stores;
	}
	return true;
}

void vm_make_random(const struct vm *v, uint64_t *to, size_t first, uint64_t arg)
{
	uint64_t key = vm_mix(v->seed + first) ^ arg, *restrict page = to;

	for (size_t i = 0; i < VM_PAGE_WORDS; i++)
		page[i] = v->random[i] ^ key;
}

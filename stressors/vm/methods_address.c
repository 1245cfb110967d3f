// SPDX-License-Identifier: GPL-2.0-or-later
/* Methods that depend on the address of a word. */
#include "vm.h"

#define LINE_WORDS   (64u / sizeof(uint64_t))
#define MODULUS	     23u
#define ADDRESS_BITS 48u
/* Lines between two looks at the end of the run. */
#define PRIME_LINES 4096u

/*
 * Stores a different word at each power of two in turn: if an address line does not work,
 * the word also appears at another power, or at 0.
 */
static bool walk_step(struct vm *v, uint64_t value, unsigned int at, unsigned int bits)
{
	((volatile uint64_t *)v->p)[(size_t)1 << at] = ~value;
	v->stores += 2;
	for (unsigned int bit = 0; bit < bits; bit++, v->loads++)
		if (!vm_check(v, (size_t)1 << bit, bit == at ? ~value : value))
			return false;
	if (!vm_check(v, 0, value))
		return false;
	((volatile uint64_t *)v->p)[(size_t)1 << at] = value;
	return true;
}

static bool walk_address(struct vm *v, uint64_t value)
{
	unsigned int bits = 0;
	bool on = vm_set(v, value);

	while (bits < ADDRESS_BITS && (UINT64_C(1) << bits) < v->words)
		bits++;
	for (unsigned int at = 0; on && at < bits; at++)
		on = walk_step(v, value, at, bits);
	return on && vm_is(v, value);
}

bool vm_walk_0a(struct vm *v)
{
	return walk_address(v, UINT64_MAX);
}

bool vm_walk_1a(struct vm *v)
{
	return walk_address(v, 0);
}

/* Returns a prime that does not divide the number of lines, so that steps of it reach
 * each line once. */
static size_t prime_step(size_t lines)
{
	static const size_t primes[] = {4099, 4111, 4127, 4129, 4133, 4139, 4153, 4157};
	size_t i = 0;

	while (i < SM_ARRAY_SIZE(primes) - 1 && lines % primes[i] == 0)
		i++;
	return primes[i] % lines;
}

static bool prime_set(struct vm *v, size_t lines, size_t step, uint64_t value)
{
	for (size_t i = 0, line = 0; i < lines; i++) {
		uint64_t *p = v->p + line * LINE_WORDS;

		if (i % PRIME_LINES == 0 && !vm_goes_on(v))
			return false;
		for (unsigned int w = 0; w < LINE_WORDS; w++)
			p[w] = value;
		line += step;
		line -= line >= lines ? lines : 0;
	}
	v->stores += v->words;
	return true;
}

static bool prime(struct vm *v, uint64_t value)
{
	size_t lines = v->words / LINE_WORDS, step = prime_step(lines);

	return vm_set(v, ~value) && vm_is(v, ~value) &&
	       prime_set(v, lines, step, value) && vm_is(v, value);
}

bool vm_prime_0(struct vm *v)
{
	return prime(v, 0);
}

bool vm_prime_1(struct vm *v)
{
	return prime(v, UINT64_MAX);
}

/* Returns the words of a half.  The pages of both halves are exchanged; an odd page
 * remains. */
static size_t half_words(const struct vm *v)
{
	return v->words / 2 / VM_PAGE_WORDS * VM_PAGE_WORDS;
}

static bool swap_halves(struct vm *v, size_t half)
{
	for (size_t i = 0; i < half; i++) {
		uint64_t t = v->p[i];

		if (i % VM_PAGE_WORDS == 0 && !vm_goes_on(v))
			return false;
		v->p[i] = v->p[half + i];
		v->p[half + i] = t;
	}
	v->loads += 2 * half;
	v->stores += 2 * half;
	return true;
}

static void make_swapped(const struct vm *v, uint64_t *to, size_t first, uint64_t arg)
{
	size_t half = half_words(v), from = first;

	if (first < half)
		from = first + half;
	else if (first < 2 * half)
		from = first - half;
	vm_make_random(v, to, from, arg);
}

bool vm_swap(struct vm *v)
{
	size_t half = half_words(v);

	return vm_put(v, vm_make_random, 0) && swap_halves(v, half) &&
	       vm_has(v, make_swapped, 0) && swap_halves(v, half) &&
	       vm_has(v, vm_make_random, 0);
}

/* Inverts one bit of one word in each page, whose place depends on the page. */
static void change_one_bit(uint64_t *p, size_t first, size_t words, uint64_t arg)
{
	for (size_t i = 0; i < words; i += VM_PAGE_WORDS) {
		uint64_t where = vm_mix(arg + first + i);

		p[i + where % VM_PAGE_WORDS] ^= UINT64_C(1) << (where >> 32) % 64;
	}
}

static void make_galpat(const struct vm *v, uint64_t *to, size_t first, uint64_t arg)
{
	for (size_t i = 0; i < VM_PAGE_WORDS; i++)
		to[i] = arg;
	change_one_bit(to, first, VM_PAGE_WORDS, v->seed);
}

static bool galpat(struct vm *v, uint64_t value)
{
	return vm_set(v, value) && vm_change(v, change_one_bit, v->seed, 1, 1) &&
	       vm_has(v, make_galpat, value) &&
	       vm_change(v, change_one_bit, v->seed, 1, 1) && vm_is(v, value);
}

bool vm_galpat_0(struct vm *v)
{
	return galpat(v, 0);
}

bool vm_galpat_1(struct vm *v)
{
	return galpat(v, UINT64_MAX);
}

/* Stores the inverted number of a word in one word of each line. */
static void change_line_word(uint64_t *p, size_t first, size_t words, uint64_t arg)
{
	for (size_t i = arg; i < words; i += LINE_WORDS)
		((volatile uint64_t *)p)[i] = ~(uint64_t)(first + i);
}

static void make_numbers(const struct vm *v, uint64_t *to, size_t first, uint64_t arg)
{
	(void)v;
	for (size_t i = 0; i < VM_PAGE_WORDS; i++)
		to[i] = (first + i) ^ arg;
}

bool vm_cache_lines(struct vm *v)
{
	bool on = true;

	for (unsigned int w = 0; on && w < LINE_WORDS; w++)
		on = vm_change(v, change_line_word, w, 0, VM_PAGE_WORDS / LINE_WORDS);
	return on && vm_has(v, make_numbers, UINT64_MAX);
}

/* Makes the result of a method that writes one word in MODULUS once, and the words
 * between them twice more. */
static void make_modulo(const struct vm *v, uint64_t *to, size_t first, uint64_t arg)
{
	size_t next = (MODULUS - first % MODULUS) % MODULUS;

	(void)v;
	for (size_t i = 0; i < VM_PAGE_WORDS; i++)
		to[i] = ~arg;
	for (size_t i = next; i < VM_PAGE_WORDS; i += MODULUS)
		to[i] = arg;
}

static void change_between(uint64_t *p, size_t first, size_t words, uint64_t arg)
{
	size_t next = (MODULUS - first % MODULUS) % MODULUS;

	for (size_t i = 0; i < words; next += MODULUS, i++)
		for (; i < words && i < next; i++)
			((volatile uint64_t *)p)[i] = arg;
}

bool vm_modulo_x(struct vm *v)
{
	uint64_t p = vm_mix(v->seed);
	unsigned int between = VM_PAGE_WORDS - VM_PAGE_WORDS / MODULUS;

	return vm_put(v, make_modulo, p) && vm_change(v, change_between, p, 0, between) &&
	       vm_change(v, change_between, ~p, 0, between) && vm_has(v, make_modulo, p);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm.h"

#define BYTES	    UINT64_C(0x0101010101010101)
#define LOW_NYBBLES UINT64_C(0x0f0f0f0f0f0f0f0f)
#define ALL	    VM_PAGE_WORDS

/* Returns a pattern for this run of the method. */
static uint64_t pattern(const struct vm *v)
{
	return vm_mix(v->seed);
}

static bool set_and_check(struct vm *v, uint64_t first, uint64_t then)
{
	return vm_set(v, first) && vm_is(v, first) && vm_set(v, then) && vm_is(v, then);
}

static bool zero_one(struct vm *v)
{
	return set_and_check(v, 0, UINT64_MAX);
}

static bool one_zero(struct vm *v)
{
	return set_and_check(v, UINT64_MAX, 0);
}

static void make_checkerboard(
	const struct vm *v, uint64_t *to, size_t first, uint64_t arg)
{
	(void)v;
	(void)first;
	for (size_t i = 0; i < VM_PAGE_WORDS; i += 2) {
		to[i] = arg;
		to[i + 1] = ~arg;
	}
}

static bool checkerboard(struct vm *v)
{
	const uint64_t odd = UINT64_C(0x5555555555555555);

	return vm_put(v, make_checkerboard, odd) && vm_has(v, make_checkerboard, odd) &&
	       vm_put(v, make_checkerboard, ~odd) && vm_has(v, make_checkerboard, ~odd);
}

static bool put_and_check(struct vm *v, vm_make_fn *make)
{
	return vm_put(v, make, 0) && vm_has(v, make, 0) && vm_put(v, make, UINT64_MAX) &&
	       vm_has(v, make, UINT64_MAX);
}

/* Makes words of which neighbours differ in one bit. */
static void make_gray(const struct vm *v, uint64_t *to, size_t first, uint64_t arg)
{
	(void)v;
	for (size_t i = 0; i < VM_PAGE_WORDS; i++)
		to[i] = ((first + i) ^ (first + i) >> 1) ^ arg;
}

static bool gray(struct vm *v)
{
	return put_and_check(v, make_gray);
}

static bool rand_set(struct vm *v)
{
	return put_and_check(v, vm_make_random);
}

static bool rand_sum(struct vm *v)
{
	return vm_put(v, vm_make_random, 0) && vm_has_sums(v, vm_make_random, 0);
}

static void change_xor(uint64_t *p, size_t first, size_t words, uint64_t arg)
{
	(void)first;
	for (size_t i = 0; i < words; i++)
		p[i] ^= arg;
}

/* Inverts the bits of each byte, one after the other. */
static bool flip(struct vm *v)
{
	bool on = vm_put(v, vm_make_random, 0);

	for (unsigned int bit = 0; on && bit < 8; bit++)
		on = vm_change(v, change_xor, BYTES << bit, ALL, ALL);
	return on && vm_has(v, vm_make_random, UINT64_MAX);
}

/* Sets one bit of each byte (with invert, all except one), and moves it upwards. */
static bool walk_data(struct vm *v, uint64_t invert)
{
	bool on = vm_set(v, BYTES ^ invert);

	for (unsigned int bit = 1; on && bit < 8; bit++)
		on = vm_turn(
			v, BYTES << (bit - 1) ^ invert, BYTES << bit ^ invert, false);
	return on && vm_is(v, BYTES << 7 ^ invert);
}

static bool walk_0d(struct vm *v)
{
	return walk_data(v, UINT64_MAX);
}

static bool walk_1d(struct vm *v)
{
	return walk_data(v, 0);
}

static bool move_inv(struct vm *v)
{
	uint64_t p = pattern(v);

	return vm_set(v, p) && vm_turn(v, p, ~p, false) && vm_turn(v, ~p, p, true) &&
	       vm_is(v, p);
}

static uint64_t rotated(uint64_t word)
{
	return word >> 1 | word << 63;
}

static void change_ror(uint64_t *p, size_t first, size_t words, uint64_t arg)
{
	(void)first;
	(void)arg;
	for (size_t i = 0; i < words; i++)
		p[i] = rotated(p[i]);
}

static void make_ror(const struct vm *v, uint64_t *to, size_t first, uint64_t arg)
{
	vm_make_random(v, to, first, arg);
	change_ror(to, first, VM_PAGE_WORDS, arg);
}

static bool ror(struct vm *v)
{
	return vm_put(v, vm_make_random, 0) && vm_change(v, change_ror, 0, ALL, ALL) &&
	       vm_has(v, make_ror, 0);
}

/* Adds 1 to the lower (arg 0) or the upper (arg 4) nybble of each byte, without a
 * carry. */
static void change_nybbles(uint64_t *p, size_t first, size_t words, uint64_t arg)
{
	uint64_t mask = LOW_NYBBLES << arg, one = BYTES << arg;

	(void)first;
	for (size_t i = 0; i < words; i++)
		p[i] = (p[i] & ~mask) | (((p[i] & mask) + one) & mask);
}

static void make_nybbles(const struct vm *v, uint64_t *to, size_t first, uint64_t arg)
{
	vm_make_random(v, to, first, 0);
	change_nybbles(to, first, VM_PAGE_WORDS, 0);
	if (arg)
		change_nybbles(to, first, VM_PAGE_WORDS, arg);
}

static bool inc_nybble(struct vm *v)
{
	return vm_put(v, vm_make_random, 0) &&
	       vm_change(v, change_nybbles, 0, ALL, ALL) && vm_has(v, make_nybbles, 0) &&
	       vm_change(v, change_nybbles, 4, ALL, ALL) && vm_has(v, make_nybbles, 4);
}

static bool read64(struct vm *v)
{
	uint64_t p = pattern(v);
	bool on = vm_set(v, p);

	for (int i = 0; on && i < 8; i++)
		on = vm_is(v, p);
	return on;
}

static void change_store(uint64_t *p, size_t first, size_t words, uint64_t arg)
{
	(void)first;
	for (size_t i = 0; i < words; i++)
		((volatile uint64_t *)p)[i] = arg;
}

static bool write64(struct vm *v)
{
	uint64_t p = pattern(v);
	bool on = true;

	for (int i = 0; on && i < 4; i++, p = ~p)
		on = vm_change(v, change_store, p, 0, ALL);
	return on && vm_is(v, ~p);
}

static bool write64nt(struct vm *v)
{
	uint64_t p = pattern(v);
	bool on = true;

	for (int i = 0; on && i < 8; i++, p = ~p)
		on = vm_set(v, p);
	return on && vm_is(v, ~p);
}

const struct vm_method vm_methods[] = {
	{"flip", flip},
	{"galpat-0", vm_galpat_0},
	{"galpat-1", vm_galpat_1},
	{"gray", gray},
	{"inc-nybble", inc_nybble},
	{"rand-set", rand_set},
	{"rand-sum", rand_sum},
	{"read64", read64},
	{"ror", ror},
	{"swap", vm_swap},
	{"move-inv", move_inv},
	{"modulo-x", vm_modulo_x},
	{"checkerboard", checkerboard},
	{"prime-0", vm_prime_0},
	{"prime-1", vm_prime_1},
	{"walk-0d", walk_0d},
	{"walk-1d", walk_1d},
	{"walk-0a", vm_walk_0a},
	{"walk-1a", vm_walk_1a},
	{"write64", write64},
	{"write64nt", write64nt},
	{"zero-one", zero_one},
	{"one-zero", one_zero},
	{"cache-lines", vm_cache_lines},
};

const unsigned int vm_method_count = SM_ARRAY_SIZE(vm_methods);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vm: ways to fill memory with patterns and to check that it keeps them.
 *
 * A method consists of passes over all words, in parts between which the end of the run is checked.  A pass
 * returns false if the run is over or a word is wrong (failed is set and stress_fail() was called); so does a
 * method.
 */
#ifndef STRESSORS_VM_VM_H
#define STRESSORS_VM_VM_H

#include "memory/area.h"

#define VM_PAGE_WORDS (MEMORY_PAGE / sizeof(uint64_t))

struct vm {
	struct stress *s;
	uint64_t *p;
	size_t words;              /* a multiple of VM_PAGE_WORDS */
	uint64_t seed;             /* of this run of the method */
	uint64_t loads, stores;    /* words */
	bool failed, spoil;
	_Alignas(64) uint64_t random[VM_PAGE_WORDS];
};

struct vm_method {
	const char *name;
	bool (*run)(struct vm *v);
};

extern const struct vm_method vm_methods[];
extern const unsigned int vm_method_count;

/* Computes the contents of one page, from word `first` on. */
typedef void vm_make_fn(const struct vm *v, uint64_t *to, size_t first, uint64_t arg);
/* Changes words in place. */
typedef void vm_change_fn(uint64_t *p, size_t first, size_t words, uint64_t arg);

void vm_init(struct vm *v, struct stress *s);

bool vm_set(struct vm *v, uint64_t value);
bool vm_is(struct vm *v, uint64_t value);
/* Checks for one value and stores another, upwards or downwards. */
bool vm_turn(struct vm *v, uint64_t was, uint64_t value, bool down);
bool vm_put(struct vm *v, vm_make_fn *make, uint64_t arg);
bool vm_has(struct vm *v, vm_make_fn *make, uint64_t arg);
/* Compares only the sum of each page. */
bool vm_has_sums(struct vm *v, vm_make_fn *make, uint64_t arg);
/* loads, stores: number of accesses for VM_PAGE_WORDS words. */
bool vm_change(struct vm *v, vm_change_fn *change, uint64_t arg, unsigned int loads, unsigned int stores);
/* Checks one word; false: it is wrong. */
bool vm_check(struct vm *v, size_t word, uint64_t want);
/* Returns false when the run is over; for methods with their own passes. */
bool vm_goes_on(const struct vm *v);

/* Contents. */
void vm_make_random(const struct vm *v, uint64_t *to, size_t first, uint64_t arg);
uint64_t vm_mix(uint64_t x);

/* Methods of methods_address.c. */
bool vm_walk_0a(struct vm *v);
bool vm_walk_1a(struct vm *v);
bool vm_prime_0(struct vm *v);
bool vm_prime_1(struct vm *v);
bool vm_swap(struct vm *v);
bool vm_galpat_0(struct vm *v);
bool vm_galpat_1(struct vm *v);
bool vm_cache_lines(struct vm *v);
bool vm_modulo_x(struct vm *v);

#endif

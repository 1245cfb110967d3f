/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vm: ways to fill memory with patterns and to find out whether it keeps them.
 *
 * A method is made of passes over all words, in parts between which the end of the run is looked for.  A pass
 * returns false if the run is over or a word is wrong (failed; stress_fail() was called); so does a method.
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

/* Makes what one page, from word `first` on, is to hold. */
typedef void vm_make_fn(const struct vm *v, uint64_t *to, size_t first, uint64_t arg);
/* Changes words where they are. */
typedef void vm_change_fn(uint64_t *p, size_t first, size_t words, uint64_t arg);

void vm_init(struct vm *v, struct stress *s);

bool vm_set(struct vm *v, uint64_t value);
bool vm_is(struct vm *v, uint64_t value);
/* Checks for one value and stores another, upwards or downwards. */
bool vm_turn(struct vm *v, uint64_t was, uint64_t value, bool down);
bool vm_put(struct vm *v, vm_make_fn *make, uint64_t arg);
bool vm_has(struct vm *v, vm_make_fn *make, uint64_t arg);
/* Only the sum of each page is compared. */
bool vm_has_sums(struct vm *v, vm_make_fn *make, uint64_t arg);
/* loads, stores: how many of VM_PAGE_WORDS words it does. */
bool vm_change(struct vm *v, vm_change_fn *change, uint64_t arg, unsigned int loads, unsigned int stores);
/* One word; false: it is wrong. */
bool vm_check(struct vm *v, size_t word, uint64_t want);
/* For methods with passes of their own: false when the run is over. */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fault: reports a place in memory that does not contain the value that was stored there.
 *
 * The reason names the place, both values, the CPU that found it, the address, the physical address where
 * /proc/self/pagemap shows it (to root), and the result of a second reading, which comes from memory and not
 * from the caches where the CPU has an instruction for that.
 */
#ifndef STRESSORS_MEMORY_FAULT_H
#define STRESSORS_MEMORY_FAULT_H

#include "run/stress.h"

/* Reports a word; got: its first reading; want: the value that was stored; of: "" or the object that contains
 * it, "array a: "; byte: its place there.  Returns the value of stress_fail(). */
int fault_word(struct stress *s, const char *of, size_t byte, const uint64_t *p, uint64_t got,
	uint64_t want);
/* Reports a page of which only the sum of its units was compared; again: the sum of a second reading, after
 * fault_drop(). */
int fault_page(struct stress *s, size_t byte, const void *page, unsigned int unit, uint64_t got,
	uint64_t want, uint64_t again);
/* Removes memory from the caches, where the CPU can. */
void fault_drop(const void *p, size_t bytes);

#endif

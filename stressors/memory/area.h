/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * area: memory as 64-bit words: filled, compared, made resident.
 *
 * Words begin at multiples of 64 bytes and their number is a multiple of 8.  What can take long is done in
 * parts of MEMORY_PART bytes, between which the end of the run is looked for.
 */
#ifndef STRESSORS_MEMORY_AREA_H
#define STRESSORS_MEMORY_AREA_H

#include "run/stress.h"

#define MEMORY_PAGE 4096u
#define MEMORY_PART ((size_t)256 << 10)

/* Stores value past the caches where the CPU can. */
void memory_fill(uint64_t *p, size_t words, uint64_t value);
void memory_copy(uint64_t *to, const uint64_t *from, size_t words);
/* The place of the first word that is not value; words: none. */
size_t memory_differs(const uint64_t *p, size_t words, uint64_t value) SM_MUST;
size_t memory_unlike(const uint64_t *p, const uint64_t *want, size_t words) SM_MUST;
/* What was stored past the caches is in memory. */
void memory_fence(void);

/* The advice for madvise(2) by its name in stress-ng; 0: "normal", or the headers that this program was built
 * with do not know it. */
int memory_advice(const char *name);
/* Advises the kernel; what it does not know or cannot do is no error: it is advice. */
void memory_advise(const struct stress *s, void *p, size_t bytes, int advice);
/* Makes all of it resident, with pages of its own; returns early if the run ends. */
void memory_populate(const struct stress *s, void *p, size_t bytes);
/* The same, and keeps it from being swapped out; what stress_lacks() returns. */
int memory_lock(struct stress *s, void *p, size_t bytes) SM_MUST;

#endif

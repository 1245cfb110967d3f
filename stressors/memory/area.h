/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * area: memory as 64-bit words: fills it, compares it, makes it resident.
 *
 * Words begin at multiples of 64 bytes and their number is a multiple of 8.  Long operations are done in
 * parts of MEMORY_PART bytes, between which the end of the run is checked.
 */
#ifndef STRESSORS_MEMORY_AREA_H
#define STRESSORS_MEMORY_AREA_H

#include "run/stress.h"

#define MEMORY_PAGE 4096u
#define MEMORY_PART ((size_t)256 << 10)

/* Both store past the caches where the CPU can. */
void memory_fill(uint64_t *p, size_t words, uint64_t value);
void memory_copy(uint64_t *to, const uint64_t *from, size_t words);
/* Both return the index of the first word that differs from value or want; words: all are equal. */
size_t memory_differs(const uint64_t *p, size_t words, uint64_t value) SM_MUST;
size_t memory_unlike(const uint64_t *p, const uint64_t *want, size_t words) SM_MUST;
/* Returns when all stores past the caches are in memory. */
void memory_fence(void);

/* Returns the advice for madvise(2) by its name in stress-ng; 0: "normal", or a name that the headers of the
 * build lack. */
int memory_advice(const char *name);
/* Advises the kernel.  Errors are ignored, because it is only advice. */
void memory_advise(const struct stress *s, void *p, size_t bytes, int advice);
/* Makes all of it resident, with its own pages; returns early if the run ends. */
void memory_populate(const struct stress *s, void *p, size_t bytes);
/* Makes all of it resident and keeps it from being swapped out; returns early if the run ends.  0, or the
 * value of stress_lacks(). */
int memory_lock(struct stress *s, void *p, size_t bytes) SM_MUST;

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * method: the ways in which memrate reads and writes memory, with stress-ng's names.
 *
 * Memory is whole pages of MEMORY_PAGE bytes.  A writer stores one byte value everywhere.  A reader returns
 * the sum of each page: of its units of 1, 2, 4 or 8 bytes (the lanes of vectors have 8), modulo 2^64.
 */
#ifndef STRESSORS_MEMORY_METHOD_H
#define STRESSORS_MEMORY_METHOD_H

#include "area.h"

/* In the order of the options' choices and of the metrics. */
enum method_id {
	METHOD_READ8, METHOD_READ16, METHOD_READ32, METHOD_READ64,
	METHOD_READ64PF, METHOD_READ128, METHOD_READ256, METHOD_READ512,
	METHOD_WRITE8, METHOD_WRITE16, METHOD_WRITE32, METHOD_WRITE64,
	METHOD_WRITE128, METHOD_WRITE256, METHOD_WRITE512,
	METHOD_WRITE64NT, METHOD_WRITE128NT, METHOD_WRITE256NT, METHOD_WRITE512NT,
	METHOD_WRITE8STOB, METHOD_WRITE64STOQ, METHOD_MEMSET,
	METHODS
};

typedef void method_read_fn(const void *p, size_t pages, uint64_t *sums);
typedef void method_write_fn(void *p, size_t bytes, uint64_t value);

struct method {
	method_read_fn *read;      /* NULL: it writes, or this architecture has no such instruction */
	method_write_fn *write;
	unsigned int unit;         /* bytes of the units that a reader adds up */
	unsigned int bits;         /* of the vectors, if some x86-64 CPUs lack them; else 0 */
};

extern const struct method method_table[METHODS];

/* Returns NULL if this CPU can execute it, else the reason why not. */
const char *method_missing(const struct method *m);
/* Returns the sum that a reader must find in a page that is full of byte. */
uint64_t method_sum(const struct method *m, uint8_t byte);
/* Returns a word of eight such bytes. */
uint64_t method_word(uint8_t byte);
/* Removes memory from all caches; false: this architecture cannot. */
bool method_flush(const void *p, size_t bytes);

method_read_fn method_read8, method_read16, method_read32, method_read64;
method_read_fn method_read64pf, method_read128, method_read256, method_read512;
method_write_fn method_write8, method_write16, method_write32, method_write64;
method_write_fn method_write128, method_write256, method_write512;
method_write_fn method_write64nt, method_write128nt, method_write256nt, method_write512nt;
method_write_fn method_write8stob, method_write64stoq, method_memset;

/* Attributes for vectors that some x86-64 CPUs lack. */
#if defined(__x86_64__)
#define METHOD_AVX2   __attribute__((target("avx2")))
#define METHOD_AVX512 __attribute__((target("avx512f")))
#else
#define METHOD_AVX2
#define METHOD_AVX512
#endif

typedef uint64_t method_v128 __attribute__((vector_size(16)));
typedef uint64_t method_v256 __attribute__((vector_size(32)));
typedef uint64_t method_v512 __attribute__((vector_size(64)));

#endif

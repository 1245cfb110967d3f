/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpu: the kernels of the stressor cpu.
 *
 * One op is one call of a kernel: its steps 0 to steps - 1 in order, 0.1 to 1 ms together.  A step is at most
 * 0.1 ms of work on an ordinary CPU, so that the instance can be stopped or put to sleep between two steps.
 * The state lives from the first step of an op to the last; step 0 initializes mem for the others.  At the
 * end, sum must be `expected`, which was computed in another way: with whole numbers in Python, from tables
 * of known values, or with zlib and hashlib.  Sums do not depend on CPU, compiler or C library:
 * floating-point results are exact integers, or are rounded to fewer bits, where each value is far from a
 * rounding boundary.
 */
#ifndef STRESSORS_CPU_CPU_H
#define STRESSORS_CPU_CPU_H

#include "base/base.h"

#define CPU_MEM_BYTES 40960u

struct cpu_state {
	uint64_t sum;             /* 0 before step 0 */
	void *mem;                /* CPU_MEM_BYTES, aligned to 64 bytes; of any content before step 0 */
};

struct cpu_kernel {
	void (*step)(struct cpu_state *st, unsigned int i);
	unsigned int steps;
	uint64_t expected;
};

enum cpu_method {
	CPU_BITOPS,
	CPU_BRANCHY,
	CPU_CRC,
	CPU_DOUBLE,
	CPU_FFT,
	CPU_FLOAT,
	CPU_FMA,
	CPU_HASH,
	CPU_INT,
	CPU_MATRIXPROD,
	CPU_MWC,
	CPU_PRIME,
	CPU_QUEENS,
	CPU_SIEVE,
	CPU_SORT,
	CPU_TRIG,
	CPU_VECTOR,
	CPU_METHODS,
};

extern const struct cpu_kernel cpu_kernels[CPU_METHODS];

/* bits.c */
void cpu_bitops(struct cpu_state *st, unsigned int i);
void cpu_crc(struct cpu_state *st, unsigned int i);
/* floats.c */
void cpu_fft(struct cpu_state *st, unsigned int i);
void cpu_matrixprod(struct cpu_state *st, unsigned int i);
void cpu_trig(struct cpu_state *st, unsigned int i);
/* fma.c */
void cpu_fma(struct cpu_state *st, unsigned int i);
/* hash.c */
void cpu_hash(struct cpu_state *st, unsigned int i);
/* library.c: operations of load/ops.h */
void cpu_branchy(struct cpu_state *st, unsigned int i);
void cpu_double(struct cpu_state *st, unsigned int i);
void cpu_float(struct cpu_state *st, unsigned int i);
void cpu_int(struct cpu_state *st, unsigned int i);
void cpu_mwc(struct cpu_state *st, unsigned int i);
void cpu_vector(struct cpu_state *st, unsigned int i);
/* numbers.c */
void cpu_prime(struct cpu_state *st, unsigned int i);
void cpu_queens(struct cpu_state *st, unsigned int i);
void cpu_sieve(struct cpu_state *st, unsigned int i);
void cpu_sort(struct cpu_state *st, unsigned int i);

/* Fills n bytes with the values of stress_random() that follow from this state, the lowest byte of each
 * first. */
void cpu_fill(unsigned char *p, size_t n, uint64_t state);

#endif

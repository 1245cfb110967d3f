/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ops: kinds of work ("kernels") that load a CPU, each counted in its own operations.
 *
 *	mwc      the 32-bit multiply-with-carry step that power-calibrate and stress-ng call a bogo op
 *	int      64-bit multiplications, shifts and exclusive ors (a step of SplitMix64)
 *	float, double   4 polynomials of degree 8, with Horner's rule
 *	vector   such polynomials on 64 lanes, in vector registers of the CPU's full width
 *	mem      64 bytes of an array that is larger than the caches: read, changed, written
 *	branchy  4 unpredictable branches
 *
 * All results depend on the number of operations only, not on the CPU, the compiler, the order of
 * rounding or the use of fused multiply-add: the floating point values are integers that fit into the
 * mantissa.  Each kernel can therefore be checked (sm_ops_check()), and its work cannot be optimised
 * away, because the result is stored in sm_ops_state.sum or in memory.
 *
 * `instructions` is the number of instructions that one operation executes, if the loop is written in
 * assembler and the number is therefore known; 0: unknown.  It is exact except for the cost of a call
 * of run(), about 20 instructions.
 */
#ifndef SM_OPS_H
#define SM_OPS_H

#include "base/base.h"
#include "base/root.h"

#define SM_OPS_LINE_BYTES 64u

struct sm_ops_state {
	uint64_t s[4];      /* state of the generators, initially the kernel's start */
	uint64_t sum;       /* sum of all results */
	uint64_t *mem;      /* mem only: the array, initially zero */
	uint64_t lines;     /* its length in units of 64 bytes */
	uint64_t at;        /* the next line to be used */
};

struct sm_ops {
	const char *name;
	const char *does;   /* one line for a help text */
	const char *unit;   /* description of one operation */
	void (*run)(struct sm_ops_state *st, uint64_t n);
	uint64_t start[4];
	uint64_t check;     /* the sum of the first SM_OPS_CHECK_N operations */
	uint32_t instructions;
	bool needs_mem;
};

#define SM_OPS_CHECK_N 10007u

extern const struct sm_ops sm_ops_table[];
extern const unsigned int sm_ops_count;

/* Returns the number of the kernel with this name; -ENOENT. */
int sm_ops_find(const char *name) SM_MUST;
/* Initialises the state to the kernel's start.  For mem, maps and touches mem_bytes (at least one
 * line), with huge pages if available.  -ENOMEM. */
int sm_ops_init(struct sm_ops_state *st, const struct sm_ops *op, size_t mem_bytes) SM_MUST;
void sm_ops_fini(struct sm_ops_state *st);
/* Runs the first operations on a separate state; -EILSEQ: this CPU computes a different result. */
int sm_ops_check(const struct sm_ops *op) SM_MUST;

/* Returns the memory that each of n workers should use for mem: 4 times one CPU's part of the largest
 * cache if all CPUs that share it are busy (/sys/devices/system/cpu/cpu0/cache/indexN), at least 8 MiB;
 * at most 64 MiB, because a virtual machine may report a cache as large as its host's; and for all
 * workers together at most 1/8 of MemAvailable (/proc/meminfo). */
size_t sm_ops_mem_bytes(const struct sm_root *root, unsigned int n);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ops_impl: the kernels, for the table.  Private to ops.
 *
 * Each continues where its last call ended: n operations in one call or in many give the same state.
 */
#ifndef SM_OPS_IMPL_H
#define SM_OPS_IMPL_H

#include "load/ops.h"

/* Instructions of one operation; 0: not in assembler on this architecture. */
#if defined(__x86_64__)
#define SM_OPS_MWC_INSTRUCTIONS 14u
#define SM_OPS_INT_INSTRUCTIONS 16u
#elif defined(__aarch64__)
#define SM_OPS_MWC_INSTRUCTIONS 10u
#define SM_OPS_INT_INSTRUCTIONS 9u
#else
#define SM_OPS_MWC_INSTRUCTIONS 0u
#define SM_OPS_INT_INSTRUCTIONS 0u
#endif

void sm_ops_mwc(struct sm_ops_state *st, uint64_t n);
void sm_ops_int(struct sm_ops_state *st, uint64_t n);
void sm_ops_branchy(struct sm_ops_state *st, uint64_t n);
void sm_ops_float(struct sm_ops_state *st, uint64_t n);
void sm_ops_double(struct sm_ops_state *st, uint64_t n);
void sm_ops_vector(struct sm_ops_state *st, uint64_t n);
void sm_ops_mem(struct sm_ops_state *st, uint64_t n);
/* The widest vectors that sm_ops_vector() uses on this CPU. */
const char *sm_ops_vector_variant(void);
/* Runs one variant, from 0, if this CPU has it; its name, or NULL if there are no more.  For tests. */
const char *sm_ops_vector_run(unsigned int variant, struct sm_ops_state *st, uint64_t n);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ops_impl: the kernels, for the table.  Private to ops.
 *
 * Each call continues where the previous one ended: n operations in one call or in several lead to
 * equal states.
 */
#ifndef SM_OPS_IMPL_H
#define SM_OPS_IMPL_H

#include "load/ops.h"

/* Instructions per operation; 0: not written in assembler for this architecture. */
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
/* Runs a variant, numbered from 0, if this CPU supports it; for tests.  Returns its name, or NULL after
 * the last variant. */
const char *sm_ops_vector_run(unsigned int variant, struct sm_ops_state *st, uint64_t n);

#endif

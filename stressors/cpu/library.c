// SPDX-License-Identifier: GPL-2.0-or-later
#include "load/ops.h"

#include "cpu.h"

_Static_assert(sizeof(struct sm_ops_state) <= CPU_MEM_BYTES, "mem is too small");

/* A pass is the first SM_OPS_CHECK_N operations, whose sum is known, in `parts` steps. */
static void part(
	struct cpu_state *st, const char *name, unsigned int i, unsigned int parts)
{
	const struct sm_ops *op = &sm_ops_table[sm_ops_find(name)];
	struct sm_ops_state *state = st->mem;
	uint64_t from = (uint64_t)SM_OPS_CHECK_N * (i % parts) / parts;
	uint64_t to = (uint64_t)SM_OPS_CHECK_N * (i % parts + 1) / parts;

	/* only the kernel mem, which is not used here, could fail */
	if (i % parts == 0 && sm_ops_init(state, op, 0) < 0)
		return;
	op->run(state, to - from);
	if (to == SM_OPS_CHECK_N)
		st->sum += state->sum;
}

void cpu_branchy(struct cpu_state *st, unsigned int i)
{
	part(st, "branchy", i, 2);
}

void cpu_double(struct cpu_state *st, unsigned int i)
{
	part(st, "double", i, 2);
}

void cpu_float(struct cpu_state *st, unsigned int i)
{
	part(st, "float", i, 2);
}

void cpu_int(struct cpu_state *st, unsigned int i)
{
	part(st, "int", i, 1);
}

void cpu_mwc(struct cpu_state *st, unsigned int i)
{
	part(st, "mwc", i, 1);
}

void cpu_vector(struct cpu_state *st, unsigned int i)
{
	part(st, "vector", i, 8);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "budget.h"

#define LEAST_SLICE_NS (SM_NSEC_PER_MSEC / 2)

void budget_init(struct budget *b, uint64_t now_ns)
{
	*b = (struct budget){BUDGET_START_NS, now_ns};
}

void budget_earn(struct budget *b, uint64_t now_ns)
{
	uint64_t earned =
		now_ns > b->at_ns ? (now_ns - b->at_ns) / 1000 * BUDGET_PER_MILLE : 0;

	b->at_ns = now_ns;
	if (b->left_ns >= BUDGET_SAVED_NS)
		return;
	b->left_ns += earned;
	if (b->left_ns > BUDGET_SAVED_NS)
		b->left_ns = BUDGET_SAVED_NS;
}

void budget_spend(struct budget *b, uint64_t cpu_ns)
{
	b->left_ns -= cpu_ns < b->left_ns ? cpu_ns : b->left_ns;
}

uint64_t budget_slice(const struct budget *b)
{
	if (b->left_ns < LEAST_SLICE_NS)
		return LEAST_SLICE_NS;
	return b->left_ns < BUDGET_SLICE_NS ? b->left_ns : BUDGET_SLICE_NS;
}

uint64_t budget_next_ns(const struct budget *b)
{
	if (b->left_ns >= BUDGET_LEAST_NS)
		return b->at_ns;
	return b->at_ns + (BUDGET_LEAST_NS - b->left_ns) * 1000 / BUDGET_PER_MILLE;
}

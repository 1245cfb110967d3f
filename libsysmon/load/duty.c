// SPDX-License-Identifier: GPL-2.0-or-later
#include "load/duty.h"

uint64_t sm_duty_share_ns(uint64_t elapsed_ns, uint32_t ppm)
{
	return elapsed_ns / SM_DUTY_FULL * ppm +
	       elapsed_ns % SM_DUTY_FULL * ppm / SM_DUTY_FULL;
}

void sm_duty_start(struct sm_duty *d, uint32_t ppm, uint64_t period_ns, uint64_t from_ns,
	uint64_t cpu_ns)
{
	*d = (struct sm_duty){
		.from_ns = from_ns,
		.cpu_from_ns = cpu_ns,
		.period_ns = period_ns ? period_ns : SM_DUTY_PERIOD_NS,
		.debt_ns = SM_DUTY_DEBT_NS,
		.ppm = ppm < SM_DUTY_FULL ? ppm : SM_DUTY_FULL,
	};
}

static void write_off(struct sm_duty *d, uint64_t elapsed_ns, uint64_t cpu_ns)
{
	uint64_t due = sm_duty_share_ns(elapsed_ns, d->ppm);
	uint64_t used = cpu_ns - d->cpu_from_ns;

	if (due <= d->debt_ns || due - d->debt_ns <= used)
		return;
	due -= d->debt_ns;
	d->shed_ns += due - used;
	d->cpu_from_ns -= due - used;
}

/* Returns the period in which the share of all time reaches the used CPU time: the first
 * period whose end is later. */
static uint64_t period_after(const struct sm_duty *d, uint64_t used_ns)
{
	uint64_t reached = used_ns / d->ppm * SM_DUTY_FULL +
			   used_ns % d->ppm * SM_DUTY_FULL / d->ppm;

	return reached / d->period_ns;
}

uint64_t sm_duty_next(
	struct sm_duty *d, uint64_t now_ns, uint64_t cpu_ns, uint64_t *until_ns)
{
	uint64_t elapsed, k, goal, used;

	if (d->ppm == 0) {
		*until_ns = SM_DUTY_NEVER;
		return 0;
	}
	if (now_ns < d->from_ns) {
		*until_ns = d->from_ns;
		return 0;
	}
	elapsed = now_ns - d->from_ns;
	write_off(d, elapsed, cpu_ns);
	k = elapsed / d->period_ns;
	goal = sm_duty_share_ns((k + 1) * d->period_ns, d->ppm);
	used = cpu_ns - d->cpu_from_ns;
	if (used < goal)
		return goal - used;
	goal = period_after(d, used);
	*until_ns = d->from_ns + (goal > k ? goal : k + 1) * d->period_ns;
	return 0;
}

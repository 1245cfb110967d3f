// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "rest.h"

static uint64_t at_most(uint64_t ns, uint64_t most_ns)
{
	return ns < most_ns ? ns : most_ns;
}

bool rest_over(const struct rest *r, const struct vm_activity *now, uint64_t now_ns)
{
	bool changed = memcmp(&r->activity, now, sizeof(*now)) != 0;

	return now_ns >= (changed ? r->changed_ns : r->unchanged_ns);
}

void rest_step(struct rest *r, const struct vm_activity *now, uint64_t cpu_ns, int more,
	uint64_t now_ns, uint64_t cost, uint64_t most_ns)
{
	if (!r->walking) {
		r->activity = *now;
		r->cpu_ns = 0;
	}
	r->cpu_ns += cpu_ns;
	r->walking = more > 0;
	if (more)
		return;
	if (most_ns < REST_SHARE * r->cpu_ns)
		most_ns = REST_SHARE * r->cpu_ns;
	r->changed_ns = now_ns + at_most(cost * r->cpu_ns, most_ns);
	r->unchanged_ns = now_ns + REST_LEAST_NS +
			  at_most(REST_COST * r->cpu_ns, REST_MOST_NS - REST_LEAST_NS);
}

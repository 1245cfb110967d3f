// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/split.h"

#define MIN_TICKS 4u

void sm_split_begin(struct sm_split *p, uint64_t usr, uint64_t sys)
{
	*p = (struct sm_split){.usr = usr, .sys = sys};
}

double sm_split_share(struct sm_split *p, uint64_t usr, uint64_t sys, bool kernel)
{
	uint64_t du = usr > p->usr ? usr - p->usr : 0;
	uint64_t ds = sys > p->sys ? sys - p->sys : 0;

	if (du >= MIN_TICKS || ds >= MIN_TICKS || du + ds >= MIN_TICKS) {
		p->usr = usr;
		p->sys = sys;
		p->share = sm_split_ratio(du, ds);
		p->known = true;
	}
	if (p->known)
		return p->share;
	return !usr && !sys && kernel ? 0 : sm_split_ratio(usr, sys);
}

void sm_split_time(uint64_t used_ns, double share, uint64_t *usr_ns, uint64_t *sys_ns)
{
	*usr_ns = share < 1 ? (uint64_t)(share * (double)used_ns) : used_ns;
	if (*usr_ns > used_ns)
		*usr_ns = used_ns;
	*sys_ns = used_ns - *usr_ns;
}

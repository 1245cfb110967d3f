// SPDX-License-Identifier: GPL-2.0-or-later
#include "split.h"

#define MIN_TICKS 4u

void split_begin(struct split *p, uint64_t usr, uint64_t sys)
{
	*p = (struct split){.usr = usr, .sys = sys};
}

double split_share(struct split *p, uint64_t usr, uint64_t sys, bool kernel)
{
	uint64_t du = usr > p->usr ? usr - p->usr : 0;
	uint64_t ds = sys > p->sys ? sys - p->sys : 0;

	if (du >= MIN_TICKS || ds >= MIN_TICKS || du + ds >= MIN_TICKS) {
		p->usr = usr;
		p->sys = sys;
		p->share = split_ratio(du, ds);
		p->known = true;
	}
	if (p->known)
		return p->share;
	return !usr && !sys && kernel ? 0 : split_ratio(usr, sys);
}

void split_time(uint64_t used_ns, double share, uint64_t *usr_ns, uint64_t *sys_ns)
{
	*usr_ns = share < 1 ? (uint64_t)(share * (double)used_ns) : used_ns;
	if (*usr_ns > used_ns)
		*usr_ns = used_ns;
	*sys_ns = used_ns - *usr_ns;
}

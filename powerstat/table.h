/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table: makes the columns of a run out of the options and of what was found.
 *
 * Labels come from sysfs, any bytes: headings are sanitised and whole (the column is as wide as
 * its heading), keys are [a-z0-9_] and unique among all columns, headings and JSON members are
 * unique in their group.
 */
#ifndef PS_TABLE_H
#define PS_TABLE_H

#include "opts.h"
#include "power.h"
#include "sample.h"
#include "thermal.h"

/* domains: of the power source, columns only with -D.  thermal: its zones, columns only with -t;
 * NULL: there are none.  have_freq, have_gpu: there is something to read (columns with -f, -g).
 * events: forks, execs and exits can be counted. */
int ps_table_init(struct ps_table *t, const struct ps_opts *o, const struct power_domain *domain,
	unsigned int ndomains, const struct sm_thermal *thermal, bool have_freq, bool have_gpu,
	bool events) SM_MUST;
void ps_table_fini(struct ps_table *t);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics: the families of --prom, sysmon_power_calibrate_*. */
#ifndef POWER_CALIBRATE_METRICS_H
#define POWER_CALIBRATE_METRICS_H

#include "format/prom.h"
#include "model.h"

/* Writes all metrics.  m: NULL until there is a result. */
void metrics_write(struct sm_prom *p, const struct model *m, const struct sm_topology_types *types,
	unsigned int tests, uint64_t readings, uint64_t lost_rows);

#endif

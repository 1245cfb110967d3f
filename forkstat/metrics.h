/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics: the metric families of --prom. */
#ifndef FORKSTAT_METRICS_H
#define FORKSTAT_METRICS_H

#include "format/prom.h"
#include "summary.h"

void metrics_write(const struct summary *s, struct sm_prom *p);

#endif

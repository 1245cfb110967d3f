/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metric: the metrics of a stressor's table in its instances.
 */
#ifndef STRESSORS_RESULT_METRIC_H
#define STRESSORS_RESULT_METRIC_H

#include "result.h"

/* Metrics of the stressor, at most as many as a slot has places for. */
unsigned int metric_count(const struct stressor *s);
/* The value of one instance; false: it has none, or no finite one. */
bool metric_one(const struct result_instance *one, unsigned int i, double *value) SM_MUST;
/* Instances that have it. */
unsigned int metric_instances(const struct result *r, unsigned int i);
/* "sum", "geometric"; "merged": of all values of the instances' histograms; "of-max". */
const char *metric_mean_name(enum stressor_mean mean);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metric: the values that the metrics of a stressor have in its instances.
 */
#ifndef STRESSORS_RESULT_METRIC_H
#define STRESSORS_RESULT_METRIC_H

#include "result.h"

/* Returns the number of metrics of the stressor, at most the number of places in a slot. */
unsigned int metric_count(const struct stressor *s);
/* Reads the value of one instance; false: it is missing or not finite. */
bool metric_one(const struct result_instance *one, unsigned int i, double *value) SM_MUST;
/* Returns the number of instances that have the metric. */
unsigned int metric_instances(const struct result *r, unsigned int i);
/* Returns "sum" or "geometric", for example; "merged": of all values of the instances' histograms;
 * "of-max". */
const char *metric_mean_name(enum stressor_mean mean);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_types: a regression in which the load of each type of CPUs is a regressor of its own.
 *
 *	watts = base + a1 own1 + a2 own2 + ... + b other + c time
 *
 * One slope for all types would be a mean that is true for no type.  All lines share the base, the terms of
 * other load and drift, and the quality of the fit; their slopes are a1, a2 ...
 *
 * A late meter is an error (-EOPNOTSUPP): the history has the load of all types together.
 */
#ifndef POWER_CALIBRATE_MODEL_TYPES_H
#define POWER_CALIBRATE_MODEL_TYPES_H

#include "model.h"

/* Fits m->type; m->middle_s is known.  Marks the readings that were used.  -ENOMEM; lines that do not exist
 * have an err. */
int model_types_fit(struct model *m, const struct readings *r, const struct plan *p, bool *used) SM_MUST;

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list: all stressors, by name; the names of the classes. */
#ifndef STRESSORS_LIST_H
#define STRESSORS_LIST_H

#include "stressor.h"

extern const struct stressor *const list_all[]; /* NULL ends it; sorted */
extern const char *const list_classes[];        /* indexed by bit number; NULL ends it */

const struct stressor *list_find(const char *name, size_t n); /* NULL: not found */
/* Returns the stressor with the nearest name, if at most a third of its letters differ; else NULL. */
const struct stressor *list_nearest(const char *name, size_t n);

#endif

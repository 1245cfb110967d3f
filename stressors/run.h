/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: a run from its plan to its exit status: outputs, stages, meters, results.
 */
#ifndef STRESSORS_RUN_H
#define STRESSORS_RUN_H

#include "opts.h"

/* Returns the exit status; after a signal that of a shell, 128 and its number. */
int run_all(struct config *c);

#endif

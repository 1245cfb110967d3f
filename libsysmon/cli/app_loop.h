/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * app_loop: the loop of a tool, the end of the run, and the exit code.  Private to libsysmon: app.c.
 */
#ifndef SM_APP_LOOP_H
#define SM_APP_LOOP_H

#include "cli/app.h"

/* Runs the loop to its end and returns the exit code. */
int sm_app_loop(struct sm_app *a) SM_MUST;
/* Writes --prom for the first time; 0 or -errno. */
int sm_app_prom_begin(struct sm_app *a) SM_MUST;
/* Writes --prom for the last time, without gauges.  A failure is reported. */
void sm_app_prom_end(struct sm_app *a);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * app_report: a file with one column per task (format/widecsv.h), written at the end of a run.  cli layer.
 *
 * Opening a FIFO and writing to it wait for its reader; a signal ends the wait.
 */
#ifndef SM_APP_REPORT_H
#define SM_APP_REPORT_H

#include "cli/app.h"
#include "format/widecsv.h"

/* Opens want.path with the permissions of the calling user; want.open and want.exited are
 * set here.  Returns 0, or an
 * exit code after printing a message. */
int sm_app_report_open(struct sm_app *a, struct sm_widecsv **out, struct sm_widecsv_want want) SM_MUST;
/* Writes the file.  An error ends the run with the error's exit code; path is for the message. */
void sm_app_report_finish(struct sm_app *a, struct sm_widecsv *w, const char *path);

#endif

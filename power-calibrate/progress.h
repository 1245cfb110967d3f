/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress: shows the progress of the run on standard error: on a terminal, in one line that is rewritten;
 * elsewhere (with -p), in a line for each test.
 */
#ifndef POWER_CALIBRATE_PROGRESS_H
#define POWER_CALIBRATE_PROGRESS_H

#include "base/buf.h"
#include "plan.h"

struct progress {
	bool on, tty;
	bool open;             /* the line is on the terminal */
};

/* records: standard output has a record for each reading. */
void progress_init(struct progress *p, bool asked, bool quiet, bool records);
/* Call this after each reading.  done: number of tests done. */
void progress_show(struct progress *p, const struct plan *plan, unsigned int done, uint64_t left_ns);
/* Call this after each test; prints a line if standard error is not a terminal. */
void progress_test(struct progress *p, const struct plan *plan, unsigned int done, uint64_t left_ns);
/* Erases the line, before other text. */
void progress_erase(struct progress *p);
/* Appends a time such as "4 min 20 s". */
void progress_time(struct sm_buf *b, uint64_t ns);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* attach: how a process that was opened is read, and why one is not watched. */
#ifndef PAGEMON_ATTACH_H
#define PAGEMON_ATTACH_H

#include "run.h"

/* The files of a process that was just opened, or of its new program, are known to the reader.  0 or
 * -errno. */
int run_attach(struct run *r, struct snapshot *s) SM_MUST;
/* Prints why a process is not watched (any more). */
void run_explain(const struct target *t);

#endif

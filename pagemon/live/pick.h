/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pick: lets the user choose a process on the screen.
 *
 * The names of all processes are hostile, but the chosen process must be opened with the privileges of the
 * start.  Therefore a child process that has dropped its privileges shows the list and returns only the PID.
 */
#ifndef PAGEMON_PICK_H
#define PAGEMON_PICK_H

#include "../run.h"

/* Returns 0 and the process in *pid, SM_APP_DONE if no process was chosen, or an exit code. */
int pick_process(struct run *r, pid_t *pid) SM_MUST;

#endif

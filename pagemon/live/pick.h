/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pick: lets the user choose a process on the screen.
 *
 * The names of all processes are hostile, and what is chosen must be opened with the rights of the start.  So
 * the list is shown by a child process, which has dropped its privileges; it hands over a number.
 */
#ifndef PAGEMON_PICK_H
#define PAGEMON_PICK_H

#include "../run.h"

/* 0: *pid is the process; SM_APP_DONE: none was chosen; or an exit code. */
int pick_process(struct run *r, pid_t *pid) SM_MUST;

#endif

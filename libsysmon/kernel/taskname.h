/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * taskname: the displayed name of a task, from its comm and its command line (proc(5):
 * /proc/PID/comm and cmdline).
 *
 * A task sets both freely, to any bytes; the caller sanitises them.  A command
 * line has a NUL between its arguments.  argv[0] can hold blanks (setproctitle(3)): its
 * program is its first word.  Results borrow from the arguments; nothing is allocated.
 */
#ifndef SM_TASKNAME_H
#define SM_TASKNAME_H

#include "base/base.h"

enum {
	SM_TASKNAME_FULL = 1,  /* all arguments; otherwise argv[0] */
	SM_TASKNAME_SHORT = 2, /* up to the first blank of argv[0] */
	SM_TASKNAME_STRIP = 4, /* without the directory of argv[0] */
};

/* The part of a command line that is shown. */
struct sm_str sm_taskname_command(struct sm_str cmdline, unsigned int form);
/* "[comm]", as a kernel thread is called, in a buffer of comm.n + 2 bytes. */
struct sm_str sm_taskname_kthread(struct sm_str comm, char *brackets);
/* argv[0] without its directory: what a user's pattern is matched against. */
struct sm_str sm_taskname_program(struct sm_str cmdline);
/* The same, but of a script, whose argv[0] is its interpreter, the name of the script: the file that
 * comm is of.  The kernel puts it into argv[1], or argv[2] behind the "#!" line's argument. */
struct sm_str sm_taskname_script(struct sm_str cmdline, struct sm_str comm);
/* Does a name match a pattern as of glob(7)?  Of a longer name the first 255 bytes count. */
bool sm_taskname_match(const char *pattern, struct sm_str name);
/* Does a user's pattern match comm, or the program of the command line (.n = 0: none)? */
bool sm_taskname_is(const char *pattern, struct sm_str comm, struct sm_str cmdline);
/* Is text a part of comm or of the command line, without regard to case?  A NUL counts as a blank. */
bool sm_taskname_has(const char *text, struct sm_str comm, struct sm_str cmdline);

#endif

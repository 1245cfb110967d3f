/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * taskname: the displayed name of a task, from its comm and its command line (proc(5):
 * /proc/PID/comm and cmdline).
 *
 * A task may set both to any bytes; the caller sanitises them.  The arguments of a command line are
 * separated by NULs.  argv[0] can contain spaces (setproctitle(3)); the program is then its first word.
 * Results point into the arguments of the functions; no memory is allocated.
 */
#ifndef SM_TASKNAME_H
#define SM_TASKNAME_H

#include "base/base.h"

enum {
	SM_TASKNAME_FULL = 1,  /* all arguments; otherwise argv[0] */
	SM_TASKNAME_SHORT = 2, /* up to the first space of argv[0] */
	SM_TASKNAME_STRIP = 4, /* without the directory of argv[0] */
};

/* Returns the part of a command line that is displayed in this form. */
struct sm_str sm_taskname_command(struct sm_str cmdline, unsigned int form);
/* Returns "[comm]", the displayed name of a kernel thread, in a buffer of comm.n + 2 bytes. */
struct sm_str sm_taskname_kthread(struct sm_str comm, char *brackets);
/* Returns argv[0] without its directory; the patterns of users are matched against it. */
struct sm_str sm_taskname_program(struct sm_str cmdline);
/* Like sm_taskname_program(), but returns the name of a script and not of its interpreter, which is
 * argv[0].  The script is the file that comm is named after; the kernel puts it into argv[1], or into argv[2]
 * after the argument of the "#!" line. */
struct sm_str sm_taskname_script(struct sm_str cmdline, struct sm_str comm);
/* True if a name, truncated to 255 bytes, matches a pattern of glob(7). */
bool sm_taskname_match(const char *pattern, struct sm_str name);
/* True if a pattern matches comm, or the program of the command line (which may be empty). */
bool sm_taskname_is(const char *pattern, struct sm_str comm, struct sm_str cmdline);
/* True if text is a part of comm or of the command line, ignoring case.  A NUL counts as a space. */
bool sm_taskname_has(const char *text, struct sm_str comm, struct sm_str cmdline);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child: TOOL -- COMMAND, the program that a tool runs and watches.  cli layer: its child
 * reports with err.h and ends by _exit(2).
 *
 * The child is forked before the tool drops its privileges, runs as the invoking user, and waits at a
 * pipe until the sources are open; then it execs.  If the tool ends before that, the program never
 * runs.  The loop takes SIGCHLD; the child gets the original signal mask back.
 */
#ifndef SM_CHILD_H
#define SM_CHILD_H

#include "cli/loop.h"

struct sm_child {
	pid_t pid;   /* 0: there is none */
	int go;      /* closing it without a byte ends the child */
	bool ended;
	bool reaped;
	int status;  /* wait(2) status once reaped */
	bool typed;  /* a ^C was typed, which the program gets too: the run ends with it */
	int stopped_by; /* the signal that ended the run before the program; 0: none */
};

enum {
	SM_CHILD_AS_ROOT = 1, /* under sudo, with root's rights */
	SM_CHILD_APART = 2,   /* its standard output is the tool's standard error */
};

/* Forks; argv ends with NULL.  *c is as it was if that fails. */
int sm_child_prepare(struct sm_child *c, char **argv, unsigned int flags,
	const struct sm_loop *loop) SM_MUST;
/* Releases the child to exec.  The following do nothing without a command. */
int sm_child_go(struct sm_child *c) SM_MUST;
/*
 * On SIGCHLD; never waits.  keep: the program stays a zombie, and in the process table, until
 * sm_child_reap().  Orphans, which become children of a subreaper or of process 1, are reaped.
 */
void sm_child_look(struct sm_child *c, bool keep);
void sm_child_reap(struct sm_child *c);
void sm_child_abandon(struct sm_child *c);
/*
 * Do these signals (of sm_loop_take(), without SIGCHLD and SIGWINCH) end the run?  The program
 * gets a ^C from the terminal as well: then the run continues until the program ends, or until a
 * further signal.
 */
bool sm_child_stops(struct sm_child *c, uint64_t signals, uint64_t typed);
/* Once reaped: its exit code as in a shell, 128 + n for signal n; if a signal ended the run before,
 * 128 + that signal; else 0. */
int sm_child_exit_code(const struct sm_child *c);

#endif

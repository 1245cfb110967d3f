/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child: TOOL -- COMMAND, the program that a tool runs and monitors.  cli layer: the forked child
 * reports errors with err.h and exits with _exit(2).
 *
 * The child is forked before the tool drops its privileges, runs as the calling user, and waits at a
 * pipe until the sources are open; then it executes the program.  If the tool exits before that, the
 * program is never executed.  The loop handles SIGCHLD; the child gets the original signal mask back.
 */
#ifndef SM_CHILD_H
#define SM_CHILD_H

#include "cli/loop.h"
#include "cli/relay.h"

struct sm_child {
	pid_t pid;   /* 0: no child */
	int go;      /* the write end of the pipe: closing it without writing a byte ends the child */
	bool ended;
	bool reaped;
	int status;  /* wait(2) status, if reaped */
	/* If reaped: the largest resident memory, in kB, of the program, of the tool's copy that executed
	 * it, or of one of the descendants that were waited for (ru_maxrss of getrusage(2)). */
	uint64_t peak_kb;
	bool typed;  /* ^C was typed, which the program receives as well: the run ends when it exits */
	int stopped_by; /* the signal that ended the run before the program exited, or 0 */
};

enum {
	SM_CHILD_AS_ROOT = 1, /* under sudo, with root's privileges */
	SM_CHILD_APART = 2,   /* its standard output is the tool's standard error */
};

/* Forks the child; argv ends with NULL.  relay, which may be NULL, takes its output.  On an error, *c is
 * unchanged. */
int sm_child_prepare(struct sm_child *c, char **argv, unsigned int flags, const struct sm_loop *loop,
	const struct sm_relay *relay) SM_MUST;
/* Releases the child, which then executes the program.  This and the following functions do nothing
 * without a command. */
int sm_child_go(struct sm_child *c) SM_MUST;
/* Handles SIGCHLD; never waits.  keep: the program stays a zombie, and so in the process table, until
 * sm_child_reap().  Orphans, which become children of a subreaper or of process 1, are reaped. */
void sm_child_look(struct sm_child *c, bool keep);
void sm_child_reap(struct sm_child *c);
void sm_child_abandon(struct sm_child *c);
/* Returns true if these signals (from sm_loop_take(), without SIGCHLD and SIGWINCH) end the run.  The
 * program receives ^C from the terminal as well: in that case the run continues until the program
 * exits, or until a further signal. */
bool sm_child_stops(struct sm_child *c, uint64_t signals, uint64_t typed);
/* Returns the exit code of a reaped program as a shell does, 128 + n for signal n.  If a signal ended
 * the run before the program exited: 128 + that signal.  Otherwise 0. */
int sm_child_exit_code(const struct sm_child *c);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command: TOOL -- COMMAND, the program that a tool runs and watches.  cli layer: its child
 * reports with err.h and ends by _exit(2).
 *
 * The child is made before the tool gives up its privileges, so that it runs with those the
 * user had, and waits at a pipe until everything listens; then it execs.  If the tool ends
 * before that, the program never runs.  The loop takes SIGCHLD; the child gets back the
 * signal mask of before.
 */
#ifndef SM_COMMAND_H
#define SM_COMMAND_H

#include "loop.h"

struct sm_command {
	pid_t pid;   /* 0: there is none */
	int go;      /* closing it without a byte ends the child */
	bool ended;
	int status;  /* wait(2) status once ended */
	bool typed;  /* a ^C was typed: it goes to the program, too; we end with it */
	int stopped_by; /* the signal that ended our run before the program; 0: none */
};

/* Forks; argv ends with NULL.  *c is as it was if that fails. */
int sm_command_prepare(struct sm_command *c, char **argv, const struct sm_loop *loop) SM_MUST;
/* The word to exec.  These three do nothing if there is no command. */
int sm_command_go(struct sm_command *c) SM_MUST;
/* On SIGCHLD; never waits. */
void sm_command_reap(struct sm_command *c);
void sm_command_abandon(struct sm_command *c);
/*
 * Do these signals (of sm_loop_take(), without SIGCHLD and SIGWINCH) end the run?  What the
 * terminal sent went to the program as well: then the run goes on until that has ended, or until a
 * further signal.
 */
bool sm_command_stops(struct sm_command *c, uint64_t came, uint64_t typed);
/* Once ended: its exit code as a shell would tell it, 128 + n for signal n; that of our own end
 * if a signal came first; 0 if neither. */
int sm_command_exit_code(const struct sm_command *c);

#endif

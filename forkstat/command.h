/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command: forkstat -- COMMAND.  The child is made before the tool gives up its
 * privileges and waits until everything listens; then it execs.
 */
#ifndef FS_COMMAND_H
#define FS_COMMAND_H

#include "loop.h"

struct command {
	pid_t pid;   /* 0: there is none */
	int go;      /* closing it without a byte ends the child */
	bool ended;
	int status;  /* wait(2) status once ended */
};

int command_prepare(struct command *c, char **argv, const struct sm_loop *loop) SM_MUST;
int command_go(struct command *c) SM_MUST;
/* On SIGCHLD. */
void command_reap(struct command *c);
void command_abandon(struct command *c);
/* Its exit code as a shell would tell it. */
int command_exit_code(const struct command *c);

#endif

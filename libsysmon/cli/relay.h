/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * relay: keeps what COMMAND writes to the terminal while the tool shows a screen there, and writes it to the
 * terminal afterwards.  cli layer.
 *
 * The program gets a pseudoterminal in place of the terminal, and a process that the tool forks stores its
 * output in an unlinked file below TMPDIR (without one, in memory).  If the disk is full, the program waits.
 * The pseudoterminal follows the size of the terminal.
 * When the tool calls sm_relay_show() or ends in any way, that process writes the file to the terminal and
 * then passes on further output of a program that continues, until all of its descriptors are closed.
 */
#ifndef SM_RELAY_H
#define SM_RELAY_H

#include "base/base.h"

struct sm_relay {
	int pty;  /* the program's side of the pseudoterminal */
	int stop; /* closing it ends the storing */
	int done; /* end of file: the stored output is on the terminal */
};

#define SM_RELAY_INIT { .pty = -1, .stop = -1, .done = -1 }

/* Forks the process.  On an error, *r is unchanged. */
int sm_relay_open(struct sm_relay *r) SM_MUST;
/* In the forked program: replaces standard output and standard error, where they are a terminal, by the
 * pseudoterminal, and standard input by /dev/null, because the screen reads the keys. */
void sm_relay_take(const struct sm_relay *r);
/* Call this when all programs are forked. */
void sm_relay_close_pty(struct sm_relay *r);
/* The screen is closed: waits until the stored output is on the terminal.  Does nothing without a relay. */
void sm_relay_show(struct sm_relay *r);

#endif

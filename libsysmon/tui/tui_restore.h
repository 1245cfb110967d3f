/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tui_restore: restores the terminal at every exit.  Private to tui.c; cli layer.
 *
 * From sm_tui_restore_begin() to sm_tui_restore_end() the process has handlers for those fatal signals
 * that it does not itself handle or ignore.  A handler writes the string that leaves the full-screen
 * mode, restores termios, and terminates the process with the signal that it received.  The handler of
 * SIGTSTP restores the terminal likewise and stops the process; the handler of SIGCONT enters the full-screen
 * mode again and raises SIGWINCH, so that the tool's loop redraws.  exit() is covered by atexit().  A
 * forked child does not restore its parent's terminal.  Handlers call only async-signal-safe functions;
 * their state is one mutable global.
 */
#ifndef SM_TUI_RESTORE_H
#define SM_TUI_RESTORE_H

#include "base/base.h"

/* Saves termios and the signal dispositions.  0 or -errno. */
int sm_tui_restore_begin(int fd) SM_MUST;
struct sm_tui_string {
	char s[512];
	size_t n;
};

/* Records that the terminal is now in full-screen mode; the strings enter and leave that mode.
 * Replaces the signal handlers of ncurses.  0 or -errno. */
int sm_tui_restore_arm(const struct sm_tui_string *enter, const struct sm_tui_string *leave) SM_MUST;
/* Leaves the full-screen mode, restores termios and the signals. */
void sm_tui_restore_end(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tui_restore: restores the terminal at every exit.  Private to tui.c; cli layer.
 *
 * From sm_tui_restore_begin() to sm_tui_restore_end() the process has handlers for the fatal
 * signals that it does not handle or ignore itself.  They write the string that leaves the
 * full screen, restore termios, and terminate the process by the same signal.  The handler of
 * SIGTSTP does the same and stops; that of SIGCONT enters the screen again and raises SIGWINCH,
 * so that the tool's loop redraws.  exit() is covered by atexit().  A forked child does not
 * restore its parent's terminal.  Handlers call only async-signal-safe functions; their state is
 * one mutable global.
 */
#ifndef SM_TUI_RESTORE_H
#define SM_TUI_RESTORE_H

#include "base/base.h"

/* Saves termios and the signal dispositions.  -errno. */
int sm_tui_restore_begin(int fd) SM_MUST;
/* From now on the terminal is in the screen's modes; the strings enter and leave the screen.  Replaces
 * the signal handlers of ncurses.  -errno. */
int sm_tui_restore_arm(const char *enter, size_t enter_len, const char *leave, size_t leave_len)
	SM_MUST;
/* Leaves the screen, restores termios and the signals. */
void sm_tui_restore_end(void);
/* Was the screen entered again after a stop since the last call? */
bool sm_tui_restore_resumed(void);

#endif

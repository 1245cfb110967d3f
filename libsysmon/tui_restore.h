/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tui_restore: gives the terminal back, whatever happens.  Private to tui.c; cli layer.
 *
 * From sm_tui_guard_begin() to sm_tui_guard_end() the process has handlers for the deadly
 * signals that it does not handle or ignore itself.  They write the string that leaves the
 * full screen, restore termios, and die of the signal as if there had been no handler.
 * SIGTSTP does the same and stops; SIGCONT takes the terminal back and raises SIGWINCH, so
 * that the tool's loop draws anew.  exit() is covered by atexit().  A child that forks off
 * leaves its parent's terminal alone.  Handlers call async-signal-safe functions only; that
 * is why there is one mutable global here.
 */
#ifndef SM_TUI_RESTORE_H
#define SM_TUI_RESTORE_H

#include "base.h"

/* Notes termios of the terminal and what the signals do now.  -errno. */
int sm_tui_guard_begin(int fd) SM_MUST;
/* The terminal is in our modes from now on; these strings take and leave the screen.  Signal
 * handlers of others (ncurses has some) are replaced.  -errno. */
int sm_tui_guard_arm(const char *enter, size_t enter_len, const char *leave, size_t leave_len)
	SM_MUST;
/* Leaves the screen, restores termios and the signals. */
void sm_tui_guard_end(void);
/* Was the terminal taken back after a stop since the last call? */
bool sm_tui_guard_resumed(void);

#endif

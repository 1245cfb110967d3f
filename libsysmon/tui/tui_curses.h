/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tui_curses: ncursesw, loaded (dlopen) only when a screen is opened: linking it would slow down every
 * start for a screen that is rarely used.  Private to tui.c; cli layer.
 *
 * With SM_TUI_LINKED (static programs, which cannot load libraries) the functions are linked.  Of
 * ncurses' variables only stdscr is used: a program linked with ncurses has copies (copy relocations)
 * of the variables that it references, and the library then uses these copies.
 */
#ifndef SM_TUI_CURSES_H
#define SM_TUI_CURSES_H

#define NCURSES_NOMACROS
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
#undef columns /* one of its 500 lower-case macros */

#include "base/base.h"

#define SM_CURSES_QUOTE(x)  #x
#define SM_CURSES_SONAME(x) "libncursesw.so." SM_CURSES_QUOTE(x)
/* The library version that the header describes. */
#define SM_CURSES_LIBRARY   SM_CURSES_SONAME(NCURSES_VERSION_MAJOR)

#define SM_CURSES_FUNCTIONS(F) \
	F(COLOR_PAIR) F(attr_set) F(cbreak) F(clearok) F(curs_set) F(del_curterm) \
	F(delscreen) F(doupdate) F(endwin) F(erase) F(has_colors) F(init_pair) F(keypad) \
	F(leaveok) F(mvadd_wch) F(mvaddnstr) F(mvhline) F(newterm) F(noecho) F(nonl) \
	F(resize_term) F(scrollok) F(set_curterm) F(setcchar) F(setupterm) F(start_color) \
	F(tigetnum) F(tigetstr) F(tputs) F(typeahead) F(use_default_colors) F(use_env) \
	F(use_tioctl) F(wnoutrefresh)

struct sm_curses {
#define SM_CURSES_MEMBER(name) __typeof__(name) *name;
	SM_CURSES_FUNCTIONS(SM_CURSES_MEMBER)
#undef SM_CURSES_MEMBER
	WINDOW **whole; /* stdscr */
};

/* Sets the pointers to the functions of that library, which stays loaded.  -ELIBACC: it is not
 * installed, or a function is missing; *why is a message. */
int sm_tui_curses_load(struct sm_curses *nc, const char *library, const char **why) SM_MUST;

#endif

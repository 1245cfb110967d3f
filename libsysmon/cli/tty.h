/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tty: size, colour and character set of the terminal.  cli layer: reads the environment.
 */
#ifndef SM_TTY_H
#define SM_TTY_H

#include "base/base.h"

enum sm_color { SM_COLOR_AUTO, SM_COLOR_ALWAYS, SM_COLOR_NEVER };

/* -ENOTTY when fd is no terminal.  A terminal of size 0x0 (serial line) is 80x24. */
int sm_tty_size(int fd, unsigned int *columns, unsigned int *rows) SM_MUST;
/* auto: fd is a terminal, TERM is not dumb or empty, NO_COLOR is unset or empty. */
bool sm_tty_color(int fd, enum sm_color policy);
/* Is the locale of the environment (LC_ALL, LC_CTYPE, LANG) UTF-8?  Reads the
 * variables only: setlocale() would cost start-up time and memory. */
bool sm_tty_utf8(void);

#endif

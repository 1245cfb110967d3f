/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tty: size, colour and character set of the terminal.  cli layer: it reads the environment.
 */
#ifndef SM_TTY_H
#define SM_TTY_H

#include "base/base.h"

enum sm_color { SM_COLOR_AUTO, SM_COLOR_ALWAYS, SM_COLOR_NEVER };

/* Returns the size; -ENOTTY if fd is not a terminal.  A terminal of size 0x0 (serial line) counts as
 * 80x24. */
int sm_tty_size(int fd, unsigned int *columns, unsigned int *rows) SM_MUST;
/* Returns the columns of help texts on fd: those of a terminal, from 40 to 120; otherwise 80. */
unsigned int sm_tty_help_columns(int fd);
/* Returns true if output to fd is coloured.  auto: if fd is a terminal, TERM is neither dumb nor empty,
 * and NO_COLOR is unset or empty. */
bool sm_tty_color(int fd, enum sm_color policy);
/* Returns true if the locale of the environment (LC_ALL, LC_CTYPE, LANG) is UTF-8.  Reads the variables
 * only, because setlocale() would cost startup time and memory. */
bool sm_tty_utf8(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format: formats sizes and names for the screen.
 */
#ifndef PAGEMON_SCREEN_FORMAT_H
#define PAGEMON_SCREEN_FORMAT_H

#include "base/buf.h"

#define FORMAT_SIZE 12

/* Formats a size with at most five characters, in powers of 1024: "0", "4K", "1.5M", "15.9T". */
const char *format_size(uint64_t bytes, char out[FORMAT_SIZE]);
/* Formats a size as "4 KiB" or "2.5 MiB", exact or with one decimal. */
const char *format_iec(uint64_t bytes, char out[FORMAT_SIZE]);
/* Formats a number with at most four characters, rounded, in powers of 1000: "253k", "1.2G". */
const char *format_number(double v, char out[FORMAT_SIZE]);
/* Returns the length of the longest beginning of whole words that fits this number of columns.  A text
 * without spaces fits as a whole or not at all, so that a number is never cut. */
size_t format_fit(const char *text, size_t n, int columns);
/* Appends hostile bytes, sanitised, with an ellipsis in the middle if they need more than this number of
 * columns.  The end is mostly kept, because it distinguishes paths. */
void format_name(struct sm_buf *b, struct sm_str name, unsigned int columns, bool utf8);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines: reads the lines of a file of any size from its beginning, with pread(2), without holding the
 * file in memory.
 *
 * A procfs file of many records (maps, smaps) returns at most a page of whole records per read.  A line
 * is passed on where it was read; only a line that spans two reads is joined in `carry`.  Lines have
 * any length and contain any bytes except newline; the last line may lack its newline.
 */
#ifndef SM_LINES_H
#define SM_LINES_H

#include "base/buf.h"

/* s: n bytes without the newline, valid during the call.  A nonzero return value ends the reading. */
typedef int (*sm_lines_fn)(void *ctx, const char *s, size_t n);

/* carry: scratch buffer, empty or left by an earlier call.  Returns 0 at the end of the file, fn's
 * return value if it was nonzero, -ENOMEM, or the error of pread(2).  Uses 16 KiB of stack. */
int sm_lines_read(int fd, struct sm_buf *carry, sm_lines_fn fn, void *ctx) SM_MUST;

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines: the lines of a file of any size, from its beginning, by pread(2), without holding the file in
 * memory.
 *
 * A procfs file of many records (maps, smaps) gives at most a page of whole records with each read, so a line
 * is handed out where it was read; only one that crosses two reads is joined in `carry`.  Lines are
 * bytes of any kind and length but the newline; the last one may lack it.
 */
#ifndef SM_LINES_H
#define SM_LINES_H

#include "base/buf.h"

/* s: n bytes without the newline, valid during the call.  Nonzero ends the reading. */
typedef int (*sm_lines_fn)(void *ctx, const char *s, size_t n);

/*
 * carry: scratch, empty or of an earlier call.  0: the end of the file; what fn returned, if nonzero;
 * -ENOMEM, or an error of pread(2).  64 KiB of stack.
 */
int sm_lines_read(int fd, struct sm_buf *carry, sm_lines_fn fn, void *ctx) SM_MUST;

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words: how sizes and names stand on the screen.
 */
#ifndef PAGEMON_SCREEN_WORDS_H
#define PAGEMON_SCREEN_WORDS_H

#include "base/buf.h"

#define WORDS_SIZE 12

/* At most five characters, powers of 1024: "0", "4K", "1.5M", "15.9T". */
const char *words_size(uint64_t bytes, char out[WORDS_SIZE]);
/* "4 KiB", "2.5 MiB", exact or with one decimal. */
const char *words_iec(uint64_t bytes, char out[WORDS_SIZE]);
/* Hostile bytes, sanitised, with an ellipsis in the middle if they take more than so many columns: most of
 * what remains is the end, because it tells paths apart.  Appends. */
void words_name(struct sm_buf *b, struct sm_str name, unsigned int columns, bool utf8);

#endif

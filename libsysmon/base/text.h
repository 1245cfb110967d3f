/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text: the sanitiser.  Text of other processes (names, arguments, sysfs text) reaches a terminal
 * or a file only through one of these functions.
 *
 * Human rule: C0, DEL, C1 (also as UTF-8), line and paragraph separators, bidi controls
 * and other invisible format characters, and bytes that are not valid UTF-8 are shown as
 * \xNN (bytes) or \u{NNNN} (code points); everything else is printed as it is.  Without
 * SM_TEXT_UTF8 every byte >= 0x80 is shown as \xNN.
 */
#ifndef SM_TEXT_H
#define SM_TEXT_H

#include "base/base.h"
#include "base/buf.h"

enum { SM_TEXT_UTF8 = 1 };

/* Decodes one code point from [p, end): its length 1..4, or 0 when the bytes there are not
 * valid UTF-8 (overlong, surrogate, > U+10FFFF, cut off). */
int sm_text_decode(const char *p, const char *end, uint32_t *cp);
/* Is this code point harmless on a terminal? */
bool sm_text_printable(uint32_t cp);
/* Columns: 0 combining, 1, 2 East Asian wide and emoji.  Of printable code points. */
int sm_text_cp_width(uint32_t cp);
/* Length of the leading run of printable ASCII, which needs no escape. */
size_t sm_text_clean_run(const char *p, size_t n);

void sm_text_human(struct sm_buf *b, const char *p, size_t n, unsigned int flags);
/* Strings with a NUL after each (the last one's may be absent), as above, a blank between two. */
void sm_text_args(struct sm_buf *b, const char *p, size_t n, unsigned int flags);
/* The same strings as words of a POSIX.1-2024 shell (bash, zsh, ksh): bare where nothing is special,
 * in '' or, what the human rule does not print as it is, in $'' with octal escapes.  One line, harmless
 * on a terminal, and a shell makes the very bytes of it. */
void sm_text_shell(struct sm_buf *b, const char *p, size_t n, unsigned int flags);
/* Display width of sanitised (human) text. */
size_t sm_text_width(const char *p, size_t n);
/* Appends at most `columns` columns of sanitised text, whole characters; an
 * ellipsis marks text that did not fit ("..." or, with SM_TEXT_UTF8, U+2026). */
void sm_text_fit(struct sm_buf *b, const char *p, size_t n, size_t columns, unsigned int flags);
/* A JSON string with its quotes.  Invalid UTF-8 becomes U+FFFD, and *lossy is set; controls,
 * C1, bidi and separators are \uNNNN escapes, so that the file is safe to cat. */
void sm_text_json(struct sm_buf *b, const char *p, size_t n, bool *lossy);
/* An RFC 4180 field: human-sanitised (so a row is always one line), quoted when it needs. */
void sm_text_csv(struct sm_buf *b, const char *p, size_t n);
/* A Prometheus label value with its quotes: sanitised, backslash, quote and newline escaped. */
void sm_text_label(struct sm_buf *b, const char *p, size_t n);

#endif

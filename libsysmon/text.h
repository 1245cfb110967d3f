/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text: the sanitiser.  Whatever another process wrote (names, arguments, sysfs text) goes
 * through one of these appenders before it meets a terminal or a file.
 *
 * Human rule: C0, DEL, C1 (also as UTF-8), line and paragraph separators, bidi controls
 * and other invisible format characters, and bytes that are not valid UTF-8 are shown as
 * \xNN (bytes) or \u{NNNN} (code points); everything else is printed as it is.  Without
 * SM_TEXT_UTF8 every byte >= 0x80 is shown as \xNN.
 */
#ifndef SM_TEXT_H
#define SM_TEXT_H

#include "base.h"
#include "buf.h"

enum { SM_TEXT_UTF8 = 1 };

/* Decodes one code point from [p, end): its length 1..4, or 0 when the bytes there are not
 * valid UTF-8 (overlong, surrogate, > U+10FFFF, cut off). */
int sm_utf8_decode(const char *p, const char *end, uint32_t *cp);
/* Is this code point harmless on a terminal? */
bool sm_text_printable(uint32_t cp);
/* Columns: 0 combining, 1, 2 East Asian wide and emoji.  Of printable code points. */
int sm_text_cp_width(uint32_t cp);
/* Bytes that need no change at all: length of the leading run of printable ASCII. */
size_t sm_text_clean_run(const char *p, size_t n);

void sm_text_human(struct sm_buf *b, const char *p, size_t n, unsigned int flags);
/* Display width of sanitised (human) text. */
size_t sm_text_width(const char *p, size_t n);
/* Appends at most `columns` columns of sanitised text, whole characters; what did not fit
 * is told by an ellipsis ("..." or, with SM_TEXT_UTF8, U+2026). */
void sm_text_fit(struct sm_buf *b, const char *p, size_t n, size_t columns, unsigned int flags);
/* A JSON string with its quotes.  Invalid UTF-8 becomes U+FFFD, and *lossy is set; controls,
 * C1, bidi and separators are \uNNNN escapes, so that the file is safe to cat. */
void sm_text_json(struct sm_buf *b, const char *p, size_t n, bool *lossy);
/* An RFC 4180 field: human-sanitised (so a row is always one line), quoted when it needs. */
void sm_text_csv(struct sm_buf *b, const char *p, size_t n);
/* A Prometheus label value with its quotes: sanitised, backslash, quote and newline escaped. */
void sm_text_label(struct sm_buf *b, const char *p, size_t n);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text: the sanitiser.  Text of other processes (names, arguments, sysfs text) is written to a terminal
 * or a file only by these functions.
 *
 * Human rule: C0, DEL, C1 (also encoded as UTF-8), line and paragraph separators, bidirectional
 * controls, other invisible format characters, and bytes that are not valid UTF-8 are shown as \xNN
 * (bytes) or \u{NNNN} (code points); all other text is printed unchanged.  Without SM_TEXT_UTF8 every
 * byte >= 0x80 is shown as \xNN.
 */
#ifndef SM_TEXT_H
#define SM_TEXT_H

#include "base/base.h"
#include "base/buf.h"

enum { SM_TEXT_UTF8 = 1 };

/* Decodes one code point from [p, end).  Returns its length 1..4, or 0 if the bytes are not valid UTF-8
 * (overlong, surrogate, > U+10FFFF, truncated). */
int sm_text_decode(const char *p, const char *end, uint32_t *cp);
/* Returns true if this code point is harmless on a terminal. */
bool sm_text_printable(uint32_t cp);
/* Returns the columns of a printable code point: 0 (combining), 1, or 2 (East Asian wide and emoji). */
int sm_text_cp_width(uint32_t cp);
/* Compares bytes, as memcmp(3); a string precedes those that begin with it. */
int sm_text_compare(struct sm_str a, struct sm_str b);
/* Returns the length of the leading run of printable ASCII, which needs no escapes. */
size_t sm_text_clean_run(const char *p, size_t n);

void sm_text_human(struct sm_buf *b, const char *p, size_t n, unsigned int flags);
/* Appends strings that end with a NUL each (optional after the last one), sanitised as above and
 * separated by spaces. */
void sm_text_args(struct sm_buf *b, const char *p, size_t n, unsigned int flags);
/* Appends such strings as words for a POSIX.1-2024 shell (bash, zsh, ksh): plain if no character is
 * special, otherwise in '', or in $'' with octal escapes if the human rule would escape a byte.  The
 * result is one line, is harmless on a terminal, and evaluates to the original bytes in a shell. */
void sm_text_shell(struct sm_buf *b, const char *p, size_t n, unsigned int flags);
/* Returns the display width of sanitised (human) text. */
size_t sm_text_width(const char *p, size_t n);
/* Appends at most `columns` columns of sanitised text, in whole characters.  Text that does not fit
 * ends with an ellipsis: "..." or, with SM_TEXT_UTF8, U+2026. */
void sm_text_fit(struct sm_buf *b, const char *p, size_t n, size_t columns, unsigned int flags);
/* Appends a JSON string with its quotes.  Invalid UTF-8 becomes U+FFFD, and *lossy is set.  Controls,
 * C1, bidirectional controls and separators become \uNNNN escapes, so the file can be printed to a
 * terminal safely. */
void sm_text_json(struct sm_buf *b, const char *p, size_t n, bool *lossy);
/* Append an RFC 4180 field: sanitised by the human rule (so a row is always one line), and quoted if
 * needed.  sm_text_csv() doubles each backslash, so that the original bytes can be restored;
 * sm_text_csv_shown() does not, for text that contains escapes. */
void sm_text_csv(struct sm_buf *b, const char *p, size_t n);
void sm_text_csv_shown(struct sm_buf *b, const char *p, size_t n);
/* Appends a Prometheus label value with its quotes: sanitised; backslash, quote and newline are
 * escaped. */
void sm_text_label(struct sm_buf *b, const char *p, size_t n);

#endif

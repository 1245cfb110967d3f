/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mdoc: plain text as the source of a man page, see mdoc(7).  For the generator of the man page's section.
 *
 * Lines have at most 80 columns, and a sentence begins on a line of its own.  Words that stand alone, or
 * before punctuation, get their macro: "--option" Fl, "name(3)" Xr, "/path" Pa.  An error (no memory) is the
 * buffer's.
 */
#ifndef STRESSORS_MAN_MDOC_H
#define STRESSORS_MAN_MDOC_H

#include "base/buf.h"

/* Whole lines; end: punctuation after the last word, or "". */
void mdoc_text(struct sm_buf *b, struct sm_str text, const char *end);
/* The same; the first letter becomes a capital one, and a period ends it unless other punctuation does. */
void mdoc_sentence(struct sm_buf *b, struct sm_str text);

/* Lines of a macro with names, ".Va read , write". */
struct mdoc_names {
	struct sm_buf *b;
	const char *macro;
	size_t begin; /* place of the line in b */
	bool any;
};

void mdoc_name(struct mdoc_names *names, struct sm_str name);
/* end: punctuation after the last name, or "". */
void mdoc_names_end(struct mdoc_names *names, const char *end);

#endif

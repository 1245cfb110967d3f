/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mdoc: converts plain text to the source of a man page, see mdoc(7), for the generator of STRESSORS.
 *
 * Lines have at most 80 columns, and each sentence begins on a new line.  Words that stand alone or before
 * punctuation get their macro: "--option" Fl, "name(3)" Xr, "/path" Pa.  The buffer stores an error (no
 * memory).
 */
#ifndef STRESSORS_MAN_MDOC_H
#define STRESSORS_MAN_MDOC_H

#include "base/buf.h"

/* Appends whole lines.  end: punctuation after the last word, or "". */
void mdoc_text(struct sm_buf *b, struct sm_str text, const char *end);
/* As mdoc_text(), with a capital first letter, and a period if there is no other punctuation at the end. */
void mdoc_sentence(struct sm_buf *b, struct sm_str text);

/* Lines of a macro with names, such as ".Va read , write". */
struct mdoc_names {
	struct sm_buf *b;
	const char *macro;
	size_t begin; /* offset of the line in b */
	bool any;
};

void mdoc_name(struct mdoc_names *names, struct sm_str name);
/* end: punctuation after the last name, or "". */
void mdoc_names_end(struct mdoc_names *names, const char *end);

#endif

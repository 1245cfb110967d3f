/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search: finds mappings by a part of their name, and pages by address.
 *
 * An address is hexadecimal, with or without 0x; a text that could also be a name is an address only if a
 * mapping contains it.  Names match in upper and lower case.
 */
#ifndef PAGEMON_SCREEN_SEARCH_H
#define PAGEMON_SCREEN_SEARCH_H

#include "state.h"

/* Parses the whole text as a hexadecimal number. */
bool search_address(const char *text, uint64_t *out);
/* Goes to the next (or the previous) mapping whose name contains s->find, and wraps around at the end.  Shows
 * a message if there is none, or if the search wrapped around. */
void search_next(struct screen *s, bool forward);
/* Handle the text typed after / and after g: move the cursor, or show a message. */
void search_find(struct screen *s, const char *text);
void search_goto(struct screen *s, const char *text);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search: finds mappings by a part of their name, and pages by address.
 *
 * An address is hexadecimal, with or without 0x; a text that could be both is an address only if a
 * mapping has it.  Names match in upper and lower case.
 */
#ifndef PAGEMON_SCREEN_SEARCH_H
#define PAGEMON_SCREEN_SEARCH_H

#include "state.h"

/* ASCII letters match in both cases; an empty text is in any. */
bool search_in(struct sm_str text, struct sm_str part);
/* Hexadecimal, the whole text. */
bool search_address(const char *text, uint64_t *out);
/* The next (or the previous) mapping whose name has s->find, from the cursor's on, around the end;
 * says so if there is none, or if it went around. */
void search_next(struct screen *s, bool forward);
/* What was typed at / and at g: moves the cursor, or says why not. */
void search_find(struct screen *s, const char *text);
void search_goto(struct screen *s, const char *text);

#endif

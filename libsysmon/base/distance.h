/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * distance: how similar two words are, to propose the one that was probably meant.
 */
#ifndef SM_DISTANCE_H
#define SM_DISTANCE_H

#include "base/base.h"

#define SM_DISTANCE_WORD 64

/* Returns the number of letters that must be changed, added, removed or exchanged with their neighbour
 * to turn one word into the other; UINT_MAX for words of more than SM_DISTANCE_WORD bytes. */
unsigned int sm_distance(struct sm_str a, struct sm_str b);

#endif

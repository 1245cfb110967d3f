/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rapl_zones: what rapl's two halves share.  Private to rapl: nobody else includes it.
 */
#ifndef SM_RAPL_ZONES_H
#define SM_RAPL_ZONES_H

#include "rapl.h"

/* From now on this is why zone i is (not) in the total, and this is its partner. */
void sm_rapl_mark(struct sm_rapl *r, unsigned int i, enum sm_rapl_why why, int partner);
/* Opens a zone that had gone, with its range and limits; nothing when it cannot be, or has another
 * name. */
void sm_rapl_reopen_zone(const struct sm_rapl *r, struct sm_rapl_zone *z);
bool sm_rapl_same_type(const struct sm_rapl_zone *a, const struct sm_rapl_zone *b);

#endif

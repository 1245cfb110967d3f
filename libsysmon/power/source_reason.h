/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_reason: explains why a source gave no value, for the message at the end of a run: each domain of
 * the total with its last reading and the limit that it exceeds.
 *
 * For example: "pkg-0 rose by 4100 W, the limit is 2000 W", "pkg-0, pkg-1: the energy counter has never
 * advanced from 0 J", "power_meter-power1 reports 4294967 W, the limit is 1000000 W", "BAT0 reports
 * neither a rate nor a level".  Reasons are separated by "; ".  Labels are sanitised.
 */
#ifndef SM_SOURCE_REASON_H
#define SM_SOURCE_REASON_H

#include "power/source.h"

/* Appends the reasons of all domains that belong to the total. */
void sm_source_reason(const struct sm_source *p, struct sm_buf *b);
/* Appends each counter whose accepted power exceeds 4 times the highest power limit of its zone: "pkg-0 rose
 * by up to 500 W, the limit is 24 W". */
void sm_source_suspect(const struct sm_source *p, struct sm_buf *b);

#endif

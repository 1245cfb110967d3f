/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timernames: the names of the callbacks of usual timers in Linux 5.10 to 6.18.  With their addresses known
 * from the first reading of the list of symbols (ksyms.h), few runs need a second one.
 */
#ifndef SM_TIMERNAMES_H
#define SM_TIMERNAMES_H

#include "proc/ksyms.h"

/* Calls sm_ksyms_expect() with these names. */
void sm_timernames_expect(struct sm_ksyms *k);

#endif

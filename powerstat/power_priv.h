/* SPDX-License-Identifier: GPL-2.0-or-later */
/* power_priv: what the choice of a source and its readings share. */
#ifndef PS_POWER_PRIV_H
#define PS_POWER_PRIV_H

#include "power.h"

/* A domain for each battery of the system that has none yet; mice and pens get none. */
void power_add_batteries(struct power *p);

#endif

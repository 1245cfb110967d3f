/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * battery_level: the remaining capacity of a battery as energy, for the fuel gauge.
 *
 * The level is the energy or, without it, the integral of V dQ since opening, with the mean of the
 * voltages at both ends of each step of the charge.  Q is the charge or, without it, charge_counter,
 * whose direction is not defined: while the battery discharges, each of its steps counts as a fall.
 * The zeros of the levels differ, so the first choice is kept while the battery is present.  An edge is
 * a reading in which the level changed.  The steps of the gauge are at most the greatest common divisor of
 * all changes (the quantum).
 * An epoch starts when the battery starts to discharge; a status of Unknown for up to 5 s does
 * not end it.
 *
 * For example: 11 V, charge_now falls from 4,000,000 to 3,990,000 uAh while voltage_now falls to
 * 10.8 V: the level falls by 10,000 uAh x 10.9 V x 3600 s/h = 392,400,000 uJ.
 */
#ifndef SM_BATTERY_LEVEL_H
#define SM_BATTERY_LEVEL_H

#include "power/battery_text.h"

/* Updates level, edges and epoch after a reading. */
void sm_battery_level_update(struct sm_battery *b, uint64_t now_ns);

#endif

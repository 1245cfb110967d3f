/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * battery_rig: uevent texts for the tests of batteries.
 */
#ifndef BATTERY_RIG_H
#define BATTERY_RIG_H

#include <stdio.h>
#include <string.h>

#include "power/battery.h"
#include "unit.h"

/* "TYPE=Battery STATUS=Discharging ...": a property a word; '_' is a blank in a value. */
static inline void to_uevent(char *out, size_t cap, const char *words)
{
	char text[1024], *save = NULL;
	size_t n = 0;

	ck_assert_int_lt(snprintf(text, sizeof(text), "%s", words), (int)sizeof(text));
	out[0] = '\0';
	for (char *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		char *value = strchr(w, '=');

		for (char *c = value; c && *c; c++)
			*c = *c == '_' ? ' ' : *c;
		n += (size_t)snprintf(out + n, cap - n, "POWER_SUPPLY_%s\n", w);
		ck_assert_uint_lt(n, cap);
	}
}

#endif

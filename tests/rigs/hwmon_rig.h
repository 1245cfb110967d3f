/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hwmon_rig: machines with hwmon chips, and which of their sensors are added up.
 */
#ifndef SM_HWMON_RIG_H
#define SM_HWMON_RIG_H

#include <stdio.h>
#include <string.h>

#include "fixroot_rig.h"
#include "power/hwmon_rules.h"

static struct sm_hwmon h;

static inline void setup(void)
{
	fix_open();
	h = (struct sm_hwmon){0};
}

static inline void teardown(void)
{
	sm_hwmon_close(&h);
	fix_close();
}

static inline const char *hw_path(unsigned int number, const char *attribute)
{
	static char path[128];

	snprintf(path, sizeof(path), "sys/class/hwmon/hwmon%u/%s", number, attribute);
	return path;
}

static inline void put(unsigned int number, const char *attribute, const char *text)
{
	fix_put(hw_path(number, attribute), text);
}

static inline void open_all(unsigned int n)
{
	ck_assert_int_eq(sm_hwmon_open(&h, &fix), 0);
	ck_assert_uint_eq(h.n, n);
}

static inline struct sm_hwmon_sensor *sensor(const char *label)
{
	for (unsigned int i = 0; i < h.n; i++)
		if (strcmp(h.sensor[i].label, label) == 0)
			return &h.sensor[i];
	ck_abort_msg("no '%s' but '%s'", label, h.n ? h.sensor[0].label : "");
	return NULL;
}

/* "card+ pkg": labels of the sensors in the total have a plus. */
static inline void expect_total(const char *want)
{
	char got[512] = "";
	size_t n = 0;

	ck_assert_int_eq(sm_hwmon_open(&h, &fix), 0);
	for (unsigned int i = 0; i < h.n; i++)
		n += (size_t)snprintf(got + n, sizeof(got) - n, "%s%s%s", i ? " " : "",
			h.sensor[i].label, h.sensor[i].counted ? "+" : "");
	ck_assert_str_eq(got, want);
	sm_hwmon_close(&h);
}

static inline void labelled(unsigned int number, const char *channel, const char *label)
{
	char name[32];

	snprintf(name, sizeof(name), "%s_input", channel);
	put(number, name, "1000000\n");
	snprintf(name, sizeof(name), "%s_label", channel);
	if (label)
		put(number, name, label);
}

#endif

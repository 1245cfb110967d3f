/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_rig: machines with batteries, energy counters and power meters, and the source's figures
 * of them.
 */
#ifndef SM_SOURCE_RIG_H
#define SM_SOURCE_RIG_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "battery_rig.h"
#include "base/clock.h"
#include "fixroot_rig.h"
#include "power/source_open.h"

#define RANGE "262143328850\n" /* 2^32 units of 61 uJ */
#define S     SM_NSEC_PER_SEC

static struct sm_source_want wanted;
static struct sm_source p;
static struct sm_buf why;
static struct sm_buf said; /* text of a function */
static uint64_t now;       /* of batteries */

static inline void setup(void)
{
	fix_open();
	wanted = (struct sm_source_want){0};
	p = (struct sm_source){0};
	why = (struct sm_buf){0};
	said = (struct sm_buf){0};
	now = 1000 * S;
}

static inline void teardown(void)
{
	sm_source_close(&p);
	sm_buf_fini(&why);
	sm_buf_fini(&said);
	fix_close();
}

/* ---- machines ---- */

static inline void set_uj(const char *id, uint64_t uj)
{
	char name[128], text[32];

	snprintf(name, sizeof(name), "sys/class/powercap/%s/energy_uj", id);
	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)uj);
	fix_put(name, text);
}

static inline void zone(const char *id, const char *label, uint64_t uj)
{
	char name[128];

	snprintf(name, sizeof(name), "sys/class/powercap/%s/name", id);
	fix_put(name, label);
	snprintf(name, sizeof(name), "sys/class/powercap/%s/max_energy_range_uj", id);
	fix_put(name, RANGE);
	set_uj(id, uj);
}

static inline void client(void)
{
	zone("intel-rapl:0", "package-0\n", 1000000);
	zone("intel-rapl:0:0", "core\n", 500000);
	zone("intel-rapl:0:1", "dram\n", 200000);
	zone("intel-rapl:1", "psys\n", 9000000);
}

static inline void supply(const char *name, const char *words)
{
	char path[128], text[2048];

	snprintf(path, sizeof(path), "sys/class/power_supply/%s/uevent", name);
	to_uevent(text, sizeof(text), words);
	fix_put(path, text);
}

static inline void remove_dir(const char *name)
{
	ck_assert_int_eq(unit_remove(fix_path(name)), 0);
}

#define BATTERY "TYPE=Battery PRESENT=1 "
#define AT_10W	BATTERY "STATUS=Discharging POWER_NOW=10000000 ENERGY_NOW=50000000"

static inline void sensor(const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "sys/class/hwmon/hwmon0/%s", file);
	fix_put(path, text);
}

static inline void power_meter(const char *uw)
{
	sensor("name", "power_meter\n");
	sensor("power1_average", uw);
}

/* ---- steps ---- */

static inline void open_as(enum sm_source_kind kind)
{
	wanted.kind = kind;
	ck_assert_int_eq(sm_source_open(&p, &fix, &wanted, &why), 0);
}

static inline int refused(enum sm_source_kind kind)
{
	int err;

	wanted.kind = kind;
	err = sm_source_open(&p, &fix, &wanted, &why);
	sm_buf_chr(&why, '\0');
	return err;
}

static inline void expect_why(const char *text)
{
	ck_assert_msg(strstr(why.p, text), "'%s' is not in '%s'", text, why.p);
}

/* Compares the text that a function appends about the source. */
static inline void expect_said(void (*put)(const struct sm_source *p, struct sm_buf *b), const char *want)
{
	sm_buf_reset(&said);
	put(&p, &said);
	sm_buf_chr(&said, '\0');
	ck_assert_str_eq(said.p, want);
}

static inline void expect_described(const char *want)
{
	expect_said(sm_source_describe, want);
}

static inline void take(void)
{
	ck_assert_int_eq(sm_source_take(&p, now), 0);
}

/* A battery's second. */
static inline void second(void)
{
	now += S;
	take();
}

static inline void about(double got, double want, double share)
{
	ck_assert_msg(
		fabs(got - want) <= share * fabs(want), "%g is not about %g", got, want);
}

static inline const struct sm_source_domain *at(const char *label)
{
	for (unsigned int i = 0; i < p.all; i++)
		if (strcmp(p.domain[i].label, label) == 0)
			return &p.domain[i];
	ck_abort_msg("no domain '%s'", label);
	return NULL;
}

#endif

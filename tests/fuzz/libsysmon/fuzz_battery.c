// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_battery: uevent and the texts of /proc/acpi/battery, each into a fresh battery and
 * into one that has parsed half of it: a reading must not depend on the one before, and
 * its values must be plausible.  The level stays consistent.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "power/battery_level.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef int parser(struct sm_battery *b, const char *p, size_t n);

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void check_values(const struct sm_battery *b, int ret)
{
	require(ret == 0 || ret == -EBADMSG);
	require(b->has_rate == (b->rate_uw != 0));
	require(!b->has_rate || (b->rate_uw > 10000 && b->rate_uw <= 1000000000));
	require(b->has_voltage || b->voltage_uv == 0);
	require(!b->has_voltage || (b->voltage_uv > 0 && b->voltage_uv <= 1000000000));
	require(b->has_energy || b->energy_uwh == 0);
	require(b->has_charge || b->charge_uah == 0);
	require(b->status >= SM_BATTERY_UNKNOWN && b->status <= SM_BATTERY_FULL);
	require(!b->system || (b->type == SM_BATTERY_TYPE_BATTERY && !b->peripheral));
	if (ret < 0)
		require(!b->has_rate && !b->has_energy && !b->has_charge);
}

static void check_same(const struct sm_battery *a, const struct sm_battery *b)
{
	require(a->present == b->present && a->status == b->status);
	require(a->online == b->online);
	require(a->has_energy == b->has_energy && a->energy_uwh == b->energy_uwh);
	require(a->has_charge == b->has_charge && a->charge_uah == b->charge_uah);
}

static void check_level(struct sm_battery *b, uint64_t now_ns)
{
	uint64_t edges = b->edges, epoch = b->epoch;

	sm_battery_level_update(b, now_ns);
	require(isfinite(b->level_uj));
	require(b->edges == edges || (b->edges == edges + 1 && b->level_ns == now_ns));
	require(b->epoch == epoch ||
		(b->epoch == epoch + 1 && b->status == SM_BATTERY_DISCHARGING));
	require(!b->has_level || b->has_energy || b->has_charge || b->has_counter);
}

static void try(parser *parse, const char *text, size_t n)
{
	struct sm_battery fresh = {0}, used = {0};
	int ret;

	ret = parse(&used, text, n / 2);
	check_values(&used, ret);
	check_level(&used, 1);
	ret = parse(&fresh, text, n);
	check_values(&fresh, ret);
	require(parse(&used, text, n) == ret);
	check_values(&used, ret);
	check_same(&fresh, &used);
	check_level(&used, 2);
	check_level(&used, 3);
	require(used.level_ns != 3 || !used.level_known);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;

	try(sm_battery_text_uevent, text, size);
	try(sm_battery_text_legacy, text, size);
	return 0;
}

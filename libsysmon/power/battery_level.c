// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"
#include "power/battery_level.h"

#define UJ_OF_UWH   3600.0
#define UJ_OF_UAHUV 3.6e-3
#define BLIP_NS	    (5 * SM_NSEC_PER_SEC)

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Adds the step from last_raw to raw (in units of uj_per_unit), which is an edge. */
static void add_step(struct sm_battery *b, uint64_t raw, double uj_per_unit)
{
	uint64_t size = raw > b->last_raw ? raw - b->last_raw : b->last_raw - raw;
	double uj = (double)size * uj_per_unit;

	b->level_uj += raw > b->last_raw ? uj : -uj;
	b->quantum = common_divisor(b->quantum, size);
	b->quantum_uj = (double)b->quantum * uj_per_unit;
	b->edges++;
}

static double uj_per_unit(const struct sm_battery *b)
{
	if (b->level_is_energy)
		return UJ_OF_UWH;
	return ((double)b->voltage_uv + (double)b->last_voltage_uv) / 2 * UJ_OF_UAHUV;
}

static void set_level(struct sm_battery *b, uint64_t raw, uint64_t now_ns)
{
	if (b->level_known && raw == b->last_raw)
		return;
	if (b->level_known)
		add_step(b, raw, uj_per_unit(b));
	else
		b->quantum = 0;
	if (b->level_is_energy)
		b->level_uj = (double)raw * UJ_OF_UWH;
	b->last_raw = raw;
	b->last_voltage_uv = b->voltage_uv;
	b->level_ns = now_ns;
	b->level_known = true;
}

/* The zeros of energy and charge differ, so the first choice is kept. */
static bool find_level(struct sm_battery *b)
{
	if (!b->level_known)
		b->level_is_energy = b->has_energy;
	return b->level_is_energy ? b->has_energy : b->has_charge && b->has_voltage;
}

/* A short status of Unknown does not mean that a charger was connected. */
static bool is_blip(const struct sm_battery *b, uint64_t now_ns)
{
	return b->was_discharging && b->status == SM_BATTERY_UNKNOWN &&
	       now_ns - b->discharged_ns <= BLIP_NS;
}

void sm_battery_level_update(struct sm_battery *b, uint64_t now_ns)
{
	bool usable = b->error == 0 && b->present;
	bool discharging = usable && b->status == SM_BATTERY_DISCHARGING;

	b->epoch += discharging && !b->was_discharging;
	b->was_discharging = discharging || (usable && is_blip(b, now_ns));
	if (discharging)
		b->discharged_ns = now_ns;
	if (!usable)
		b->level_known = false;
	b->has_level = usable && find_level(b);
	if (!b->has_level)
		return;
	set_level(b, b->level_is_energy ? b->energy_uwh : b->charge_uah, now_ns);
}

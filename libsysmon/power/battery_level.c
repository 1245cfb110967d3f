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

/* Some drivers count a charge_counter upwards while the battery discharges. */
static bool rises(const struct sm_battery *b, int64_t raw)
{
	if (b->level_from == SM_BATTERY_COUNTER && b->was_discharging)
		return false;
	return raw > b->last_raw;
}

/* Adds the step from last_raw to raw (in units of uj_per_unit), which is an edge. */
static void add_step(struct sm_battery *b, int64_t raw, double uj_per_unit)
{
	uint64_t size =
		(uint64_t)(raw > b->last_raw ? raw - b->last_raw : b->last_raw - raw);
	double uj = (double)size * uj_per_unit;

	b->level_uj += rises(b, raw) ? uj : -uj;
	b->quantum = common_divisor(b->quantum, size);
	b->quantum_uj = (double)b->quantum * uj_per_unit;
	b->edges++;
}

static double uj_per_unit(const struct sm_battery *b)
{
	if (b->level_from == SM_BATTERY_ENERGY)
		return UJ_OF_UWH;
	return ((double)b->voltage_uv + (double)b->last_voltage_uv) / 2 * UJ_OF_UAHUV;
}

static void set_level(struct sm_battery *b, int64_t raw, uint64_t now_ns)
{
	if (b->level_known && raw == b->last_raw)
		return;
	if (b->level_known)
		add_step(b, raw, uj_per_unit(b));
	else
		b->quantum = 0;
	if (b->level_from == SM_BATTERY_ENERGY)
		b->level_uj = (double)raw * UJ_OF_UWH;
	b->last_raw = raw;
	b->last_voltage_uv = b->voltage_uv;
	b->level_ns = now_ns;
	b->level_known = true;
}

static uint8_t best_level(const struct sm_battery *b)
{
	if (b->has_energy)
		return SM_BATTERY_ENERGY;
	return b->has_charge ? SM_BATTERY_CHARGE : SM_BATTERY_COUNTER;
}

/* The zeros of the levels differ, so the first choice is kept. */
static bool find_level(struct sm_battery *b, int64_t *raw)
{
	uint8_t from = b->level_known ? b->level_from : best_level(b);

	b->level_from = from;
	*raw = from == SM_BATTERY_ENERGY   ? (int64_t)b->energy_uwh
	       : from == SM_BATTERY_CHARGE ? (int64_t)b->charge_uah
					   : b->counter_uah;
	if (from == SM_BATTERY_ENERGY)
		return b->has_energy;
	return b->has_voltage &&
	       (from == SM_BATTERY_CHARGE ? b->has_charge : b->has_counter);
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
	int64_t raw = 0;

	b->epoch += discharging && !b->was_discharging;
	b->was_discharging = discharging || (usable && is_blip(b, now_ns));
	if (discharging)
		b->discharged_ns = now_ns;
	if (!usable)
		b->level_known = false;
	b->has_level = usable && find_level(b, &raw);
	if (b->has_level)
		set_level(b, raw, now_ns);
}

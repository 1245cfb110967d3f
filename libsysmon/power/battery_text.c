// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "base/parse.h"
#include "power/battery_text.h"

#define UEVENT_PREFIX "POWER_SUPPLY_"
#define UA_MAX	      UINT64_C(1000000000) /* 1 kA and 1 kV: the product fits 64 bits */
#define UV_MAX	      UINT64_C(1000000000)
#define UW_MIN	      UINT64_C(1000)	      /* drivers report up to 1 mW if unknown */
#define UW_MAX	      UINT64_C(1000000000)    /* 1 kW */
#define UWH_MAX	      UINT64_C(1000000000000) /* 1 MWh, 1 MAh: fits 64 bits in uJ */
#define MILLI	      UINT64_C(1000)

struct values {
	bool any; /* a known property was found */
	bool has_power, has_current;
	uint64_t power_uw, current_ua;
};

/* ---- the rate ---- */

static bool is_rate(uint64_t uw)
{
	return uw > UW_MIN && uw <= UW_MAX;
}

static void set_rate(struct sm_battery *b, const struct values *v)
{
	uint64_t uw;

	b->has_rate = v->has_power && is_rate(v->power_uw);
	if (b->has_rate) {
		b->rate_uw = v->power_uw;
		return;
	}
	if (!v->has_current || !b->has_voltage || v->current_ua > UA_MAX)
		return;
	uw = v->current_ua * b->voltage_uv / 1000000;
	b->has_rate = is_rate(uw);
	if (b->has_rate)
		b->rate_uw = uw;
}

static void reset_values(struct sm_battery *b)
{
	b->present = true; /* unless a property is 0 or "no" */
	b->online = false;
	b->status = SM_BATTERY_UNKNOWN;
	b->has_rate = b->has_energy = b->has_charge = b->has_voltage = false;
	b->rate_uw = b->energy_uwh = b->charge_uah = b->voltage_uv = 0;
}

/* ---- values ---- */

static bool whole_i64(struct sm_str s, int64_t *out)
{
	const char *p = s.p;

	return sm_parse_i64(&p, s.p + s.n, out) && p == s.p + s.n;
}

static bool magnitude(struct sm_str s, uint64_t *out)
{
	int64_t v;

	if (!whole_i64(s, &v))
		return false;
	*out = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
	return true;
}

/* If there are several lines, the last one is used, even if its value is invalid. */
static bool quantity(struct sm_str s, uint64_t min, uint64_t max, uint64_t *out)
{
	uint64_t v;
	bool good = sm_parse_whole_u64(s, &v) && v >= min && v <= max;

	*out = good ? v : 0;
	return good;
}

static uint8_t parse_type(struct sm_str s)
{
	if (sm_parse_eq(s, "Battery"))
		return SM_BATTERY_TYPE_BATTERY;
	if (sm_parse_eq(s, "Mains") || sm_parse_starts(s, "USB") ||
		sm_parse_eq(s, "Wireless") || sm_parse_eq(s, "BrickID"))
		return SM_BATTERY_TYPE_MAINS;
	return SM_BATTERY_TYPE_OTHER;
}

static enum sm_battery_status parse_status(struct sm_str s)
{
	if (sm_parse_eq(s, "Discharging"))
		return SM_BATTERY_DISCHARGING;
	if (sm_parse_eq(s, "Charging"))
		return SM_BATTERY_CHARGING;
	if (sm_parse_eq(s, "Not charging"))
		return SM_BATTERY_NOT_CHARGING;
	if (sm_parse_eq(s, "Full"))
		return SM_BATTERY_FULL;
	return SM_BATTERY_UNKNOWN;
}

/* ---- uevent ---- */

/* Splits the line at the first sep, which is removed. */
static bool split(struct sm_str line, char sep, struct sm_str *key, struct sm_str *value)
{
	const char *at = memchr(line.p, sep, line.n);

	if (!at)
		return false;
	*key = (struct sm_str){line.p, (size_t)(at - line.p)};
	*value = (struct sm_str){at + 1, line.n - key->n - 1};
	return true;
}

static bool take_text(struct sm_battery *b, struct sm_str key, struct sm_str value)
{
	if (sm_parse_eq(key, "TYPE"))
		b->type = parse_type(value);
	else if (sm_parse_eq(key, "SCOPE"))
		b->peripheral = sm_parse_eq(value, "Device");
	else if (sm_parse_eq(key, "STATUS"))
		b->status = parse_status(value);
	else if (sm_parse_eq(key, "PRESENT"))
		b->present = !sm_parse_eq(value, "0");
	else if (sm_parse_eq(key, "ONLINE"))
		b->online = sm_parse_eq(value, "1") || sm_parse_eq(value, "2");
	else
		return false;
	return true;
}

static bool take_number(
	struct sm_battery *b, struct values *v, struct sm_str key, struct sm_str value)
{
	if (sm_parse_eq(key, "POWER_NOW"))
		v->has_power = magnitude(value, &v->power_uw);
	else if (sm_parse_eq(key, "CURRENT_NOW"))
		v->has_current = magnitude(value, &v->current_ua);
	else if (sm_parse_eq(key, "VOLTAGE_NOW"))
		b->has_voltage = quantity(value, 1, UV_MAX, &b->voltage_uv);
	else if (sm_parse_eq(key, "ENERGY_NOW"))
		b->has_energy = quantity(value, 0, UWH_MAX, &b->energy_uwh);
	else if (sm_parse_eq(key, "CHARGE_NOW"))
		b->has_charge = quantity(value, 0, UWH_MAX, &b->charge_uah);
	else
		return false;
	return true;
}

static void take_property(struct sm_battery *b, struct values *v, struct sm_str line)
{
	struct sm_str key, value;

	if (!sm_parse_starts(line, UEVENT_PREFIX) || !split(line, '=', &key, &value))
		return;
	key.p += strlen(UEVENT_PREFIX);
	key.n -= strlen(UEVENT_PREFIX);
	if (take_text(b, key, value) || take_number(b, v, key, value))
		v->any = true;
}

int sm_battery_text_uevent(struct sm_battery *b, const char *p, size_t n)
{
	const char *end = p + n;
	struct values v = {0};
	struct sm_str line;

	reset_values(b);
	while (sm_parse_line(&p, end, &line))
		take_property(b, &v, line);
	b->system = b->type == SM_BATTERY_TYPE_BATTERY && !b->peripheral;
	set_rate(b, &v);
	return v.any ? 0 : -EBADMSG;
}

/* ---- /proc/acpi/battery ---- */

/* Parses "12500 mW"; *micro is the number in thousandths of its unit. */
static bool legacy_number(struct sm_str value, uint64_t *micro, struct sm_str *unit)
{
	const char *p = value.p, *end = value.p + value.n;

	return sm_parse_u64(&p, end, micro) && sm_parse_token(&p, end, unit) &&
	       !__builtin_mul_overflow(*micro, MILLI, micro);
}

static void legacy_rate(struct values *v, struct sm_str value)
{
	struct sm_str unit;
	uint64_t micro;

	if (value.n && *value.p == '-') {
		value.p++;
		value.n--;
	}
	if (!legacy_number(value, &micro, &unit))
		return;
	v->has_power = sm_parse_eq(unit, "mW");
	v->has_current = sm_parse_eq(unit, "mA");
	v->power_uw = v->current_ua = micro;
}

static void legacy_capacity(struct sm_battery *b, struct sm_str value)
{
	struct sm_str unit;
	uint64_t micro;

	if (!legacy_number(value, &micro, &unit) || micro > UWH_MAX)
		return;
	b->has_energy = sm_parse_eq(unit, "mWh");
	b->has_charge = sm_parse_eq(unit, "mAh");
	b->energy_uwh = b->has_energy ? micro : 0;
	b->charge_uah = b->has_charge ? micro : 0;
}

static bool legacy_voltage(struct sm_str value, uint64_t *uv)
{
	struct sm_str unit;
	uint64_t micro;
	bool good = legacy_number(value, &micro, &unit) && sm_parse_eq(unit, "mV") &&
		    micro > 0 && micro <= UV_MAX;

	*uv = good ? micro : 0;
	return good;
}

static enum sm_battery_status legacy_status(struct sm_str s)
{
	if (sm_parse_eq(s, "discharging"))
		return SM_BATTERY_DISCHARGING;
	if (sm_parse_eq(s, "charging"))
		return SM_BATTERY_CHARGING;
	if (sm_parse_eq(s, "charged"))
		return SM_BATTERY_FULL;
	return SM_BATTERY_UNKNOWN;
}

static bool take_legacy(
	struct sm_battery *b, struct values *v, struct sm_str key, struct sm_str value)
{
	if (sm_parse_eq(key, "present"))
		b->present = !sm_parse_eq(value, "no");
	else if (sm_parse_eq(key, "charging state"))
		b->status = legacy_status(value);
	else if (sm_parse_eq(key, "present rate"))
		legacy_rate(v, value);
	else if (sm_parse_eq(key, "remaining capacity"))
		legacy_capacity(b, value);
	else if (sm_parse_eq(key, "present voltage"))
		b->has_voltage = legacy_voltage(value, &b->voltage_uv);
	else if (sm_parse_eq(key, "design voltage"))
		return legacy_voltage(value, &b->design_uv);
	else
		return false;
	return true;
}

static struct sm_str trim(struct sm_str s)
{
	while (s.n && sm_parse_is_blank(*s.p)) {
		s.p++;
		s.n--;
	}
	while (s.n && sm_parse_is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

int sm_battery_text_legacy(struct sm_battery *b, const char *p, size_t n)
{
	struct sm_str line, key, value;
	const char *end = p + n;
	struct values v = {0};

	reset_values(b);
	while (sm_parse_line(&p, end, &line))
		if (split(line, ':', &key, &value) &&
			take_legacy(b, &v, key, trim(value)))
			v.any = true;
	if (!b->has_voltage && b->design_uv) {
		b->voltage_uv = b->design_uv;
		b->has_voltage = true;
	}
	b->type = SM_BATTERY_TYPE_BATTERY;
	b->system = true;
	set_rate(b, &v);
	return v.any ? 0 : -EBADMSG;
}

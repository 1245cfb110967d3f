// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "base/parse.h"
#include "power/battery_text.h"

#define UEVENT_PREFIX "POWER_SUPPLY_"
#define UA_MAX	      UINT64_C(1000000000) /* 1 kA and 1 kV: the product fits 64 bits */
#define UV_MIN	      UINT64_C(500000)
#define UV_MAX	      UINT64_C(1000000000)
#define UW_MIN	      UINT64_C(10000)	      /* less is unknown, or in another unit */
#define UW_MAX	      UINT64_C(1000000000)    /* 1 kW */
#define UWH_MAX	      UINT64_C(1000000000000) /* 1 MWh, 1 MAh: fits 64 bits in uJ */
#define FULL_UAH_MAX  UINT64_C(20000)	      /* larger capacities are plausible */
#define FULL_UWH_MAX  UINT64_C(100000)
#define MILLI	      UINT64_C(1000)

enum number {
	POWER_NOW,
	POWER_AVG,
	CURRENT_NOW,
	CURRENT_AVG,
	CHARGE_COUNTER,
	VOLTAGE_NOW,
	VOLTAGE_AVG,
	VOLTAGE_MIN_DESIGN,
	VOLTAGE_MAX_DESIGN,
	ENERGY_NOW,
	ENERGY_AVG,
	ENERGY_FULL,
	ENERGY_FULL_DESIGN,
	CHARGE_NOW,
	CHARGE_AVG,
	CHARGE_FULL,
	CHARGE_FULL_DESIGN,
	CAPACITY,
	NUMBERS
};

/* Numbers of a fuel gauge; a supply without them only measures a voltage. */
#define BIT(i) (UINT64_C(1) << (i))
#define GAUGE                                                                    \
	(BIT(POWER_NOW) | BIT(POWER_AVG) | BIT(CURRENT_NOW) | BIT(CURRENT_AVG) | \
		BIT(CHARGE_COUNTER) | BIT(ENERGY_NOW) | BIT(ENERGY_AVG) |        \
		BIT(CHARGE_NOW) | BIT(CHARGE_AVG) | BIT(CAPACITY))

struct values {
	bool any; /* a known property was found */
	bool has[NUMBERS];
	int64_t n[NUMBERS];
};

/* ---- the rate ---- */

static bool is_rate(uint64_t uw)
{
	return uw > UW_MIN && uw <= UW_MAX;
}

static uint64_t magnitude(int64_t v)
{
	return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

/* Returns the power of candidate i in uW; 0: unknown. */
static uint64_t power_of(
	const struct sm_battery *b, const struct values *v, enum number i)
{
	uint64_t n = magnitude(v->n[i]);

	if (!v->has[i])
		return 0;
	if (i == POWER_NOW || i == POWER_AVG)
		return n;
	return b->has_voltage && n <= UA_MAX ? n * b->voltage_uv / 1000000 : 0;
}

static void set_rate(struct sm_battery *b, const struct values *v)
{
	for (enum number i = POWER_NOW; i <= CURRENT_AVG && !b->has_rate; i++) {
		uint64_t uw = power_of(b, v, i);

		if (!is_rate(uw))
			continue;
		b->has_rate = true;
		b->rate_uw = uw;
		b->rate_negative = v->n[i] < 0;
		b->rate_of_current = i == CURRENT_NOW || i == CURRENT_AVG;
	}
}

static void reset_values(struct sm_battery *b)
{
	b->present = true; /* unless a property is 0 or "no" */
	b->online = false;
	b->status = SM_BATTERY_UNKNOWN;
	b->has_rate = b->has_energy = b->has_charge = b->has_voltage = false;
	b->has_counter = b->rate_negative = b->voltage_is_design = b->above_full = false;
	b->rate_uw = b->energy_uwh = b->charge_uah = b->voltage_uv = 0;
	b->counter_uah = 0;
	b->odd = b->odd_unit = NULL;
	b->odd_value = 0;
}

/* ---- values ---- */

static bool whole_i64(struct sm_str s, int64_t *out)
{
	const char *p = s.p;

	return sm_parse_i64(&p, s.p + s.n, out) && p == s.p + s.n;
}

/* Sets *out to the first of the numbers that is within the limits. */
static bool first_of(const struct values *v, enum number now, enum number avg,
	uint64_t min, uint64_t max, uint64_t *out)
{
	for (enum number i = now; i <= avg; i++) {
		if (!v->has[i] || v->n[i] < 0 || (uint64_t)v->n[i] < min ||
			(uint64_t)v->n[i] > max)
			continue;
		*out = (uint64_t)v->n[i];
		return true;
	}
	return false;
}

static uint64_t capacity(const struct values *v, enum number full)
{
	uint64_t a = 0, b = 0;

	(void)(first_of(v, full, full, 1, UWH_MAX, &a) +
		first_of(v, full + 1, full + 1, 1, UWH_MAX, &b));
	return a > b ? a : b;
}

static void set_odd(
	struct sm_battery *b, const char *what, uint64_t value, const char *unit)
{
	b->odd = what;
	b->odd_value = value;
	b->odd_unit = unit;
}

/* A voltage that was reported once is only unknown for a moment if it is absent. */
static void use_design_voltage(struct sm_battery *b)
{
	b->voltage_seen |= b->has_voltage;
	if (b->has_voltage || b->voltage_seen || !b->design_uv)
		return;
	b->voltage_uv = b->design_uv;
	b->has_voltage = b->voltage_is_design = true;
}

static void set_voltage(struct sm_battery *b, const struct values *v)
{
	uint64_t uv;

	b->has_voltage =
		first_of(v, VOLTAGE_NOW, VOLTAGE_AVG, UV_MIN, UV_MAX, &b->voltage_uv);
	if (!b->has_voltage && first_of(v, VOLTAGE_NOW, VOLTAGE_AVG, 1, UV_MIN, &uv))
		set_odd(b, "voltage", uv, "uV");
	if (!first_of(v, VOLTAGE_MIN_DESIGN, VOLTAGE_MAX_DESIGN, UV_MIN, UV_MAX,
		    &b->design_uv))
		b->design_uv = 0;
	use_design_voltage(b);
}

/* Sets a level, unless it exceeds the capacity. */
static bool set_one_level(struct sm_battery *b, const struct values *v, enum number now,
	enum number full, uint64_t *out)
{
	uint64_t max = capacity(v, full), level;

	if (!first_of(v, now, now + 1, 0, UWH_MAX, &level))
		return false;
	if (max && level > max + max / 4) {
		b->above_full = true;
		return false;
	}
	*out = level;
	return true;
}

static void set_levels(struct sm_battery *b, const struct values *v)
{
	uint64_t uah = capacity(v, CHARGE_FULL), uwh = capacity(v, ENERGY_FULL);

	if (uah && uah <= FULL_UAH_MAX)
		set_odd(b, "capacity", uah, "uAh");
	if (uwh && uwh <= FULL_UWH_MAX)
		set_odd(b, "capacity", uwh, "uWh");
	if (b->odd)
		return;
	b->has_energy = set_one_level(b, v, ENERGY_NOW, ENERGY_FULL, &b->energy_uwh);
	b->has_charge = set_one_level(b, v, CHARGE_NOW, CHARGE_FULL, &b->charge_uah);
	b->has_counter =
		v->has[CHARGE_COUNTER] && magnitude(v->n[CHARGE_COUNTER]) <= UWH_MAX;
	if (b->has_counter)
		b->counter_uah = v->n[CHARGE_COUNTER];
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

#define NAME(literal)                        \
	{                                    \
		literal, sizeof(literal) - 1 \
	}

static bool take_number(
	struct sm_battery *b, struct values *v, struct sm_str key, struct sm_str value)
{
	static const struct sm_str names[NUMBERS] = {[POWER_NOW] = NAME("POWER_NOW"),
		[POWER_AVG] = NAME("POWER_AVG"),
		[CURRENT_NOW] = NAME("CURRENT_NOW"),
		[CURRENT_AVG] = NAME("CURRENT_AVG"),
		[CHARGE_COUNTER] = NAME("CHARGE_COUNTER"),
		[VOLTAGE_NOW] = NAME("VOLTAGE_NOW"),
		[VOLTAGE_AVG] = NAME("VOLTAGE_AVG"),
		[VOLTAGE_MIN_DESIGN] = NAME("VOLTAGE_MIN_DESIGN"),
		[VOLTAGE_MAX_DESIGN] = NAME("VOLTAGE_MAX_DESIGN"),
		[ENERGY_NOW] = NAME("ENERGY_NOW"),
		[ENERGY_AVG] = NAME("ENERGY_AVG"),
		[ENERGY_FULL] = NAME("ENERGY_FULL"),
		[ENERGY_FULL_DESIGN] = NAME("ENERGY_FULL_DESIGN"),
		[CHARGE_NOW] = NAME("CHARGE_NOW"),
		[CHARGE_AVG] = NAME("CHARGE_AVG"),
		[CHARGE_FULL] = NAME("CHARGE_FULL"),
		[CHARGE_FULL_DESIGN] = NAME("CHARGE_FULL_DESIGN"),
		[CAPACITY] = NAME("CAPACITY")};

	for (enum number i = 0; i < NUMBERS; i++) {
		if (key.n != names[i].n || memcmp(key.p, names[i].p, key.n) != 0)
			continue;
		/* If there are several lines, the last one is used, even if it is
		 * invalid. */
		v->has[i] = whole_i64(value, &v->n[i]);
		b->is_gauge |= GAUGE >> i & 1;
		return true;
	}
	return false;
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
	set_voltage(b, &v);
	set_levels(b, &v);
	if (!b->odd)
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
	v->has[POWER_NOW] = sm_parse_eq(unit, "mW") && micro <= INT64_MAX;
	v->has[CURRENT_NOW] = sm_parse_eq(unit, "mA") && micro <= INT64_MAX;
	v->n[POWER_NOW] = v->n[CURRENT_NOW] = (int64_t)micro;
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
	use_design_voltage(b);
	b->is_gauge = true;
	b->type = SM_BATTERY_TYPE_BATTERY;
	b->system = true;
	set_rate(b, &v);
	return v.any ? 0 : -EBADMSG;
}

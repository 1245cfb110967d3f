// SPDX-License-Identifier: GPL-2.0-or-later
/* labps: power supplies in the variants found in drivers, each with a known power:
 *
 *	power    12.5 W by power_now
 *	current  10 W by current_now, which is negative, and voltage_now
 *	both      7.5 W by power_now and by current_now, both negative
 *	energy   15 W, visible only in energy_now, in steps of 10 mWh
 *	mouse     3 W, with the scope Device
 *	mains    unplugged; writing its parameter sends the event that drivers send
 *
 * With the mains plugged in none discharges.  devices= names those to register. */
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/power_supply.h>
#include <linux/spinlock.h>

#define SUPPLIES 6

static char *devices[SUPPLIES];
static int ndevices;
module_param_array(devices, charp, &ndevices, 0444);
MODULE_PARM_DESC(devices, "power, current, both, energy, mouse, mains");

static DEFINE_SPINLOCK(lock);
static bool mains;
static u64 drained_ns, since_ns; /* time without mains, up to since_ns */

struct supply {
	const char *name;
	s32 mw, mv; /* mw < 0: so it is shown */
	u64 start_uwh;
	u64 step_uwh;
	struct power_supply_desc desc;
	struct power_supply *psy;
};

static u64 now_drained_ns(void)
{
	u64 now = ktime_get_ns(), sum;

	spin_lock(&lock);
	if (!mains)
		drained_ns += now - since_ns;
	since_ns = now;
	sum = drained_ns;
	spin_unlock(&lock);
	return sum;
}

static s64 energy_uwh(const struct supply *s)
{
	u64 left = s->start_uwh -
		   mul_u64_u64_div_u64(now_drained_ns(), abs(s->mw), 3600000000ULL);

	return left - left % s->step_uwh;
}

static s64 value_of(const struct supply *s, enum power_supply_property property)
{
	switch (property) {
	case POWER_SUPPLY_PROP_STATUS:
		return mains ? POWER_SUPPLY_STATUS_NOT_CHARGING
			     : POWER_SUPPLY_STATUS_DISCHARGING;
	case POWER_SUPPLY_PROP_PRESENT:
		return 1;
	case POWER_SUPPLY_PROP_SCOPE:
		return POWER_SUPPLY_SCOPE_DEVICE;
	case POWER_SUPPLY_PROP_ONLINE:
		return mains;
	case POWER_SUPPLY_PROP_POWER_NOW:
		return mains ? 0 : s->mw * 1000;
	case POWER_SUPPLY_PROP_CURRENT_NOW:
		return mains ? 0 : div_s64(s->mw * 1000000LL, s->mv);
	case POWER_SUPPLY_PROP_VOLTAGE_NOW:
		return s->mv * 1000;
	case POWER_SUPPLY_PROP_ENERGY_FULL:
		return 60000000;
	case POWER_SUPPLY_PROP_ENERGY_NOW:
		return energy_uwh(s);
	case POWER_SUPPLY_PROP_CAPACITY:
		return div_s64(energy_uwh(s), 600000);
	default:
		return -EINVAL;
	}
}

static int get_property(struct power_supply *psy, enum power_supply_property property,
	union power_supply_propval *value)
{
	value->intval = value_of(power_supply_get_drvdata(psy), property);
	return 0;
}

#define PROPERTIES(...)                                                               \
	.properties = (const enum power_supply_property[]){__VA_ARGS__},              \
	.num_properties = sizeof((const enum power_supply_property[]){__VA_ARGS__}) / \
			  sizeof(enum power_supply_property),                         \
	.get_property = get_property
#define BATTERY(label, ...)                                                     \
	.desc = {                                                               \
		.name = label,                                                  \
		.type = POWER_SUPPLY_TYPE_BATTERY,                              \
		PROPERTIES(POWER_SUPPLY_PROP_STATUS, POWER_SUPPLY_PROP_PRESENT, \
			__VA_ARGS__),                                           \
	}

static struct supply supplies[SUPPLIES] = {
	{"power", 12500, 11400, 40000000, 10000,
		BATTERY("LAB0", POWER_SUPPLY_PROP_VOLTAGE_NOW,
			POWER_SUPPLY_PROP_POWER_NOW, POWER_SUPPLY_PROP_ENERGY_FULL,
			POWER_SUPPLY_PROP_ENERGY_NOW)},
	{"current", -10000, 8000, 40000000, 10000,
		BATTERY("LAB1", POWER_SUPPLY_PROP_VOLTAGE_NOW,
			POWER_SUPPLY_PROP_CURRENT_NOW)},
	{"both", -7500, 10000, 40000000, 10000,
		BATTERY("LAB2", POWER_SUPPLY_PROP_VOLTAGE_NOW,
			POWER_SUPPLY_PROP_CURRENT_NOW, POWER_SUPPLY_PROP_POWER_NOW)},
	{"energy", 15000, 12000, 50000000, 10000,
		BATTERY("LAB3", POWER_SUPPLY_PROP_ENERGY_FULL,
			POWER_SUPPLY_PROP_ENERGY_NOW)},
	{"mouse", 3000, 1500, 2000000, 1000,
		BATTERY("LABMOUSE", POWER_SUPPLY_PROP_SCOPE, POWER_SUPPLY_PROP_POWER_NOW,
			POWER_SUPPLY_PROP_CAPACITY)},
	{"mains", 0, 20000, 0, 1,
		.desc = {.name = "LABAC",
			.type = POWER_SUPPLY_TYPE_MAINS,
			PROPERTIES(POWER_SUPPLY_PROP_ONLINE)}},
};

static int set_mains(const char *value, const struct kernel_param *kp)
{
	bool on;
	int i, r = kstrtobool(value, &on);

	if (r)
		return r;
	now_drained_ns();
	mains = on;
	for (i = 0; i < SUPPLIES; i++)
		if (supplies[i].psy)
			power_supply_changed(supplies[i].psy);
	return 0;
}

static const struct kernel_param_ops mains_ops = {
	.set = set_mains, .get = param_get_bool};
module_param_cb(mains, &mains_ops, &mains, 0644);
MODULE_PARM_DESC(mains, "plugged in");

static struct supply *find_supply(const char *name)
{
	int i;

	for (i = 0; i < SUPPLIES; i++)
		if (!strcmp(supplies[i].name, name))
			return &supplies[i];
	return NULL;
}

static int add_supply(struct supply *s)
{
	struct power_supply_config config = {.drv_data = s};
	struct power_supply *psy;

	if (!s || s->psy)
		return -EINVAL;
	psy = power_supply_register(NULL, &s->desc, &config);
	if (IS_ERR(psy))
		return PTR_ERR(psy);
	s->psy = psy;
	return 0;
}

static void labps_exit(void)
{
	int i;

	for (i = 0; i < SUPPLIES; i++) {
		struct power_supply *psy = supplies[i].psy;

		supplies[i].psy = NULL;
		if (psy)
			power_supply_unregister(psy);
	}
}

static int labps_init(void)
{
	int i, r = 0;

	since_ns = ktime_get_ns();
	for (i = 0; i < ndevices && !r; i++)
		r = add_supply(find_supply(devices[i]));
	if (r)
		labps_exit();
	return r;
}

module_init(labps_init);
module_exit(labps_exit);
MODULE_DESCRIPTION("Power supplies of known powers");
MODULE_LICENSE("GPL");

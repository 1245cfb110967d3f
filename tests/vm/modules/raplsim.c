// SPDX-License-Identifier: GPL-2.0-or-later
/* raplsim: the powercap tree of a machine with two sockets, with known powers: every
 * counter is an exact function of the monotonic clock.
 *
 *	package-0         20 W (core 12, uncore 3), dram 5 W
 *	package-1         22 W (core 14, uncore 2), dram 7 W
 *	psys              60 W
 *	intel-rapl-mmio   both packages again
 *
 * With busy_mw= package-1 takes that much more for each CPU that is not idle, by the
 *kernel's own idle clocks.  The total, packages and drams, is 54 W.  As on real machines
 *a zone's number is not its package's, and psys lies between the packages. */
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/powercap.h>
#include <linux/tick.h>

static unsigned long long range_uj = 262143328850ULL;
module_param(range_uj, ullong, 0444);
MODULE_PARM_DESC(range_uj, "the last value before 0");
static long glitch_uj;
module_param(glitch_uj, long, 0644);
MODULE_PARM_DESC(glitch_uj, "added to package-0's counter");
static bool mmio_dead;
module_param(mmio_dead, bool, 0444);
MODULE_PARM_DESC(mmio_dead, "the counters of intel-rapl-mmio stand still");

static uint busy_mw;
module_param(busy_mw, uint, 0444);
MODULE_PARM_DESC(busy_mw, "power of each busy CPU, in package-1");

enum { RAPL, MMIO, TYPES };
static const char *const type_name[TYPES] = {"intel-rapl", "intel-rapl-mmio"};
static struct powercap_control_type *type[TYPES];

static struct sim_zone {
	int type, parent; /* parent: index of one above, -1: none */
	const char *name;
	u32 mw;
	u64 start_uj;
	bool glitches;
	bool busy;
	struct powercap_zone *pz;
} zones[] = {
	{RAPL, -1, "package-1", 22000, 123456789, false, true},
	{RAPL, -1, "psys", 60000, 77},
	{RAPL, -1, "package-0", 20000, 5000000000ULL, true},
	{RAPL, 0, "uncore", 2000, 1},
	{RAPL, 0, "dram", 7000, 900000000},
	{RAPL, 0, "core", 14000, 2},
	{RAPL, 2, "core", 12000, 3},
	{RAPL, 2, "dram", 5000, 4},
	{RAPL, 2, "uncore", 3000, 5},
	{MMIO, -1, "package-0", 20000, 6},
	{MMIO, -1, "package-1", 22000, 7},
};

static u64 begun_ns;

static int get_range(struct powercap_zone *pz, u64 *uj)
{
	*uj = range_uj;
	return 0;
}

/* Of all CPUs since the boot; one that is offline counts as busy. */
static u64 busy_ns(void)
{
	u64 now_us = ktime_to_us(ktime_get()), sum_us = 0;
	int cpu;

	for_each_possible_cpu(cpu) sum_us += now_us - get_cpu_idle_time_us(cpu, NULL);
	return sum_us * 1000;
}

static int get_energy(struct powercap_zone *pz, u64 *uj)
{
	const struct sim_zone *z = powercap_get_zone_data(pz);
	u64 sum = z->start_uj;

	if (z->type != MMIO || !mmio_dead)
		sum += mul_u64_u64_div_u64(ktime_get_ns() - begun_ns, z->mw, 1000000);
	if (z->busy && busy_mw)
		sum += mul_u64_u64_div_u64(busy_ns(), busy_mw, 1000000);
	if (z->glitches)
		sum += READ_ONCE(glitch_uj);
	div64_u64_rem(sum, range_uj + 1, uj);
	return 0;
}

static const struct powercap_zone_ops zone_ops = {
	.get_max_energy_range_uj = get_range,
	.get_energy_uj = get_energy,
};

static int get_limit(struct powercap_zone *pz, int id, u64 *uw)
{
	*uw = 65000000;
	return 0;
}

static int get_max(struct powercap_zone *pz, int id, u64 *uw)
{
	*uw = 80000000;
	return 0;
}

static int get_window(struct powercap_zone *pz, int id, u64 *us)
{
	*us = 27983872;
	return 0;
}

static int set_nothing(struct powercap_zone *pz, int id, u64 value)
{
	return -EPERM;
}

static const char *get_name(struct powercap_zone *pz, int id)
{
	return "long_term";
}

static const struct powercap_zone_constraint_ops constraint_ops = {
	.set_power_limit_uw = set_nothing,
	.get_power_limit_uw = get_limit,
	.set_time_window_us = set_nothing,
	.get_time_window_us = get_window,
	.get_max_power_uw = get_max,
	.get_name = get_name,
};

static int add_zone(struct sim_zone *z)
{
	struct powercap_zone *parent = z->parent < 0 ? NULL : zones[z->parent].pz;
	struct powercap_zone *pz = powercap_register_zone(NULL, type[z->type], z->name,
		parent, &zone_ops, z->parent < 0, &constraint_ops);

	if (IS_ERR(pz))
		return PTR_ERR(pz);
	powercap_set_zone_data(pz, z);
	z->pz = pz;
	return 0;
}

static void raplsim_exit(void)
{
	int i;

	for (i = ARRAY_SIZE(zones) - 1; i >= 0; i--)
		if (zones[i].pz)
			powercap_unregister_zone(type[zones[i].type], zones[i].pz);
	for (i = 0; i < TYPES; i++)
		if (!IS_ERR_OR_NULL(type[i]))
			powercap_unregister_control_type(type[i]);
}

static int raplsim_init(void)
{
	int i, r = 0;

	begun_ns = ktime_get_ns();
	for (i = 0; i < TYPES && !r; i++) {
		type[i] = powercap_register_control_type(NULL, type_name[i], NULL);
		r = PTR_ERR_OR_ZERO(type[i]);
	}
	for (i = 0; i < ARRAY_SIZE(zones) && !r; i++)
		r = add_zone(&zones[i]);
	if (r)
		raplsim_exit();
	return r;
}

module_init(raplsim_init);
module_exit(raplsim_exit);
MODULE_DESCRIPTION("A powercap tree of known powers");
MODULE_LICENSE("GPL");

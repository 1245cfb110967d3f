// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "fixroot_rig.h"
#include "proc/host.h"

static struct sm_host h;

static void setup(void)
{
	fix_open();
	fix_mkdir("sys");
}

static void teardown(void)
{
	fix_close();
}

static void look(void)
{
	sm_host_read(&h, &fix);
}

START_TEST(nothing_is_known)
{
	look();
	ck_assert(!h.has_cpu && !h.guest && !h.container);
	ck_assert_str_eq(h.vendor, "");
}
END_TEST

START_TEST(processor)
{
	fix_put("proc/cpuinfo",
		"processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
		"model\t\t: 142\nmodel name\t: Intel(R) 23\nflags\t\t: fpu vme\n\n"
		"processor\t: 1\nvendor_id\t: Other\nflags\t\t: hypervisor\n");
	look();
	ck_assert(h.has_cpu && !h.guest);
	ck_assert_str_eq(h.vendor, "GenuineIntel");
	ck_assert_uint_eq(h.family, 6);
	ck_assert_uint_eq(h.model, 142);
}
END_TEST

START_TEST(processors_of_other_machines)
{
	fix_put("proc/cpuinfo",
		"processor\t: 0\nBogoMIPS\t: 48.00\nCPU implementer\t: 0x41\n");
	look();
	ck_assert(h.has_cpu);
	ck_assert_str_eq(h.vendor, "");
	fix_put("proc/cpuinfo", "vendor_id       : IBM/S390\n# processors    : 2\n");
	look();
	ck_assert_str_eq(h.vendor, "");
}
END_TEST

START_TEST(guest_by_its_processor)
{
	fix_put("proc/cpuinfo", "vendor_id : AuthenticAMD\ncpu family : 25\nmodel : 1\n"
				"flags : fpu hypervisor lahf_lm\n");
	look();
	ck_assert(h.guest);
	ck_assert_str_eq(h.hypervisor, "");
	fix_put("proc/cpuinfo", "flags : fpu nohypervisor hypervisors\n");
	look();
	ck_assert(!h.guest);
}
END_TEST

START_TEST(guests_by_name)
{
	fix_put("sys/class/dmi/id/sys_vendor", "QEMU\n");
	look();
	ck_assert(h.guest);
	ck_assert_str_eq(h.hypervisor, "QEMU");
	fix_put("sys/hypervisor/type", "xen\n");
	look();
	ck_assert_str_eq(h.hypervisor, "xen");
}
END_TEST

START_TEST(guest_by_its_product)
{
	fix_put("sys/class/dmi/id/sys_vendor", "Microsoft Corporation\n");
	fix_put("sys/class/dmi/id/product_name", "Surface\n");
	look();
	ck_assert(!h.guest);
	fix_put("sys/class/dmi/id/product_name", "Virtual Machine\n");
	look();
	ck_assert(h.guest);
}
END_TEST

START_TEST(guest_by_device_tree)
{
	fix_put("sys/firmware/devicetree/base/hypervisor/compatible", "linux,kvm");
	look();
	ck_assert(h.guest);
	ck_assert_str_eq(h.hypervisor, "linux,kvm");
}
END_TEST

#define MOUNTS(points) "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n" points

START_TEST(containers)
{
	fix_put("proc/self/mountinfo",
		MOUNTS("23 22 0:21 / /sys rw,nosuid - sysfs sysfs rw\n"
		       "24 23 0:22 / /sys/fs/cgroup ro - cgroup2 c rw\n"));
	look();
	ck_assert(!h.container);
	fix_put("proc/self/mountinfo",
		MOUNTS("23 22 0:21 / /sys ro,nosuid - sysfs sysfs ro\n"));
	look();
	ck_assert(h.container);
	fix_put("proc/self/mountinfo",
		MOUNTS("23 22 0:21 / /sys rw - sysfs sysfs rw\n"
		       "30 23 0:30 / /sys/devices/virtual/powercap ro - tmpfs tmpfs "
		       "ro\n"));
	look();
	ck_assert(h.container);
	fix_put("proc/self/mountinfo",
		MOUNTS("23 22 0:21 / /sys rosy - sysfs sysfs rw\nshort\n"));
	look();
	ck_assert(!h.container);
}
END_TEST

static TCase *tc_host(void)
{
	TCase *tc = tcase_create("host");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, nothing_is_known);
	tcase_add_test(tc, processor);
	tcase_add_test(tc, processors_of_other_machines);
	tcase_add_test(tc, guest_by_its_processor);
	tcase_add_test(tc, guests_by_name);
	tcase_add_test(tc, guest_by_its_product);
	tcase_add_test(tc, guest_by_device_tree);
	tcase_add_test(tc, containers);
	return tc;
}

UNIT_MAIN("host", tc_host)

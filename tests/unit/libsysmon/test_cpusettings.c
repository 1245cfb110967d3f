// SPDX-License-Identifier: GPL-2.0-or-later
/* Machines as their kernels print them, and files with other content. */
#include "fixroot_rig.h"
#include "proc/cpusettings.h"

#define CPUS "sys/devices/system/cpu/"

static struct sm_cpusettings s;

static void setup(void)
{
	fix_open();
}

static void teardown(void)
{
	fix_close();
}

static void put_cpu(unsigned int cpu, const char *name, const char *text)
{
	char path[96];

	snprintf(path, sizeof(path), CPUS "cpu%u/cpufreq/%s", cpu, name);
	fix_put(path, text);
}

static void model_is(const char *cpuinfo, const char *want)
{
	fix_put("proc/cpuinfo", cpuinfo);
	sm_cpusettings_read(&s, &fix);
	ck_assert_str_eq(s.model, want);
}

START_TEST(an_empty_machine)
{
	sm_cpusettings_read(&s, &fix);
	ck_assert_str_eq(s.model, "");
	ck_assert_str_eq(s.driver, "");
	ck_assert_str_eq(s.governor, "");
	ck_assert_str_eq(s.epp, "");
	ck_assert_ptr_null(sm_cpusettings_turbo(&s));
}
END_TEST

START_TEST(models)
{
	model_is("processor\t: 0\ncpu family\t: 6\nmodel\t\t: 142\n"
		 "model name\t: Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz\n\n"
		 "processor\t: 1\nmodel name\t: Intel(R) Core(TM) i7-8650U CPU @ "
		 "1.90GHz\n",
		"Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz");
	model_is("processor\t: 0\ncpu\t\t: POWER9, altivec supported\n\n"
		 "processor\t: 1\ncpu\t\t: POWER9, altivec supported\n",
		"POWER9, altivec supported");
	model_is("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd05\n\n"
		 "processor\t: 1\nCPU implementer\t: 0x41\nCPU part\t: 0xd0a\n\n"
		 "processor\t: 2\nCPU implementer\t: 0x41\nCPU part\t: 0xd05\n",
		"implementer 0x41 part 0xd05, implementer 0x41 part 0xd0a");
	/* 32-bit ARM prints both */
	model_is("model name\t: ARMv7 Processor rev 3 (v7l)\nCPU implementer\t: 0x41\n"
		 "CPU part\t: 0xc07\n",
		"ARMv7 Processor rev 3 (v7l)");
	model_is("processor\t: 0\nisa\t: rv64imafdc\nuarch\t: sifive,u74-mc\n",
		"sifive,u74-mc");
	model_is("CPU part\t: 0xd05\nno colon\n:\nmodel name\t:\n", "");
}
END_TEST

/* "A, B" contains A and B, and neither "A, " nor a part of them. */
START_TEST(each_value_once)
{
	model_is("model name: AB\nmodel name: A\nmodel name: B\nmodel name: AB\n"
		 "model name: A\n",
		"AB, A, B");
}
END_TEST

START_TEST(a_long_model)
{
	char line[400] = "model name: ";

	memset(line + 12, 'x', 300);
	line[312] = '\n';
	fix_put("proc/cpuinfo", line);
	sm_cpusettings_read(&s, &fix);
	ck_assert_uint_eq(strlen(s.model), SM_CPUSETTINGS_TEXT - 1);
}
END_TEST

/* Only CPUs that are online count. */
START_TEST(governors)
{
	fix_put(CPUS "online", "0,2\n");
	put_cpu(0, "scaling_driver", "intel_pstate\n");
	put_cpu(0, "scaling_governor", "powersave\n");
	put_cpu(0, "energy_performance_preference", "balance_performance\n");
	put_cpu(1, "scaling_governor", "userspace\n");
	put_cpu(2, "scaling_driver", "intel_pstate\n");
	put_cpu(2, "scaling_governor", "performance\n");
	put_cpu(2, "energy_performance_preference", "balance_performance\n");
	sm_cpusettings_read(&s, &fix);
	ck_assert_str_eq(s.driver, "intel_pstate");
	ck_assert_str_eq(s.governor, "powersave, performance");
	ck_assert_str_eq(s.epp, "balance_performance");
}
END_TEST

static void turbo_is(const char *want)
{
	sm_cpusettings_read(&s, &fix);
	if (want)
		ck_assert_str_eq(sm_cpusettings_turbo(&s), want);
	else
		ck_assert_ptr_null(sm_cpusettings_turbo(&s));
}

START_TEST(turbo)
{
	fix_put(CPUS "online", "0-1\n");
	fix_put(CPUS "cpufreq/boost", "0\n");
	turbo_is("off");
	fix_put(CPUS "cpufreq/boost", "1\n");
	turbo_is("on");
	fix_put(CPUS "intel_pstate/no_turbo", "1\n");
	turbo_is("off");
	fix_put(CPUS "intel_pstate/no_turbo", "0\n");
	turbo_is("on");
	fix_put(CPUS "intel_pstate/no_turbo", "x\n");
	fix_put(CPUS "cpufreq/boost", "2\n");
	turbo_is(NULL);
}
END_TEST

START_TEST(turbo_of_each_cpu)
{
	fix_put(CPUS "online", "0-1\n");
	put_cpu(0, "boost", "1\n");
	put_cpu(1, "boost", "1\n");
	turbo_is("on");
	put_cpu(1, "boost", "0\n");
	turbo_is("mixed");
	put_cpu(0, "boost", "0\n");
	turbo_is("off");
	put_cpu(0, "boost", "1\n");
	fix_put(CPUS "cpufreq/boost", "0\n");
	turbo_is("off");
}
END_TEST

static TCase *tc_cpusettings(void)
{
	TCase *tc = tcase_create("cpusettings");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, an_empty_machine);
	tcase_add_test(tc, models);
	tcase_add_test(tc, each_value_once);
	tcase_add_test(tc, a_long_model);
	tcase_add_test(tc, governors);
	tcase_add_test(tc, turbo);
	tcase_add_test(tc, turbo_of_each_cpu);
	return tc;
}

UNIT_MAIN("cpusettings", tc_cpusettings)

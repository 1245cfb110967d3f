// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <sys/resource.h>

#include "proc/cpufreq.h"
#include "proc/cpulist.h"
#include "fixroot_rig.h"

static struct sm_cpufreq f;

static void setup(void)
{
	fix_open();
	f = (struct sm_cpufreq){0};
}

static void teardown(void)
{
	fix_close();
}

static void online(const char *list)
{
	fix_put("sys/devices/system/cpu/online", list);
}

static const char *freq_name(unsigned int cpu)
{
	static char name[80];

	snprintf(name, sizeof(name),
		"sys/devices/system/cpu/cpu%u/cpufreq/scaling_cur_freq", cpu);
	return name;
}

static void freq(unsigned int cpu, const char *khz)
{
	fix_put(freq_name(cpu), khz);
}

static int read_freqs(void)
{
	int ret = sm_cpufreq_read(&f);

	ck_assert_int_eq(ret, f.valid ? 0 : -ENODATA);
	return ret;
}

START_TEST(means)
{
	online("0-1,3\n");
	freq(0, "1000000\n");
	freq(1, "4000000\n");
	freq(3, "2000000");
	ck_assert_int_eq(sm_cpufreq_open(&f, &fix), 0);
	ck_assert_int_eq(read_freqs(), 0);
	ck_assert_uint_eq(f.ncpu, 4);
	ck_assert_uint_eq(f.valid, 3);
	ck_assert_uint_eq(f.cpu[0].khz, 1000000);
	ck_assert_uint_eq(f.cpu[1].khz, 4000000);
	ck_assert_uint_eq(f.cpu[2].khz, 0);
	ck_assert_uint_eq(f.cpu[3].khz, 2000000);
	ck_assert_double_eq_tol(f.mean_khz, 7000000.0 / 3, 1e-6);
	/* as it changes */
	freq(1, "1000000\n");
	freq(3, "1000000\n");
	ck_assert_int_eq(read_freqs(), 0);
	ck_assert_double_eq_tol(f.mean_khz, 1000000, 1e-6);
	sm_cpufreq_close(&f);
}
END_TEST

/* Drivers say -1, 0 and other things when they do not know. */
START_TEST(implausible_is_absent)
{
	static const char *const bad[] = {"-1\n", "0\n", "", "\n", "<unknown>\n",
		"100000001\n", "18446744073709551615\n", "18446744073709551616\n",
		"4294967295\n", "1000000x\n", " 1000000\n", "1000000\n1\n", "+5\n",
		"0x10\n", "1e6\n",
		"00000000000000000000000000000000000000000001000000\n"};
	const char *buf;

	online("0-1\n");
	freq(0, "3000000\n");
	freq(1, "100000000\n");
	ck_assert_int_eq(sm_cpufreq_open(&f, &fix), 0);
	ck_assert_int_eq(read_freqs(), 0);
	ck_assert_uint_eq(f.valid, 2);
	ck_assert_uint_eq(f.cpu[1].khz, 100000000);
	buf = (const char *)f.cpu;
	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++) {
		freq(1, bad[i]);
		ck_assert_int_eq(read_freqs(), 0);
		ck_assert_msg(f.valid == 1 && f.cpu[1].khz == 0, "'%s'", bad[i]);
		ck_assert_double_eq_tol(f.mean_khz, 3000000, 1e-6);
	}
	freq(0, "-1\n");
	ck_assert_int_eq(read_freqs(), -ENODATA);
	ck_assert(f.mean_khz == 0);
	freq(1, "5\n");
	ck_assert_int_eq(read_freqs(), 0);
	ck_assert_double_eq(f.mean_khz, 5);
	ck_assert_ptr_eq(f.cpu, buf);
	sm_cpufreq_close(&f);
}
END_TEST

START_TEST(no_cpufreq)
{
	struct sm_root none = SM_ROOT_INIT;

	ck_assert_int_eq(sm_cpufreq_open(&f, &none), -ENOENT);
	sm_cpufreq_close(&f);
	ck_assert_int_eq(sm_cpufreq_open(&f, &fix), -ENOENT);
	sm_cpufreq_close(&f);
	sm_cpufreq_close(&f);
	online("0-3\n");
	ck_assert_int_eq(sm_cpufreq_open(&f, &fix), -ENOENT);
	freq(3, "-1\n"); /* a driver that fails may work later */
	ck_assert_int_eq(sm_cpufreq_open(&f, &fix), 0);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(read_freqs(), -ENODATA);
	online("junk\n");
	ck_assert_int_eq(sm_cpufreq_read(&f), -EBADMSG);
	sm_cpufreq_close(&f);
}
END_TEST

static void check_khz(uint64_t cpu0, uint64_t cpu1, uint64_t cpu2)
{
	(void)read_freqs();
	ck_assert_uint_eq(f.cpu[0].khz, cpu0);
	ck_assert_uint_eq(f.cpu[1].khz, cpu1);
	ck_assert_uint_eq(f.cpu[2].khz, cpu2);
	ck_assert_uint_eq(f.valid, (cpu0 > 0) + (cpu1 > 0) + (cpu2 > 0));
}

START_TEST(hotplug)
{
	online("0-2\n");
	freq(0, "10\n");
	freq(1, "11\n");
	ck_assert_int_eq(sm_cpufreq_open(&f, &fix), 0);
	check_khz(10, 11, 0);
	/* a file that comes later is not looked for, unless its CPU went and came */
	freq(2, "12\n");
	check_khz(10, 11, 0);
	/* an offline CPU has none, even where its policy's file still answers */
	online("0\n");
	check_khz(10, 0, 0);
	ck_assert_int_eq(f.cpu[1].fd, -1);
	online("0-2\n");
	check_khz(10, 11, 12);
	sm_cpufreq_close(&f);
}
END_TEST

START_TEST(a_cpu_is_added)
{
	online("0\n");
	freq(0, "10\n");
	freq(100, "30\n");
	ck_assert_int_eq(sm_cpufreq_open(&f, &fix), 0);
	ck_assert_int_eq(read_freqs(), 0);
	ck_assert_uint_eq(f.ncpu, 1);
	online("0,100\n");
	ck_assert_int_eq(read_freqs(), 0);
	ck_assert_uint_eq(f.ncpu, 101);
	ck_assert_uint_eq(f.valid, 2);
	ck_assert_double_eq_tol(f.mean_khz, 20, 1e-9);
	online("0\n");
	ck_assert_int_eq(read_freqs(), 0);
	ck_assert_uint_eq(f.valid, 1);
	ck_assert_uint_eq(f.ncpu, 101);
	sm_cpufreq_close(&f);
}
END_TEST

/* A FIFO stands for the file of a removed policy: it opens, but reading fails. */
START_TEST(a_file_that_died_is_opened_again)
{
	online("0-2\n");
	freq(0, "10\n");
	fix_mkdir(freq_name(1));
	ck_assert_int_eq(sm_cpufreq_open(&f, &fix), 0);
	check_khz(10, 0, 0);
	ck_assert_int_eq(rmdir(fix_path(freq_name(1))), 0);
	freq(1, "12\n");
	check_khz(10, 12, 0);
	sm_cpufreq_close(&f);
}
END_TEST

START_TEST(steady_state_is_one_read_per_file)
{
	uint64_t before, after;
	bool counted;

	online("0-3\n");
	freq(1, "11\n");
	freq(3, "<unknown>\n");
	ck_assert_int_eq(sm_cpufreq_open(&f, &fix), 0);
	ck_assert_int_eq(read_freqs(), 0);
	counted = fix_reads_counted();
	before = counted ? fix_reads() : 0;
	for (int i = 0; i < 10; i++)
		ck_assert_int_eq(read_freqs(), 0);
	after = counted ? fix_reads() : 31;
	ck_assert_uint_eq(
		fix_reads_between(before, after), 30); /* and the list of CPUs */
	sm_cpufreq_close(&f);
}
END_TEST

START_TEST(closes_what_it_opened)
{
	unsigned int before = unit_open_fds();

	online("0-9\n");
	for (unsigned int i = 0; i < 10; i++)
		freq(i, "7\n");
	ck_assert_int_eq(sm_cpufreq_open(&f, &fix), 0);
	ck_assert_int_eq(read_freqs(), 0);
	ck_assert_uint_eq(unit_open_fds(), before + 11);
	for (unsigned int i = 0; i < 10; i++)
		ck_assert_int_eq(fcntl(f.cpu[i].fd, F_GETFD), FD_CLOEXEC);
	online("3\n");
	ck_assert_int_eq(read_freqs(), 0);
	ck_assert_uint_eq(unit_open_fds(), before + 2);
	sm_cpufreq_close(&f);
	ck_assert_uint_eq(unit_open_fds(), before);
}
END_TEST

static void with_files(rlim_t n)
{
	struct rlimit l;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &l), 0);
	l.rlim_cur = n;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &l), 0);
}

/* A quarter of the files are kept, the others are opened each time. */
START_TEST(few_files)
{
	unsigned int before = unit_open_fds();
	struct rlimit was;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &was), 0);
	online("0-99\n");
	for (unsigned int i = 0; i < 100; i++)
		freq(i, i < 99 ? "10\n" : "99\n");
	with_files(64);
	ck_assert_int_eq(sm_cpufreq_open(&f, &fix), 0);
	for (unsigned int i = 0; i < 3; i++) {
		ck_assert_int_eq(read_freqs(), 0);
		ck_assert_uint_eq(f.valid, 100);
		ck_assert_uint_eq(f.cpu[99].khz, 99);
		ck_assert_uint_eq(f.unread, 0);
	}
	with_files(before); /* not even one is free */
	ck_assert_int_eq(read_freqs(), 0);
	ck_assert_uint_eq(f.valid, 16);
	ck_assert_uint_eq(f.unread, 84);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &was), 0);
	ck_assert_int_eq(read_freqs(), 0);
	ck_assert_uint_eq(f.valid, 100);
	ck_assert_uint_eq(unit_open_fds(), before + 1 + 16);
	sm_cpufreq_close(&f);
	ck_assert_uint_eq(unit_open_fds(), before);
}
END_TEST

static TCase *tc_freq(void)
{
	TCase *tc = tcase_create("freq");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, means);
	tcase_add_test(tc, implausible_is_absent);
	tcase_add_test(tc, no_cpufreq);
	tcase_add_test(tc, hotplug);
	tcase_add_test(tc, a_cpu_is_added);
	tcase_add_test(tc, a_file_that_died_is_opened_again);
	tcase_add_test(tc, steady_state_is_one_read_per_file);
	tcase_add_test(tc, closes_what_it_opened);
	tcase_add_test(tc, few_files);
	return tc;
}

UNIT_MAIN("cpufreq", tc_freq)

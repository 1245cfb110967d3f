// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "proc/pidstatus.h"
#include "unit.h"

static struct sm_pidstatus v;

static void parse(const char *s)
{
	sm_pidstatus_parse(&v, s, strlen(s));
}

START_TEST(status_text)
{
	parse("Name:\tVmPeak:\t 5 kB\nState:\tD (disk sleep)\nVmPeak:\t    7160 kB\n"
	      "VmSwap:\t       0 kB\nRssShmem:\t 12 kB\nThreads:\t13\n");
	ck_assert((v.known >> SM_PIDSTATUS_VM_PEAK & 1));
	ck_assert_uint_eq(v.bytes[SM_PIDSTATUS_VM_PEAK], 7160 * 1024);
	ck_assert((v.known >> SM_PIDSTATUS_VM_SWAP & 1));
	ck_assert_uint_eq(v.bytes[SM_PIDSTATUS_VM_SWAP], 0);
	ck_assert_uint_eq(v.bytes[SM_PIDSTATUS_RSS_SHMEM], 12288);
	ck_assert(
		!(v.known >> SM_PIDSTATUS_VM_RSS & 1)); /* no such line: unknown, not 0 */
	ck_assert_int_eq(v.state, 'D');
	ck_assert_str_eq(v.state_word, "disk sleep");
	ck_assert_int_eq(v.threads, 13);
	parse("State:\tT (tracing stop)\n");
	ck_assert(!(v.known >> SM_PIDSTATUS_VM_PEAK & 1));
	ck_assert_int_eq(v.threads, -1);
	ck_assert_str_eq(v.state_word, "tracing stop");
}
END_TEST

START_TEST(bad_status)
{
	parse("VmPeak:\t 99999999999999999999 kB\nVmSize:\t 18446744073709551615 kB\n"
	      "VmLck:\t 5\nVmPin:\t-1 kB\nVmHWM: kB\nVmRSS:\t5 MB\nThreads:\t1x\n"
	      "State:\t\nVmPTE 5 kB\nVmStk:\t5 kB");
	ck_assert_uint_eq(v.known, UINT64_C(1) << SM_PIDSTATUS_VM_STK);
	ck_assert_int_eq(v.state, 0);
	ck_assert_int_eq(v.threads, -1);
	parse("State:\tS (\x1b[2Jaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)\n");
	ck_assert_str_eq(v.state_word, "");
	parse("State:\tS (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)\n");
	ck_assert_uint_eq(strlen(v.state_word), sizeof(v.state_word) - 1);
	parse("");
	ck_assert_uint_eq(v.known, 0);
}
END_TEST

static TCase *tc_pidstatus(void)
{
	TCase *tc = tcase_create("pidstatus");

	tcase_add_test(tc, status_text);
	tcase_add_test(tc, bad_status);
	return tc;
}

UNIT_MAIN("pidstatus", tc_pidstatus)

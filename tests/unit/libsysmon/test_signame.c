// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <string.h>

#include "base/signame.h"
#include "unit.h"

static const char *name(int signo)
{
	static char buf[SM_SIGNAME_MAX];

	memset(buf, 'x', sizeof(buf));
	return sm_signame(signo, buf);
}

START_TEST(names_of_the_classic_ones)
{
	static const struct {
		int signo;
		const char *name, *words;
	} want[] = {
		{SIGHUP, "SIGHUP", "hangup"},
		{SIGKILL, "SIGKILL", "killed"},
		{SIGSEGV, "SIGSEGV", "segmentation fault"},
		{SIGABRT, "SIGABRT", "aborted"},
		{SIGPIPE, "SIGPIPE", "broken pipe"},
		{SIGTERM, "SIGTERM", "terminated"},
		{SIGBUS, "SIGBUS", "bus error"},
		{SIGSYS, "SIGSYS", "bad system call"},
		{SIGUSR1, "SIGUSR1", "user signal 1"},
		{SIGUSR2, "SIGUSR2", "user signal 2"},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(want); i++) {
		ck_assert_str_eq(name(want[i].signo), want[i].name);
		ck_assert_str_eq(sm_signame_words(want[i].signo), want[i].words);
	}
}
END_TEST

START_TEST(every_one_below_32_has_a_name_of_its_own)
{
	char buf[SM_SIGNAME_MAX], other[SM_SIGNAME_MAX];

	for (int i = 1; i < 32; i++) {
		ck_assert_int_eq(strncmp(name(i), "SIG", 3), 0);
		ck_assert_int_ge(name(i)[3], 'A');
		ck_assert_str_ne(sm_signame_words(i), "signal");
		for (int j = 1; j < i; j++)
			ck_assert_str_ne(sm_signame(i, buf), sm_signame(j, other));
	}
}
END_TEST

START_TEST(real_time_ones)
{
	ck_assert_str_eq(name(SIGRTMIN), "SIGRTMIN+0");
	ck_assert_str_eq(name(SIGRTMIN + 3), "SIGRTMIN+3");
	ck_assert_str_eq(name(SIGRTMIN + 12), "SIGRTMIN+12");
	ck_assert_int_eq(strncmp(name(64), "SIGRTMIN+", 9), 0);
	ck_assert_str_eq(sm_signame_words(SIGRTMIN), "real-time signal");
	/* Those that the C library keeps for itself. */
	ck_assert_str_eq(name(32), "SIG32");
	ck_assert_str_eq(sm_signame_words(32), "real-time signal");
	ck_assert_str_eq(sm_signame_words(64), "real-time signal");
}
END_TEST

/* A wait status has 7 bits for the signal; more than 64 are none. */
START_TEST(numbers_without_a_name)
{
	ck_assert_str_eq(name(65), "SIG65");
	ck_assert_str_eq(name(100), "SIG100");
	ck_assert_str_eq(name(127), "SIG127");
	ck_assert_str_eq(name(0), "SIG0");
	ck_assert_str_eq(sm_signame_words(65), "signal");
	ck_assert_str_eq(sm_signame_words(0), "signal");
	ck_assert_uint_lt(strlen(name(-1)), SM_SIGNAME_MAX);
}
END_TEST

static TCase *tc_sig(void)
{
	TCase *tc = tcase_create("sig");

	tcase_add_test(tc, names_of_the_classic_ones);
	tcase_add_test(tc, every_one_below_32_has_a_name_of_its_own);
	tcase_add_test(tc, real_time_ones);
	tcase_add_test(tc, numbers_without_a_name);
	return tc;
}

UNIT_MAIN("sig", tc_sig)

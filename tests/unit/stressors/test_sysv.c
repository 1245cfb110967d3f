// SPDX-License-Identifier: GPL-2.0-or-later
/* Segments that a process has noted, and what is removed of them after its end. */
#include <errno.h>
#include <sys/shm.h>
#include <unistd.h>

#include "stressors/run/sysv.h"
#include "unit.h"

#define A_KEY (UINT64_C(1) << 32)
#define AN_ID (UINT64_C(2) << 32)

static sysv_note note;

static bool is_there(int id)
{
	struct shmid_ds is;

	return shmctl(id, IPC_STAT, &is) == 0;
}

static void set_up(void)
{
	note = 0;
}

START_TEST(made_and_removed)
{
	int id = sysv_make(&note, 4096);

	ck_assert_int_ge(id, 0);
	ck_assert(is_there(id));
	ck_assert_uint_eq(note, AN_ID | (uint32_t)id);
	ck_assert_int_eq(sysv_remove(&note), 0);
	ck_assert(!is_there(id));
	ck_assert_uint_eq(note, 0);
	ck_assert(!sysv_sweep(&note, getpid()));
}
END_TEST

/* Nothing is noted of a segment that could not be made. */
START_TEST(not_made)
{
	ck_assert_int_eq(sysv_make(&note, 0), -EINVAL);
	ck_assert_uint_eq(note, 0);
}
END_TEST

START_TEST(left)
{
	int id = sysv_make(&note, 4096);

	ck_assert(sysv_sweep(&note, getpid()));
	ck_assert(!is_there(id));
	ck_assert_uint_eq(note, 0);
}
END_TEST

/* The maker was killed between the call and the note of the id. */
START_TEST(left_with_a_key_only)
{
	const key_t key = 0x53544553 ^ getpid();
	int id = shmget(key, 4096, IPC_CREAT | IPC_EXCL | 0600);

	ck_assert_int_ge(id, 0);
	note = A_KEY | (uint32_t)key;
	ck_assert(sysv_sweep(&note, getpid()));
	ck_assert(!is_there(id));
	/* or before the call */
	note = A_KEY | (uint32_t)key;
	ck_assert(!sysv_sweep(&note, getpid()));
}
END_TEST

/* An id or a key that has become another process's. */
START_TEST(of_another_maker)
{
	const key_t key = 0x53544554 ^ getpid();
	int id = shmget(key, 4096, IPC_CREAT | IPC_EXCL | 0600);

	ck_assert_int_ge(id, 0);
	note = AN_ID | (uint32_t)id;
	ck_assert(!sysv_sweep(&note, getppid()));
	note = A_KEY | (uint32_t)key;
	ck_assert(!sysv_sweep(&note, getppid()));
	ck_assert(is_there(id));
	ck_assert_int_eq(shmctl(id, IPC_RMID, NULL), 0);
}
END_TEST

static TCase *tc_sysv(void)
{
	TCase *tc = tcase_create("sysv");

	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_test(tc, made_and_removed);
	tcase_add_test(tc, not_made);
	tcase_add_test(tc, left);
	tcase_add_test(tc, left_with_a_key_only);
	tcase_add_test(tc, of_another_maker);
	return tc;
}

UNIT_MAIN("sysv", tc_sysv)

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "forkstat/execfail.h"
#include "forkstat_rig.h"

static struct rig r;
static struct execfail f;

static void setup(void)
{
	rig_open(&r, 1u << 20, false);
	f = (struct execfail){.stream = SM_BPF_STREAM_INIT, .procs = &r.procs};
}

static void teardown(void)
{
	execfail_close(&f);
	rig_close(&r);
}

static void record(uint64_t time_ns, const char *file, uint32_t file_len, size_t sent)
{
	unsigned char b[sizeof(struct execfail_raw) + 64] = {0};
	struct execfail_raw raw = {time_ns, 12, 10, -ENOENT, file_len};

	memcpy(b, &raw, sizeof(raw));
	memcpy(b + sizeof(raw), file, strlen(file) + 1);
	execfail_record(&f, b, sizeof(raw) + sent);
}

START_TEST(record_becomes_an_event)
{
	struct sm_proc_event ev;
	struct sm_poolstr *file;

	f.clock_offset_ns = 50;
	record(100, "/a/b", 5, 5);
	ck_assert(!execfail_next(&f, 149, &ev)); /* not before its time */
	ck_assert(execfail_waits(&f));
	ck_assert(execfail_next(&f, 150, &ev));
	ck_assert(!execfail_waits(&f));
	ck_assert_uint_eq(ev.what, PROC_EXECFAIL);
	ck_assert_uint_eq(ev.time_ns, 150);
	ck_assert_int_eq(ev.pid, 12);
	ck_assert_int_eq(ev.tgid, 10);
	ck_assert_uint_eq(ev.exit_code, ENOENT);
	file = ev.data;
	ck_assert_str_eq(file->s, "/a/b");
	sm_strpool_put(r.procs.names, file);
}
END_TEST

START_TEST(no_name)
{
	struct sm_proc_event ev;

	record(100, "", 0, 0); /* it could not be read */
	record(101, "", 1, 1); /* execveat(fd, "") */
	for (int i = 0; i < 2; i++) {
		ck_assert(execfail_next(&f, 200, &ev));
		ck_assert_ptr_null(ev.data);
	}
	ck_assert(!execfail_next(&f, 200, &ev));
}
END_TEST

START_TEST(malformed)
{
	const char few[4] = "abc";

	execfail_record(&f, few, sizeof(few));
	record(100, "/a", 40, 3); /* longer than the record */
	ck_assert(!execfail_waits(&f));
}
END_TEST

START_TEST(names_of_errors)
{
	char buf[EXECFAIL_NAME_MAX];

	ck_assert_str_eq(execfail_name(ENOENT, buf), "ENOENT");
	ck_assert_str_eq(execfail_name(ETXTBSY, buf), "ETXTBSY");
	ck_assert_str_eq(execfail_name(UINT32_MAX, buf), "E4294967295");
}
END_TEST

static TCase *tc_execfail(void)
{
	TCase *tc = tcase_create("execfail");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, record_becomes_an_event);
	tcase_add_test(tc, no_name);
	tcase_add_test(tc, malformed);
	tcase_add_test(tc, names_of_errors);
	return tc;
}

UNIT_MAIN("execfail", tc_execfail)

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "fixroot_rig.h"
#include "timers/timerformat.h"
#include "unit.h"

#define RECORDED "tests/fixtures/linux-6.18-tracefs"

static struct sm_root root;
static struct sm_timerformats formats;

static int read_formats(const struct sm_root *r)
{
	SM_CLOSE_FD int dir = sm_tracefs_open(r);

	ck_assert_int_ge(dir, 0);
	return sm_timerformat_read(&formats, r, dir);
}

static void setup(void)
{
	ck_assert_int_eq(sm_root_open(&root, RECORDED), 0);
	ck_assert_int_eq(read_formats(&root), 0);
}

static void teardown(void)
{
	sm_root_close(&root);
}

/* --- a machine with Linux 6.18 ----------------------------------------------------- */

START_TEST(recorded_formats)
{
	ck_assert_uint_eq(formats.of[SM_TIMER_HR_START].id, 460);
	ck_assert_uint_eq(formats.of[SM_TIMER_HR_EXPIRE].id, 459);
	ck_assert_uint_eq(formats.of[SM_TIMER_WHEEL_START].id, 466);
	ck_assert_uint_eq(formats.of[SM_TIMER_WHEEL_EXPIRE].id, 465);
}
END_TEST

/* A record of that machine: pid 7918 goes to sleep. */
START_TEST(recorded_record)
{
	static const _Alignas(8) unsigned char sleeps[] = {0xcc, 0x01, 0x01, 0x01, 0xee,
		0x1e, 0x00, 0x00, 0xd8, 0x7d, 0x2c, 0x0b, 0x00, 0xc9, 0xff, 0xff, 0xb0,
		0xe2, 0x41, 0x81, 0xff, 0xff, 0xff, 0xff, 0xe5, 0xcc, 0x06, 0xb7, 0xe4,
		0x0e, 0x00, 0x00, 0x95, 0x09, 0x06, 0xb7, 0xe4, 0x0e, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
	struct sm_timer_event e;

	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		return;
	ck_assert_int_eq(sm_timerformat_decode(&formats, sleeps, sizeof(sleeps), &e), 0);
	ck_assert_int_eq(e.type, SM_TIMER_HR_START);
	ck_assert_int_eq(e.tid, 7918);
	ck_assert_int_eq(e.tgid, 0);
	ck_assert_uint_eq(e.func, 0xffffffff8141e2b0);
	ck_assert_uint_eq(e.timer, 0xffffc9000b2c7dd8);
}
END_TEST

/* --- records ----------------------------------------------------------------------- */

static struct sm_timer_event decode(const void *raw, size_t n)
{
	struct sm_timer_event e;

	ck_assert_int_eq(sm_timerformat_decode(&formats, raw, n, &e), 0);
	for (size_t cut = 0; cut < n; cut++) {
		int err = sm_timerformat_decode(&formats, raw, cut, &e);

		ck_assert(err == -EBADMSG || err == -ENOENT);
	}
	ck_assert_int_eq(sm_timerformat_decode(&formats, raw, n, &e), 0);
	return e;
}

START_TEST(wheel)
{
	const struct {
		uint16_t type, flags;
		int32_t pid;
		uint64_t timer, func, expires, bucket, now;
		uint32_t wheel_flags;
	} __attribute__((packed))
	raw = {466, 0, 77, 0x1234567890, 0xffffffff81000000, 1, 2, 3, 0x80002};
	struct sm_timer_event e = decode(&raw, sizeof(raw));

	ck_assert_int_eq(e.type, SM_TIMER_WHEEL_START);
	ck_assert_int_eq(e.tid, 77);
	ck_assert_uint_eq(e.timer, 0x1234567890);
	ck_assert_uint_eq(e.func, 0xffffffff81000000);
	ck_assert_uint_eq(e.wheel_flags, 0x80002);
}
END_TEST

START_TEST(others)
{
	const uint16_t raw[32] = {1};
	struct sm_timer_event e;

	ck_assert_int_eq(sm_timerformat_decode(&formats, raw, sizeof(raw), &e), -ENOENT);
}
END_TEST

/* --- other kernels ----------------------------------------------------------------- */

#define EVENTS "sys/kernel/tracing/events/"
#define COMMON                                                                 \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"

static void put_event(const char *name, const char *id, const char *fields)
{
	char path[128], text[1024];

	snprintf(path, sizeof(path), EVENTS "%s/id", name);
	fix_put(path, id);
	snprintf(path, sizeof(path), EVENTS "%s/format", name);
	snprintf(text, sizeof(text), COMMON "%s", fields);
	fix_put(path, text);
}

static void put_events(const char *wheel_fields)
{
	static const char hr[] =
		"\tfield:void * hrtimer;\toffset:8;\tsize:8;\tsigned:0;\n"
		"\tfield:void * function;\toffset:16;\tsize:8;\tsigned:0;\n";

	put_event("timer/hrtimer_start", "1\n", hr);
	put_event("timer/hrtimer_expire_entry", "2\n", hr);
	put_event("timer/timer_start", "3\n", wheel_fields);
	put_event("timer/timer_expire_entry", "4\n", wheel_fields);
}

START_TEST(without_flags)
{
	fix_open();
	put_events("\tfield:void * timer;\toffset:8;\tsize:8;\tsigned:0;\n"
		   "\tfield:void * function;\toffset:16;\tsize:8;\tsigned:0;\n");
	ck_assert_int_eq(read_formats(&fix), 0);
	ck_assert_uint_eq(formats.of[SM_TIMER_WHEEL_START].id, 3);
	ck_assert_uint_eq(formats.of[SM_TIMER_WHEEL_START].field[5].size, 0);
	fix_close();
}
END_TEST

START_TEST(unknown_shapes)
{
	static const char *const bad[] = {
		"\tfield:void * timer;\toffset:8;\tsize:8;\tsigned:0;\n",
		"\tfield:void * timer;\toffset:8;\tsize:8;\tsigned:0;\n"
		"\tfield:void * function;\toffset:16;\tsize:3;\tsigned:0;\n",
		"\tfield:void * timer;\toffset:8;\tsize:8;\tsigned:0;\n"
		"\tfield:__data_loc char[] function;\toffset:16;\tsize:4;\tsigned:0;\n",
	};

	fix_open();
	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++) {
		put_events(bad[i]);
		ck_assert_int_eq(read_formats(&fix), -EBADMSG);
	}
	put_event("timer/timer_start", "none\n", "");
	ck_assert_int_eq(read_formats(&fix), -EINVAL);
	fix_close();
}
END_TEST

static TCase *tc_recorded(void)
{
	TCase *tc = tcase_create("recorded");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, recorded_formats);
	tcase_add_test(tc, recorded_record);
	tcase_add_test(tc, wheel);
	tcase_add_test(tc, others);
	return tc;
}

static TCase *tc_other_kernels(void)
{
	TCase *tc = tcase_create("other kernels");

	tcase_add_test(tc, without_flags);
	tcase_add_test(tc, unknown_shapes);
	return tc;
}

UNIT_MAIN("timerformat", tc_recorded, tc_other_kernels)

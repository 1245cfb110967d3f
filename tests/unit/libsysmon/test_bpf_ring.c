// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>
#include "bpf/bpf.h"
#include "bpf/bpf_ring.h"
#include "unit.h"

#define DATA_BYTES 256u
#define BUSY	   (UINT32_C(1) << 31)
#define SKIP	   (UINT32_C(1) << 30)

static unsigned long consumer, producer;
static _Alignas(8) unsigned char data[2 * DATA_BYTES];
static struct sm_bpf_ring ring;

/* What drain handed out. */
static struct {
	int n;
	size_t len[64];
	unsigned char body[64][DATA_BYTES];
} got;

static void collect(void *ctx, const void *record, size_t len)
{
	ck_assert_ptr_eq(ctx, &got);
	ck_assert_uint_eq((uintptr_t)record % 8, 0);
	ck_assert_int_lt(got.n, 64);
	ck_assert_uint_le(len, DATA_BYTES - 8);
	got.len[got.n] = len;
	memcpy(got.body[got.n], record, len);
	got.n++;
}

static ssize_t drain(void)
{
	return sm_bpf_ring_drain(&ring, collect, &got);
}

static void setup(void)
{
	memset(&got, 0, sizeof(got));
	memset(data, 0xee, sizeof(data));
	consumer = producer = 0;
	ck_assert_int_eq(
		sm_bpf_ring_adopt(&ring, &consumer, &producer, data, DATA_BYTES), 0);
}

static void teardown(void)
{
	sm_bpf_ring_close(&ring);
}

/* One page of memory that the kernel maps twice. */
static void put_byte(unsigned long pos, unsigned char b)
{
	data[pos % DATA_BYTES] = b;
	data[pos % DATA_BYTES + DATA_BYTES] = b;
}

static void put_header(unsigned long pos, uint32_t header)
{
	unsigned char h[8] = {0};

	memcpy(h, &header, sizeof(header));
	for (unsigned int i = 0; i < sizeof(h); i++)
		put_byte(pos + i, h[i]);
}

static void put_record(uint32_t len, uint32_t flags, unsigned char fill)
{
	put_header(producer, len | flags);
	for (uint32_t i = 0; i < len; i++)
		put_byte(producer + 8 + i, fill);
	producer += (len + 8 + 7) / 8 * 8;
}

static void check_body(int i, size_t len, unsigned char fill)
{
	ck_assert_uint_eq(got.len[i], len);
	for (size_t k = 0; k < len; k++)
		ck_assert_uint_eq(got.body[i][k], fill);
}

START_TEST(empty_ring_gives_nothing)
{
	ck_assert_int_eq(drain(), 0);
	consumer = producer = 4096 + 8;
	ck_assert_int_eq(drain(), 0);
	ck_assert_int_eq(got.n, 0);
}
END_TEST

START_TEST(records_come_in_order)
{
	put_record(24, 0, 1);
	put_record(0, 0, 2);
	put_record(13, 0, 3);
	ck_assert_int_eq(drain(), 3);
	check_body(0, 24, 1);
	check_body(1, 0, 2);
	check_body(2, 13, 3);
	ck_assert_uint_eq(consumer, 32 + 8 + 24);
	ck_assert_int_eq(drain(), 0);
}
END_TEST

START_TEST(record_over_the_end_is_one_piece)
{
	for (unsigned long start = 0; start <= DATA_BYTES; start += 8) {
		consumer = producer = 10 * DATA_BYTES + start;
		put_record(43, 0, (unsigned char)start);
		got.n = 0;
		ck_assert_int_eq(drain(), 1);
		check_body(0, 43, (unsigned char)start);
		ck_assert_uint_eq(consumer, producer);
	}
}
END_TEST

START_TEST(full_ring_is_taken)
{
	consumer = producer = 72;
	put_record(DATA_BYTES - 8, 0, 9);
	ck_assert_int_eq(drain(), 1);
	check_body(0, DATA_BYTES - 8, 9);
}
END_TEST

START_TEST(positions_may_wrap_around)
{
	consumer = producer = ULONG_MAX - 15;
	put_record(32, 0, 4);
	ck_assert_uint_eq(producer, 24);
	ck_assert_int_eq(drain(), 1);
	check_body(0, 32, 4);
	ck_assert_uint_eq(consumer, 24);
}
END_TEST

START_TEST(discarded_record_is_passed_over)
{
	put_record(8, SKIP, 1);
	put_record(16, 0, 2);
	put_record(8, SKIP, 3);
	ck_assert_int_eq(drain(), 1);
	check_body(0, 16, 2);
	ck_assert_uint_eq(consumer, producer);
}
END_TEST

START_TEST(unfinished_record_holds_up)
{
	unsigned long second;

	put_record(8, 0, 1);
	second = producer;
	put_record(16, BUSY, 2);
	put_record(8, 0, 3);
	ck_assert_int_eq(drain(), 1);
	ck_assert_uint_eq(consumer, second);
	ck_assert_int_eq(drain(), 0);
	put_header(second, 16);
	ck_assert_int_eq(drain(), 2);
	check_body(1, 16, 2);
	check_body(2, 8, 3);
	ck_assert_uint_eq(consumer, producer);
}
END_TEST

static void check_bad_length(uint32_t len)
{
	consumer = producer = 128;
	put_record(16, 0, 1);
	put_header(producer, len);
	producer += 24;
	got.n = 0;
	ck_assert_int_eq(drain(), -EBADMSG);
	ck_assert_int_eq(got.n, 1); /* the good one */
	ck_assert_uint_eq(consumer, producer);
	ck_assert_int_eq(drain(), 0);
}

START_TEST(corrupt_lengths_end_the_drain)
{
	check_bad_length(17);
	check_bad_length(DATA_BYTES);
	check_bad_length(SKIP | 17);
	check_bad_length(~(BUSY | SKIP));
	check_bad_length(~BUSY);
}
END_TEST

START_TEST(record_beyond_the_view_is_corrupt)
{
	ring.view_bytes = DATA_BYTES + 16;
	consumer = producer = DATA_BYTES - 16;
	put_record(24, 0, 1); /* its end is the view's */
	ck_assert_int_eq(drain(), 1);
	check_body(0, 24, 1);
	consumer = producer = 3 * DATA_BYTES - 16;
	put_record(25, 0, 2);
	ck_assert_int_eq(drain(), -EBADMSG);
	ck_assert_int_eq(got.n, 1);
	ck_assert_uint_eq(consumer, producer);
}
END_TEST

START_TEST(corrupt_positions_are_skipped)
{
	static const unsigned long bad[][2] = {
		{0, DATA_BYTES + 8},
		{8, 0},
		{0, ULONG_MAX - 7},
		{0, 4},
		{4, 24},
		{3, 19},
		{0, 67},
	};

	memset(data, 0, sizeof(data));
	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++) {
		consumer = bad[i][0];
		producer = bad[i][1];
		ck_assert_int_eq(drain(), -EBADMSG);
		ck_assert_int_eq(got.n, 0);
		ck_assert_uint_eq(consumer, producer);
		ck_assert_int_eq(drain(), 0);
	}
	consumer = producer = 0;
	put_record(16, 0, 1);
	ck_assert_int_eq(drain(), 1);
}
END_TEST

START_TEST(adopt_refuses_what_cannot_be_a_ring)
{
	struct sm_bpf_ring r;

	ck_assert_int_eq(sm_bpf_ring_adopt(&r, &consumer, &producer, data, 0), -EINVAL);
	ck_assert_int_eq(sm_bpf_ring_adopt(&r, &consumer, &producer, data, 4), -EINVAL);
	ck_assert_int_eq(sm_bpf_ring_adopt(&r, &consumer, &producer, data, 192), -EINVAL);
	ck_assert_int_eq(
		sm_bpf_ring_adopt(&r, &consumer, &producer, data + 4, 64), -EINVAL);
	sm_bpf_ring_close(&r);
	sm_bpf_ring_close(&r);
}
END_TEST

START_TEST(live_ring_is_empty)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct sm_bpf_ring r;
	int fd = sm_bpf_map_create(
		"test_ring", SM_BPF_MAP_RINGBUF, 0, 0, (uint32_t)(2 * page), 0);

	if (fd < 0) {
		ck_assert(
			fd == -EPERM || fd == -EACCES || fd == -ENOSYS || fd == -EINVAL);
		return;
	}
	ck_assert_int_eq(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	ck_assert_int_lt(sm_bpf_ring_map(&r, fd, 64 * page), 0); /* it is not that big */
	sm_bpf_ring_close(&r);
	ck_assert_int_eq(sm_bpf_ring_map(&r, fd, 2 * page), 0);
	close(fd);
	ck_assert_int_eq(sm_bpf_ring_drain(&r, collect, &got), 0);
	ck_assert_uint_eq(r.data[4 * page - 1], 0); /* the second view is there */
	sm_bpf_ring_close(&r);
	ck_assert_ptr_null(r.data);
}
END_TEST

static TCase *tc_memory(void)
{
	TCase *tc = tcase_create("memory");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, empty_ring_gives_nothing);
	tcase_add_test(tc, records_come_in_order);
	tcase_add_test(tc, record_over_the_end_is_one_piece);
	tcase_add_test(tc, full_ring_is_taken);
	tcase_add_test(tc, positions_may_wrap_around);
	tcase_add_test(tc, discarded_record_is_passed_over);
	tcase_add_test(tc, unfinished_record_holds_up);
	tcase_add_test(tc, corrupt_lengths_end_the_drain);
	tcase_add_test(tc, record_beyond_the_view_is_corrupt);
	tcase_add_test(tc, corrupt_positions_are_skipped);
	tcase_add_test(tc, adopt_refuses_what_cannot_be_a_ring);
	tcase_add_test(tc, live_ring_is_empty);
	return tc;
}

UNIT_MAIN("bpf_ring", tc_memory)

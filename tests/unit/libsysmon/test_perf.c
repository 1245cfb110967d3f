// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "events/perf.h"
#include "unit.h"

#define DATA_BYTES 256u

static struct perf_event_mmap_page meta;
static _Alignas(8) unsigned char data[DATA_BYTES];
static struct sm_perf_ring ring;

/* What drain handed out. */
static struct {
	int n;
	uint32_t type[64];
	size_t len[64];
	unsigned char body[64][DATA_BYTES];
} got;

static void collect(
	void *ctx, const struct perf_event_header *h, const void *body, size_t len)
{
	ck_assert_ptr_eq(ctx, &got);
	ck_assert_uint_eq(h->size, len + sizeof(*h));
	ck_assert_uint_eq((uintptr_t)body % 8, 0);
	ck_assert_int_lt(got.n, 64);
	ck_assert_uint_le(len, DATA_BYTES);
	got.type[got.n] = h->type;
	got.len[got.n] = len;
	memcpy(got.body[got.n], body, len);
	got.n++;
}

static ssize_t drain(void)
{
	return sm_perf_ring_drain(&ring, collect, &got);
}

static void setup(void)
{
	memset(&meta, 0, sizeof(meta));
	memset(&got, 0, sizeof(got));
	memset(data, 0xee, sizeof(data));
	ck_assert_int_eq(sm_perf_ring_adopt(&ring, &meta, data, sizeof(data)), 0);
}

static void teardown(void)
{
	sm_perf_ring_close(&ring);
}

/* Writes like the kernel: byte by byte around the end, then the head. */
static void put_bytes(const void *p, size_t n)
{
	const unsigned char *b = p;

	for (size_t i = 0; i < n; i++)
		data[(meta.data_head + i) % DATA_BYTES] = b[i];
	meta.data_head += n;
}

static void put_record(uint32_t type, uint16_t size, unsigned char fill)
{
	struct perf_event_header h = {.type = type, .size = size};
	unsigned char body[DATA_BYTES];

	memset(body, fill, sizeof(body));
	put_bytes(&h, sizeof(h));
	put_bytes(body, size - sizeof(h));
}

static void put_lost(uint64_t id, uint64_t lost)
{
	struct perf_event_header h = {.type = PERF_RECORD_LOST, .size = 24};

	put_bytes(&h, sizeof(h));
	put_bytes(&id, sizeof(id));
	put_bytes(&lost, sizeof(lost));
}

static void check_body(int i, size_t len, unsigned char fill)
{
	ck_assert_uint_eq(got.len[i], len);
	for (size_t k = 0; k < len; k++)
		ck_assert_uint_eq(got.body[i][k], fill);
}

START_TEST(empty_ring_gives_nothing)
{
	ck_assert(!sm_perf_ring_ready(&ring));
	ck_assert_int_eq(drain(), 0);
	meta.data_head = meta.data_tail = 4096 + 8;
	ck_assert(!sm_perf_ring_ready(&ring));
	ck_assert_int_eq(drain(), 0);
	ck_assert_int_eq(got.n, 0);
}
END_TEST

START_TEST(records_come_in_order)
{
	put_record(PERF_RECORD_SAMPLE, 24, 1);
	put_record(PERF_RECORD_COMM, 8, 2);
	put_record(PERF_RECORD_EXIT, 40, 3);
	ck_assert(sm_perf_ring_ready(&ring));
	ck_assert_int_eq(meta.data_tail, 0);
	ck_assert_int_eq(drain(), 3);
	ck_assert_uint_eq(got.type[0], PERF_RECORD_SAMPLE);
	check_body(0, 16, 1);
	ck_assert_uint_eq(got.type[1], PERF_RECORD_COMM);
	check_body(1, 0, 2);
	ck_assert_uint_eq(got.type[2], PERF_RECORD_EXIT);
	check_body(2, 32, 3);
	ck_assert_uint_eq(meta.data_tail, 72);
	ck_assert(!sm_perf_ring_ready(&ring));
	ck_assert_int_eq(drain(), 0);
}
END_TEST

START_TEST(one_by_one)
{
	struct perf_event_header h;
	const void *body;

	put_record(PERF_RECORD_SAMPLE, 24, 1);
	put_lost(77, 5);
	put_record(PERF_RECORD_COMM, 16, 2);
	sm_perf_ring_begin(&ring);
	put_record(PERF_RECORD_EXIT, 16, 3); /* too late for this time */
	ck_assert_int_eq(sm_perf_ring_next(&ring, &h, &body), 1);
	ck_assert_uint_eq(h.type, PERF_RECORD_SAMPLE);
	ck_assert_uint_eq(((const unsigned char *)body)[15], 1);
	ck_assert_int_eq(sm_perf_ring_next(&ring, &h, &body), 1);
	ck_assert_uint_eq(h.type, PERF_RECORD_COMM);
	ck_assert_uint_eq(ring.lost, 5);
	ck_assert_int_eq(sm_perf_ring_next(&ring, &h, &body), 0);
	ck_assert_uint_eq(meta.data_tail, 0); /* the room is not free yet */
	sm_perf_ring_end(&ring);
	ck_assert_uint_eq(meta.data_tail, 24 + 24 + 16);
	ck_assert_int_eq(drain(), 1);
	ck_assert_uint_eq(got.type[0], PERF_RECORD_EXIT);
}
END_TEST

START_TEST(no_event_joins_plain_memory)
{
	ck_assert_int_eq(sm_perf_ring_join(&ring, -1), -EBADF);
}
END_TEST

START_TEST(wrapped_record_is_one_piece)
{
	/* Every place where a record of 48 bytes can meet the end, headers included. */
	for (uint64_t start = 0; start <= DATA_BYTES; start += 8) {
		meta.data_head = meta.data_tail = 10 * DATA_BYTES + start;
		put_record(PERF_RECORD_SAMPLE, 48, (unsigned char)start);
		got.n = 0;
		ck_assert_int_eq(drain(), 1);
		check_body(0, 40, (unsigned char)start);
		ck_assert_uint_eq(meta.data_tail, meta.data_head);
	}
}
END_TEST

START_TEST(full_ring_is_taken)
{
	meta.data_head = meta.data_tail = 72;
	put_record(PERF_RECORD_SAMPLE, DATA_BYTES, 9);
	ck_assert_int_eq(drain(), 1);
	check_body(0, DATA_BYTES - 8, 9);
}
END_TEST

START_TEST(positions_may_wrap_around)
{
	meta.data_head = meta.data_tail = UINT64_MAX - 15; /* 2^64 - 16 */
	put_record(PERF_RECORD_SAMPLE, 40, 4);
	ck_assert_uint_eq(meta.data_head, 24);
	ck_assert_int_eq(drain(), 1);
	check_body(0, 32, 4);
	ck_assert_uint_eq(meta.data_tail, 24);
}
END_TEST

START_TEST(lost_is_counted_not_handed_out)
{
	put_lost(77, 5);
	put_record(PERF_RECORD_SAMPLE, 16, 1);
	put_lost(77, UINT64_C(1) << 33);
	ck_assert_int_eq(drain(), 1);
	ck_assert_int_eq(got.n, 1);
	ck_assert_uint_eq(ring.lost, (UINT64_C(1) << 33) + 5);
	put_lost(77, 1);
	ck_assert_int_eq(drain(), 0);
	ck_assert_uint_eq(ring.lost, (UINT64_C(1) << 33) + 6);
}
END_TEST

START_TEST(short_lost_record_is_not_read)
{
	put_record(PERF_RECORD_LOST, 16, 0xff);
	put_record(PERF_RECORD_LOST, 8, 0xff);
	ck_assert_int_eq(drain(), 0);
	ck_assert_uint_eq(ring.lost, 0);
	ck_assert_uint_eq(meta.data_tail, meta.data_head);
}
END_TEST

/* A good record, then a header with this size at the end of what is there. */
static void check_bad_size(uint16_t size)
{
	struct perf_event_header h = {.type = PERF_RECORD_SAMPLE, .size = size};

	meta.data_head = meta.data_tail = 128;
	put_record(PERF_RECORD_SAMPLE, 16, 1);
	put_bytes(&h, sizeof(h));
	put_bytes("12345678", 8);
	got.n = 0;
	ck_assert_int_eq(drain(), -EBADMSG);
	ck_assert_int_eq(got.n, 1); /* the good one */
	ck_assert_uint_eq(meta.data_tail, meta.data_head);
	ck_assert_int_eq(drain(), 0);
}

START_TEST(corrupt_sizes_end_the_drain)
{
	check_bad_size(0);
	check_bad_size(7);
	check_bad_size(12);
	check_bad_size(24); /* 16 are there */
	check_bad_size(65528);
	check_bad_size(65535);
}
END_TEST

START_TEST(corrupt_positions_are_skipped)
{
	static const uint64_t bad[][2] = {
		{0, DATA_BYTES + 8}, /* more than the ring holds */
		{8, 0},		     /* tail before head */
		{0, UINT64_MAX - 7},
		{0, 4}, /* no header fits */
		{4, 24},
		{3, 19},
	};

	memset(data, 0, sizeof(data));
	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++) {
		meta.data_tail = bad[i][0];
		meta.data_head = bad[i][1];
		ck_assert_int_eq(drain(), -EBADMSG);
		ck_assert_int_eq(got.n, 0);
		ck_assert_uint_eq(meta.data_tail, meta.data_head);
	}
	/* and what comes then is read again */
	meta.data_head = meta.data_tail = 0;
	put_record(PERF_RECORD_SAMPLE, 16, 1);
	ck_assert_int_eq(drain(), 1);
}
END_TEST

START_TEST(adopt_refuses_what_cannot_be_a_ring)
{
	struct sm_perf_ring r;

	ck_assert_int_eq(sm_perf_ring_adopt(&r, &meta, data, 0), -EINVAL);
	ck_assert_int_eq(sm_perf_ring_adopt(&r, &meta, data, 4), -EINVAL);
	ck_assert_int_eq(sm_perf_ring_adopt(&r, &meta, data, 192), -EINVAL);
	ck_assert_int_eq(sm_perf_ring_adopt(&r, &meta, data + 4, 64), -EINVAL);
	sm_perf_ring_close(&r);
	sm_perf_ring_close(&r);
}
END_TEST

static struct perf_event_attr dummy_attr(void)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.task = 1,
	};
}

static void count_forks(
	void *ctx, const struct perf_event_header *h, const void *body, size_t len)
{
	int *forks = ctx;

	(void)body;
	if (h->type == PERF_RECORD_FORK && len >= 24)
		(*forks)++;
}

static void fork_one(void)
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		_exit(0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

/* Our own forks through a real ring; where perf is forbidden, its error. */
START_TEST(live_ring_has_our_forks)
{
	struct perf_event_attr attr = dummy_attr();
	struct sm_perf_ring r;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = sm_perf_event_open(&attr, 0, -1, -1, 0), forks = 0;

	if (fd < 0) {
		ck_assert(
			fd == -EACCES || fd == -EPERM || fd == -ENOSYS || fd == -ENOENT);
		return;
	}
	ck_assert_int_eq(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	ck_assert_int_eq(sm_perf_ring_map(&r, fd, 3 * page + 5), 0);
	ck_assert_uint_eq(r.data_bytes, 2 * page);
	ck_assert(!sm_perf_ring_ready(&r));
	for (int i = 0; i < 5; i++)
		fork_one();
	ck_assert(sm_perf_ring_ready(&r));
	ck_assert_int_ge(sm_perf_ring_drain(&r, count_forks, &forks), 5);
	ck_assert_int_eq(forks, 5);
	ck_assert_uint_eq(r.lost, 0);
	sm_perf_ring_close(&r);
	ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
}
END_TEST

START_TEST(live_map_of_nothing_is_one_page)
{
	struct perf_event_attr attr = dummy_attr();
	struct sm_perf_ring r;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = sm_perf_event_open(&attr, 0, -1, -1, 0);

	if (fd < 0) {
		ck_assert(
			fd == -EACCES || fd == -EPERM || fd == -ENOSYS || fd == -ENOENT);
		return;
	}
	ck_assert_int_eq(sm_perf_ring_map(&r, fd, 0), 0);
	ck_assert_uint_eq(r.data_bytes, page);
	sm_perf_ring_close(&r);
}
END_TEST

START_TEST(live_map_above_the_limit_fails)
{
	struct perf_event_attr attr = dummy_attr();
	struct sm_perf_ring r;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct rlimit none = {0, 0};
	int err, fd = sm_perf_event_open(&attr, 0, -1, -1, 0);

	if (fd < 0) {
		ck_assert(
			fd == -EACCES || fd == -EPERM || fd == -ENOSYS || fd == -ENOENT);
		return;
	}
	/* Without CAP_IPC_LOCK only perf_event_mlock_kb is left, some 129 pages. */
	ck_assert_int_eq(setrlimit(RLIMIT_MEMLOCK, &none), 0);
	err = sm_perf_ring_map(&r, fd, 4096 * page);
	ck_assert(err == -EPERM || err == -ENOMEM || err == 0); /* 0: CAP_IPC_LOCK */
	sm_perf_ring_close(&r);
	ck_assert(err == 0 || close(fd) == 0); /* it is still the caller's */
}
END_TEST

START_TEST(map_of_another_fd_fails)
{
	struct sm_perf_ring r;
	int p[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, p), 0);
	ck_assert_int_eq(sm_perf_ring_map(&r, p[0], 4096), -ENODEV);
	sm_perf_ring_close(&r);
	ck_assert_int_ne(fcntl(p[0], F_GETFD), -1); /* it is still the caller's */
}
END_TEST

START_TEST(event_open_reports_errno)
{
	struct perf_event_attr attr = {.type = 0x7ffffff0};
	int fd = sm_perf_event_open(&attr, 0, -1, -1, 0);

	ck_assert(fd == -ENOENT || fd == -EINVAL || fd == -EACCES || fd == -EPERM ||
		  fd == -ENOSYS);
}
END_TEST

static TCase *tc_memory(void)
{
	TCase *tc = tcase_create("memory");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, empty_ring_gives_nothing);
	tcase_add_test(tc, records_come_in_order);
	tcase_add_test(tc, one_by_one);
	tcase_add_test(tc, no_event_joins_plain_memory);
	tcase_add_test(tc, wrapped_record_is_one_piece);
	tcase_add_test(tc, full_ring_is_taken);
	tcase_add_test(tc, positions_may_wrap_around);
	tcase_add_test(tc, lost_is_counted_not_handed_out);
	tcase_add_test(tc, short_lost_record_is_not_read);
	tcase_add_test(tc, corrupt_sizes_end_the_drain);
	tcase_add_test(tc, corrupt_positions_are_skipped);
	tcase_add_test(tc, adopt_refuses_what_cannot_be_a_ring);
	return tc;
}

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_test(tc, live_ring_has_our_forks);
	tcase_add_test(tc, live_map_of_nothing_is_one_page);
	tcase_add_test(tc, live_map_above_the_limit_fails);
	tcase_add_test(tc, map_of_another_fd_fails);
	tcase_add_test(tc, event_open_reports_errno);
	return tc;
}

UNIT_MAIN("perf", tc_memory, tc_live)

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "forkstat/source.h"
#include "cli/loop.h"
#include "unit.h"

#define MSG_BYTES 76
#define T0	  (1000 * SM_NSEC_PER_SEC)
#define US	  UINT64_C(1000)
#define MS	  SM_NSEC_PER_MSEC

static struct source *s;
static int peer;

static void setup(void)
{
	int fd[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, fd), 0);
	s = malloc(sizeof(*s));
	ck_assert_ptr_nonnull(s);
	source_init(s, NULL, false);
	ck_assert_int_eq(s->cn.fd, -1);
	ck_assert_int_eq(sm_cnproc_adopt(&s->cn, fd[0]), 0);
	peer = fd[1];
	/* as if it had been quiet for a second */
	s->leaked_ns = T0 - SM_NSEC_PER_SEC;
}

static void teardown(void)
{
	sm_cnproc_close(&s->cn);
	free(s);
	close(peer);
}

/* One datagram of linux/cn_proc.h. */
static void feed(uint32_t what, pid_t pid, uint64_t time_ns)
{
	unsigned char b[MSG_BYTES] = {MSG_BYTES};
	const uint32_t one = 1;
	const uint16_t len = 40;

	memcpy(b + 16, &one, 4);
	memcpy(b + 20, &one, 4);
	memcpy(b + 32, &len, 2);
	memcpy(b + 36, &what, 4);
	memcpy(b + 44, &time_ns, 8);
	memcpy(b + 52, &pid, 4);
	memcpy(b + 56, &pid, 4);
	memcpy(b + 60, &pid, 4); /* fork: the child */
	ck_assert_int_eq(send(peer, b, sizeof(b), MSG_DONTWAIT), sizeof(b));
}

static void exec_at(pid_t pid, uint64_t time_ns)
{
	feed(SM_PROC_EXEC, pid, time_ns);
}

/* The socket of a pair takes some ten datagrams at a time: events at hand without it. */
static void at_hand(size_t n, uint64_t first_ns, uint64_t step_ns)
{
	for (size_t i = 0; i < n; i++)
		s->ev[s->n++] = (struct sm_proc_event){.time_ns = first_ns + i * step_ns,
			.what = SM_PROC_EXEC,
			.pid = (pid_t)(1000 + i)};
}

START_TEST(nothing_there)
{
	ck_assert_int_eq(source_drain(s, T0), 0);
	source_consume(s);
	ck_assert_uint_eq(source_pace(s, T0), SM_LOOP_FOREVER);
}
END_TEST

START_TEST(sorted_by_stamp)
{
	static const unsigned int at[] = {5, 2, 9, 2, 1, 7};
	static const pid_t want[] = {4, 1, 3, 0, 5, 2}; /* equal ones as they came */

	for (pid_t i = 0; i < 6; i++)
		exec_at(i, T0 + at[i]);
	ck_assert_int_eq(source_drain(s, T0 + 10), 6);
	for (int i = 0; i < 6; i++)
		ck_assert_int_eq(s->ev[i].pid, want[i]);
	source_consume(s);
	ck_assert_uint_eq(s->n, 0);
	ck_assert_uint_eq(source_pace(s, T0 + 10), SM_LOOP_FOREVER);
}
END_TEST

START_TEST(quiet_holds_nothing_back)
{
	exec_at(1, T0);
	ck_assert_int_eq(source_drain(s, T0), 1);
	source_consume(s);
	exec_at(2, T0 + 2);
	ck_assert_int_eq(source_drain(s, T0 + 1), 1);
	ck_assert_int_eq(s->ev[0].pid, 2);
}
END_TEST

static void make_busy(uint64_t now)
{
	s->bucket = 64;
	s->leaked_ns = now;
}

START_TEST(busy_holds_the_last_instants_back)
{
	make_busy(T0);
	exec_at(1, T0 - 200 * US);
	exec_at(2, T0 - 99 * US);
	exec_at(3, T0 - 150 * US);
	ck_assert_int_eq(source_drain(s, T0), 2);
	ck_assert_int_eq(s->ev[0].pid, 1);
	ck_assert_int_eq(s->ev[1].pid, 3);
	source_consume(s);
	ck_assert_uint_eq(s->n, 1);
	/* One that was overtaken still finds its place. */
	exec_at(4, T0 - 120 * US);
	ck_assert_int_eq(source_drain(s, T0 + 50 * US), 2);
	ck_assert_int_eq(s->ev[0].pid, 4);
	ck_assert_int_eq(s->ev[1].pid, 2);
}
END_TEST

START_TEST(busy_looks_at_intervals)
{
	uint64_t next;

	make_busy(T0);
	next = source_pace(s, T0);
	ck_assert_uint_ge(next, T0 + MS);
	ck_assert_uint_le(next, T0 + 4 * MS);
	/* What is held back is not forgotten when it gets quiet. */
	exec_at(1, T0);
	ck_assert_int_eq(source_drain(s, T0), 0);
	source_consume(s);
	s->bucket = 0;
	ck_assert_uint_ne(source_pace(s, T0 + MS), SM_LOOP_FOREVER);
	ck_assert_int_eq(source_drain(s, T0 + 4 * MS), 1);
	source_consume(s);
	ck_assert_uint_eq(source_pace(s, T0 + 4 * MS), SM_LOOP_FOREVER);
}
END_TEST

static bool is_busy(uint64_t now)
{
	return source_pace(s, now) != SM_LOOP_FOREVER;
}

/* Two events per millisecond are quiet, twenty are not. */
static bool busy_after(unsigned int per_ms)
{
	uint64_t now = T0;

	for (int i = 0; i < 100; i++, now += MS) {
		for (unsigned int j = 0; j < per_ms; j++) {
			exec_at(1, now - MS);
			if (j % 5 == 4)
				ck_assert_int_ge(source_drain(s, now), 0);
			source_consume(s);
		}
		ck_assert_int_ge(source_drain(s, now), 0);
		source_consume(s);
	}
	return is_busy(now - MS);
}

START_TEST(slow_stream_is_quiet)
{
	ck_assert(!busy_after(1));
}
END_TEST

START_TEST(fast_stream_is_busy_until_it_ends)
{
	uint64_t end = T0 + 100 * MS;

	ck_assert(busy_after(20));
	ck_assert_int_eq(source_drain(s, end + 50 * MS), 0);
	ck_assert(!is_busy(end + 50 * MS));
}
END_TEST

START_TEST(lazy_is_busy_earlier)
{
	struct sm_cnproc cn = s->cn;

	source_init(s, NULL, true);
	s->cn = cn;
	s->leaked_ns = T0;
	ck_assert(busy_after(1));
}
END_TEST

START_TEST(interval_without_events_ends_it)
{
	make_busy(T0);
	exec_at(1, T0 - MS);
	ck_assert_int_eq(source_drain(s, T0), 1);
	source_consume(s);
	ck_assert_int_eq(source_drain(s, T0 + 3 * MS), 0);
	ck_assert(is_busy(T0 + 3 * MS));
	ck_assert_int_eq(source_drain(s, T0 + 4 * MS), 0);
	ck_assert(!is_busy(T0 + 4 * MS));
	exec_at(1, T0 + 3 * MS);
	ck_assert_int_eq(source_drain(s, T0 + 4 * MS), 1);
	source_consume(s);
	ck_assert(is_busy(T0 + 4 * MS));
}
END_TEST

START_TEST(short_burst_is_quiet)
{
	for (pid_t i = 0; i < 5; i++)
		exec_at(i, T0);
	ck_assert_int_eq(source_drain(s, T0), 5);
	source_consume(s);
	ck_assert(!is_busy(T0));
}
END_TEST

START_TEST(full_batch_is_drained_again_at_once)
{
	make_busy(T0);
	at_hand(SOURCE_BATCH - 2, T0, 0);
	exec_at(1, T0);
	exec_at(2, T0);
	exec_at(3, T0);
	/* All of them, or there would be no room for more. */
	ck_assert_int_eq(source_drain(s, T0), SOURCE_BATCH);
	ck_assert(s->more);
	ck_assert_uint_eq(source_pace(s, T0), 0);
	source_consume(s);
	ck_assert_uint_eq(s->n, 0);
	ck_assert_int_eq(source_drain(s, T0 + MS), 1);
	ck_assert_int_eq(s->ev[0].pid, 3);
	ck_assert(!s->more);
}
END_TEST

START_TEST(exec_that_follows)
{
	feed(SM_PROC_EXEC, 7, T0);
	feed(SM_PROC_EXEC, 8, T0 + 1);
	feed(SM_PROC_COMM, 8, T0 + 2);
	feed(SM_PROC_EXEC, 7, T0 + 3);
	ck_assert_int_eq(source_drain(s, T0 + 4), 4);
	ck_assert(source_exec_follows(s, 0));
	ck_assert(!source_exec_follows(s, 1));
	ck_assert(!source_exec_follows(s, 2));
	ck_assert(!source_exec_follows(s, 3));
	/* Also among those that are held back. */
	s->ready = 1;
	ck_assert(source_exec_follows(s, 0));
}
END_TEST

/* Between the drain and the end of reading /proc. */
START_TEST(exec_that_overtakes_the_reading)
{
	feed(SM_PROC_EXEC, 7, T0);
	feed(SM_PROC_EXEC, 8, T0 + 1);
	ck_assert_int_eq(source_drain(s, T0 + 2), 2);
	ck_assert(!source_exec_overtaken(s, 0));
	ck_assert(!s->more);
	feed(SM_PROC_COMM, 8, T0 + 3);
	feed(SM_PROC_EXEC, 7, T0 + 4);
	ck_assert(source_exec_overtaken(s, 0));
	ck_assert(!source_exec_overtaken(s, 1));
	ck_assert(s->more); /* the two are kept for the next drain */
	source_consume(s);
	ck_assert_int_eq(source_drain(s, T0 + 5), 2);
	ck_assert_int_eq(s->ev[1].pid, 7);
}
END_TEST

START_TEST(errors_are_handed_on)
{
	int fd[2];

	sm_cnproc_close(&s->cn);
	ck_assert_int_eq(pipe(fd), 0);
	ck_assert_int_eq(sm_cnproc_adopt(&s->cn, fd[0]), 0);
	ck_assert_int_eq(source_drain(s, T0), -ENOTSOCK);
	close(fd[1]);
}
END_TEST

/* The smaller the rings, the more often. */
static uint64_t pace_with(size_t ring_bytes, bool lazy)
{
	static struct sm_perf_ring ring;
	struct capture c = {.way = CAPTURE_PERF, .rings = &ring, .nrings = 1};
	struct source *q = malloc(sizeof(*q));
	uint64_t pace;

	ck_assert_ptr_nonnull(q);
	ring.data_bytes = ring_bytes;
	source_init(q, &c, lazy);
	pace = q->pace_ns;
	free(q);
	return pace;
}

START_TEST(pace_fits_the_rings)
{
	ck_assert_uint_eq(pace_with(4096, false), MS);
	ck_assert_uint_eq(pace_with(64u << 20, false), 4 * MS);
	ck_assert_uint_ge(pace_with(1u << 20, false), MS);
	ck_assert_uint_le(pace_with(1u << 20, false), pace_with(2u << 20, false));
	ck_assert_uint_eq(s->pace_ns, 4 * MS);
	/* Lazy: also what is held back once is less than 10 ms late. */
	ck_assert_uint_eq(pace_with(4096, true), MS);
	ck_assert_uint_eq(pace_with(64u << 20, true), 9 * MS);
}
END_TEST

START_TEST(rings_are_drained_after_the_socket)
{
	static _Alignas(8) unsigned char data[128]; /* a record without content */
	unsigned long consumer = 0, producer = 8;
	struct capture c = {.way = CAPTURE_BPF};

	ck_assert_int_eq(
		sm_bpf_ring_adopt(&c.bpf.stream.ring, &consumer, &producer, data, 64), 0);
	s->capture = &c;
	ck_assert_int_eq(source_drain(s, T0), 0);
	ck_assert_uint_eq(consumer, producer);
}
END_TEST

/* --- the ring of events ------------------------------------------------------------- */

static _Alignas(8) unsigned char ring_data[2 * 256];
static unsigned long ring_consumer, ring_producer;
static uint32_t ring_on;

static void with_ring(void)
{
	ring_consumer = ring_producer = 0;
	ring_on = 0;
	ck_assert_int_eq(sm_bpf_ring_adopt(&s->ring.ring, &ring_consumer, &ring_producer,
				 ring_data, 256),
		0);
	s->ring.on = (struct sm_bpf_array){.values = &ring_on};
}

static void ring_exec(pid_t pid, uint64_t time_ns)
{
	const uint32_t event[10] = {SM_PROC_EXEC, 0, (uint32_t)time_ns,
		(uint32_t)(time_ns >> 32), (uint32_t)pid, (uint32_t)pid};
	const uint32_t head[2] = {sizeof(event), 0};
	unsigned char *to = ring_data + ring_producer % 256;

	memcpy(to, head, sizeof(head));
	memcpy(to + sizeof(head), event, sizeof(event));
	ring_producer += sizeof(head) + sizeof(event);
}

START_TEST(busy_takes_events_from_the_ring)
{
	with_ring();
	exec_at(1, T0 - MS);
	ck_assert_int_eq(source_drain(s, T0), 1);
	source_consume(s);
	ck_assert_uint_eq(ring_on, 0);
	make_busy(T0);
	exec_at(2, T0 - MS);
	ck_assert_int_eq(source_drain(s, T0), 1);
	source_consume(s);
	ck_assert_uint_eq(ring_on, 1);
	ck_assert(is_busy(T0));
	ck_assert(source_wakes(s)); /* for what the ring has no room */
	/* The socket is read only after it was readable, and after the ring. */
	s->socket_read = false;
	ring_exec(3, T0);
	exec_at(4, T0 + 1);
	ck_assert_int_eq(source_drain(s, T0 + MS), 1);
	ck_assert_int_eq(s->ev[0].pid, 3);
	ck_assert(!s->socket_read);
	source_consume(s);
	ring_exec(5, T0 + 2);
	s->queued = true;
	ck_assert_int_eq(source_drain(s, T0 + MS), 2);
	ck_assert_int_eq(s->ev[0].pid, 4);
	ck_assert_int_eq(s->ev[1].pid, 5);
	ck_assert(s->socket_read);
	ck_assert(!s->queued);
}
END_TEST

START_TEST(the_ring_is_older_than_the_socket)
{
	with_ring();
	make_busy(T0);
	ck_assert_int_eq(source_drain(s, T0), 0);
	at_hand(SOURCE_BATCH - 1, T0, 0);
	s->queued = true;
	ring_exec(1, T0 + 1);
	exec_at(2, T0 + 2);
	ck_assert_int_eq(source_drain(s, T0 + MS), SOURCE_BATCH);
	ck_assert_int_eq(s->ev[SOURCE_BATCH - 1].pid, 1);
	ck_assert(s->queued);
	source_consume(s);
	ck_assert_int_eq(source_drain(s, T0 + MS), 1);
	ck_assert_int_eq(s->ev[0].pid, 2);
}
END_TEST

/* A filter that ran when the ring was turned off may have written to it later. */
START_TEST(the_ring_is_read_once_more)
{
	with_ring();
	make_busy(T0);
	exec_at(1, T0 - MS);
	ck_assert_int_eq(source_drain(s, T0), 1);
	source_consume(s);
	ck_assert_uint_eq(ring_on, 1);
	ck_assert_int_eq(source_drain(s, T0 + 100 * MS), 0);
	ck_assert_uint_eq(ring_on, 0);
	ck_assert_uint_eq(source_pace(s, T0 + 100 * MS), T0 + 104 * MS);
	ring_exec(1, T0 + 100 * MS);
	ck_assert_int_eq(source_drain(s, T0 + 104 * MS), 1);
	source_consume(s);
	ck_assert_uint_eq(source_pace(s, T0 + 104 * MS), SM_LOOP_FOREVER);
}
END_TEST

/* A fork waits for the group of the child, which is noted just after it, and so does what
 * follows. */
START_TEST(forks_wait_for_the_group)
{
	const uint64_t ms = SM_NSEC_PER_MSEC;
	struct capture c = {.groups.followed = true};
	struct sm_strpool *pool;

	ck_assert_int_eq(sm_strpool_new(&pool, 1u << 20), 0);
	ck_assert_int_eq(groups_init(&c.groups, pool), 0);
	s->capture = &c;
	feed(SM_PROC_EXEC, 100, T0);
	feed(SM_PROC_FORK, 200, T0 + 1);
	feed(SM_PROC_FORK, 300, T0 + 2);
	ck_assert_int_eq(source_drain(s, T0 + 10), 1);
	source_consume(s);
	ck_assert_uint_ne(source_pace(s, T0 + 10), SM_LOOP_FOREVER);
	groups_note(&c.groups,
		&(struct execbpf_group){.pid = 300, .born = true, .time_ns = T0 + 20}, 0);
	ck_assert_int_eq(source_drain(s, T0 + 30), 0);
	groups_note(&c.groups,
		&(struct execbpf_group){.pid = 200, .born = true, .time_ns = T0 + 40}, 0);
	ck_assert_int_eq(source_drain(s, T0 + 50), 2);
	source_consume(s);
	feed(SM_PROC_FORK, 400, T0 + ms); /* its record is lost */
	ck_assert_int_eq(source_drain(s, T0 + 2 * ms), 0);
	ck_assert_int_eq(source_drain(s, T0 + 50 * ms), 1);
	source_consume(s);
	feed(SM_PROC_FORK, 500, T0 + 60 * ms);
	ck_assert_int_eq(source_drain(s, T0 + 60 * ms), 0);
	source_stop(s);
	ck_assert_int_eq(source_drain(s, T0 + 60 * ms), 1);
	groups_fini(&c.groups);
	sm_strpool_free(pool);
}
END_TEST

START_TEST(the_end_is_complete)
{
	with_ring();
	make_busy(T0);
	ring_exec(1, T0);
	ck_assert_int_eq(source_drain(s, T0), 0); /* held back */
	ck_assert_uint_eq(ring_on, 1);
	ring_exec(2, T0 + 1);
	exec_at(3, T0 + 2);
	source_stop(s);
	ck_assert_uint_eq(ring_on, 0);
	ck_assert_int_eq(source_drain(s, T0), 3);
	ck_assert(s->socket_read); /* the drop counter is read at the end */
}
END_TEST

static TCase *tc_source(void)
{
	TCase *tc = tcase_create("source");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, nothing_there);
	tcase_add_test(tc, sorted_by_stamp);
	tcase_add_test(tc, quiet_holds_nothing_back);
	tcase_add_test(tc, busy_holds_the_last_instants_back);
	tcase_add_test(tc, busy_looks_at_intervals);
	tcase_add_test(tc, slow_stream_is_quiet);
	tcase_add_test(tc, fast_stream_is_busy_until_it_ends);
	tcase_add_test(tc, lazy_is_busy_earlier);
	tcase_add_test(tc, interval_without_events_ends_it);
	tcase_add_test(tc, short_burst_is_quiet);
	tcase_add_test(tc, full_batch_is_drained_again_at_once);
	tcase_add_test(tc, exec_that_follows);
	tcase_add_test(tc, exec_that_overtakes_the_reading);
	tcase_add_test(tc, errors_are_handed_on);
	tcase_add_test(tc, pace_fits_the_rings);
	tcase_add_test(tc, rings_are_drained_after_the_socket);
	tcase_add_test(tc, busy_takes_events_from_the_ring);
	tcase_add_test(tc, the_ring_is_older_than_the_socket);
	tcase_add_test(tc, the_ring_is_read_once_more);
	tcase_add_test(tc, forks_wait_for_the_group);
	tcase_add_test(tc, the_end_is_complete);
	return tc;
}

UNIT_MAIN("source", tc_source)

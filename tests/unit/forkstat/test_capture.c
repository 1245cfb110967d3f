// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>

#include "forkstat/capture.h"
#include "forkstat_rig.h"

#define SEC	    SM_NSEC_PER_SEC
#define MS	    SM_NSEC_PER_MSEC
#define FOREVER	    (UINT64_MAX / 2)
#define FILE_OFFSET 8u /* of the __data_loc in the raw data */
#define SP	    UINT64_C(0x7ffc00001000)

static struct rig r;
static struct capture c;
static struct sm_bpf_log why;

static void setup(void)
{
	rig_open(&r, 1u << 20, false);
	memset(&c, 0, sizeof(c));
	c.way = CAPTURE_PERF;
	c.procs = &r.procs;
	c.filename_offset = FILE_OFFSET;
	ck_assert_int_eq(sm_map_init(&c.waiting, 16), 0);
}

static void teardown(void)
{
	capture_close(&c);
	ck_assert_uint_eq(sm_strpool_count(r.procs.names), 0);
	rig_close(&r);
}

/* One PERF_RECORD_SAMPLE body: ids, time, raw data, registers, stack. */
struct sample {
	unsigned char b[1024];
	size_t n;
};

static void put(struct sample *s, const void *p, size_t n)
{
	memcpy(s->b + s->n, p, n);
	s->n += n;
}

static void put32(struct sample *s, uint32_t v)
{
	put(s, &v, sizeof(v));
}

static void put64(struct sample *s, uint64_t v)
{
	put(s, &v, sizeof(v));
}

static struct sample begin(pid_t pid, uint64_t time_ns)
{
	struct sample s = {.n = 0};

	put32(&s, (uint32_t)pid);
	put32(&s, (uint32_t)pid + 1000); /* tid */
	put64(&s, time_ns);
	return s;
}

/* common fields, __data_loc, other fields, the file name at offset 20, padding */
static void add_raw(struct sample *s, const char *file)
{
	uint32_t len = (uint32_t)strlen(file) + 1;
	uint32_t total = (20 + len + 4 + 7) / 8 * 8 - 4;

	put32(s, total);
	put64(s, 0);
	put32(s, len << 16 | 20);
	put64(s, 0);
	put(s, file, len);
	s->n += total - 20 - len;
}

/* argc 2, "prog", "arg", environment "E=1"; dyn bytes of it were dumped. */
static void add_stack(struct sample *s, uint64_t abi, uint64_t dyn)
{
	const char strings[] = "prog\0arg\0E=1";
	uint64_t at = SP + 6 * 8;

	put64(s, abi);
	put64(s, SP);
	put64(s, 128);
	put64(s, 2);
	put64(s, at);
	put64(s, at + 5);
	put64(s, 0);
	put64(s, at + 9);
	put64(s, 0);
	put(s, strings, sizeof(strings));
	s->n += 128 - 48 - sizeof(strings);
	put64(s, dyn);
}

/* From a block of exactly its size. */
static void feed_n(const struct sample *s, size_t n)
{
	unsigned char *p = malloc(n ? n : 1);

	ck_assert_ptr_nonnull(p);
	memcpy(p, s->b, n);
	capture_sample(&c, p, n);
	free(p);
}

static void feed(const struct sample *s)
{
	feed_n(s, s->n);
}

static void exec_at(pid_t pid, uint64_t time_ns, const char *file)
{
	struct sample s = begin(pid, time_ns);

	add_raw(&s, file);
	feed(&s);
}

static void check_file(struct exec_record *e, uint64_t time_ns, const char *file)
{
	ck_assert_ptr_nonnull(e);
	ck_assert_uint_eq(e->time_ns, time_ns);
	ck_assert_ptr_nonnull(e->file);
	ck_assert_str_eq(e->file->s, file);
	ck_assert_uint_eq(e->file->tag, SM_NAME_FILE);
	capture_done(&c, e);
}

/* --- samples ----------------------------------------------------------------------- */

START_TEST(whole_sample)
{
	struct sample s = begin(7, 55);
	struct exec_record *e;

	add_raw(&s, "/bin/prog");
	add_stack(&s, PERF_SAMPLE_REGS_ABI_64, 128);
	feed(&s);
	e = capture_take(&c, 7, 55);
	ck_assert_int_eq(e->pid, 7);
	ck_assert_uint_eq(e->cmd->len, 9);
	ck_assert_mem_eq(e->cmd->s, "prog\0arg", 9);
	ck_assert_uint_eq(e->cmd->tag, SM_NAME_EXEC);
	ck_assert_uint_eq(e->expect_len, 9);
	check_file(e, 55, "/bin/prog");
	ck_assert_uint_eq(c.waiting.used, 0);
}
END_TEST

START_TEST(stack_that_ends_early)
{
	struct sample s = begin(7, 1);
	struct exec_record *e;

	add_raw(&s, "/bin/prog");
	add_stack(&s, PERF_SAMPLE_REGS_ABI_64, 48 + 6); /* one string and a byte */
	feed(&s);
	e = capture_take(&c, 7, 1);
	ck_assert_uint_eq(e->cmd->len, 5);
	ck_assert_uint_eq(e->cmd->tag, SM_NAME_EXEC | SM_NAME_TRUNCATED);
	capture_done(&c, e);
	s = begin(7, 2);
	add_raw(&s, "/bin/prog");
	add_stack(&s, PERF_SAMPLE_REGS_ABI_64, 48); /* pointers only */
	feed(&s);
	e = capture_take(&c, 7, 2);
	ck_assert_ptr_null(e->cmd);
	ck_assert_uint_eq(e->expect_len, 9);
	check_file(e, 2, "/bin/prog");
}
END_TEST

static void check_no_arguments(const struct sample *s, size_t n)
{
	struct exec_record *e;

	feed_n(s, n);
	e = capture_take(&c, 7, FOREVER);
	ck_assert_ptr_nonnull(e);
	ck_assert_ptr_null(e->cmd);
	ck_assert_uint_eq(e->expect_len, 0);
	check_file(e, 3, "/x");
}

START_TEST(sample_without_a_stack)
{
	struct sample s = begin(7, 3);
	size_t raw;

	add_raw(&s, "/x");
	raw = s.n;
	check_no_arguments(&s, raw); /* the architecture has none */
	add_stack(&s, PERF_SAMPLE_REGS_ABI_NONE, 128);
	check_no_arguments(&s, s.n);
	s.n = raw;
	add_stack(&s, PERF_SAMPLE_REGS_ABI_64, 129); /* more than it says */
	check_no_arguments(&s, s.n);
	s.n = raw;
	add_stack(&s, PERF_SAMPLE_REGS_ABI_32, 128); /* makes no sense with 4 bytes */
	check_no_arguments(&s, s.n);
	s.n = raw;
	add_stack(&s, PERF_SAMPLE_REGS_ABI_64, 128);
	for (size_t n = raw; n < s.n; n++) /* cut anywhere */
		check_no_arguments(&s, n);
	memset(s.b + raw + 16, 0, 8); /* no dump at all */
	check_no_arguments(&s, raw + 24);
	memset(s.b + raw + 16, 0xff, 8); /* a dump without end */
	check_no_arguments(&s, s.n);
}
END_TEST

START_TEST(sample_cut_before_the_raw_data)
{
	struct sample s = begin(7, 3);
	struct exec_record *e;

	add_raw(&s, "/x");
	for (size_t n = 0; n < 20; n++)
		feed_n(&s, n);
	ck_assert_uint_eq(c.waiting.used, 0);
	ck_assert_ptr_null(capture_take(&c, 7, 100));
	/* The raw data do not fit: that there was an exec is known. */
	feed_n(&s, s.n - 1);
	e = capture_take(&c, 7, 100);
	ck_assert_ptr_nonnull(e);
	ck_assert_ptr_null(e->file);
	capture_done(&c, e);
}
END_TEST

static struct sm_poolstr *file_with_loc(uint32_t loc)
{
	struct sample s = begin(7, 3);
	struct exec_record *e;
	struct sm_poolstr *file;

	add_raw(&s, "abcdefg"); /* 28 bytes of raw data */
	memcpy(s.b + 20 + FILE_OFFSET, &loc, 4);
	feed(&s);
	e = capture_take(&c, 7, 3);
	ck_assert_ptr_nonnull(e);
	file = sm_strpool_ref(e->file);
	capture_done(&c, e);
	return file;
}

START_TEST(file_name_that_points_anywhere)
{
	struct sm_poolstr *f = file_with_loc(8u << 16 | 20);

	ck_assert_str_eq(f->s, "abcdefg");
	sm_strpool_put(r.procs.names, f);
	f = file_with_loc(3u << 16 | 21); /* no NUL within: the given length */
	ck_assert_str_eq(f->s, "bcd");
	sm_strpool_put(r.procs.names, f);
	ck_assert_ptr_null(file_with_loc(9u << 16 | 20));
	ck_assert_ptr_null(file_with_loc(1u << 16 | 28));
	ck_assert_ptr_null(file_with_loc(0xffffffff));
	ck_assert_ptr_null(file_with_loc(0xffff));
	c.filename_offset = 25;
	ck_assert_ptr_null(file_with_loc(8u << 16 | 20));
	c.filename_offset = UINT32_MAX;
	ck_assert_ptr_null(file_with_loc(8u << 16 | 20));
}
END_TEST

START_TEST(empty_first_argument_names_nothing)
{
	struct sample s = begin(7, 3);
	uint64_t at = SP + 5 * 8;
	struct exec_record *e;

	add_raw(&s, "/x");
	put64(&s, PERF_SAMPLE_REGS_ABI_64);
	put64(&s, SP);
	put64(&s, 48);
	put64(&s, 1);
	put64(&s, at);
	put64(&s, 0);
	put64(&s, at + 1);
	put64(&s, 0);
	put(&s, "\0E=1\0\0\0", 8);
	put64(&s, 48);
	feed(&s);
	e = capture_take(&c, 7, 3);
	ck_assert_ptr_null(e->cmd);
	ck_assert_uint_eq(e->expect_len, 1);
	capture_done(&c, e);
}
END_TEST

START_TEST(record_of_the_bpf_program)
{
	struct execbpf_record b = {.pid = 9,
		.time_ns = 44,
		.file = "/bin/prog and more",
		.file_len = 9,
		.args = "prog\0arg",
		.args_len = 9,
		.comm = "other",
		.expect_len = 9};
	struct exec_record *e;

	capture_exec(&c, &b);
	e = capture_take(&c, 9, 44);
	ck_assert_uint_eq(e->cmd->len, 9);
	ck_assert_uint_eq(e->cmd->tag, SM_NAME_EXEC);
	ck_assert_uint_eq(e->expect_len, 9);
	ck_assert_str_eq(e->comm, "other");
	check_file(e, 44, "/bin/prog");
	b.file = NULL;
	b.args_len = 3;
	b.truncated = true;
	capture_exec(&c, &b);
	e = capture_take(&c, 9, 44);
	ck_assert_uint_eq(e->cmd->tag, SM_NAME_EXEC | SM_NAME_TRUNCATED);
	ck_assert_str_eq(e->cmd->s, "pro");
	ck_assert_ptr_null(e->file);
	capture_done(&c, e);
	b.args = NULL;
	capture_exec(&c, &b);
	e = capture_take(&c, 9, 44);
	ck_assert_ptr_null(e->cmd);
	capture_done(&c, e);
}
END_TEST

/* --- waiting ----------------------------------------------------------------------- */

START_TEST(newest_not_after_the_stamp)
{
	exec_at(7, 10 * MS, "/a");
	exec_at(7, 20 * MS, "/b");
	exec_at(7, 30 * MS, "/c");
	exec_at(8, 15 * MS, "/other");
	ck_assert_ptr_null(capture_take(&c, 7, 9 * MS));
	ck_assert_ptr_null(capture_take(&c, 9, 100 * MS));
	check_file(capture_take(&c, 7, 10 * MS), 10 * MS, "/a");
	check_file(capture_take(&c, 7, 29 * MS), 20 * MS, "/b");
	check_file(capture_take(&c, 7, 1000 * MS), 30 * MS, "/c");
	ck_assert_ptr_null(capture_take(&c, 7, 1000 * MS));
	check_file(capture_take(&c, 8, 15 * MS), 15 * MS, "/other");
	ck_assert_uint_eq(c.waiting.used, 0);
}
END_TEST

/* The clocks of two CPUs may differ by some microseconds. */
START_TEST(a_little_after_the_stamp_is_meant)
{
	exec_at(7, 10 * MS + 5000, "/a");
	check_file(capture_take(&c, 7, 10 * MS), 10 * MS + 5000, "/a");
	exec_at(7, 10 * MS + 500000, "/a");
	ck_assert_ptr_null(capture_take(&c, 7, 10 * MS));
}
END_TEST

START_TEST(older_ones_are_dropped)
{
	exec_at(7, 10 * MS, "/a");
	exec_at(7, 20 * MS, "/b");
	exec_at(7, 30 * MS, "/c");
	exec_at(7, 40 * MS, "/d");
	/* The events of /a and /b were lost. */
	check_file(capture_take(&c, 7, 35 * MS), 30 * MS, "/c");
	ck_assert_ptr_null(capture_take(&c, 7, 39 * MS));
	check_file(capture_take(&c, 7, 40 * MS), 40 * MS, "/d");
	ck_assert_uint_eq(c.waiting.used, 0);
	ck_assert_uint_eq(sm_strpool_count(r.procs.names), 0);
}
END_TEST

START_TEST(forgotten_ones_are_swept)
{
	for (pid_t i = 1; i < 1024; i++)
		exec_at(i, SEC, "/old");
	exec_at(2000, SEC + 2 * SEC,
		"/x"); /* the 1024th: old ones are just not too old */
	ck_assert_uint_eq(c.waiting.used, 1024);
	check_file(capture_take(&c, 2000, 3 * SEC), 3 * SEC, "/x");
	exec_at(2000, 3 * SEC + 1, "/x");
	ck_assert_uint_eq(c.waiting.used, 1024);
	check_file(capture_take(&c, 2000, 3 * SEC + 1), 3 * SEC + 1, "/x");
	exec_at(2000, 3 * SEC + 2, "/x");
	ck_assert_uint_eq(c.waiting.used, 1);
	check_file(capture_take(&c, 2000, 3 * SEC + 2), 3 * SEC + 2, "/x");
	ck_assert_ptr_null(capture_take(&c, 5, FOREVER));
	ck_assert_uint_eq(sm_strpool_count(r.procs.names), 0);
}
END_TEST

/* A reader that was stopped finds the records of all events at once, but takes the events
 * in batches. */
START_TEST(records_wait_for_a_late_reader)
{
	const pid_t n = 5000;

	for (pid_t i = 1; i <= n; i++)
		exec_at(i, (uint64_t)i * 10 * MS, "/a");
	for (pid_t i = 1; i <= n; i++)
		check_file(capture_take(&c, i, (uint64_t)i * 10 * MS),
			(uint64_t)i * 10 * MS, "/a");
	ck_assert_uint_eq(c.waiting.used, 0);
}
END_TEST

/* --- rings ------------------------------------------------------------------------- */

static struct perf_event_mmap_page meta;
static _Alignas(8) unsigned char ring[4096];

static void adopt_ring(void)
{
	c.rings = calloc(1, sizeof(*c.rings));
	ck_assert_ptr_nonnull(c.rings);
	memset(&meta, 0, sizeof(meta));
	ck_assert_int_eq(sm_perf_ring_adopt(c.rings, &meta, ring, sizeof(ring)), 0);
	c.nrings = 1;
}

static void write_record(uint32_t type, const void *body, size_t n)
{
	struct perf_event_header h = {
		.type = type, .size = (uint16_t)(8 + (n + 7) / 8 * 8)};

	memcpy(ring + meta.data_head, &h, sizeof(h));
	memcpy(ring + meta.data_head + 8, body, n);
	meta.data_head += h.size;
}

START_TEST(drain_takes_samples_and_counts_losses)
{
	struct sample s = begin(7, 3);
	uint64_t lost[2] = {0, 5};

	adopt_ring();
	add_raw(&s, "/x");
	capture_drain(&c);
	ck_assert_uint_eq(c.waiting.used, 0);
	write_record(PERF_RECORD_SAMPLE, s.b, s.n);
	write_record(PERF_RECORD_LOST, lost, sizeof(lost));
	write_record(PERF_RECORD_COMM, s.b, s.n);
	capture_drain(&c);
	ck_assert_uint_eq(c.waiting.used, 1);
	ck_assert_uint_eq(c.rings[0].lost, 5);
	check_file(capture_take(&c, 7, 3), 3, "/x");
	meta.data_head += 4; /* nonsense */
	capture_drain(&c);
	ck_assert_uint_eq(c.waiting.used, 0);
}
END_TEST

START_TEST(room)
{
	ck_assert_uint_eq(capture_room(&c), 0);
	adopt_ring();
	c.rings[0].data_bytes = 2u << 20;
	ck_assert_uint_le(capture_room(&c), (2u << 20) / CAPTURE_STACK_BYTES);
	ck_assert_uint_ge(capture_room(&c), 100);
	c.rings[0].data_bytes = sizeof(ring);
}
END_TEST

START_TEST(no_tracefs)
{
	struct capture none;

	ck_assert_int_lt(
		capture_open(&none, &r.root, &r.procs, NULL, CAPTURE_AUTO, 0, &why), 0);
	ck_assert_ptr_null(none.rings);
	ck_assert_ptr_null(none.waiting.slots);
	ck_assert_int_lt(
		capture_open(&none, &r.root, &r.procs, NULL, CAPTURE_PERF, 0, &why), 0);
	ck_assert_int_lt(
		capture_open(&none, &r.root, &r.procs, NULL, CAPTURE_BPF, 0, &why), 0);
	ck_assert_int_ge(fcntl(STDIN_FILENO, F_GETFD), 0);
}
END_TEST

/* The live machine: with the rights for it or without. */
static void open_live(enum capture_way way)
{
	struct sm_root live;
	struct capture l;
	int err;

	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	err = capture_open(&l, &live, &r.procs, NULL, way, 1u << 20, &why);
	ck_assert_int_le(err, 0);
	if (!err) {
		ck_assert_int_ne(l.way, CAPTURE_AUTO);
		ck_assert_uint_gt(l.ring_bytes, 0);
		ck_assert_uint_gt(capture_room(&l), 0);
		capture_drain(&l);
		capture_close(&l);
	}
	ck_assert_ptr_null(l.waiting.slots);
	ck_assert_int_ge(fcntl(STDIN_FILENO, F_GETFD), 0);
	sm_root_close(&live);
}

START_TEST(open_on_the_live_machine)
{
	open_live(CAPTURE_AUTO);
	open_live(CAPTURE_PERF);
	open_live(CAPTURE_BPF);
}
END_TEST

#define FIXTURE(tc) tcase_add_checked_fixture(tc, setup, teardown)

static TCase *tc_sample(void)
{
	TCase *tc = tcase_create("sample");

	FIXTURE(tc);
	tcase_add_test(tc, whole_sample);
	tcase_add_test(tc, stack_that_ends_early);
	tcase_add_test(tc, sample_without_a_stack);
	tcase_add_test(tc, sample_cut_before_the_raw_data);
	tcase_add_test(tc, file_name_that_points_anywhere);
	tcase_add_test(tc, empty_first_argument_names_nothing);
	tcase_add_test(tc, record_of_the_bpf_program);
	return tc;
}

static TCase *tc_waiting(void)
{
	TCase *tc = tcase_create("waiting");

	FIXTURE(tc);
	tcase_add_test(tc, newest_not_after_the_stamp);
	tcase_add_test(tc, a_little_after_the_stamp_is_meant);
	tcase_add_test(tc, older_ones_are_dropped);
	tcase_add_test(tc, forgotten_ones_are_swept);
	tcase_add_test(tc, records_wait_for_a_late_reader);
	return tc;
}

static TCase *tc_rings(void)
{
	TCase *tc = tcase_create("rings");

	FIXTURE(tc);
	tcase_add_test(tc, drain_takes_samples_and_counts_losses);
	tcase_add_test(tc, room);
	tcase_add_test(tc, no_tracefs);
	tcase_add_test(tc, open_on_the_live_machine);
	return tc;
}

UNIT_MAIN("capture", tc_sample, tc_waiting, tc_rings)

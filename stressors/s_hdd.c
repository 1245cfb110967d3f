// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Blocks of a file are written for some time, then read back and checked, and so on
 * until the file has been written from its first to its last block; then the next pass
 * starts.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "disk/block.h"
#include "disk/file.h"
#include "disk/io.h"
#include "disk/phase.h"
#include "memory/rate.h"
#include "run/stress.h"

#define KB UINT64_C(1024)
#define MB (1024 * KB)
/* Duration of a write phase and of a read phase.  In a run of a few seconds, each option
 * gets a turn. */
#define PHASE_NS (100 * SM_NSEC_PER_MSEC)
/* With a limit, a block has no more bytes than the limit permits in this time. */
#define BLOCK_NS (100 * SM_NSEC_PER_MSEC)
/* Interval in which a wait for the limit is interrupted to check for the end of the run.
 */
#define NAP_NS (4 * SM_NSEC_PER_MSEC)
/* Multiple of the block sizes of all options, and the minimum size of a file. */
#define LEAST (64 * KB)

enum { BYTES, WRITE_SIZE, OPTIONS, RATE };

static const struct stressor_opt opts[] = {
	[BYTES] = {"bytes", STRESSOR_SIZE, "SIZE", "set the size of the file",
		.min = LEAST, .max = UINT64_C(1) << 42, .normal = 256 * MB, .small = MB,
		.large = 1024 * MB, .size = STRESSOR_OF_DISK},
	[WRITE_SIZE] = {"write-size", STRESSOR_SIZE, "SIZE",
		"set the size of each write and read", .min = 1, .max = 4 * MB,
		.normal = 64 * KB, .small = 4 * KB, .large = 4 * MB,
		.size = STRESSOR_OF_A_CALL},
	[OPTIONS] = {"opts", STRESSOR_CHOICES, "LIST",
		"select how the file is opened, written and read",
		.large = DISK_IO_BIT(DISK_IO_ALL), .choices = disk_io_options,
		.alone = DISK_IO_BIT(DISK_IO_ALL), .exclusive = disk_io_exclusive},
	[RATE] = {"rate", STRESSOR_COUNT, "N",
		"limit writing and reading together to N MB/s; 0: no limit",
		.max = 1000000},
	{0},
};

enum { TRANSFERRED, WRITTEN, READ, BOTH };

static const struct stressor_metric metrics[] = {
	[TRANSFERRED] = {"transferred", "MB/s", .mean = MEAN_RATE, .headline = "MB/s"},
	[WRITTEN] = {"write", "MB/s", .mean = MEAN_GEOMETRIC, .yaml = "mbsec-write-rate"},
	[READ] = {"read", "MB/s", .mean = MEAN_GEOMETRIC, .yaml = "mbsec-read-rate"},
	[BOTH] = {"write and read", "MB/s", .mean = MEAN_GEOMETRIC,
		.yaml = "mbsec-readwrite-combined-rate"},
	{0},
};

struct moved {
	uint64_t bytes, ns; /* ns: time in the calls */
};

struct hdd {
	int fd;		   /* -1: not open */
	uint64_t set;	   /* options of the file */
	unsigned int turn; /* current option with DISK_IO_ALL */
	bool in_turn;
	unsigned char *buf;
	size_t size; /* size of a block */
	struct disk_phase phase;
	struct rate rate;
	struct moved written, read;
};

/* Returned to make run continue with the next option. */
#define TURN_ENDS 1

static uint64_t key_of(const struct stress *s, uint64_t block)
{
	const struct hdd *h = s->data;

	return disk_block_key(s->seed, block, h->phase.number);
}

/* --- the file ----------------------------------------------------------------------- */

/* Options that change requests to the file system; the others only select blocks. */
#define OPTIONS_OF_CALLS                                                    \
	~(DISK_IO_BIT(DISK_IO_IOVEC) | DISK_IO_BIT(DISK_IO_RD_RND) |        \
		DISK_IO_BIT(DISK_IO_RD_SEQ) | DISK_IO_BIT(DISK_IO_WR_RND) | \
		DISK_IO_BIT(DISK_IO_WR_SEQ))

/* Returns whether the error means that the file system or the kernel does not support the
 * call. */
static bool is_refusal(int error)
{
	return error == EINVAL || error == EOPNOTSUPP || error == ENOSYS ||
	       error == EPERM;
}

static void put_options(const struct hdd *h, char *text, size_t cap)
{
	size_t n = 0;

	*text = '\0';
	for (unsigned int i = 0; disk_io_options[i]; i++)
		if (h->set & DISK_IO_BIT(i) && n < cap)
			n += (size_t)snprintf(text + n, cap - n, "%s%s", n ? "," : "",
				disk_io_options[i]);
}

/* Handles a failed call: the requested options are not usable here, or with all options,
 * the current one is not. */
static int call_failed(struct stress *s, int error, const char *call)
{
	const struct hdd *h = s->data;
	char options[STRESS_REASON / 2];

	if (!(h->set & OPTIONS_OF_CALLS) || !is_refusal(error))
		return stress_error(s, STRESS_FAIL, error, "%s", call);
	put_options(h, options, sizeof(options));
	if (!h->in_turn)
		return stress_skip(
			s, "--hdd-opts=%s: %s: %s", options, call, strerror(error));
	stress_note(s, "%s cannot be used: %s: %s", options, call, strerror(error));
	return TURN_ENDS;
}

static size_t rounded_up(size_t n, size_t unit)
{
	return (n + unit - 1) / unit * unit;
}

static void set_size(const struct stress *s)
{
	struct hdd *h = s->data;
	size_t unit = disk_io_unit(h->set), size = rounded_up(s->value[WRITE_SIZE], unit);

	if (size > s->value[BYTES])
		size = s->value[BYTES] / unit * unit;
	h->size = rate_chunk(&h->rate, BLOCK_NS, unit, size);
	disk_phase_init(&h->phase, h->set, s->value[BYTES] / h->size, s->seed);
}

static int open_file(struct stress *s)
{
	struct hdd *h = s->data;
	int err;

	set_size(s);
	h->fd = disk_file_open(s->scratch_fd, disk_io_flags(h->set));
	if (h->fd < 0)
		return call_failed(s, -h->fd, "open");
	err = disk_file_allocate(h->fd, h->size * h->phase.blocks);
	return err ? stress_error(s, STRESS_FAIL, -err, "allocation of the file") : 0;
}

static void close_file(struct hdd *h)
{
	if (h->fd >= 0)
		close(h->fd);
	h->fd = -1;
}

/* Selects the next option that this file system supports; there always is one, since some
 * options do not change calls. */
static int next_turn(struct stress *s)
{
	struct hdd *h = s->data;
	int r = TURN_ENDS;

	while (r == TURN_ENDS && !stress_stopped(s)) {
		close_file(h);
		h->turn = h->turn % (DISK_IO_OPTIONS - 1) + 1;
		h->set = DISK_IO_BIT(h->turn);
		r = open_file(s);
	}
	return r < 0 ? r : 0;
}

/* --- blocks ------------------------------------------------------------------------- */

/* Waits until the limit permits the next block.  Returns false if the run ends. */
static bool wait_for_turn(const struct stress *s)
{
	struct hdd *h = s->data;
	const struct timespec nap = {0, (long)NAP_NS};

	while (h->rate.target > sm_clock_mono_ns() + NAP_NS && stress_goes_on(s))
		(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
	if (!stress_goes_on(s))
		return false;
	rate_wait(&h->rate);
	return true;
}

static void count(struct hdd *h, struct moved *m, uint64_t begin_ns)
{
	m->ns += sm_clock_mono_ns() - begin_ns;
	m->bytes += h->size;
	rate_done(&h->rate, h->size);
}

static int write_block(struct stress *s, uint64_t block)
{
	struct hdd *h = s->data;
	uint64_t begin_ns;
	int err;

	disk_block_fill(h->buf, h->size, key_of(s, block));
	if (s->spoil && h->phase.number == 2)
		h->buf[0] ^= 1;
	begin_ns = sm_clock_mono_ns();
	err = disk_io_write(h->fd, h->set, h->buf, h->size, block * h->size);
	if (err)
		return call_failed(s, -err, "write");
	err = disk_io_commit(h->fd, h->set);
	if (err)
		return call_failed(s, -err, "what follows after a write");
	count(h, &h->written, begin_ns);
	stress_add(s, 1);
	return 0;
}

static int check_block(struct stress *s, uint64_t block)
{
	const struct hdd *h = s->data;
	size_t at = disk_block_check(h->buf, h->size, key_of(s, block));
	unsigned char is;

	if (at == h->size)
		return 0;
	is = h->buf[at];
	disk_block_fill(h->buf, h->size, key_of(s, block));
	return stress_fail(s, "byte %llu of the file: %02x was read and %02x written",
		(unsigned long long)block * h->size + at, is, h->buf[at]);
}

static int read_block(struct stress *s, uint64_t block)
{
	struct hdd *h = s->data;
	uint64_t begin_ns = sm_clock_mono_ns();
	int err = disk_io_read(h->fd, h->set, h->buf, h->size, block * h->size);

	if (err)
		return call_failed(s, -err, "read");
	count(h, &h->read, begin_ns);
	if (check_block(s, block))
		return -1;
	stress_add(s, 1);
	return 0;
}

/* --- phases ------------------------------------------------------------------------- */

static int advise(struct stress *s)
{
	const struct hdd *h = s->data;
	int err = disk_io_advise(h->fd, h->set);

	return err ? call_failed(s, -err, "posix_fadvise") : 0;
}

/* Returns the time at which a phase ends. */
static uint64_t end_of_phase(void)
{
	return sm_clock_mono_ns() + PHASE_NS;
}

static bool is_over(const struct stress *s, uint64_t end_ns)
{
	return sm_clock_mono_ns() >= end_ns || !stress_goes_on(s);
}

static int write_phase(struct stress *s)
{
	struct hdd *h = s->data;
	int r = advise(s);
	uint64_t end_ns = end_of_phase(), block;

	disk_phase_begin(&h->phase);
	while (!r && !is_over(s, end_ns) && wait_for_turn(s) &&
		disk_phase_write(&h->phase, &block))
		r = write_block(s, block);
	return r;
}

static int read_phase(struct stress *s)
{
	struct hdd *h = s->data;
	enum disk_phase_read found = DISK_PHASE_SEARCH;
	int r = advise(s);
	uint64_t end_ns = end_of_phase(), block;

	while (!r && found != DISK_PHASE_END && !is_over(s, end_ns)) {
		found = disk_phase_read(&h->phase, &block);
		if (found == DISK_PHASE_BLOCK && wait_for_turn(s))
			r = read_block(s, block);
	}
	return r;
}

static int both_phases(struct stress *s)
{
	int r = write_phase(s);

	return r ? r : read_phase(s);
}

/* --- the stressor ------------------------------------------------------------------- */

static double mb(uint64_t bytes, uint64_t ns)
{
	return (double)bytes / (double)MB / ((double)ns / (double)SM_NSEC_PER_SEC);
}

static void report(struct stress *s)
{
	const struct hdd *h = s->data;
	const struct moved *w = &h->written, *r = &h->read;
	uint64_t now = sm_clock_mono_ns();

	if (now > s->go_ns)
		stress_metric(s, TRANSFERRED, mb(w->bytes + r->bytes, now - s->go_ns));
	if (w->ns)
		stress_metric(s, WRITTEN, mb(w->bytes, w->ns));
	if (r->ns)
		stress_metric(s, READ, mb(r->bytes, r->ns));
	if (w->ns + r->ns)
		stress_metric(s, BOTH, mb(w->bytes + r->bytes, w->ns + r->ns));
}

static int run(struct stress *s)
{
	struct hdd *h = s->data;
	int r = 0;

	rate_begin(&h->rate, sm_clock_mono_ns());
	while (r >= 0 && stress_goes_on(s)) {
		r = both_phases(s);
		if (r >= 0 && h->in_turn)
			r = next_turn(s);
	}
	report(s);
	return r < 0 ? r : 0;
}

static size_t buffer(const struct stress *s)
{
	return rounded_up(s->value[WRITE_SIZE], LEAST);
}

static uint64_t memory(const struct stress *s)
{
	return buffer(s);
}

static uint64_t disk(const struct stress *s)
{
	return s->value[BYTES];
}

static int setup(struct stress *s)
{
	struct hdd *h = s->data;

	h->fd = -1;
	h->set = s->value[OPTIONS];
	h->in_turn = h->set & DISK_IO_BIT(DISK_IO_ALL);
	rate_init(&h->rate, s->value[RATE]);
	h->buf = stress_map(s, buffer(s), 0);
	if (!h->buf)
		return -1;
	return h->in_turn ? next_turn(s) : open_file(s);
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_hdd_man[] =
	"metric transferred: data written and read, divided by the time of the run\n"
	"metric write and read: the rate of one instance, measured over the time "
	"of the calls alone\n"
	"Blocks are written for 0.1 seconds and are then read and checked; most "
	"reads therefore come from the page cache, unless direct or fadv-dontneed "
	"is given.  The file has no name and is removed with the instance.\n"
	"--write-size: The size is rounded up: with direct to a multiple of 4 KB, "
	"with iovec of 16 bytes, with both of 64 KB.  With --hdd-rate, a block is "
	"at most as large as the rate permits in 0.1 seconds.\n"
	"--opts: If the file system rejects one of the options, the stressor is "
	"skipped with the reason.\n"
	"--opts direct: bypasses the page cache (O_DIRECT)\n"
	"--opts sync, dsync: each write ends when the data is on the disk (O_SYNC, "
	"O_DSYNC)\n"
	"--opts noatime: reads do not change the time of the last access "
	"(O_NOATIME)\n"
	"--opts fsync, fdatasync, syncfs: make this call after each write; "
	"syncfs(2) commits the files of all programs on the file system\n"
	"--opts utimes: sets the times of the file after each write\n"
	"--opts iovec: writes and reads each block as 16 parts (pwritev(2), "
	"preadv(2))\n"
	"--opts fadv-normal, fadv-rnd, fadv-seq, fadv-noreuse, fadv-willneed, "
	"fadv-dontneed: give this advice for the whole file (posix_fadvise(2)) "
	"each time before blocks are written or read; fadv-dontneed also removes "
	"clean pages from the page cache\n"
	"--opts wr-seq, wr-rnd: write blocks in file order (the default) or in "
	"random order\n"
	"--opts rd-seq, rd-rnd: read blocks in file order (the default) or in "
	"random order\n"
	"--opts all: uses each of these in turn, each with its own file; unusable "
	"options are omitted, and a note gives the first reason.  This is the "
	"default with --maximize and --aggressive.\n";

const struct stressor stressor_hdd = {
	.name = "hdd",
	.letter = 'd',
	.does = "write a file, read it back and check it, optionally at a limited "
		"rate",
	.op = "one block is written, or read and checked",
	.checks = "all data that is read",
	.needs = "a directory in which files can be created (--temp-path)",
	.scratch = true,
	.classes = CLASS_IO | CLASS_FILESYSTEM | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.disk = disk,
	.state = sizeof(struct hdd),
	.setup = setup,
	.run = run,
};

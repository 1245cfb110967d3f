// SPDX-License-Identifier: GPL-2.0-or-later
/* Files, blocks and orders of the stressors that use the disk. */
#include <fcntl.h>
#include <sys/stat.h>

#include "fixroot_rig.h"
#include "stressors/disk/block.h"
#include "stressors/disk/file.h"
#include "stressors/disk/io.h"
#include "stressors/disk/order.h"
#include "stressors/disk/phase.h"

/* --- blocks ------------------------------------------------------------------------- */

#define BYTES 100u

static _Alignas(8) unsigned char data[BYTES];

/* A wrong byte is found at its place, also behind the last whole word. */
START_TEST(each_byte)
{
	for (size_t bytes = 1; bytes <= BYTES; bytes++) {
		disk_block_fill(data, bytes, 7);
		ck_assert_uint_eq(disk_block_check(data, bytes, 7), bytes);
		for (size_t i = 0; i < bytes; i++) {
			data[i] ^= 0x10;
			ck_assert_uint_eq(disk_block_check(data, bytes, 7), i);
			data[i] ^= 0x10;
		}
	}
}
END_TEST

START_TEST(nothing_else_is_written)
{
	memset(data, 0x55, BYTES);
	disk_block_fill(data, 13, 7);
	for (size_t i = 13; i < BYTES; i++)
		ck_assert_uint_eq(data[i], 0x55);
}
END_TEST

START_TEST(zero_bytes)
{
	memset(data, 0, BYTES);
	ck_assert_uint_eq(disk_block_check_zero(data, BYTES), BYTES);
	data[99] = 1;
	ck_assert_uint_eq(disk_block_check_zero(data, BYTES), 99);
	data[17] = 1;
	ck_assert_uint_eq(disk_block_check_zero(data, BYTES), 17);
}
END_TEST

/* Another place, time or seed: the first byte but one in 256 is another one. */
START_TEST(other_keys)
{
	uint64_t key = disk_block_key(1, 2, 3);

	ck_assert_uint_ne(key, disk_block_key(1, 2, 4));
	ck_assert_uint_ne(key, disk_block_key(1, 3, 3));
	ck_assert_uint_ne(key, disk_block_key(1, 3, 2));
	ck_assert_uint_ne(key, disk_block_key(2, 2, 3));
	disk_block_fill(data, BYTES, key);
	ck_assert_uint_lt(disk_block_check(data, BYTES, disk_block_key(1, 2, 4)), 8);
}
END_TEST

/* --- orders ------------------------------------------------------------------------- */

/* Each number once, and back to its place. */
START_TEST(all_numbers)
{
	static bool seen[1100];
	struct disk_order o;

	for (uint64_t n = 1; n < SM_ARRAY_SIZE(seen); n = n < 20 ? n + 1 : n * 2 + 1) {
		memset(seen, 0, sizeof(seen));
		disk_order_init(&o, n, 42);
		for (uint64_t i = 0; i < n; i++) {
			uint64_t at = disk_order_at(&o, i);

			ck_assert(at < n && !seen[at]);
			seen[at] = true;
			ck_assert_uint_eq(disk_order_of(&o, at), i);
		}
	}
}
END_TEST

/* Of a permutation at random, 1 number in expectation follows after the one before it. */
START_TEST(out_of_order)
{
	struct disk_order o, other;
	unsigned int follow = 0, same = 0;

	disk_order_init(&o, 4096, 1);
	disk_order_init(&other, 4096, 2);
	for (uint64_t i = 0; i + 1 < 4096; i++) {
		follow += disk_order_at(&o, i + 1) == disk_order_at(&o, i) + 1;
		same += disk_order_at(&o, i) == disk_order_at(&other, i);
	}
	ck_assert_uint_lt(follow, 16);
	ck_assert_uint_lt(same, 16);
}
END_TEST

START_TEST(large)
{
	struct disk_order o;

	disk_order_init(&o, UINT64_MAX, 1);
	ck_assert_uint_eq(disk_order_of(&o, disk_order_at(&o, 12345)), 12345);
	disk_order_init(&o, (UINT64_C(1) << 40) + 1, 1);
	ck_assert_uint_le(disk_order_at(&o, UINT64_C(1) << 40), UINT64_C(1) << 40);
}
END_TEST

/* --- phases ------------------------------------------------------------------------- */

#define BLOCKS 9000u

static uint32_t written_in[BLOCKS], read_in[BLOCKS];

static unsigned int write_some(struct disk_phase *p, unsigned int most)
{
	unsigned int n = 0;
	uint64_t block;

	disk_phase_begin(p);
	while (n < most && disk_phase_write(p, &block)) {
		ck_assert_uint_lt(block, p->blocks);
		ck_assert_uint_ne(written_in[block], p->number);
		written_in[block] = (uint32_t)p->number;
		n++;
	}
	return n;
}

/* Those of this phase, each once. */
static unsigned int read_all(struct disk_phase *p)
{
	bool in_order = !(p->set & DISK_IO_BIT(DISK_IO_RD_RND));
	enum disk_phase_read found;
	uint64_t block, last = 0;
	unsigned int n = 0;

	while ((found = disk_phase_read(p, &block)) != DISK_PHASE_END) {
		if (found == DISK_PHASE_SEARCH)
			continue;
		ck_assert_uint_eq(written_in[block], p->number);
		ck_assert_uint_ne(read_in[block], p->number);
		read_in[block] = (uint32_t)p->number;
		ck_assert(!in_order || n == 0 || block > last);
		last = block;
		n++;
	}
	return n;
}

START_TEST(what_was_written_is_read)
{
	static const uint64_t sets[] = {0, DISK_IO_BIT(DISK_IO_WR_RND),
		DISK_IO_BIT(DISK_IO_RD_RND),
		DISK_IO_BIT(DISK_IO_WR_RND) | DISK_IO_BIT(DISK_IO_RD_RND)};
	struct disk_phase p = {0};

	disk_phase_init(&p, sets[_i], BLOCKS, 5);
	for (unsigned int pass = 0; pass < 3; pass++)
		for (unsigned int left = BLOCKS, most = 1; left; most = most * 3 + 1) {
			unsigned int n = write_some(&p, most);

			ck_assert_uint_eq(n, most < left ? most : left);
			ck_assert_uint_eq(read_all(&p), n);
			left -= n;
		}
	/* The end of the run may come before the first write. */
	ck_assert_uint_eq(write_some(&p, 0) + read_all(&p), 0);
}
END_TEST

/* --- files -------------------------------------------------------------------------- */

static int dir_fd;

static void open_dir(void)
{
	fix_open();
	fix_mkdir("dir");
	dir_fd = open(fix_path("dir"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(dir_fd, 0);
}

static void close_dir(void)
{
	close(dir_fd);
	fix_close();
}

static void is_without_name(int fd, int flags)
{
	struct stat st;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert(S_ISREG(st.st_mode) && st.st_nlink == 0);
	ck_assert_int_eq(st.st_mode & 07777, 0600);
	ck_assert_int_eq(fcntl(fd, F_GETFL) & (O_ACCMODE | flags), O_RDWR | flags);
	ck_assert_int_ne(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
	ck_assert_int_eq(disk_file_allocate(fd, 123456), 0);
	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert_int_eq(st.st_size, 123456);
	ck_assert_int_ge(st.st_blocks * 512, 123456);
	close(fd);
	/* There is no entry in the directory: it can be removed. */
	ck_assert_int_eq(rmdir(fix_path("dir")), 0);
	fix_mkdir("dir");
}

START_TEST(no_name)
{
	is_without_name(disk_file_open(dir_fd, O_DSYNC), O_DSYNC);
}
END_TEST

START_TEST(a_name_for_a_moment)
{
	is_without_name(disk_file_open_named(dir_fd, O_NOATIME), O_NOATIME);
}
END_TEST

/* A file of this name is of someone else. */
START_TEST(a_name_that_is_there)
{
	fix_put("dir/file", "text");
	ck_assert_int_eq(disk_file_open_named(dir_fd, 0), -EEXIST);
	ck_assert_int_eq(access(fix_path("dir/file"), F_OK), 0);
}
END_TEST

START_TEST(too_large)
{
	int fd = disk_file_open(dir_fd, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_lt(disk_file_allocate(fd, UINT64_C(1) << 60), 0);
	close(fd);
}
END_TEST

/* --- options ------------------------------------------------------------------------ */

START_TEST(whole_and_in_parts)
{
	static _Alignas(4096) char out[65536 + 7], in[sizeof(out)];
	int fd = disk_file_open(dir_fd, 0);
	const uint64_t sets[] = {0, DISK_IO_BIT(DISK_IO_IOVEC)};

	for (size_t i = 0; i < 2; i++) {
		size_t n = i ? 65536 : sizeof(out);

		memset(out, 'a' + (int)i, n);
		out[n - 1] = 'z';
		ck_assert_int_eq(disk_io_write(fd, sets[i], out, n, 4096), 0);
		ck_assert_int_eq(disk_io_read(fd, sets[1 - i], in, 65536, 4096), 0);
		ck_assert_int_eq(memcmp(in, out, 65536), 0);
	}
	/* Less than all: the file ends. */
	ck_assert_int_eq(disk_io_read(fd, 0, in, 65536, 8192), -ENODATA);
	ck_assert_int_eq(disk_io_read(fd, sets[1], in, 65536, 8192), -ENODATA);
	close(fd);
	ck_assert_int_eq(disk_io_write(fd, 0, out, 1, 0), -EBADF);
}
END_TEST

START_TEST(units_and_flags)
{
	uint64_t direct = DISK_IO_BIT(DISK_IO_DIRECT), vec = DISK_IO_BIT(DISK_IO_IOVEC);

	ck_assert_uint_eq(disk_io_unit(0), 1);
	ck_assert_uint_eq(disk_io_unit(direct), 4096);
	ck_assert_uint_eq(disk_io_unit(vec), 16);
	ck_assert_uint_eq(disk_io_unit(direct | vec), 65536);
	ck_assert_int_eq(disk_io_flags(vec), 0);
	ck_assert_int_eq(
		disk_io_flags(direct | DISK_IO_BIT(DISK_IO_SYNC)), O_DIRECT | O_SYNC);
}
END_TEST

static TCase *tc_data(void)
{
	TCase *tc = tcase_create("data");

	tcase_add_test(tc, each_byte);
	tcase_add_test(tc, nothing_else_is_written);
	tcase_add_test(tc, zero_bytes);
	tcase_add_test(tc, other_keys);
	tcase_add_test(tc, all_numbers);
	tcase_add_test(tc, out_of_order);
	tcase_add_test(tc, large);
	tcase_add_loop_test(tc, what_was_written_is_read, 0, 4);
	return tc;
}

static TCase *tc_files(void)
{
	TCase *tc = tcase_create("files");

	tcase_add_checked_fixture(tc, open_dir, close_dir);
	tcase_add_test(tc, no_name);
	tcase_add_test(tc, a_name_for_a_moment);
	tcase_add_test(tc, a_name_that_is_there);
	tcase_add_test(tc, too_large);
	tcase_add_test(tc, whole_and_in_parts);
	tcase_add_test(tc, units_and_flags);
	return tc;
}

UNIT_MAIN("disk", tc_data, tc_files)

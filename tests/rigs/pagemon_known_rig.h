/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pagemon_known_rig: a child with pages of all kinds at addresses that the test knows.
 */
#ifndef PAGEMON_KNOWN_RIG_H
#define PAGEMON_KNOWN_RIG_H

#include "pagemon_space_rig.h"

#define PAGE  ((size_t)4096)
#define BLOCK ((size_t)2 << 20)

enum { STRIDE = 2000, GUARDED = 5 };

static char *known_at, *huge_at, *stride_at, *shared_at;

static inline char *map(size_t bytes, int prot, int flags, int fd)
{
	char *at = mmap(NULL, bytes, prot, flags, fd, 0);

	ck_assert_ptr_ne(at, MAP_FAILED);
	return at;
}

static inline char *map_anon(size_t bytes)
{
	return map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static inline char *align(char *at)
{
	return at + (BLOCK - (uintptr_t)at % BLOCK) % BLOCK;
}

static inline void touch(char *at, size_t pages)
{
	for (size_t i = 0; i < pages; i++)
		((volatile char *)at)[i * PAGE] = 1;
}

static inline void look(const char *at, size_t pages)
{
	for (size_t i = 0; i < pages; i++)
		(void)((const volatile char *)at)[i * PAGE];
}

static inline int file_of(size_t pages)
{
	char name[] = "/tmp/sm-test-pass-XXXXXX";
	int fd = mkstemp(name);

	ck_assert_int_ge(fd, 0);
	unlink(name);
	ck_assert_int_eq(ftruncate(fd, (off_t)(pages * PAGE)), 0);
	return fd;
}

/* Addresses are the parent's: it maps the regions, the child fills them. */
static inline void map_known(void)
{
	known_at = map_anon(64 * PAGE);
	stride_at = map_anon(STRIDE * PAGE);
	shared_at =
		map(32 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1);
	huge_at = map_anon(8 * BLOCK);
}

static inline void fill_known(char what)
{
	char *huge = align(huge_at);
	int fd = file_of(16);
	char *file = map(16 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd);

	(void)what;
	madvise(known_at, 64 * PAGE, MADV_NOHUGEPAGE);
	touch(known_at, 8);
	look(known_at + 16 * PAGE, 8); /* zero pages */
	madvise(known_at + 32 * PAGE, GUARDED * PAGE, MADV_GUARD_INSTALL);
	touch(known_at + 40 * PAGE, 24);
	madvise(stride_at, STRIDE * PAGE, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < STRIDE; i += 2)
		touch(stride_at + i * PAGE, 1);
	touch(shared_at, 16);
	touch(file, 4); /* copied: anonymous */
	look(file + 8 * PAGE, 4);
	/* Blocks: huge, small pages, the huge zero page, half of one split, huge. */
	madvise(huge, 6 * BLOCK, MADV_HUGEPAGE);
	touch(huge, 1);
	look(huge + 2 * BLOCK, 1);
	touch(huge + 3 * BLOCK, 1);
	madvise(huge + 3 * BLOCK + 4 * PAGE, PAGE, MADV_DONTNEED);
	touch(huge + 4 * BLOCK, 1);
	mprotect(huge + 4 * BLOCK, PAGE,
		PROT_READ); /* another mapping: the block is split */
	touch(huge + 5 * BLOCK, 1);
	madvise(huge + BLOCK, BLOCK, MADV_NOHUGEPAGE);
	touch(huge + BLOCK, 300);
	/* khugepaged is to leave it all as it is. */
	madvise(huge_at, 8 * BLOCK, MADV_NOHUGEPAGE);
}

/* The target is a child of this process.  Other pages than those that it alone has
 * touched become exclusive when this process writes to them, or exits. */
static inline bool known_is_own(uint64_t address)
{
	const struct {
		const char *at;
		size_t bytes;
	} region[] = {{known_at, 64 * PAGE}, {stride_at, STRIDE * PAGE},
		{shared_at, 32 * PAGE}, {huge_at, 8 * BLOCK}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(region); i++)
		if (address - (uintptr_t)region[i].at < region[i].bytes)
			return true;
	return false;
}

static inline void known_target(void)
{
	map_known();
	rig_start(fill_known);
	rig_leave_out_large();
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Each page with a name is followed by one without access. */
enum place { ZEROS, ONES, TEXT, CROSSED, OUTPUT, UNMAPPED, PLACES };

const char *const pages_names[PAGES_BAD] = {
	[PAGES_NULL] = "NULL",
	[PAGES_NO_ACCESS] = "an address without access",
	[PAGES_UNMAPPED] = "an address that is not mapped",
	[PAGES_KERNEL] = "an address of the kernel",
	[PAGES_HIGH] = "an address with the highest bit",
	[PAGES_CROSSING] = "an address of which half is accessible",
	[PAGES_READ_ONLY] = "an address that cannot be written",
};

static char *place(const struct pages *p, enum place i)
{
	return p->base + (2 * (size_t)i + 1) * p->page;
}

static int protect(const struct pages *p)
{
	static const struct {
		enum place place;
		int prot, fill;
	} all[] = {{ZEROS, PROT_READ, 0}, {ONES, PROT_READ, 0xff}, {TEXT, PROT_READ, 'a'},
		{CROSSED, PROT_READ | PROT_WRITE, 0},
		{OUTPUT, PROT_READ | PROT_WRITE, 0}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(all); i++) {
		char *at = place(p, all[i].place);

		if (mprotect(at, p->page, PROT_READ | PROT_WRITE) < 0)
			return -errno;
		memset(at, all[i].fill, p->page);
		if (mprotect(at, p->page, all[i].prot) < 0)
			return -errno;
	}
	return munmap(place(p, UNMAPPED), p->page) < 0 ? -errno : 0;
}

int pages_map(struct stress *s, struct pages *p)
{
	int r;

	p->page = (size_t)sysconf(_SC_PAGESIZE);
	p->base = mmap(NULL, (2 * PLACES + 1) * p->page, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p->base == MAP_FAILED)
		return stress_error(s, STRESS_FAIL, errno, "mmap");
	r = protect(p);
	if (r < 0)
		return stress_error(s, STRESS_FAIL, -r, "mprotect");
	p->zeros = place(p, ZEROS);
	p->ones = place(p, ONES);
	p->text = place(p, TEXT);
	p->output = place(p, OUTPUT);
	p->no_access = p->base;
	p->unmapped = place(p, UNMAPPED);
	return 0;
}

static uintptr_t crossing(const struct pages *p, size_t bytes, enum pages_use use)
{
	static const enum place begin[] = {
		[PAGES_READ] = ZEROS, [PAGES_WRITTEN] = CROSSED, [PAGES_TEXT] = TEXT};
	size_t half = bytes / 2 / sizeof(uint32_t) * sizeof(uint32_t);

	if (!half)
		return (uintptr_t)p->no_access;
	return (uintptr_t)place(p, begin[use]) + p->page - half;
}

uintptr_t pages_bad(
	const struct pages *p, enum pages_bad kind, size_t bytes, enum pages_use use)
{
	uintptr_t kernel = (uintptr_t)0 - 2 * p->page;

	switch (kind) {
	case PAGES_NULL:
		return 0;
	case PAGES_UNMAPPED:
		return (uintptr_t)p->unmapped;
	case PAGES_KERNEL:
		return kernel;
	case PAGES_HIGH: /* of 32 bits it may be mapped */
		return sizeof(uintptr_t) > sizeof(uint32_t) ? UINTPTR_MAX / 2 + 1
							    : kernel;
	case PAGES_CROSSING:
		return crossing(p, bytes, use);
	case PAGES_READ_ONLY:
		return (uintptr_t)p->zeros;
	default:
		return (uintptr_t)p->no_access;
	}
}

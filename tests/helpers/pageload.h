/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pageload: regions of memory in a known state, and their truth.  Included by pageload.c and its parts
 * only.
 *
 * Each region is a mapping of its own at an address that is chosen here, with a gap to the next one, so
 * that the kernel joins none with another.  Transparent huge pages are switched off in all but those
 * that are meant to have them.
 */
#ifndef PAGELOAD_H
#define PAGELOAD_H

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of headers that are newer than the C library's. */
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#define PR_SET_VMA_ANON_NAME 0
#endif

#define KNOWN_MAX 48

struct region {
	char name[24];
	char *at;
	size_t n;              /* pages */
	/* pages that are in this state; the names are those of pagetruth */
	size_t present, file, zero, huge, guard, swap, dirty, exclusive;
};

static size_t page_bytes;
/* Where the next region goes.  On 64 bits the default is far from everything that the kernel places. */
static uintptr_t next_at = sizeof(void *) == 8 ? (uintptr_t)UINT64_C(0x200000000000) : 0x50000000;
static const char *dir; /* of the files */

static void __attribute__((format(printf, 1, 2), noreturn)) die(const char *format, ...)
{
	int saved = errno;
	va_list ap;

	va_start(ap, format);
	fputs("pageload: ", stderr);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fprintf(stderr, ": %s\n", strerror(saved));
	exit(1);
}

/* One line for the reader, at once. */
static void __attribute__((format(printf, 1, 2))) say(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
	if (fflush(stdout))
		exit(1);
}

/* A kind of page that this machine cannot have. */
static void missing(const char *name, const char *reason)
{
	say("missing %s %s", name, reason);
}

static void region_print(const struct region *r)
{
	say("region %s %" PRIx64 " %" PRIx64 " pages=%zu present=%zu file=%zu zero=%zu huge=%zu "
	    "guard=%zu swap=%zu dirty=%zu exclusive=%zu",
		r->name, (uint64_t)(uintptr_t)r->at, (uint64_t)(uintptr_t)r->at + r->n * page_bytes, r->n,
		r->present, r->file, r->zero, r->huge, r->guard, r->swap, r->dirty, r->exclusive);
}

/* --- making them --- */

static struct region region_named(const char *name, size_t pages)
{
	struct region r = {.n = pages};

	snprintf(r.name, sizeof(r.name), "%s", name);
	return r;
}

/* Maps pages at the next place, aligned to align pages, without touching any. */
static struct region region_try(const char *name, size_t pages, size_t align, int prot, int flags, int fd)
{
	struct region r = region_named(name, pages);
	size_t unit = align * page_bytes;

	next_at = (next_at + unit - 1) / unit * unit;
	r.at = mmap((void *)next_at, pages * page_bytes, prot, flags | MAP_FIXED_NOREPLACE, fd, 0);
	if (r.at == MAP_FAILED)
		return r;
	if ((uintptr_t)r.at != next_at) /* a kernel before 4.17 takes the address as a hint */
		die("%s: not at %#" PRIxPTR, name, next_at);
	next_at += (pages + 16) * page_bytes;
	(void)madvise(r.at, pages * page_bytes, MADV_NOHUGEPAGE);
	return r;
}

static struct region region_map(const char *name, size_t pages, int prot, int flags, int fd)
{
	struct region r = region_try(name, pages, 1, prot, flags, fd);

	if (r.at == MAP_FAILED)
		die("%s: mmap of %zu pages", name, pages);
	return r;
}

static struct region region_anon(const char *name, size_t pages)
{
	return region_map(name, pages, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
}

static void page_write(char *p)
{
	*(volatile char *)p = 'A';
}

static void page_read(const char *p)
{
	(void)*(const volatile char *)p;
}

/* Writes one byte of each page of [first, first + pages), which become present and this process's alone. */
static void region_write(struct region *r, size_t first, size_t pages)
{
	for (size_t i = first; i < first + pages; i++)
		page_write(r->at + i * page_bytes);
	r->present += pages;
	r->exclusive += pages;
}

static void region_read(const struct region *r)
{
	for (size_t i = 0; i < r->n; i++)
		page_read(r->at + i * page_bytes);
}

/* A written file of so many pages in the directory; its descriptor. */
static int file_make(const char *name, size_t pages)
{
	char path[PATH_MAX], *page = calloc(1, page_bytes);
	int fd;

	if (!page || snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path))
		die("%s", name);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		die("%s", path);
	for (size_t i = 0; i < pages; i++)
		if (write(fd, page, page_bytes) != (ssize_t)page_bytes)
			die("%s", path);
	free(page);
	return fd;
}

static void file_remove(const char *name)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", dir, name) < (int)sizeof(path))
		unlink(path);
}

/* A number of a line "KEY:   N kB" of the smaps entry that begins at the address; 0 if there is none. */
static size_t smaps_kb(const char *at, const char *key)
{
	FILE *f = fopen("/proc/self/smaps", "re");
	char line[PATH_MAX + 200];
	bool here = false;
	size_t kb = 0, n = strlen(key);
	uint64_t start, end;

	if (!f)
		die("/proc/self/smaps");
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &start, &end) == 2)
			here = start == (uint64_t)(uintptr_t)at;
		else if (here && strncmp(line, key, n) == 0 && line[n] == ':')
			kb = strtoul(line + n + 1, NULL, 10);
	}
	fclose(f);
	return kb;
}

#endif

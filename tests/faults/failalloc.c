/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * failalloc: makes the Nth allocation of a program fail.  Used by LD_PRELOAD, with these
 * environment variables:
 *
 *	FAIL_AT=N       the Nth allocation fails (malloc, calloc, realloc, reallocarray,
 *	                posix_memalign, aligned_alloc; strdup and others call malloc);
 *	                0 or unset: none
 *	FAIL_MORE=1     all later ones fail, too, as on a machine without memory
 *	FAIL_COUNT=FD   the number of allocations is written to FD at the exit
 *
 * dlsym() of glibc allocates nothing for these symbols; earlier allocations are served
 * from a small buffer.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_ulong calls;
static unsigned long fail_at;
static int fail_more, count_fd = -1;

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void *(*real_aligned_alloc)(size_t, size_t);

static void *symbol(const char *name)
{
	void *p = dlsym(RTLD_NEXT, name);

	if (!p)
		abort();
	return p;
}

static unsigned long number(const char *name)
{
	const char *s = getenv(name);

	return s ? strtoul(s, NULL, 10) : 0;
}

__attribute__((constructor)) static void start(void)
{
	real_malloc = (void *(*)(size_t))symbol("malloc");
	real_calloc = (void *(*)(size_t, size_t))symbol("calloc");
	real_realloc = (void *(*)(void *, size_t))symbol("realloc");
	real_aligned_alloc = (void *(*)(size_t, size_t))symbol("aligned_alloc");
	fail_more = number("FAIL_MORE") != 0;
	count_fd = getenv("FAIL_COUNT") ? (int)number("FAIL_COUNT") : -1;
	atomic_store(&calls, 0);
	fail_at = number("FAIL_AT");
	/* A command that the tool runs is not under test. */
	unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void)
{
	if (count_fd >= 0)
		dprintf(count_fd, "%lu\n", atomic_load(&calls));
}

static int fails(void)
{
	unsigned long n = atomic_fetch_add(&calls, 1) + 1;

	if (!fail_at || n < fail_at || (n > fail_at && !fail_more))
		return 0;
	errno = ENOMEM;
	return 1;
}

/* Before start(): only dlsym() and other constructors allocate. */
static void *early(size_t size)
{
	static _Alignas(16) char room[65536];
	static size_t used;
	void *p = room + used;

	size = (size + 15) & ~(size_t)15;
	if (size > sizeof(room) - used)
		return NULL;
	used += size;
	return p;
}

void *malloc(size_t size)
{
	if (!real_malloc)
		return early(size);
	return fails() ? NULL : real_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	if (!real_calloc)
		return early(n * size);
	return fails() ? NULL : real_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	if (!real_realloc)
		return p ? NULL : early(size);
	return fails() ? NULL : real_realloc(p, size);
}

void *reallocarray(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(p, bytes);
}

void *aligned_alloc(size_t align, size_t size)
{
	return fails() ? NULL : real_aligned_alloc(align, size);
}

int posix_memalign(void **p, size_t align, size_t size)
{
	void *got = aligned_alloc(align, size);

	if (!got)
		return ENOMEM;
	*p = got;
	return 0;
}

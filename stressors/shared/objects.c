// SPDX-License-Identifier: GPL-2.0-or-later
#include "objects.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory/fault.h"
#include "round.h"

/* Pages that the kernel clears in about 1 ms. */
#define PART_BYTES    ((size_t)4 << 20)
#define PAGES_AT_ONCE 256u
#define KEY	      UINT64_C(0x9e3779b97f4a7c15)

/* --- pages -------------------------------------------------------------------------- */

static int allocate_part(int fd, size_t at, size_t bytes)
{
	int r;

	do {
		r = fallocate(fd, 0, (off_t)at, (off_t)bytes);
	} while (r < 0 && errno == EINTR);
	return r < 0 ? -errno : 0;
}

/* Allocates the pages.  0 or -errno; returns early if the run ends. */
static int allocate(const struct stress *s, int fd, size_t bytes)
{
	int r = ftruncate(fd, (off_t)bytes) < 0 ? -errno : 0;

	for (size_t at = 0; at < bytes && !r && !stress_stopped(s); at += PART_BYTES)
		r = allocate_part(
			fd, at, bytes - at < PART_BYTES ? bytes - at : PART_BYTES);
	return r;
}

/* Returns NULL and sets errno if it fails. */
static uint64_t *map(int fd, size_t bytes, int prot)
{
	void *p = mmap(NULL, bytes, prot, MAP_SHARED, fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

static bool is_pause(const struct stress *s, size_t at, size_t step)
{
	return at % (step * PAGES_AT_ONCE) == 0 && stress_stopped(s);
}

static void fill(const struct stress *s, const struct objects *t, const struct object *o)
{
	const size_t step = t->page / sizeof(*o->map), n = t->bytes / sizeof(*o->map);

	for (size_t at = 0; at < n && !is_pause(s, at, step); at += step)
		o->map[at] = o->key + at;
	if (s->spoil && t->made > 1)
		o->map[0] ^= 1;
}

static int compare(struct stress *s, const struct objects *t, const struct object *o,
	const uint64_t *p)
{
	const size_t step = t->page / sizeof(*p), n = t->bytes / sizeof(*p);

	for (size_t at = 0; at < n && !is_pause(s, at, step); at += step)
		if (p[at] != o->key + at)
			return fault_word(
				s, "", at * sizeof(*p), p + at, p[at], o->key + at);
	return 0;
}

/* --- an object ---------------------------------------------------------------------- */

static bool is_missing(int error)
{
	return error == ENOENT || error == EACCES || error == ENOSYS;
}

static int make(struct stress *s, struct objects *t, unsigned int i)
{
	struct object *o = &t->object[i];
	int r;

	o->fd = t->create(s);
	r = o->fd < 0 ? o->fd : allocate(s, o->fd, t->bytes);
	if (r == 0) {
		o->key = (s->seed + t->made++) * KEY;
		o->map = map(o->fd, t->bytes, PROT_READ | PROT_WRITE);
		r = o->map ? 0 : -errno;
	}
	if (r == 0)
		return 0;
	if (i == 0 || !stress_is_lack(-r))
		return stress_error(s, is_missing(-r) ? STRESS_SKIP : STRESS_FAIL, -r,
			"%s of %zu bytes", t->call, t->bytes);
	if (o->fd >= 0)
		close(o->fd);
	t->most = i;
	return 0;
}

static int check(struct stress *s, const struct objects *t, const struct object *o)
{
	uint64_t *p = map(o->fd, t->bytes, PROT_READ);
	int r;

	if (!p)
		return stress_error(s, STRESS_FAIL, errno, "a second mapping");
	r = compare(s, t, o, p);
	munmap(p, t->bytes);
	return r;
}

static int end_one(struct stress *s, struct objects *t, struct object *o)
{
	int r = check(s, t, o);

	if (!r && t->finish)
		r = t->finish(s, o);
	if (o->map)
		munmap(o->map, t->bytes);
	close(o->fd);
	if (r || stress_stopped(s)) /* it may have been checked only in part */
		return r;
	t->done++;
	stress_add(s, 1);
	return 0;
}

/* --- rounds ------------------------------------------------------------------------- */

static int one_round(struct stress *s, struct objects *t)
{
	unsigned int n = round_next(s, &t->round, t->most);
	int r = 0;

	for (unsigned int i = 0; i < n && i < t->most && !r && !stress_stopped(s); i++) {
		r = make(s, t, i);
		if (!r && i < t->most && !stress_stopped(s))
			fill(s, t, &t->object[i]);
	}
	for (unsigned int i = 0; i < n && i < t->most && !r && !stress_stopped(s); i++)
		r = end_one(s, t, &t->object[i]);
	return r;
}

int objects_run(struct stress *s, struct objects *t)
{
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = one_round(s, t);
	return r;
}

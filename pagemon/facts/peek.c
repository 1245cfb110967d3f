// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "peek.h"

void peek_init(struct peek *p, struct vmas *vmas)
{
	*p = (struct peek){.vmas = vmas};
}

void peek_fini(struct peek *p)
{
	free(p->bytes);
	free(p->state);
	free(p->entry);
	*p = (struct peek){.vmas = NULL};
}

/* ---- reading bytes ---- */

static size_t bytes_of(const struct peek *p, size_t pages)
{
	return pages * (size_t)p->page_bytes;
}

static int reserve(struct peek *p, size_t pages)
{
	if (sm_array_reserve(&p->bytes, &p->bytes_cap, bytes_of(p, pages), 1) < 0 ||
		sm_array_reserve(&p->state, &p->state_cap, pages, sizeof(*p->state)) <
			0 ||
		sm_array_reserve(&p->entry, &p->entry_cap, pages, sizeof(*p->entry)) < 0)
		return -ENOMEM;
	return 0;
}

static enum peek_state state_of(uint64_t entry)
{
	if (entry & SM_PAGEMAP_PRESENT)
		return PEEK_BYTES;
	if (sm_pagemap_categories(entry) & SM_PAGE_GUARD)
		return PEEK_GUARD;
	return sm_pagemap_categories(entry) & SM_PAGE_SWAPPED ? PEEK_SWAPPED
							      : PEEK_ABSENT;
}

/* Reads n bytes at the address.  Returns 0 or -errno. */
static int read_mem(const struct target *t, uint64_t address, void *to, size_t n)
{
	ssize_t got;

	do
		got = pread(t->fd[TARGET_MEM], to, n, (off_t)address);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	if (got == 0)
		return -ESRCH;
	return (size_t)got == n ? 0 : -EIO;
}

static int read_page(struct peek *p, const struct target *t, size_t i)
{
	int err = read_mem(t, p->start + i * p->page_bytes, p->bytes + bytes_of(p, i),
		bytes_of(p, 1));

	if (!err || err == -ESRCH)
		return err;
	memset(p->bytes + bytes_of(p, i), 0, bytes_of(p, 1));
	p->state[i] = PEEK_FAILED;
	p->err = err;
	return 0;
}

/* Reads pages [i, end), which belong to this mapping. */
static int look_at(struct peek *p, const struct target *t, const struct mapping *m,
	size_t i, size_t end)
{
	uint64_t address = p->start + i * p->page_bytes;
	ssize_t n;
	int err = 0;

	if (vmas_is_device(p->vmas, t, m)) {
		for (; i < end; i++)
			p->state[i] = PEEK_DEVICE;
		return 0;
	}
	n = sm_pagemap_read(t->fd[TARGET_PAGEMAP], address, p->entry + i, end - i);
	if (n < 0)
		return (int)n;
	end = i + (size_t)n;
	for (; !err && i < end; i++) {
		p->state[i] = state_of(p->entry[i]);
		if (p->state[i] == PEEK_BYTES)
			err = read_page(p, t, i);
	}
	return err;
}

static int look_at_mappings(struct peek *p, const struct target *t, const struct space *s)
{
	uint64_t end = p->start + p->pages * p->page_bytes, at = p->start;

	while (at < end) {
		const struct mapping *m = space_at_or_above(s, at);
		uint64_t to;
		int err;

		if (!m || m->start >= end)
			break;
		if (at < m->start)
			at = m->start;
		to = lesser(m->end, end);
		err = look_at(p, t, m, (size_t)((at - p->start) / p->page_bytes),
			(size_t)((to - p->start) / p->page_bytes));
		if (err)
			return err;
		at = to;
	}
	return 0;
}

int peek_read(struct peek *p, struct target *t, const struct space *s, uint64_t address,
	size_t n)
{
	uint64_t last;
	int err;

	p->pages = 0;
	p->page_bytes = s->page_bytes;
	err = target_need(t, TARGET_MEM);
	if (err)
		return err;
	if (n == 0 || n > PEEK_BYTES_MAX || address > UINT64_MAX - PEEK_BYTES_MAX)
		return -EINVAL;
	last = (address + n - 1) / s->page_bytes;
	p->start = address / s->page_bytes * s->page_bytes;
	p->pages = (size_t)(last - address / s->page_bytes + 1);
	err = reserve(p, p->pages);
	if (!err) {
		memset(p->bytes, 0, bytes_of(p, p->pages));
		for (size_t i = 0; i < p->pages; i++)
			p->state[i] = PEEK_UNMAPPED;
		err = look_at_mappings(p, t, s);
	}
	if (err)
		p->pages = 0;
	return err;
}

enum peek_state peek_at(const struct peek *p, uint64_t address, unsigned char *byte)
{
	uint64_t at = address - p->start;

	if (address < p->start || at >= p->pages * p->page_bytes)
		return PEEK_UNMAPPED;
	*byte = p->bytes[at];
	return p->state[at / p->page_bytes];
}

/* ---- reading in ---- */

int peek_touch(struct peek *p, struct target *t, const struct space *s, uint64_t address)
{
	const struct mapping *m = space_at_or_above(s, address);
	int err = target_need(t, TARGET_MEM);
	char byte;

	if (err)
		return err;
	if (!m || m->start > address)
		return -EFAULT;
	if (vmas_is_device(p->vmas, t, m))
		return -EACCES;
	return read_mem(t, address, &byte, 1);
}

/* Called by the pass: queues swapped-out pages, which are read within the step's time. */
static void found(void *ctx, size_t m, uint64_t first, uint64_t n, uint64_t categories)
{
	struct peek_fill *f = ctx;

	if (!(categories & SM_PAGE_SWAPPED) || f->err)
		return;
	f->err = sm_array_reserve(&f->queue, &f->cap, f->n + 1, sizeof(*f->queue));
	if (f->err)
		return;
	f->queue[f->n].address =
		f->space->mappings[m].start + first * f->space->page_bytes;
	f->queue[f->n++].pages = n;
}

int peek_fill_begin(struct peek_fill *f, struct peek *p, struct target *t,
	const struct pass_reader *r, const struct space *s, uint64_t first, uint64_t end)
{
	int err;

	*f = (struct peek_fill){.peek = p, .target = t, .space = s};
	err = target_need(t, TARGET_MEM);
	if (!err)
		err = pass_new(&f->pass);
	if (!err)
		pass_begin(f->pass, r, s, first, end, false, found, f);
	return err;
}

/* Returns whether the page is still swapped out: it may have been read in or given back.
 */
static int is_still_swapped(const struct peek_fill *f, uint64_t address)
{
	uint64_t entry;
	ssize_t n = sm_pagemap_read(f->target->fd[TARGET_PAGEMAP], address, &entry, 1);

	return n < 0 ? (int)n : n == 1 && state_of(entry) == PEEK_SWAPPED;
}

static int read_in(struct peek_fill *f, uint64_t address)
{
	int r = is_still_swapped(f, address);

	if (r <= 0)
		return r;
	r = peek_touch(f->peek, f->target, f->space, address);
	if (r == -ESRCH)
		return r;
	if (r)
		f->failed++;
	else
		f->pages++;
	return 0;
}

/* Reads in the next page of the queue. */
static int read_next(struct peek_fill *f)
{
	uint64_t address = f->queue[f->at].address;

	f->queue[f->at].address += f->space->page_bytes;
	if (--f->queue[f->at].pages == 0)
		f->at++;
	return read_in(f, address);
}

static int search(struct peek_fill *f, uint64_t budget_ns)
{
	int r;

	f->n = f->at = 0;
	r = pass_step(f->pass, budget_ns);
	return r < 0 ? r : f->err;
}

/* Reads in one page, or searches for more if the queue is empty; sets done at the end. */
static int advance(struct peek_fill *f, uint64_t budget_ns)
{
	if (f->at < f->n)
		return read_next(f);
	if (!pass_done(f->pass))
		return search(f, budget_ns);
	f->done = true;
	return 0;
}

int peek_fill_step(struct peek_fill *f, uint64_t budget_ns)
{
	uint64_t begin = sm_clock_mono_ns();

	do
		f->err = f->err ? f->err : advance(f, budget_ns);
	while (!f->err && !f->done && sm_clock_mono_ns() - begin < budget_ns);
	if (f->err)
		f->done = true;
	return f->err ? f->err : !f->done;
}

void peek_fill_end(struct peek_fill *f)
{
	pass_free(f->pass);
	free(f->queue);
	*f = (struct peek_fill){.done = true};
}

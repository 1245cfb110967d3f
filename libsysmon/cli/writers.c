// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "base/clock.h"
#include "cli/writers.h"

/* Signals that do not end the output: exit of a child, change of the window size. */
#define HARMLESS (SM_SIGBIT(SIGCHLD) | SM_SIGBIT(SIGWINCH))

_Static_assert(SM_LOOP_MAX <= 32, "a bit for each source");

void sm_writers_init(struct sm_writers *o, struct sm_loop *loop)
{
	*o = (struct sm_writers){.loop = loop, .retry_ns = SM_LOOP_FOREVER};
}

static void on_event(void *ctx, short revents)
{
	struct sm_writers *o = ctx;

	if (revents & (POLLERR | POLLHUP))
		o->no_reader = true;
}

int sm_writers_add(struct sm_writers *o, struct sm_sink *sink)
{
	int handle;

	if (o->n == SM_WRITERS_MAX)
		return -ENOSPC;
	handle = sm_loop_add(o->loop, sink->fd, 0, on_event, o);
	if (handle < 0)
		return handle;
	o->sink[o->n] = sink;
	o->handle[o->n++] = handle;
	return 0;
}

bool sm_writers_flush(struct sm_writers *o)
{
	o->retry_ns = SM_LOOP_FOREVER;
	for (unsigned int i = 0; i < o->n; i++) {
		const struct sm_sink *s = o->sink[i];
		int err = sm_sink_flush(o->sink[i]);

		if (err == -EPIPE)
			o->no_reader = true;
		else if (err < 0 && !o->err)
			o->err = err;
		if (s->full && s->retry_ns < o->retry_ns)
			o->retry_ns = s->retry_ns;
		/* A full disk is always ready for writing. */
		sm_loop_events(
			o->loop, o->handle[i], s->queued_bytes && !s->full ? POLLOUT : 0);
	}
	return !o->no_reader && !o->err;
}

bool sm_writers_empty(const struct sm_writers *o)
{
	for (unsigned int i = 0; i < o->n; i++)
		if (o->sink[i]->queued_bytes)
			return false;
	return true;
}

uint64_t sm_writers_waiting(const struct sm_writers *o)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < o->n; i++)
		n += sm_sink_waiting_lines(o->sink[i]);
	return n;
}

static bool is_writer_or_signal(const struct sm_writers *o, int handle)
{
	for (unsigned int i = 0; i < o->n; i++)
		if (o->handle[i] == handle)
			return true;
	return o->loop->pfd[handle].fd == o->loop->sigfd;
}

/* Turns off all other sources, which are not served until restore(); returns them as
 * bits. */
static uint32_t quieten(struct sm_writers *o)
{
	uint32_t off = 0;

	for (int i = 0; i < o->loop->n; i++)
		if (o->loop->pfd[i].fd >= 0 && !is_writer_or_signal(o, i)) {
			sm_loop_events(o->loop, i, -1);
			off |= UINT32_C(1) << i;
		}
	return off;
}

static void restore(struct sm_writers *o, uint32_t off)
{
	for (int i = 0; i < o->loop->n; i++)
		if (off & UINT32_C(1) << i)
			sm_loop_events(o->loop, i, o->loop->pfd[i].events);
}

static uint64_t written(const struct sm_writers *o)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < o->n; i++)
		n += o->sink[i]->written_bytes;
	return n;
}

static bool may_pause(const struct sm_writers *o)
{
	return o->patient && o->retry_ns == SM_LOOP_FOREVER;
}

static uint64_t next_look(const struct sm_writers *o, uint64_t until)
{
	if (may_pause(o))
		return SM_LOOP_FOREVER;
	return until < o->retry_ns ? until : o->retry_ns;
}

/* Returns 0, -EINTR, or -ETIMEDOUT after SM_WRITERS_PATIENCE_NS without a byte
 * written. */
static int write_all(struct sm_writers *o)
{
	uint64_t before = UINT64_MAX, until = 0;

	while (sm_writers_flush(o) && !sm_writers_empty(o)) {
		int n;

		if (written(o) != before) {
			before = written(o);
			until = sm_clock_mono_ns() + SM_WRITERS_PATIENCE_NS;
		}
		n = sm_loop_wait(o->loop, next_look(o, until));
		if (n < 0)
			return n;
		if (o->loop->pending & ~HARMLESS)
			return -EINTR;
		if (!may_pause(o) && sm_clock_mono_ns() >= until && sm_writers_flush(o) &&
			written(o) == before)
			return -ETIMEDOUT;
	}
	return o->no_reader ? -EPIPE : o->err;
}

/* Counts the waiting rows as lost; the other outputs continue. */
static void give_up(struct sm_writers *o, int err)
{
	unsigned int kept = 0;

	o->gave_up = o->retry_ns < SM_LOOP_FOREVER ? -ENOSPC : err;
	o->lost += sm_writers_waiting(o);
	for (unsigned int i = 0; i < o->n; i++) {
		if (o->sink[i]->queued_bytes) {
			sm_loop_events(o->loop, o->handle[i], -1);
			sm_sink_abandon(o->sink[i], err);
			continue;
		}
		o->sink[kept] = o->sink[i];
		o->handle[kept++] = o->handle[i];
	}
	o->n = kept;
}

int sm_writers_finish(struct sm_writers *o)
{
	uint64_t pending = o->loop->pending;
	uint32_t off = quieten(o);
	int err;

	o->loop->pending = 0;
	err = write_all(o);
	if (err == -EINTR || err == -ETIMEDOUT) {
		give_up(o, err);
		err = 0;
	}
	o->loop->pending |= pending;
	restore(o, off);
	return err;
}

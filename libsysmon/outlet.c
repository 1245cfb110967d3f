// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "outlet.h"

/* Signals that say nothing about the output: a child has ended, the window has another
 * size. */
#define HARMLESS (SM_SIGBIT(SIGCHLD) | SM_SIGBIT(SIGWINCH))

_Static_assert(SM_LOOP_MAX <= 32, "a bit for each source");

void sm_outlet_init(struct sm_outlet *o, struct sm_loop *loop)
{
	*o = (struct sm_outlet){.loop = loop};
}

static void on_event(void *ctx, short revents)
{
	struct sm_outlet *o = ctx;

	if (revents & (POLLERR | POLLHUP))
		o->reader_gone = true;
}

int sm_outlet_add(struct sm_outlet *o, struct sm_sink *sink)
{
	int handle;

	if (o->n == SM_OUTLET_MAX)
		return -ENOSPC;
	handle = sm_loop_add(o->loop, sink->fd, 0, on_event, o);
	if (handle < 0)
		return handle;
	o->sink[o->n] = sink;
	o->handle[o->n++] = handle;
	return 0;
}

bool sm_outlet_flush(struct sm_outlet *o)
{
	for (unsigned int i = 0; i < o->n; i++) {
		int err = sm_sink_flush(o->sink[i]);

		if (err == -EPIPE)
			o->reader_gone = true;
		else if (err < 0 && !o->err)
			o->err = err;
		sm_loop_events(
			o->loop, o->handle[i], o->sink[i]->queued_bytes ? POLLOUT : 0);
	}
	return !o->reader_gone && !o->err;
}

bool sm_outlet_empty(const struct sm_outlet *o)
{
	for (unsigned int i = 0; i < o->n; i++)
		if (o->sink[i]->queued_bytes)
			return false;
	return true;
}

uint64_t sm_outlet_waiting(const struct sm_outlet *o)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < o->n; i++)
		n += sm_sink_waiting_lines(o->sink[i]);
	return n;
}

static bool is_ours(const struct sm_outlet *o, int handle)
{
	for (unsigned int i = 0; i < o->n; i++)
		if (o->handle[i] == handle)
			return true;
	return o->loop->pfd[handle].fd == o->loop->sigfd;
}

/* Turns off all else that could wake us: nobody takes what it has to say.  Which. */
static uint32_t quieten(struct sm_outlet *o)
{
	uint32_t off = 0;

	for (int i = 0; i < o->loop->n; i++)
		if (o->loop->pfd[i].fd >= 0 && !is_ours(o, i)) {
			sm_loop_events(o->loop, i, -1);
			off |= UINT32_C(1) << i;
		}
	return off;
}

static void restore(struct sm_outlet *o, uint32_t off)
{
	for (int i = 0; i < o->loop->n; i++)
		if (off & UINT32_C(1) << i)
			sm_loop_events(o->loop, i, o->loop->pfd[i].events);
}

static int write_all(struct sm_outlet *o)
{
	while (sm_outlet_flush(o) && !sm_outlet_empty(o)) {
		int err = sm_loop_wait(o->loop, SM_LOOP_FOREVER);

		if (err < 0)
			return err;
		if (o->loop->pending & ~HARMLESS)
			return -EINTR;
	}
	return o->reader_gone ? -EPIPE : o->err;
}

int sm_outlet_finish(struct sm_outlet *o)
{
	uint64_t pending = o->loop->pending;
	uint32_t off = quieten(o);
	int err;

	o->loop->pending = 0;
	err = write_all(o);
	o->loop->pending |= pending;
	restore(o, off);
	return err;
}

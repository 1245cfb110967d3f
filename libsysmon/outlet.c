// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "outlet.h"

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

uint64_t sm_outlet_waiting(const struct sm_outlet *o)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < o->n; i++)
		n += sm_sink_waiting_lines(o->sink[i]);
	return n;
}

int sm_outlet_finish(struct sm_outlet *o)
{
	unsigned int signals = o->loop->signals;

	while (sm_outlet_flush(o) && sm_outlet_waiting(o)) {
		int err = sm_loop_wait(o->loop, SM_LOOP_FOREVER);

		if (err < 0)
			return err;
		if (o->loop->signals != signals)
			return -EINTR;
	}
	return o->reader_gone ? -EPIPE : o->err;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "exitbpf.bpf.h"
#include "exitbpf.h"

#define RING_BYTES (128u << 10) /* 2,730 records */
/* Record and event have stamps of one clock, which different functions read. */
#define CLOCK_SLACK_NS UINT64_C(20000)
/* Records whose connector event was lost are dropped after this time. */
#define WAIT_NS	   SM_NSEC_PER_SEC
#define WAIT_SWEEP 4096

struct exitbpf_wait {
	struct exitbpf_wait *next; /* next free entry */
	struct exitbpf_raw raw;
};

/* --- opening ----------------------------------------------------------------------- */

int exitbpf_init(struct exitbpf *b)
{
	*b = (struct exitbpf){.stream = SM_BPF_STREAM_INIT};
	return sm_map_init(&b->waiting, 64);
}

static int open_stream(
	struct exitbpf *b, const struct sm_root *root, struct sm_bpf_log *log)
{
	SM_CLEANUP(sm_bpf_loader_close) struct sm_bpf_loader l;
	int err = sm_bpf_loader_open(&l, &exitbpf_bpf, root, log);

	if (!err)
		err = sm_bpf_stream_open(&b->stream, &l, MAP_RING, MAP_LOST, RING_BYTES);
	return err ? err : sm_bpf_stream_attach(&b->stream, &l, PROGRAM_FORKSTAT_EXIT);
}

int exitbpf_open(struct exitbpf *b, const struct sm_root *root, struct sm_bpf_log *log)
{
	int err = exitbpf_init(b);

	if (!err)
		err = open_stream(b, root, log);
	if (err)
		exitbpf_close(b);
	return err;
}

void exitbpf_close(struct exitbpf *b)
{
	struct exitbpf_wait *w;

	sm_bpf_stream_close(&b->stream);
	for (size_t i = 0; b->waiting.slots && (w = sm_map_next(&b->waiting, &i));)
		free(w);
	sm_map_fini(&b->waiting);
	while ((w = b->free)) {
		b->free = w->next;
		free(w);
	}
	*b = (struct exitbpf){.stream = SM_BPF_STREAM_INIT};
}

/* --- records ----------------------------------------------------------------------- */

static void release(struct exitbpf *b, struct exitbpf_wait *w)
{
	w->next = b->free;
	b->free = w;
}

static struct exitbpf_wait *new_wait(struct exitbpf *b)
{
	struct exitbpf_wait *w = b->free;

	if (!w)
		return malloc(sizeof(*w));
	b->free = w->next;
	return w;
}

static void sweep(struct exitbpf *b)
{
	uint64_t keys[64];
	struct exitbpf_wait *w;
	size_t n;

	do {
		n = 0;
		for (size_t i = 0;
			n < SM_ARRAY_SIZE(keys) && (w = sm_map_next(&b->waiting, &i));)
			if (w->raw.time_ns + WAIT_NS < b->event_ns)
				keys[n++] = w->raw.tid;
		for (size_t i = 0; i < n; i++)
			release(b, sm_map_del(&b->waiting, keys[i]));
	} while (n == SM_ARRAY_SIZE(keys));
}

void exitbpf_record(struct exitbpf *b, const void *record, size_t len)
{
	struct exitbpf_wait *w, *old;

	if (len < sizeof(w->raw) || !(w = new_wait(b)))
		return;
	memcpy(&w->raw, record, sizeof(w->raw));
	w->raw.time_ns += (uint64_t)b->clock_offset_ns;
	old = sm_map_del(&b->waiting, w->raw.tid);
	if (old) /* its event was lost */
		release(b, old);
	if (sm_map_put(&b->waiting, w->raw.tid, w) < 0)
		release(b, w);
	if (b->waiting.used >= WAIT_SWEEP && b->waiting.used % WAIT_SWEEP == 0)
		sweep(b);
}

static void on_record(void *ctx, const void *record, size_t len)
{
	exitbpf_record(ctx, record, len);
}

void exitbpf_drain(struct exitbpf *b)
{
	(void)!sm_bpf_ring_drain(&b->stream.ring, on_record, b);
}

bool exitbpf_take(struct exitbpf *b, pid_t tid, pid_t tgid, uint64_t time_ns,
	struct exitbpf_raw *out)
{
	struct exitbpf_wait *w =
		b->waiting.used ? sm_map_get(&b->waiting, (uint64_t)tid) : NULL;

	if (time_ns > b->event_ns)
		b->event_ns = time_ns;
	if (!w || w->raw.tgid != (uint32_t)tgid ||
		w->raw.time_ns > time_ns + CLOCK_SLACK_NS)
		return false;
	*out = w->raw;
	release(b, sm_map_del(&b->waiting, (uint64_t)tid));
	return true;
}

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

/* --- opening ----------------------------------------------------------------------- */

int exitbpf_init(struct exitbpf *b)
{
	*b = (struct exitbpf){.stream = SM_BPF_STREAM_INIT};
	return sm_map_init(&b->waiting, 64);
}

int exitbpf_open(struct exitbpf *b, const struct sm_root *root, struct sm_bpf_log *log)
{
	int err = exitbpf_init(b);

	if (!err)
		err = sm_bpf_stream_start(&b->stream, &exitbpf_bpf, root, MAP_RING,
			MAP_LOST, RING_BYTES, log);
	if (err)
		exitbpf_close(b);
	return err;
}

void exitbpf_close(struct exitbpf *b)
{
	struct exitbpf_raw *r;

	sm_bpf_stream_close(&b->stream);
	for (size_t i = 0; b->waiting.slots && (r = sm_map_next(&b->waiting, &i));)
		free(r);
	sm_map_fini(&b->waiting);
	*b = (struct exitbpf){.stream = SM_BPF_STREAM_INIT};
}

/* --- records ----------------------------------------------------------------------- */

static void sweep(struct exitbpf *b)
{
	const struct exitbpf_raw *r;

	for (size_t i = 0; i < b->waiting.cap; i++)
		while ((r = b->waiting.slots[i].val) &&
			r->time_ns + WAIT_NS < b->event_ns)
			free(sm_map_del(&b->waiting, r->tid));
}

void exitbpf_record(void *ctx, const void *record, size_t len)
{
	struct exitbpf *b = ctx;
	struct exitbpf_raw *r;

	if (len < sizeof(*r) || !(r = malloc(sizeof(*r))))
		return;
	memcpy(r, record, sizeof(*r));
	r->time_ns += (uint64_t)b->clock_offset_ns;
	/* The event of an older record was lost. */
	free(sm_map_del(&b->waiting, r->tid));
	if (sm_map_put(&b->waiting, r->tid, r) < 0)
		free(r);
	if (b->waiting.used >= WAIT_SWEEP && b->waiting.used % WAIT_SWEEP == 0)
		sweep(b);
}

void exitbpf_drain(struct exitbpf *b)
{
	(void)!sm_bpf_ring_drain(&b->stream.ring, exitbpf_record, b);
}

bool exitbpf_take(struct exitbpf *b, pid_t tid, pid_t tgid, uint64_t time_ns,
	struct exitbpf_raw *out)
{
	struct exitbpf_raw *r =
		b->waiting.used ? sm_map_get(&b->waiting, (uint64_t)tid) : NULL;

	if (time_ns > b->event_ns)
		b->event_ns = time_ns;
	if (!r || r->tgid != (uint32_t)tgid || r->time_ns > time_ns + CLOCK_SLACK_NS)
		return false;
	*out = *r;
	free(sm_map_del(&b->waiting, (uint64_t)tid));
	return true;
}

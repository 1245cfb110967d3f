// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "execbpf.bpf.h"
#include "execbpf.h"

/* --- opening ----------------------------------------------------------------------- */

static int open_stream(struct execbpf *b, const struct sm_root *root, size_t ring_bytes,
	struct sm_bpf_log *log)
{
	SM_CLEANUP(sm_bpf_loader_close) struct sm_bpf_loader l;
	int err = sm_bpf_loader_open(&l, &execbpf_bpf, root, log);

	if (!err)
		err = sm_bpf_stream_open(&b->stream, &l, MAP_RING, MAP_LOST, ring_bytes);
	return err ? err : sm_bpf_stream_attach(&b->stream, &l, PROGRAM_FORKSTAT_EXEC);
}

int execbpf_open(struct execbpf *b, const struct sm_root *root, size_t ring_bytes,
	struct sm_bpf_log *log)
{
	int err;

	b->stream = (struct sm_bpf_stream)SM_BPF_STREAM_INIT;
	err = open_stream(b, root, ring_bytes, log);
	if (err)
		execbpf_close(b);
	return err;
}

void execbpf_close(struct execbpf *b)
{
	sm_bpf_stream_close(&b->stream);
}

/* --- decoding ---------------------------------------------------------------------- */

int execbpf_parse(const void *record, size_t len, struct execbpf_record *out)
{
	struct execbpf_raw raw;
	const char *p = record;

	memset(out, 0, sizeof(*out));
	if (len < sizeof(raw))
		return -EBADMSG;
	memcpy(&raw, p, sizeof(raw));
	p += sizeof(raw);
	len -= sizeof(raw);
	if (raw.file_len > len || raw.args_len > len - raw.file_len)
		return -EBADMSG;
	out->pid = (pid_t)raw.pid;
	out->time_ns = raw.time_ns;
	out->expect_len = raw.expect_len ? (size_t)raw.expect_len : 1;
	memcpy(out->comm, raw.comm, sizeof(out->comm) - 1);
	out->file_len = strnlen(p, raw.file_len);
	out->file = out->file_len ? p : NULL;
	out->args_len = raw.args_len;
	out->args = raw.args_len ? p + raw.file_len : NULL;
	out->truncated = raw.args_len > 0 && raw.args_len < raw.expect_len;
	return 0;
}

struct drain {
	execbpf_fn fn;
	void *ctx;
	bool corrupt;
};

static void on_record(void *ctx, const void *record, size_t len)
{
	struct drain *d = ctx;
	struct execbpf_record r;

	if (execbpf_parse(record, len, &r) < 0)
		d->corrupt = true;
	else
		d->fn(d->ctx, &r);
}

ssize_t execbpf_drain(struct execbpf *b, execbpf_fn fn, void *ctx)
{
	struct drain d = {.fn = fn, .ctx = ctx};
	ssize_t n = sm_bpf_ring_drain(&b->stream.ring, on_record, &d);

	return d.corrupt ? -EBADMSG : n;
}

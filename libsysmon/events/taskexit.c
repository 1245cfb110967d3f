// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "events/taskexit.h"
#include "proc/cpulist.h"
#include "proc/procpid.h"
#include "proc/procstat.h"
#include "taskexit.bpf.h"

/* --- opening ----------------------------------------------------------------------- */

int sm_taskexit_open(struct sm_taskexit *t, const struct sm_root *root, size_t ring_bytes,
	struct sm_bpf_log *log)
{
	int err, cpus = sm_cpulist_possible(root);

	t->cpus = cpus > 0 ? (unsigned int)cpus : 0;
	t->stream = (struct sm_bpf_stream)SM_BPF_STREAM_INIT;
	err = sm_bpf_stream_start(
		&t->stream, &taskexit_bpf, root, MAP_RING, MAP_LOST, ring_bytes, log);
	if (err)
		sm_taskexit_close(t);
	return err;
}

void sm_taskexit_close(struct sm_taskexit *t)
{
	sm_bpf_stream_close(&t->stream);
}

uint64_t sm_taskexit_lost(const struct sm_taskexit *t)
{
	return sm_bpf_stream_lost(&t->stream);
}

/* --- decoding ---------------------------------------------------------------------- */

static void take_cpu(const struct sm_taskexit_raw *raw, unsigned int cpus,
	struct sm_taskexit_record *out)
{
	out->cpu_unknown =
		cpus && raw->cpu_ns / cpus > sm_procstat_most_ns(1, raw->lived_ns);
	if (out->cpu_unknown)
		return;
	out->cpu_ns = raw->cpu_ns;
	out->system_ns = sm_procpid_system_ns(raw->cpu_ns, raw->utime_ns, raw->stime_ns);
	out->user_ns = raw->cpu_ns - out->system_ns;
}

int sm_taskexit_parse(
	const void *record, size_t len, unsigned int cpus, struct sm_taskexit_record *out)
{
	struct sm_taskexit_raw raw;

	memset(out, 0, sizeof(*out));
	if (len < sizeof(raw))
		return -EBADMSG;
	memcpy(&raw, record, sizeof(raw));
	out->time_ns = raw.time_ns;
	out->start_ns = raw.start_ns;
	take_cpu(&raw, cpus, out);
	out->pid = (pid_t)raw.pid;
	out->ppid = (pid_t)raw.ppid;
	out->uid = raw.uid;
	memcpy(out->comm, raw.comm, sizeof(out->comm) - 1);
	return 0;
}

struct drain {
	sm_taskexit_fn fn;
	void *ctx;
	unsigned int cpus;
	bool corrupt;
};

static void on_record(void *ctx, const void *record, size_t len)
{
	struct drain *d = ctx;
	struct sm_taskexit_record r;

	if (sm_taskexit_parse(record, len, d->cpus, &r) < 0)
		d->corrupt = true;
	else
		d->fn(d->ctx, &r);
}

ssize_t sm_taskexit_drain(struct sm_taskexit *t, sm_taskexit_fn fn, void *ctx)
{
	struct drain d = {.fn = fn, .ctx = ctx, .cpus = t->cpus};
	ssize_t n = sm_bpf_ring_drain(&t->stream.ring, on_record, &d);

	return d.corrupt ? -EBADMSG : n;
}

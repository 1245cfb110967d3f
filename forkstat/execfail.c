// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "execfail.bpf.h"
#include "execfail.h"

/* --- opening ----------------------------------------------------------------------- */

static const struct execfail_registers registers = {
#if defined(__x86_64__)
	.number_at = 120, /* orig_ax */
	.mode_at = 136,	  /* cs */
	.mode_bit = 0x10,
	.call = {{0x10, 59, 112}, {0x10, 322, 104}, {0, 11, 40}, {0, 358, 88}},
#elif defined(__aarch64__)
	.number_at = 280, /* syscallno */
	.mode_at = 264,	  /* pstate */
	.mode_bit = 0x10,
	.call = {{0, 221, 272}, {0, 281, 8}, {0x10, 11, 272}, {0x10, 387, 8}},
#elif defined(__riscv) && __riscv_xlen == 64
	.number_at = 136, /* a7 */
	.call = {{0, 221, 280}, {0, 281, 88}},
#endif
};

static int open_stream(struct execfail *f, size_t ring_bytes, struct sm_bpf_log *log)
{
	SM_CLEANUP(sm_bpf_loader_close) struct sm_bpf_loader l;
	int err = sm_bpf_loader_open(&l, &execfail_bpf, NULL, log);

	if (!err)
		err = sm_bpf_stream_open(&f->stream, &l, MAP_RING, MAP_LOST, ring_bytes);
	if (!err)
		err = sm_bpf_loader_set(&l, MAP_REGISTERS, &registers);
	return err ? err : sm_bpf_stream_attach(&f->stream, &l, PROGRAM_FORKSTAT_FAIL);
}

int execfail_open(struct execfail *f, struct sm_tasktable *procs, size_t ring_bytes,
	struct sm_bpf_log *log)
{
	int err = -ENOSYS;

	*f = (struct execfail){.procs = procs, .stream = SM_BPF_STREAM_INIT};
	log->text[0] = '\0';
	if (registers.number_at)
		err = open_stream(f, ring_bytes, log);
	if (err)
		execfail_close(f);
	return err;
}

void execfail_close(struct execfail *f)
{
	sm_bpf_stream_close(&f->stream);
	for (; f->first < f->n; f->first++)
		sm_strpool_put(f->procs->names, f->pending[f->first].data);
	free(f->pending);
	*f = (struct execfail){.stream = SM_BPF_STREAM_INIT};
}

/* --- records ----------------------------------------------------------------------- */

void execfail_record(void *ctx, const void *record, size_t len)
{
	struct execfail *f = ctx;
	const char *file = (const char *)record + sizeof(struct execfail_raw);
	struct execfail_raw raw;
	struct sm_poolstr *name = NULL;

	if (len < sizeof(raw))
		return;
	memcpy(&raw, record, sizeof(raw));
	if (raw.file_len > len - sizeof(raw))
		return;
	if (sm_array_reserve(&f->pending, &f->cap, f->n + 1, sizeof(*f->pending)) < 0) {
		f->dropped++;
		return;
	}
	if (raw.file_len > 1)
		name = sm_tasktable_intern(
			f->procs, file, strnlen(file, raw.file_len), SM_NAME_FILE);
	f->pending[f->n++] = (struct sm_proc_event){
		.time_ns = raw.time_ns + (uint64_t)f->clock_offset_ns,
		.what = PROC_EXECFAIL,
		.pid = (pid_t)raw.tid,
		.tgid = (pid_t)raw.pid,
		.exit_code = 0 - (uint32_t)raw.ret,
		.data = name};
}

void execfail_drain(struct execfail *f)
{
	(void)!sm_bpf_ring_drain(&f->stream.ring, execfail_record, f);
}

bool execfail_next(struct execfail *f, uint64_t until_ns, struct sm_proc_event *ev)
{
	if (!execfail_waits(f) || f->pending[f->first].time_ns > until_ns)
		return false;
	*ev = f->pending[f->first++];
	if (!execfail_waits(f))
		f->first = f->n = 0;
	return true;
}

uint64_t execfail_lost(const struct execfail *f)
{
	return sm_bpf_stream_lost(&f->stream) + f->dropped;
}

/* --- errors ------------------------------------------------------------------------ */

#define NAME(e)       \
	{             \
		e, #e \
	}
static const struct {
	uint32_t err;
	const char *name;
} names[] = {NAME(ENOENT), NAME(EACCES), NAME(EPERM), NAME(ENOEXEC), NAME(ENOTDIR),
	NAME(E2BIG), NAME(EAGAIN), NAME(EBADF), NAME(EFAULT), NAME(EINTR), NAME(EINVAL),
	NAME(EIO), NAME(EISDIR), NAME(ELIBBAD), NAME(ELOOP), NAME(EMFILE),
	NAME(ENAMETOOLONG), NAME(ENFILE), NAME(ENODEV), NAME(ENOMEM), NAME(ENOSYS),
	NAME(ENXIO), NAME(EOVERFLOW), NAME(ESTALE), NAME(ETXTBSY)};

const char *execfail_name(uint32_t err, char *buf)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(names); i++)
		if (names[i].err == err)
			return names[i].name;
	snprintf(buf, EXECFAIL_NAME_MAX, "E%u", err);
	return buf;
}

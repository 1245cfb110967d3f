/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf: bpf(2) without a library: maps, an assembler, programs on tracepoints, and the
 * reader's side of a ring buffer map (Documentation/bpf/ringbuf.rst).
 *
 * Ring: a page with the consumer's position (ours to write), a page with the producer's,
 * and 2^n bytes of records that appear twice in a row, so no record ever wraps.  A record
 * is a header (u32 length with two flag bits, u32 for the kernel) and its bytes, padded to
 * 8.  Works on plain memory too (sm_bpf_ring_adopt), which is how it is tested and fuzzed.
 * All mappings work without further system calls and after any drop of privileges.
 */
#ifndef SM_BPF_H
#define SM_BPF_H

#include <linux/bpf.h>
#include "base.h"

/* --- maps and programs: fds, close-on-exec, or -errno ------------------------------ */

int sm_bpf_map_create(uint32_t type, uint32_t key_bytes, uint32_t value_bytes,
	uint32_t entries, uint32_t flags) SM_MUST;

/* Instructions as they are emitted.  What does not fit is counted in n but not stored;
 * sm_bpf_prog_load() then says -E2BIG. */
struct sm_bpf_asm {
	struct bpf_insn *insn;
	size_t n, cap;
};

void sm_bpf_emit(struct sm_bpf_asm *a, unsigned int code, unsigned int dst, unsigned int src,
	int off, int32_t imm);
/* dst = the map (BPF_PSEUDO_MAP_FD) or its first value's address (BPF_PSEUDO_MAP_VALUE). */
void sm_bpf_emit_map(struct sm_bpf_asm *a, unsigned int dst, unsigned int kind, int map_fd);
/* A forward jump on dst OP imm (BPF_JA: always); its target is set by sm_bpf_land(), the
 * instruction that is emitted next. */
size_t sm_bpf_jump(struct sm_bpf_asm *a, unsigned int op, unsigned int dst, int32_t imm) SM_MUST;
void sm_bpf_land(struct sm_bpf_asm *a, size_t jump);

/* The licence is GPL (helpers demand it).  log: the verifier's words, or NULL. */
int sm_bpf_prog_load(uint32_t type, const struct sm_bpf_asm *a, char *log, size_t log_bytes)
	SM_MUST;
/* The program runs at every hit of the tracepoint, on all CPUs, until the fd is closed.  When
 * it returns 0, perf events of others on that tracepoint get no sample: let it return 1. */
int sm_bpf_attach_tracepoint(uint32_t event_id, int prog_fd) SM_MUST;

/* --- ring buffer ------------------------------------------------------------------- */

struct sm_bpf_ring {
	unsigned long *consumer;
	const unsigned long *producer;
	const unsigned char *data; /* data_bytes, twice */
	size_t data_bytes;         /* power of two */
	size_t page_bytes;         /* 0 for plain memory */
};

/* map_fd: a BPF_MAP_TYPE_RINGBUF of data_bytes; may be closed afterwards. */
int sm_bpf_ring_map(struct sm_bpf_ring *r, int map_fd, size_t data_bytes) SM_MUST;
int sm_bpf_ring_adopt(struct sm_bpf_ring *r, unsigned long *consumer,
	const unsigned long *producer, const void *data, size_t data_bytes) SM_MUST;
void sm_bpf_ring_close(struct sm_bpf_ring *r);

/* record: 8-byte aligned, in the ring itself; good until the function returns. */
typedef void (*sm_bpf_fn)(void *ctx, const void *record, size_t len);
/* Hands out what was in the ring at the time of the call; how many, or -EBADMSG for a
 * corrupt ring (all of it is then skipped).  A record that some CPU is still writing holds
 * up those behind it; that is waited for, but not for ever. */
ssize_t sm_bpf_ring_drain(struct sm_bpf_ring *r, sm_bpf_fn fn, void *ctx) SM_MUST;
/* True when there is something to drain. */
bool sm_bpf_ring_ready(const struct sm_bpf_ring *r);

#endif

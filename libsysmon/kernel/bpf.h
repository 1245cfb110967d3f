/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf: bpf(2) without a library: maps, an assembler, and programs.
 *
 * A program is assembled by calls that read like its pseudo-code, register by register
 * (Documentation/bpf/instruction-set.rst).  R0 holds results, R1 to R5 arguments, which a call
 * destroys; R6 to R9 survive it; R10 is the frame pointer.  Maps and programs have names, which
 * bpftool(8) and /proc/PID/fdinfo show.
 */
#ifndef SM_BPF_H
#define SM_BPF_H

#include <linux/bpf.h>
#include "base/base.h"

/* Numbers of include/uapi/linux/bpf.h, not all of them in older headers. */
enum {
	SM_BPF_CMD_LOOKUP_AND_DELETE = 21,
	SM_BPF_CMD_FREEZE = 22,
	SM_BPF_CMD_LOOKUP_BATCH = 24,
	SM_BPF_MAP_HASH = 1,
	SM_BPF_MAP_ARRAY = 2,
	SM_BPF_MAP_PERCPU_ARRAY = 6,
	SM_BPF_MAP_RINGBUF = 27,
	SM_BPF_F_MMAPABLE = 1 << 10,
	SM_BPF_PROG_SOCKET_FILTER = 1,
	SM_BPF_PROG_RAW_TRACEPOINT = 17,
	SM_BPF_RB_NO_WAKEUP = 1,
	SM_BPF_RB_FORCE_WAKEUP = 2,
	SM_BPF_RB_AVAIL_DATA = 0, /* of SM_BPF_RINGBUF_QUERY */
};

enum sm_bpf_helper {
	SM_BPF_MAP_LOOKUP_ELEM = 1,
	SM_BPF_MAP_UPDATE_ELEM = 2,
	SM_BPF_MAP_DELETE_ELEM = 3,
	SM_BPF_KTIME_GET_NS = 5,
	SM_BPF_GET_SMP_PROCESSOR_ID = 8,
	SM_BPF_GET_CURRENT_PID_TGID = 14,
	SM_BPF_GET_CURRENT_COMM = 16,
	SM_BPF_SKB_LOAD_BYTES = 26,
	SM_BPF_GET_CURRENT_TASK = 35,
	SM_BPF_PROBE_READ_USER = 112,
	SM_BPF_PROBE_READ_KERNEL = 113,
	SM_BPF_PROBE_READ_USER_STR = 114,
	SM_BPF_PROBE_READ_KERNEL_STR = 115,
	SM_BPF_RINGBUF_OUTPUT = 130,
	SM_BPF_RINGBUF_QUERY = 134,
};

/* Close-on-exec fd, or -errno.  Raises RLIMIT_MEMLOCK if the kernel refuses the map and it can be raised:
 * before Linux 5.11 that is one of the reasons. */
int sm_bpf_map_create(const char *name, uint32_t type, uint32_t key_bytes, uint32_t value_bytes,
	uint32_t entries, uint32_t flags) SM_MUST;

/* An array that programs and the reader share (BPF_F_MMAPABLE, Linux 5.5); zero-initialised it is closed. */
struct sm_bpf_array {
	int fd;         /* for the programs; may be closed once they are loaded: the mapping stays */
	void *values;   /* mapped; 64-bit words of them are read and written by __atomic functions */
	size_t bytes;   /* whole pages */
};

int sm_bpf_array_open(struct sm_bpf_array *a, const char *name, size_t value_bytes, uint32_t entries)
	SM_MUST;
/* Maps an array map with SM_BPF_F_MMAPABLE, whose fd may be closed. */
int sm_bpf_array_map(struct sm_bpf_array *a, int map_fd, size_t value_bytes, uint32_t entries) SM_MUST;
void sm_bpf_array_close(struct sm_bpf_array *a);

/*
 * Reads a hash map by BPF_MAP_LOOKUP_BATCH (Linux 5.6): keys and values have room for *n elements, and
 * *n becomes the number of those read.  -ENOSPC: there are more.  An element that is added or deleted
 * meanwhile may be missing, or be there twice.
 */
int sm_bpf_map_read(int map_fd, void *keys, void *values, uint32_t *n) SM_MUST;
/* Writes the only element of an array map with BPF_F_RDONLY_PROG, which nobody can change afterwards
 * (BPF_MAP_FREEZE, Linux 5.2). */
int sm_bpf_map_fix(int map_fd, const void *value) SM_MUST;
/* 0 too if there is no such element. */
int sm_bpf_map_delete(int map_fd, const void *key) SM_MUST;
/* Deletes an element of a hash map, and value is what it was; -ENOENT: there is none.  Before Linux 5.14
 * these are two steps, and what is added to it between them is lost. */
int sm_bpf_map_take(int map_fd, const void *key, void *value) SM_MUST;

/* --- assembler ---------------------------------------------------------------------- */

/* Instructions as they are emitted.  What does not fit is counted in n but not stored;
 * sm_bpf_prog_load() then returns -E2BIG. */
struct sm_bpf_asm {
	struct bpf_insn *insn;
	size_t n, cap;
};

/* Any instruction.  Those below are all made of it. */
void sm_bpf_emit(struct sm_bpf_asm *a, unsigned int code, unsigned int dst, unsigned int src,
	int off, int32_t imm);
void sm_bpf_mov(struct sm_bpf_asm *a, unsigned int dst, unsigned int src);  /* dst = src */
void sm_bpf_set(struct sm_bpf_asm *a, unsigned int dst, int32_t imm);       /* dst = imm */
/* dst OP= src, dst OP= imm; op: BPF_ADD, BPF_SUB, BPF_AND, BPF_LSH, BPF_RSH ... on 64 bits */
void sm_bpf_alu(struct sm_bpf_asm *a, unsigned int op, unsigned int dst, unsigned int src);
void sm_bpf_alu_imm(struct sm_bpf_asm *a, unsigned int op, unsigned int dst, int32_t imm);
/* dst = base + off */
void sm_bpf_address(struct sm_bpf_asm *a, unsigned int dst, unsigned int base, int32_t off);
/* dst = min(dst, max), unsigned, so that the verifier knows the bound */
void sm_bpf_at_most(struct sm_bpf_asm *a, unsigned int dst, int32_t max);
/* size: BPF_W, BPF_DW.  dst = *(base + off); *(base + off) = src; *(base + off) = 0 */
void sm_bpf_load(struct sm_bpf_asm *a, unsigned int size, unsigned int dst, unsigned int base,
	int off);
void sm_bpf_store(struct sm_bpf_asm *a, unsigned int size, unsigned int base, int off,
	unsigned int src);
void sm_bpf_clear(struct sm_bpf_asm *a, unsigned int size, unsigned int base, int off);
/* n bytes of kernel memory at base + off to FP + to; zeroes where they cannot be read */
void sm_bpf_read_kernel(struct sm_bpf_asm *a, int32_t to, int32_t n, unsigned int base,
	uint32_t off);
/* dst = the 8 bytes of kernel memory at base + off, by way of FP + to */
void sm_bpf_load_kernel(struct sm_bpf_asm *a, unsigned int dst, unsigned int base, uint32_t off,
	int32_t to);
/* R0 = helper(R1, R2, ...) */
void sm_bpf_call(struct sm_bpf_asm *a, enum sm_bpf_helper helper);
/* return value */
void sm_bpf_return(struct sm_bpf_asm *a, int32_t value);
/* A forward jump on dst OP imm (BPF_JA: always); its target is set by sm_bpf_land(): the
 * instruction that is emitted next. */
size_t sm_bpf_jump(struct sm_bpf_asm *a, unsigned int op, unsigned int dst, int32_t imm) SM_MUST;
void sm_bpf_land(struct sm_bpf_asm *a, size_t jump);
/* A jump on dst OP src. */
size_t sm_bpf_jump_reg(struct sm_bpf_asm *a, unsigned int op, unsigned int dst, unsigned int src) SM_MUST;
/* dst = the map, as an argument of a helper */
void sm_bpf_map(struct sm_bpf_asm *a, unsigned int dst, int map_fd);
/* dst = address of a per-CPU array's first value, by a key at FP + to; jumps when there is none, which
 * the verifier wants to see */
size_t sm_bpf_map_first(struct sm_bpf_asm *a, unsigned int dst, int map_fd, int32_t to) SM_MUST;
/* dst = address of an array map's first value */
void sm_bpf_map_value(struct sm_bpf_asm *a, unsigned int dst, int map_fd);
/* R0 = address of a map's value by the key at FP + key, or 0 */
void sm_bpf_map_lookup(struct sm_bpf_asm *a, int map_fd, int32_t key);
/* R0 = 0, or a negative error: the element at FP + key becomes the value at FP + value; flags:
 * BPF_ANY, BPF_NOEXIST */
void sm_bpf_map_update(struct sm_bpf_asm *a, int map_fd, int32_t key, int32_t value, int32_t flags);
/* Adds 1, atomically, to the u64 at base + off; destroys R1. */
void sm_bpf_add_one(struct sm_bpf_asm *a, unsigned int base, int off);
/* Adds src, atomically, to the u64 at base + off. */
void sm_bpf_add(struct sm_bpf_asm *a, unsigned int base, int off, unsigned int src);
/* Adds 1, atomically, to the u64 at off of an array map's first value; destroys R1 and R2. */
void sm_bpf_count(struct sm_bpf_asm *a, int map_fd, int off);

/* --- programs ----------------------------------------------------------------------- */

/* The end of the verifier's log on one line, lines separated by "; "; empty without a log.  It is
 * the kernel's text: sanitise it before it is printed. */
struct sm_bpf_log {
	char text[256];
};

/* fd or -errno.  The licence is GPL, which helpers demand.  log may be NULL. */
int sm_bpf_prog_load(const char *name, uint32_t type, const struct bpf_insn *insn, size_t n,
	struct sm_bpf_log *log) SM_MUST;
/*
 * Attaches a program of type SM_BPF_PROG_RAW_TRACEPOINT (Linux 4.17): it runs at every hit of the
 * tracepoint, on all CPUs, until the fd that is returned is closed.  Its context are the
 * arguments of the tracepoint (include/trace/events), 8 bytes each.  Unlike a program on a perf
 * event it needs no tracefs, is not skipped while another program runs on the CPU, and its result
 * does not keep the event from others.
 */
int sm_bpf_attach_raw_tracepoint(const char *tracepoint, int prog_fd) SM_MUST;
/* Runs a program of that type once, in the context of the calling task and without arguments
 * (BPF_PROG_TEST_RUN, Linux 5.10).  0, or a negative error, not the program's result. */
int sm_bpf_prog_run(int prog_fd) SM_MUST;
/* Makes a program of type SM_BPF_PROG_SOCKET_FILTER the filter of the socket, which keeps it. */
int sm_bpf_attach_socket(int socket_fd, int prog_fd) SM_MUST;

#endif

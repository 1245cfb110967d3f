/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf: bpf(2) without a library: maps and programs.  Programs come from bpf_object.h.
 *
 * Maps and programs have names, which bpftool(8) and /proc/PID/fdinfo show.
 */
#ifndef SM_BPF_H
#define SM_BPF_H

#include <linux/bpf.h>
#include "base/base.h"

/* Numbers of include/uapi/linux/bpf.h, not all of them in older headers. */
enum {
	SM_BPF_CMD_PROG_RUN = 10,
	SM_BPF_CMD_LOOKUP_AND_DELETE = 21,
	SM_BPF_CMD_FREEZE = 22,
	SM_BPF_CMD_LOOKUP_BATCH = 24,
	SM_BPF_MAP_HASH = 1,
	SM_BPF_MAP_ARRAY = 2,
	SM_BPF_MAP_RINGBUF = 27,
	SM_BPF_PROG_SOCKET_FILTER = 1,
	SM_BPF_PROG_RAW_TRACEPOINT = 17,
	SM_BPF_PROG_SYSCALL = 31,
};

/* Creates a map.  Returns a close-on-exec fd, or -errno.  If the kernel returns EPERM, this function and
 * sm_bpf_prog_load() raise RLIMIT_MEMLOCK, which limits maps and programs before Linux 5.11, and retry. */
int sm_bpf_map_create(const char *name, uint32_t type, uint32_t key_bytes, uint32_t value_bytes,
	uint32_t entries, uint32_t flags) SM_MUST;

/* An array that programs and the reader share.  A zero-initialised array is closed. */
struct sm_bpf_array {
	void *values; /* 64-bit words are read and written with __atomic functions */
	size_t bytes; /* whole pages */
};

/* Maps an array map with SM_BPF_F_MMAPABLE, whose fd may be closed. */
int sm_bpf_array_map(struct sm_bpf_array *a, int map_fd, size_t value_bytes, uint32_t entries) SM_MUST;
void sm_bpf_array_close(struct sm_bpf_array *a);

/*
 * Reads a hash map with BPF_MAP_LOOKUP_BATCH (Linux 5.6).  keys and values have room for *n elements, and
 * *n is set to the number of elements read.  -ENOSPC: there are more.  Elements that are added or deleted
 * during the call may be missing or be read twice.
 */
int sm_bpf_map_read(int map_fd, void *keys, void *values, uint32_t *n) SM_MUST;
/* Writes the only element of an array map with BPF_F_RDONLY_PROG and freezes the map (BPF_MAP_FREEZE,
 * Linux 5.2). */
int sm_bpf_map_fix(int map_fd, const void *value) SM_MUST;
/* Deletes an element; returns 0 even if there is no such element. */
int sm_bpf_map_delete(int map_fd, const void *key) SM_MUST;
/* Reads an element of a hash map and deletes it; -ENOENT: there is none.  Before Linux 5.14 these are two
 * steps, and additions between them are lost. */
int sm_bpf_map_take(int map_fd, const void *key, void *value) SM_MUST;

/* --- programs ----------------------------------------------------------------------- */

/* The end of the verifier's log on one line, lines separated by "; "; empty without a log.  It is
 * the kernel's text: sanitise it before it is printed. */
struct sm_bpf_log {
	char text[256];
};

/* fd or -errno.  The licence is GPL, which helpers demand.  log may be NULL.  Programs of type
 * SM_BPF_PROG_SYSCALL may sleep.  A signal ends the work of the kernel's verifier: up to five attempts are
 * made before -EAGAIN is returned. */
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
/* Runs a program of type SM_BPF_PROG_RAW_TRACEPOINT (Linux 5.10) or SM_BPF_PROG_SYSCALL (5.14) once, in the
 * context of the calling task and without arguments (BPF_PROG_TEST_RUN).  0, or a negative error, not the
 * program's result.  Requires no privileges since Linux 5.19. */
int sm_bpf_prog_run(int prog_fd) SM_MUST;
/* Makes a program of type SM_BPF_PROG_SOCKET_FILTER the filter of the socket, which keeps it. */
int sm_bpf_attach_socket(int socket_fd, int prog_fd) SM_MUST;

#endif

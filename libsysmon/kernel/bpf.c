// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel/bpf.h"

#ifndef SO_ATTACH_BPF
#define SO_ATTACH_BPF 50
#endif

/* enum bpf_cmd */
#define RAW_TRACEPOINT_OPEN 17

/* Before Linux 6.4 a log that does not fit lacks its end, which holds the error. */
#define LOG_BYTES (256u << 10)

enum { R0, R1, R2, R3, R4, FP = 10 };

static int sys_bpf(unsigned int cmd, union bpf_attr *attr)
{
	long r = syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	return r < 0 ? -errno : (int)r;
}

/* Before Linux 5.11 maps count against this limit, which is 64 KiB on some machines;
 * needs CAP_SYS_RESOURCE. */
static bool raise_memlock(void)
{
	const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
	struct rlimit now;

	return getrlimit(RLIMIT_MEMLOCK, &now) == 0 && now.rlim_cur != RLIM_INFINITY &&
	       setrlimit(RLIMIT_MEMLOCK, &all) == 0;
}

int sm_bpf_map_create(const char *name, uint32_t type, uint32_t key_bytes,
	uint32_t value_bytes, uint32_t entries, uint32_t flags)
{
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	snprintf(attr.map_name, sizeof(attr.map_name), "%s", name);
	attr.map_type = type;
	attr.key_size = key_bytes;
	attr.value_size = value_bytes;
	attr.max_entries = entries;
	attr.map_flags = flags;
	fd = sys_bpf(BPF_MAP_CREATE, &attr);
	return fd == -EPERM && raise_memlock() ? sys_bpf(BPF_MAP_CREATE, &attr) : fd;
}

int sm_bpf_array_open(
	struct sm_bpf_array *a, const char *name, size_t value_bytes, uint32_t entries)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *p;
	int err = 0;

	*a = (struct sm_bpf_array){
		.bytes = (value_bytes * entries + page - 1) / page * page};
	a->fd = sm_bpf_map_create(name, SM_BPF_MAP_ARRAY, 4, (uint32_t)value_bytes,
		entries, SM_BPF_F_MMAPABLE);
	if (a->fd < 0)
		return a->fd;
	p = mmap(NULL, a->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, a->fd, 0);
	if (p == MAP_FAILED) {
		err = -errno;
		close(a->fd);
		return err;
	}
	a->values = p;
	return 0;
}

int sm_bpf_array_map(
	struct sm_bpf_array *a, int map_fd, size_t value_bytes, uint32_t entries)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes = (value_bytes * entries + page - 1) / page * page;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	*a = (struct sm_bpf_array){.fd = -1, .values = p, .bytes = bytes};
	return 0;
}

void sm_bpf_array_close(struct sm_bpf_array *a)
{
	if (!a->values)
		return;
	munmap(a->values, a->bytes);
	sm_base_close_fd(&a->fd);
	*a = (struct sm_bpf_array){0};
}

int sm_bpf_map_read(int map_fd, void *keys, void *values, uint32_t *n)
{
	union bpf_attr attr;
	uint64_t cursor;
	int err;

	memset(&attr, 0, sizeof(attr));
	attr.batch.out_batch = (uintptr_t)&cursor;
	attr.batch.keys = (uintptr_t)keys;
	attr.batch.values = (uintptr_t)values;
	attr.batch.count = *n;
	attr.batch.map_fd = (uint32_t)map_fd;
	err = sys_bpf(SM_BPF_CMD_LOOKUP_BATCH, &attr);
	*n = err == 0 || err == -ENOENT ? attr.batch.count : 0;
	if (err == 0)
		return -ENOSPC;
	return err == -ENOENT ? 0 : err;
}

int sm_bpf_map_fix(int map_fd, const void *value)
{
	union bpf_attr attr;
	uint32_t zero = 0;
	int err;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)map_fd;
	attr.key = (uintptr_t)&zero;
	attr.value = (uintptr_t)value;
	err = sys_bpf(BPF_MAP_UPDATE_ELEM, &attr);
	if (err)
		return err;
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)map_fd;
	return sys_bpf(SM_BPF_CMD_FREEZE, &attr);
}

int sm_bpf_map_delete(int map_fd, const void *key)
{
	union bpf_attr attr;
	int err;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)map_fd;
	attr.key = (uintptr_t)key;
	err = sys_bpf(BPF_MAP_DELETE_ELEM, &attr);
	return err == -ENOENT ? 0 : err;
}

static int element(unsigned int cmd, int map_fd, const void *key, void *value)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)map_fd;
	attr.key = (uintptr_t)key;
	attr.value = (uintptr_t)value;
	return sys_bpf(cmd, &attr);
}

/* Of the kernel's own numbers, which strerror(3) does not know. */
#define ENOTSUPP 524

int sm_bpf_map_take(int map_fd, const void *key, void *value)
{
	int err = element(SM_BPF_CMD_LOOKUP_AND_DELETE, map_fd, key, value);

	if (err != -ENOTSUPP && err != -EINVAL)
		return err;
	err = element(BPF_MAP_LOOKUP_ELEM, map_fd, key, value);
	return err ? err : sm_bpf_map_delete(map_fd, key);
}

/* --- assembler --------------------------------------------------------------------- */

void sm_bpf_emit(struct sm_bpf_asm *a, unsigned int code, unsigned int dst,
	unsigned int src, int off, int32_t imm)
{
	if (a->n < a->cap) {
		struct bpf_insn *i = &a->insn[a->n];

		i->code = (uint8_t)code;
		i->dst_reg = dst & 0xf;
		i->src_reg = src & 0xf;
		i->off = (int16_t)off;
		i->imm = imm;
	}
	a->n++;
}

void sm_bpf_mov(struct sm_bpf_asm *a, unsigned int dst, unsigned int src)
{
	sm_bpf_emit(a, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

void sm_bpf_set(struct sm_bpf_asm *a, unsigned int dst, int32_t imm)
{
	sm_bpf_emit(a, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}

void sm_bpf_alu(struct sm_bpf_asm *a, unsigned int op, unsigned int dst, unsigned int src)
{
	sm_bpf_emit(a, BPF_ALU64 | op | BPF_X, dst, src, 0, 0);
}

void sm_bpf_alu_imm(struct sm_bpf_asm *a, unsigned int op, unsigned int dst, int32_t imm)
{
	sm_bpf_emit(a, BPF_ALU64 | op | BPF_K, dst, 0, 0, imm);
}

void sm_bpf_address(
	struct sm_bpf_asm *a, unsigned int dst, unsigned int base, int32_t off)
{
	sm_bpf_mov(a, dst, base);
	sm_bpf_alu_imm(a, BPF_ADD, dst, off);
}

void sm_bpf_at_most(struct sm_bpf_asm *a, unsigned int dst, int32_t max)
{
	size_t fits = sm_bpf_jump(a, BPF_JLE, dst, max);

	sm_bpf_set(a, dst, max);
	sm_bpf_land(a, fits);
}

void sm_bpf_load(struct sm_bpf_asm *a, unsigned int size, unsigned int dst,
	unsigned int base, int off)
{
	sm_bpf_emit(a, BPF_LDX | BPF_MEM | size, dst, base, off, 0);
}

void sm_bpf_store(struct sm_bpf_asm *a, unsigned int size, unsigned int base, int off,
	unsigned int src)
{
	sm_bpf_emit(a, BPF_STX | BPF_MEM | size, base, src, off, 0);
}

void sm_bpf_clear(struct sm_bpf_asm *a, unsigned int size, unsigned int base, int off)
{
	sm_bpf_emit(a, BPF_ST | BPF_MEM | size, base, 0, off, 0);
}

void sm_bpf_call(struct sm_bpf_asm *a, enum sm_bpf_helper helper)
{
	sm_bpf_emit(a, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

void sm_bpf_read_kernel(
	struct sm_bpf_asm *a, int32_t to, int32_t n, unsigned int base, uint32_t off)
{
	sm_bpf_address(a, R3, base, (int32_t)off);
	sm_bpf_address(a, R1, FP, to);
	sm_bpf_set(a, R2, n);
	sm_bpf_call(a, SM_BPF_PROBE_READ_KERNEL);
}

void sm_bpf_load_kernel(struct sm_bpf_asm *a, unsigned int dst, unsigned int base,
	uint32_t off, int32_t to)
{
	sm_bpf_read_kernel(a, to, 8, base, off);
	sm_bpf_load(a, BPF_DW, dst, FP, to);
}

void sm_bpf_return(struct sm_bpf_asm *a, int32_t value)
{
	sm_bpf_set(a, 0, value);
	sm_bpf_emit(a, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

size_t sm_bpf_jump(struct sm_bpf_asm *a, unsigned int op, unsigned int dst, int32_t imm)
{
	sm_bpf_emit(a, BPF_JMP | op | BPF_K, dst, 0, 0, imm);
	return a->n - 1;
}

size_t sm_bpf_jump_reg(
	struct sm_bpf_asm *a, unsigned int op, unsigned int dst, unsigned int src)
{
	sm_bpf_emit(a, BPF_JMP | op | BPF_X, dst, src, 0, 0);
	return a->n - 1;
}

void sm_bpf_land(struct sm_bpf_asm *a, size_t jump)
{
	if (jump < a->cap)
		a->insn[jump].off = (int16_t)(a->n - jump - 1);
}

static void load_map(
	struct sm_bpf_asm *a, unsigned int dst, unsigned int kind, int map_fd)
{
	sm_bpf_emit(a, BPF_LD | BPF_DW | BPF_IMM, dst, kind, 0, map_fd);
	sm_bpf_emit(a, 0, 0, 0, 0, 0);
}

void sm_bpf_map(struct sm_bpf_asm *a, unsigned int dst, int map_fd)
{
	load_map(a, dst, BPF_PSEUDO_MAP_FD, map_fd);
}

void sm_bpf_map_value(struct sm_bpf_asm *a, unsigned int dst, int map_fd)
{
	load_map(a, dst, BPF_PSEUDO_MAP_VALUE, map_fd);
}

size_t sm_bpf_map_first(struct sm_bpf_asm *a, unsigned int dst, int map_fd, int32_t to)
{
	sm_bpf_clear(a, BPF_DW, FP, to);
	sm_bpf_map_lookup(a, map_fd, to);
	sm_bpf_mov(a, dst, R0);
	return sm_bpf_jump(a, BPF_JEQ, R0, 0);
}

void sm_bpf_map_lookup(struct sm_bpf_asm *a, int map_fd, int32_t key)
{
	sm_bpf_map(a, R1, map_fd);
	sm_bpf_address(a, R2, FP, key);
	sm_bpf_call(a, SM_BPF_MAP_LOOKUP_ELEM);
}

void sm_bpf_map_update(
	struct sm_bpf_asm *a, int map_fd, int32_t key, int32_t value, int32_t flags)
{
	sm_bpf_map(a, R1, map_fd);
	sm_bpf_address(a, R2, FP, key);
	sm_bpf_address(a, R3, FP, value);
	sm_bpf_set(a, R4, flags);
	sm_bpf_call(a, SM_BPF_MAP_UPDATE_ELEM);
}

void sm_bpf_add(struct sm_bpf_asm *a, unsigned int base, int off, unsigned int src)
{
	sm_bpf_emit(a, BPF_STX | BPF_XADD | BPF_DW, base, src, off, 0);
}

void sm_bpf_add_one(struct sm_bpf_asm *a, unsigned int base, int off)
{
	sm_bpf_set(a, R1, 1);
	sm_bpf_add(a, base, off, R1);
}

void sm_bpf_count(struct sm_bpf_asm *a, int map_fd, int off)
{
	sm_bpf_map_value(a, R1, map_fd);
	sm_bpf_set(a, R2, 1);
	sm_bpf_add(a, R1, off, R2);
}

/* --- programs ---------------------------------------------------------------------- */

/* The end of the text, without its first, cut line and the last one, which only counts.
 */
static void keep_end(struct sm_bpf_log *log, char *text)
{
	char *processed = strstr(text, "\nprocessed "), *from, *nl;
	size_t n, at = 0;

	if (processed)
		*processed = '\0';
	n = strlen(text);
	from = n < sizeof(log->text) / 2 ? text : text + n - sizeof(log->text) / 2;
	nl = from > text ? strchr(from, '\n') : NULL;
	for (from = nl ? nl + 1 : from; *from && at < sizeof(log->text) - 3; from++) {
		if (*from == '\n')
			log->text[at++] = ';';
		log->text[at++] = *from == '\n' ? ' ' : *from;
	}
	log->text[at] = '\0';
}

/* Loads again with a log only after a failure: the log takes the verifier time. */
static void read_log(union bpf_attr *attr, struct sm_bpf_log *log)
{
	char *text = calloc(1, LOG_BYTES);
	int fd;

	if (!text)
		return;
	attr->log_level = 1;
	attr->log_buf = (uintptr_t)text;
	attr->log_size = LOG_BYTES;
	fd = sys_bpf(BPF_PROG_LOAD, attr);
	if (fd >= 0)
		close(fd);
	text[LOG_BYTES - 1] = '\0';
	keep_end(log, text);
	free(text);
}

int sm_bpf_prog_load(const char *name, uint32_t type, const struct bpf_insn *insn,
	size_t n, struct sm_bpf_log *log)
{
	union bpf_attr attr;
	int fd;

	if (log)
		log->text[0] = '\0';
	memset(&attr, 0, sizeof(attr));
	snprintf(attr.prog_name, sizeof(attr.prog_name), "%s", name);
	attr.prog_type = type;
	attr.insns = (uintptr_t)insn;
	attr.insn_cnt = (uint32_t)n;
	attr.license = (uintptr_t) "GPL";
	fd = sys_bpf(BPF_PROG_LOAD, &attr);
	if (fd < 0 && fd != -EPERM && log)
		read_log(&attr, log);
	return fd;
}

int sm_bpf_attach_raw_tracepoint(const char *tracepoint, int prog_fd)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = (uintptr_t)tracepoint;
	attr.raw_tracepoint.prog_fd = (uint32_t)prog_fd;
	return sys_bpf(RAW_TRACEPOINT_OPEN, &attr);
}

int sm_bpf_prog_run(int prog_fd)
{
	union bpf_attr attr;
	int err;

	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = (uint32_t)prog_fd;
	err = sys_bpf(BPF_PROG_TEST_RUN, &attr);
	return err < 0 ? err : 0;
}

int sm_bpf_attach_socket(int socket_fd, int prog_fd)
{
	int err = setsockopt(
		socket_fd, SOL_SOCKET, SO_ATTACH_BPF, &prog_fd, sizeof(prog_fd));

	return err < 0 ? -errno : 0;
}

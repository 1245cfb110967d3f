// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "execbpf.h"

/* Where struct pt_regs has the user's stack pointer, in the kernel's own layout of a
 * 64-bit kernel.  Elsewhere the caller has perf's stack dump. */
#if defined(__x86_64__) && defined(__LP64__)
#define PT_REGS_SP	  152
#define PT_REGS_SP_COMPAT 1 /* of 32-bit programs too */
#elif defined(__aarch64__) && defined(__LP64__)
#define PT_REGS_SP 248
#elif defined(__riscv) && __riscv_xlen == 64
#define PT_REGS_SP 16
#elif defined(__s390x__)
#define PT_REGS_SP 144
#endif
#ifndef PT_REGS_SP
#define PT_REGS_SP -1
#endif
#ifndef PT_REGS_SP_COMPAT
#define PT_REGS_SP_COMPAT 0
#endif

/* Numbers of the kernel's interface, not all in older headers. */
enum {
	MAP_ARRAY = 2,
	MAP_PERCPU_ARRAY = 6,
	MAP_RINGBUF = 27,
	MAP_FLAG_MMAPABLE = 1 << 10,
	PROG_TRACEPOINT = 5,
	RINGBUF_NO_WAKEUP = 1,
};

enum helper {
	MAP_LOOKUP_ELEM = 1,
	KTIME_GET_NS = 5,
	GET_CURRENT_PID_TGID = 14,
	PROBE_READ_USER = 112,
	PROBE_READ_KERNEL = 113,
	RINGBUF_OUTPUT = 130,
	GET_CURRENT_TASK_BTF = 158,
	TASK_PT_REGS = 175,
};

#define INSN_MAX      256
#define HEAD	      ((int32_t)sizeof(struct execbpf_raw))
#define SCRATCH_BYTES (sizeof(struct execbpf_raw) + EXECBPF_FILE_MAX + EXECBPF_ARGS_MAX)
/* What can be read without a fault beyond the stack's end, whatever the page size. */
#define CHUNK 4096
/* A jump that was not made: landing it does nothing. */
#define NO_JUMP SIZE_MAX

/* --- the program ------------------------------------------------------------------- */

enum { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, FP };

/* Registers that calls preserve. */
#define CTX	 R6
#define RECORD	 R7 /* the scratch buffer: struct execbpf_raw, file name, arguments */
#define ARGS_LEN R8 /* first: the stack pointer */
#define SP	 R8
#define FILE_LEN R9

/* On the program's stack. */
#define ON_STACK_KEY  (-8)
#define ON_STACK_ARGC (-24)
#define ON_STACK_ARG0 (-16) /* behind argc, as in the new program's stack */
#define ON_STACK_ENV0 (-32)

#define FIELD(name) ((int)offsetof(struct execbpf_raw, name))

static void mov(struct sm_bpf_asm *a, unsigned int dst, unsigned int src)
{
	sm_bpf_emit(a, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

static void mov_imm(struct sm_bpf_asm *a, unsigned int dst, int32_t imm)
{
	sm_bpf_emit(a, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}

static void alu(struct sm_bpf_asm *a, unsigned int op, unsigned int dst, unsigned int src)
{
	sm_bpf_emit(a, BPF_ALU64 | op | BPF_X, dst, src, 0, 0);
}

static void alu_imm(struct sm_bpf_asm *a, unsigned int op, unsigned int dst, int32_t imm)
{
	sm_bpf_emit(a, BPF_ALU64 | op | BPF_K, dst, 0, 0, imm);
}

/* size: BPF_W, BPF_DW */
static void load(struct sm_bpf_asm *a, unsigned int size, unsigned int dst,
	unsigned int base, int off)
{
	sm_bpf_emit(a, BPF_LDX | BPF_MEM | size, dst, base, off, 0);
}

static void store(struct sm_bpf_asm *a, unsigned int size, unsigned int base, int off,
	unsigned int src)
{
	sm_bpf_emit(a, BPF_STX | BPF_MEM | size, base, src, off, 0);
}

static void store_zero(
	struct sm_bpf_asm *a, unsigned int size, unsigned int base, int off)
{
	sm_bpf_emit(a, BPF_ST | BPF_MEM | size, base, 0, off, 0);
}

static void call(struct sm_bpf_asm *a, enum helper helper)
{
	sm_bpf_emit(a, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

/* dst = min(dst, max), so that the verifier sees it too. */
static void at_most(struct sm_bpf_asm *a, unsigned int dst, int32_t max)
{
	size_t fits = sm_bpf_jump(a, BPF_JLE, dst, max);

	mov_imm(a, dst, max);
	sm_bpf_land(a, fits);
}

static void fill_head(struct sm_bpf_asm *a)
{
	call(a, KTIME_GET_NS);
	store(a, BPF_DW, RECORD, FIELD(time_ns), R0);
	call(a, GET_CURRENT_PID_TGID);
	alu_imm(a, BPF_RSH, R0, 32);
	store(a, BPF_W, RECORD, FIELD(pid), R0);
	store_zero(a, BPF_DW, RECORD, FIELD(argc));
	store_zero(a, BPF_DW, RECORD, FIELD(expect_len));
	store_zero(a, BPF_W, RECORD, FIELD(reserved));
}

/* The __data_loc says how long the name is and where in the context. */
static void copy_file(struct sm_bpf_asm *a, int loc_offset)
{
	size_t ok;

	load(a, BPF_W, FILE_LEN, CTX, loc_offset);
	mov(a, R1, FILE_LEN);
	alu_imm(a, BPF_AND, R1, 0xffff);
	alu_imm(a, BPF_RSH, FILE_LEN, 16);
	at_most(a, FILE_LEN, EXECBPF_FILE_MAX);
	mov(a, R3, CTX);
	alu(a, BPF_ADD, R3, R1);
	mov(a, R1, RECORD);
	alu_imm(a, BPF_ADD, R1, HEAD);
	mov(a, R2, FILE_LEN);
	call(a, PROBE_READ_KERNEL);
	ok = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	mov_imm(a, FILE_LEN, 0);
	sm_bpf_land(a, ok);
}

static void find_stack(struct sm_bpf_asm *a, int sp_offset)
{
	call(a, GET_CURRENT_TASK_BTF);
	mov(a, R1, R0);
	call(a, TASK_PT_REGS);
	load(a, BPF_DW, SP, R0, sp_offset);
}

/* Reads n bytes from the user's R3 to the program's stack; jumps when it cannot. */
static size_t read_words(struct sm_bpf_asm *a, int to, int32_t n)
{
	mov(a, R1, FP);
	alu_imm(a, BPF_ADD, R1, to);
	mov_imm(a, R2, n);
	call(a, PROBE_READ_USER);
	return sm_bpf_jump(a, BPF_JNE, R0, 0);
}

/* env[0] into its place; the pointers are 1 << shift bytes each, and argc takes one. */
static size_t read_env0(struct sm_bpf_asm *a, int32_t shift)
{
	store_zero(a, BPF_DW, FP, ON_STACK_ENV0);
	load(a, BPF_DW, R3, FP, ON_STACK_ARGC);
	store(a, BPF_DW, RECORD, FIELD(argc), R3);
	alu_imm(a, BPF_ADD, R3, 2);
	alu_imm(a, BPF_LSH, R3, shift);
	alu(a, BPF_ADD, R3, SP);
	return read_words(a, ON_STACK_ENV0, 1 << shift);
}

/* Two words of 32 bits became one of 64 (little endian): takes them apart. */
static void split_words(struct sm_bpf_asm *a)
{
	load(a, BPF_W, R1, FP, ON_STACK_ARGC + 4);
	store(a, BPF_DW, FP, ON_STACK_ARG0, R1);
	load(a, BPF_W, R1, FP, ON_STACK_ARGC);
	store(a, BPF_DW, FP, ON_STACK_ARGC, R1);
}

/* argc, argv[0] and envp[0]; jumps out when they cannot be had.  No 64-bit program has
 * 2^32 arguments: then it was argc and argv[0] of a 32-bit program. */
static void read_pointers(struct sm_bpf_asm *a, size_t out[4])
{
	size_t wide, joined = NO_JUMP;

	mov(a, R3, SP);
	out[0] = read_words(a, ON_STACK_ARGC, 16);
	load(a, BPF_DW, R1, FP, ON_STACK_ARGC);
	alu_imm(a, BPF_RSH, R1, 32);
	wide = sm_bpf_jump(a, BPF_JEQ, R1, 0);
	if (PT_REGS_SP_COMPAT) {
		split_words(a);
		out[1] = read_env0(a, 2);
		joined = sm_bpf_jump(a, BPF_JA, 0, 0);
	} else { /* one jump only: the verifier refuses what cannot be reached */
		out[1] = sm_bpf_jump(a, BPF_JA, 0, 0);
	}
	sm_bpf_land(a, wide);
	out[2] = read_env0(a, 3);
	sm_bpf_land(a, joined);
	load(a, BPF_DW, R1, RECORD, FIELD(argc));
	out[3] = sm_bpf_jump(a, BPF_JEQ, R1, 0);
}

/* R1 = where the arguments go */
static void args_place(struct sm_bpf_asm *a)
{
	mov(a, R1, RECORD);
	alu_imm(a, BPF_ADD, R1, HEAD);
	alu(a, BPF_ADD, R1, FILE_LEN);
}

/* The environment begins where the arguments end.  R1: envp[0] */
static void copy_args(struct sm_bpf_asm *a)
{
	size_t ok;

	load(a, BPF_DW, R3, FP, ON_STACK_ARG0);
	alu(a, BPF_SUB, R1, R3);
	store(a, BPF_DW, RECORD, FIELD(expect_len), R1);
	at_most(a, R1, EXECBPF_ARGS_MAX);
	mov(a, ARGS_LEN, R1);
	args_place(a);
	mov(a, R2, ARGS_LEN);
	call(a, PROBE_READ_USER);
	ok = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	mov_imm(a, ARGS_LEN, 0);
	sm_bpf_land(a, ok);
}

/* R2 = the bytes from argv[0] to the end of its page */
static void first_chunk(struct sm_bpf_asm *a)
{
	load(a, BPF_DW, R3, FP, ON_STACK_ARG0);
	mov(a, R4, R3);
	alu_imm(a, BPF_AND, R4, CHUNK - 1);
	mov_imm(a, R2, CHUNK);
	alu(a, BPF_SUB, R2, R4);
}

/* Without an environment: all that lies on the stack behind argv[0], page by page,
 * because the stack ends soon. */
static void copy_rest_of_stack(struct sm_bpf_asm *a)
{
	size_t fault[EXECBPF_ARGS_MAX / CHUNK];

	mov_imm(a, ARGS_LEN, 0);
	first_chunk(a);
	args_place(a);
	call(a, PROBE_READ_USER);
	fault[0] = sm_bpf_jump(a, BPF_JNE, R0, 0);
	first_chunk(a);
	mov(a, ARGS_LEN, R2);
	for (size_t i = 1; i < SM_ARRAY_SIZE(fault); i++) {
		args_place(a);
		alu(a, BPF_ADD, R1, ARGS_LEN);
		mov_imm(a, R2, CHUNK);
		load(a, BPF_DW, R3, FP, ON_STACK_ARG0);
		alu(a, BPF_ADD, R3, ARGS_LEN);
		call(a, PROBE_READ_USER);
		fault[i] = sm_bpf_jump(a, BPF_JNE, R0, 0);
		alu_imm(a, BPF_ADD, ARGS_LEN, CHUNK);
	}
	for (size_t i = 0; i < SM_ARRAY_SIZE(fault); i++)
		sm_bpf_land(a, fault[i]);
}

static void output(struct sm_bpf_asm *a, int ring_fd, int lost_fd)
{
	size_t written;

	store(a, BPF_W, RECORD, FIELD(file_len), FILE_LEN);
	store(a, BPF_W, RECORD, FIELD(args_len), ARGS_LEN);
	sm_bpf_emit_map(a, R1, BPF_PSEUDO_MAP_FD, ring_fd);
	mov(a, R2, RECORD);
	mov(a, R3, FILE_LEN);
	alu(a, BPF_ADD, R3, ARGS_LEN);
	alu_imm(a, BPF_ADD, R3, HEAD);
	mov_imm(a, R4, RINGBUF_NO_WAKEUP);
	call(a, RINGBUF_OUTPUT);
	written = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	sm_bpf_emit_map(a, R1, BPF_PSEUDO_MAP_VALUE, lost_fd);
	mov_imm(a, R2, 1);
	sm_bpf_emit(a, BPF_STX | BPF_XADD | BPF_DW, R1, R2, 0, 0);
	sm_bpf_land(a, written);
}

static void assemble(struct sm_bpf_asm *a, int sp_offset, int loc_offset, const int fd[3])
{
	size_t none, out[4], no_env, done, end;

	mov(a, CTX, R1);
	store_zero(a, BPF_DW, FP, ON_STACK_KEY);
	sm_bpf_emit_map(a, R1, BPF_PSEUDO_MAP_FD, fd[0]);
	mov(a, R2, FP);
	alu_imm(a, BPF_ADD, R2, ON_STACK_KEY);
	call(a, MAP_LOOKUP_ELEM);
	none = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	mov(a, RECORD, R0);
	fill_head(a);
	copy_file(a, loc_offset);
	find_stack(a, sp_offset);
	read_pointers(a, out);
	load(a, BPF_DW, R1, FP, ON_STACK_ENV0);
	no_env = sm_bpf_jump(a, BPF_JEQ, R1, 0);
	copy_args(a);
	done = sm_bpf_jump(a, BPF_JA, 0, 0);
	sm_bpf_land(a, no_env);
	copy_rest_of_stack(a);
	end = sm_bpf_jump(a, BPF_JA, 0, 0);
	for (size_t i = 0; i < SM_ARRAY_SIZE(out); i++)
		sm_bpf_land(a, out[i]);
	mov_imm(a, ARGS_LEN, 0);
	sm_bpf_land(a, done);
	sm_bpf_land(a, end);
	output(a, fd[1], fd[2]);
	sm_bpf_land(a, none);
	mov_imm(a, R0, 1); /* 0 would keep the event from everybody else's perf */
	sm_bpf_emit(a, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

/* --- opening ----------------------------------------------------------------------- */

enum { SCRATCH, RING, LOST, MAPS };

static int create_maps(int fd[MAPS], size_t ring_bytes)
{
	fd[SCRATCH] = sm_bpf_map_create(MAP_PERCPU_ARRAY, 4, SCRATCH_BYTES, 1, 0);
	if (fd[SCRATCH] < 0)
		return fd[SCRATCH];
	fd[RING] = sm_bpf_map_create(MAP_RINGBUF, 0, 0, (uint32_t)ring_bytes, 0);
	if (fd[RING] < 0)
		return fd[RING];
	fd[LOST] = sm_bpf_map_create(MAP_ARRAY, 4, 8, 1, MAP_FLAG_MMAPABLE);
	return fd[LOST] < 0 ? fd[LOST] : 0;
}

static int map_lost(struct execbpf *b, int fd)
{
	void *p = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	b->lost = p;
	return 0;
}

/* The event holds the program, the program its maps, the mappings their memory. */
static int attach(struct execbpf *b, uint32_t event_id, uint32_t filename_offset,
	const int fd[MAPS])
{
	struct bpf_insn insn[INSN_MAX];
	struct sm_bpf_asm a = {.insn = insn, .cap = INSN_MAX};
	SM_CLOSE_FD int prog = -1;

	assemble(&a, PT_REGS_SP, (int)filename_offset, fd);
	prog = sm_bpf_prog_load(PROG_TRACEPOINT, &a, NULL, 0);
	if (prog < 0)
		return prog;
	b->event_fd = sm_bpf_attach_tracepoint(event_id, prog);
	return b->event_fd < 0 ? b->event_fd : 0;
}

int execbpf_open(
	struct execbpf *b, uint32_t event_id, uint32_t filename_offset, size_t ring_bytes)
{
	int fd[MAPS] = {-1, -1, -1}, err;

	memset(b, 0, sizeof(*b));
	b->event_fd = -1;
	if (PT_REGS_SP < 0)
		return -ENOSYS;
	if (filename_offset > INT16_MAX || ring_bytes > UINT32_MAX)
		return -EINVAL;
	err = create_maps(fd, ring_bytes);
	if (!err)
		err = sm_bpf_ring_map(&b->ring, fd[RING], ring_bytes);
	if (!err)
		err = map_lost(b, fd[LOST]);
	if (!err)
		err = attach(b, event_id, filename_offset, fd);
	for (int i = 0; i < MAPS; i++)
		sm_close_fd(&fd[i]);
	if (err)
		execbpf_close(b);
	return err;
}

void execbpf_close(struct execbpf *b)
{
	if (b->event_fd >= 0)
		close(b->event_fd);
	if (b->lost)
		munmap((void *)(uintptr_t)b->lost, (size_t)sysconf(_SC_PAGESIZE));
	sm_bpf_ring_close(&b->ring);
	memset(b, 0, sizeof(*b));
	b->event_fd = -1;
}

uint64_t execbpf_lost(const struct execbpf *b)
{
	return b->lost ? __atomic_load_n(b->lost, __ATOMIC_RELAXED) : 0;
}

/* --- decoding ---------------------------------------------------------------------- */

/* The length of the first argc strings; *whole when they are all there. */
static size_t strings(const char *p, size_t n, uint64_t argc, bool *whole)
{
	size_t len = 0;

	for (; argc && len < n; argc--) {
		const char *nul = memchr(p + len, '\0', n - len);

		if (!nul)
			break;
		len = (size_t)(nul - p) + 1;
	}
	*whole = argc == 0;
	return *whole ? len : n;
}

static void parse_args(struct execbpf_record *out, const char *args, size_t n)
{
	bool whole;

	if (n == 0 || out->argc == 0)
		return;
	out->args = args;
	out->args_len = strings(args, n, out->argc, &whole);
	out->truncated = !whole;
}

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
	out->argc = raw.argc;
	out->expect_len = (size_t)raw.expect_len;
	out->file_len = strnlen(p, raw.file_len);
	out->file = out->file_len ? p : NULL;
	parse_args(out, p + raw.file_len, raw.args_len);
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
	ssize_t n = sm_bpf_ring_drain(&b->ring, on_record, &d);

	return d.corrupt ? -EBADMSG : n;
}

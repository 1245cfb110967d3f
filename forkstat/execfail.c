// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "execfail.h"

#define INSN_MAX      128
#define HEAD	      ((int32_t)sizeof(struct execfail_raw))
#define SCRATCH_BYTES (sizeof(struct execfail_raw) + EXECFAIL_FILE_MAX)
#define FIELD(name)   ((int)offsetof(struct execfail_raw, name))

/* --- the program ------------------------------------------------------------------- */

/* struct pt_regs of arch/ARCH/include/asm/ptrace.h: the number of the system call, a
 * register with a bit that tells 32-bit programs from others, and the argument that is
 * the file name. */
struct call {
	int32_t mode, number;
	int32_t file;
};
#if defined(__x86_64__)
#define NUMBER	 120 /* orig_ax */
#define MODE	 136 /* cs */
#define MODE_BIT 0x10
static const struct call calls[] = {
	{0x10, 59, 112}, {0x10, 322, 104}, {0, 11, 40}, {0, 358, 88}};
#elif defined(__aarch64__)
#define NUMBER	 280 /* syscallno */
#define MODE	 264 /* pstate */
#define MODE_BIT 0x10
static const struct call calls[] = {
	{0, 221, 272}, {0, 281, 8}, {0x10, 11, 272}, {0x10, 387, 8}};
#elif defined(__riscv) && __riscv_xlen == 64
#define NUMBER	 136 /* a7 */
#define MODE	 136
#define MODE_BIT 0
static const struct call calls[] = {{0, 221, 280}, {0, 281, 88}};
#else
#define NUMBER	 0
#define MODE	 0
#define MODE_BIT 0
static const struct call calls[] = {{0, 0, 0}};
#endif
#define CALLS SM_ARRAY_SIZE(calls)

enum { R0, R1, R2, R3, CTX = 6, REGS, FILE_LEN = 7, ARG, RECORD, FP };

/* The tracepoint's arguments: TP_PROTO of include/trace/events/syscalls.h. */
#define CTX_REGS 0
#define CTX_RET	 8

#define ON_STACK (-8)

/* arg = where the file name's register is; jumps if it is another call */
static size_t find_call(struct sm_bpf_asm *a)
{
	size_t found[CALLS], other, number, mode;

	sm_bpf_read_kernel(a, ON_STACK - 8, 4, REGS, MODE);
	sm_bpf_read_kernel(a, ON_STACK, 4, REGS, NUMBER);
	sm_bpf_load(a, BPF_W, R1, FP, ON_STACK);
	sm_bpf_load(a, BPF_W, R2, FP, ON_STACK - 8);
	sm_bpf_alu_imm(a, BPF_AND, R2, MODE_BIT);
	for (size_t i = 0; i < CALLS; i++) {
		number = sm_bpf_jump(a, BPF_JNE, R1, calls[i].number);
		mode = sm_bpf_jump(a, BPF_JNE, R2, calls[i].mode);
		sm_bpf_set(a, ARG, calls[i].file);
		found[i] = sm_bpf_jump(a, BPF_JA, R0, 0);
		sm_bpf_land(a, number);
		sm_bpf_land(a, mode);
	}
	other = sm_bpf_jump(a, BPF_JA, R0, 0);
	for (size_t i = 0; i < CALLS; i++)
		sm_bpf_land(a, found[i]);
	return other;
}

/* file_len = strncpy(record->tail, regs->arg), 0 when it cannot be read */
static void copy_file(struct sm_bpf_asm *a)
{
	size_t ok;

	sm_bpf_alu(a, BPF_ADD, ARG, REGS);
	sm_bpf_read_kernel(a, ON_STACK, 8, ARG, 0);
	sm_bpf_address(a, R1, RECORD, HEAD);
	sm_bpf_set(a, R2, EXECFAIL_FILE_MAX);
	sm_bpf_load(a, BPF_DW, R3, FP, ON_STACK);
	sm_bpf_call(a, SM_BPF_PROBE_READ_USER_STR);
	sm_bpf_mov(a, FILE_LEN, R0);
	ok = sm_bpf_jump(a, BPF_JSGT, FILE_LEN, 0);
	sm_bpf_set(a, FILE_LEN, 0);
	sm_bpf_land(a, ok);
	sm_bpf_at_most(a, FILE_LEN, EXECFAIL_FILE_MAX);
	sm_bpf_store(a, BPF_W, RECORD, FIELD(file_len), FILE_LEN);
}

static void fill_head(struct sm_bpf_asm *a)
{
	sm_bpf_call(a, SM_BPF_KTIME_GET_NS);
	sm_bpf_store(a, BPF_DW, RECORD, FIELD(time_ns), R0);
	sm_bpf_call(a, SM_BPF_GET_CURRENT_PID_TGID);
	sm_bpf_store(a, BPF_W, RECORD, FIELD(tid), R0);
	sm_bpf_alu_imm(a, BPF_RSH, R0, 32);
	sm_bpf_store(a, BPF_W, RECORD, FIELD(pid), R0);
	sm_bpf_load(a, BPF_DW, R0, CTX, CTX_RET);
	sm_bpf_store(a, BPF_W, RECORD, FIELD(ret), R0);
}

static void assemble(struct sm_bpf_asm *a, const struct sm_bpf_stream *s, int scratch_fd)
{
	size_t success, other, none;

	sm_bpf_load(a, BPF_DW, R0, R1, CTX_RET);
	success = sm_bpf_jump(a, BPF_JSGE, R0, 0);
	sm_bpf_mov(a, CTX, R1);
	sm_bpf_load(a, BPF_DW, REGS, CTX, CTX_REGS);
	other = find_call(a);
	none = sm_bpf_map_first(a, RECORD, scratch_fd, ON_STACK);
	fill_head(a);
	copy_file(a);
	sm_bpf_mov(a, R2, RECORD);
	sm_bpf_address(a, R3, FILE_LEN, HEAD);
	sm_bpf_stream_output(a, s);
	sm_bpf_land(a, success);
	sm_bpf_land(a, other);
	sm_bpf_land(a, none);
	sm_bpf_return(a, 0);
}

/* --- opening ----------------------------------------------------------------------- */

/* The stream holds the program, the program its scratch map. */
static int attach(struct execfail *f, struct sm_bpf_log *log)
{
	struct bpf_insn insn[INSN_MAX];
	struct sm_bpf_asm a = {.insn = insn, .cap = INSN_MAX};
	SM_CLOSE_FD int scratch_fd = sm_bpf_map_create(
		"fail_scratch", SM_BPF_MAP_PERCPU_ARRAY, 4, SCRATCH_BYTES, 1, 0);

	if (scratch_fd < 0)
		return scratch_fd;
	assemble(&a, &f->stream, scratch_fd);
	return sm_bpf_stream_attach(&f->stream, "forkstat_fail", "sys_exit", &a, log);
}

int execfail_open(struct execfail *f, struct sm_tasktable *procs, size_t ring_bytes,
	struct sm_bpf_log *log)
{
	int err;

	*f = (struct execfail){.procs = procs};
	log->text[0] = '\0';
	if (!NUMBER)
		return -ENOSYS;
	err = sm_bpf_stream_open(&f->stream, "fail", ring_bytes);
	f->stream.wakes = true;
	if (!err)
		err = attach(f, log);
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

void execfail_record(struct execfail *f, const void *record, size_t len)
{
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

static void on_record(void *ctx, const void *record, size_t len)
{
	execfail_record(ctx, record, len);
}

void execfail_drain(struct execfail *f)
{
	(void)!sm_bpf_ring_drain(&f->stream.ring, on_record, f);
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

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "execbpf.h"
#include "kernel/vmlinux.h"

#define TRACEPOINT    "sched_process_exec"
#define INSN_MAX      128
#define HEAD	      ((int32_t)sizeof(struct execbpf_raw))
#define SCRATCH_BYTES (sizeof(struct execbpf_raw) + EXECBPF_FILE_MAX + EXECBPF_ARGS_MAX)

/* --- the program ------------------------------------------------------------------- */

/* Where the kernel has what the program reads; all are of 8 bytes. */
enum { TASK_MM, MM_ARG_START, MM_ARG_END, BPRM_FILENAME, OFFSETS };

enum { R0, R1, R2, R3, CTX = 6, MM = 6, FILE_LEN = 7, ARGS_LEN = 8, RECORD = 9, FP };

/* The tracepoint's arguments: TP_PROTO of include/trace/events/sched.h. */
#define CTX_TASK 0
#define CTX_BPRM 16

#define ON_STACK_KEY	 (-8)
#define ON_STACK_POINTER (-16)

#define FIELD(name) ((int)offsetof(struct execbpf_raw, name))

/* record->time_ns, pid, comm = those of the current task */
static void fill_head(struct sm_bpf_asm *a)
{
	sm_bpf_call(a, SM_BPF_KTIME_GET_NS);
	sm_bpf_store(a, BPF_DW, RECORD, FIELD(time_ns), R0);
	sm_bpf_call(a, SM_BPF_GET_CURRENT_PID_TGID);
	sm_bpf_alu_imm(a, BPF_RSH, R0, 32);
	sm_bpf_store(a, BPF_W, RECORD, FIELD(pid), R0);
	sm_bpf_clear(a, BPF_W, RECORD, FIELD(reserved));
	sm_bpf_address(a, R1, RECORD, FIELD(comm));
	sm_bpf_set(a, R2, SM_TASK_COMM_LEN);
	sm_bpf_call(a, SM_BPF_GET_CURRENT_COMM);
}

/* file_len = strncpy(record->tail, bprm->filename) */
static void copy_file(struct sm_bpf_asm *a, const uint32_t offset[OFFSETS])
{
	size_t ok;

	sm_bpf_load(a, BPF_DW, R1, CTX, CTX_BPRM);
	sm_bpf_load_kernel(a, R3, R1, offset[BPRM_FILENAME], ON_STACK_POINTER);
	sm_bpf_address(a, R1, RECORD, HEAD);
	sm_bpf_set(a, R2, EXECBPF_FILE_MAX);
	sm_bpf_call(a, SM_BPF_PROBE_READ_KERNEL_STR);
	sm_bpf_mov(a, FILE_LEN, R0);
	ok = sm_bpf_jump(a, BPF_JSGT, FILE_LEN, 0);
	sm_bpf_set(a, FILE_LEN, 0); /* an error: negative */
	sm_bpf_land(a, ok);
	sm_bpf_at_most(a, FILE_LEN, EXECBPF_FILE_MAX);
}

/* if (ringbuf_query(ring, AVAIL_DATA) + args_len > half) args_len = 0: the second half is
 * for heads and file names, so that these still fit when the reader is late. */
static void spare_ring(struct sm_bpf_asm *a, int ring_fd, int32_t half)
{
	size_t fits;

	sm_bpf_map(a, R1, ring_fd);
	sm_bpf_set(a, R2, SM_BPF_RB_AVAIL_DATA);
	sm_bpf_call(a, SM_BPF_RINGBUF_QUERY);
	sm_bpf_alu(a, BPF_ADD, R0, ARGS_LEN);
	fits = sm_bpf_jump(a, BPF_JLE, R0, half);
	sm_bpf_set(a, ARGS_LEN, 0);
	sm_bpf_land(a, fits);
}

/* record->expect_len = mm->arg_end - mm->arg_start;
 * args_len = min(expect_len, max); spare_ring();
 * memcpy(record->tail + file_len, mm->arg_start, args_len) */
static void copy_args(
	struct sm_bpf_asm *a, const uint32_t offset[OFFSETS], int ring_fd, int32_t half)
{
	size_t ok;

	sm_bpf_load(a, BPF_DW, R1, CTX, CTX_TASK);
	sm_bpf_load_kernel(a, MM, R1, offset[TASK_MM], ON_STACK_POINTER);
	sm_bpf_load_kernel(a, ARGS_LEN, MM, offset[MM_ARG_END], ON_STACK_POINTER);
	sm_bpf_load_kernel(a, R3, MM, offset[MM_ARG_START], ON_STACK_POINTER);
	sm_bpf_alu(a, BPF_SUB, ARGS_LEN, R3);
	sm_bpf_store(a, BPF_DW, RECORD, FIELD(expect_len), ARGS_LEN);
	sm_bpf_at_most(a, ARGS_LEN, EXECBPF_ARGS_MAX);
	spare_ring(a, ring_fd, half);
	sm_bpf_load(a, BPF_DW, R3, FP, ON_STACK_POINTER); /* arg_start */
	sm_bpf_address(a, R1, RECORD, HEAD);
	sm_bpf_alu(a, BPF_ADD, R1, FILE_LEN);
	sm_bpf_mov(a, R2, ARGS_LEN);
	sm_bpf_call(a, SM_BPF_PROBE_READ_USER);
	ok = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	sm_bpf_set(a, ARGS_LEN, 0);
	sm_bpf_land(a, ok);
}

static void assemble(struct sm_bpf_asm *a, const uint32_t offset[OFFSETS],
	const struct sm_bpf_stream *s, int scratch_fd)
{
	size_t none;

	sm_bpf_mov(a, CTX, R1);
	none = sm_bpf_map_first(a, RECORD, scratch_fd, ON_STACK_KEY);
	fill_head(a);
	copy_file(a, offset);
	copy_args(a, offset, s->ring_fd, (int32_t)(s->ring.data_bytes / 2));
	sm_bpf_store(a, BPF_W, RECORD, FIELD(file_len), FILE_LEN);
	sm_bpf_store(a, BPF_W, RECORD, FIELD(args_len), ARGS_LEN);
	sm_bpf_mov(a, R2, RECORD);
	sm_bpf_address(a, R3, FILE_LEN, HEAD);
	sm_bpf_alu(a, BPF_ADD, R3, ARGS_LEN);
	sm_bpf_stream_output(a, s);
	sm_bpf_land(a, none);
	sm_bpf_return(a, 0);
}

/* --- opening ----------------------------------------------------------------------- */

static int find_offsets(const struct sm_root *root, uint32_t offset[OFFSETS])
{
	struct sm_btf_member m[OFFSETS] = {
		[TASK_MM] = {.structure = "task_struct", .name = "mm"},
		[MM_ARG_START] = {"mm_struct", "arg_start", .size = 8},
		[MM_ARG_END] = {"mm_struct", "arg_end", .size = 8},
		[BPRM_FILENAME] = {.structure = "linux_binprm", .name = "filename"},
	};
	int err = sm_vmlinux_members(root, m, OFFSETS);

	for (int i = 0; i < OFFSETS && !err; i++)
		offset[i] = m[i].offset;
	return err;
}

/* The stream holds the program, the program its scratch map. */
static int attach(
	struct execbpf *b, const uint32_t offset[OFFSETS], struct sm_bpf_log *log)
{
	struct bpf_insn insn[INSN_MAX];
	struct sm_bpf_asm a = {.insn = insn, .cap = INSN_MAX};
	SM_CLOSE_FD int scratch_fd = sm_bpf_map_create(
		"exec_scratch", SM_BPF_MAP_PERCPU_ARRAY, 4, SCRATCH_BYTES, 1, 0);

	if (scratch_fd < 0)
		return scratch_fd;
	assemble(&a, offset, &b->stream, scratch_fd);
	return sm_bpf_stream_attach(&b->stream, "forkstat_exec", TRACEPOINT, &a, log);
}

int execbpf_open(struct execbpf *b, const struct sm_root *root, size_t ring_bytes,
	struct sm_bpf_log *log)
{
	uint32_t offset[OFFSETS];
	int err;

	log->text[0] = '\0';
	b->stream = (struct sm_bpf_stream)SM_BPF_STREAM_INIT;
	if (ring_bytes > INT32_MAX) /* half of it is an operand */
		return -EINVAL;
	err = find_offsets(root, offset);
	if (!err)
		err = sm_bpf_stream_open(&b->stream, "exec", ring_bytes);
	if (!err)
		err = attach(b, offset, log);
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

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "kernel/taskexit.h"
#include "kernel/vmlinux.h"

#define INSN_MAX 128

/* --- the program ------------------------------------------------------------------- */

enum {
	TASK_PID,
	TASK_TGID,
	TASK_COMM,
	TASK_START,
	TASK_PARENT,
	TASK_SIGNAL,
	SIGNAL_RUNTIME,
	SIGNAL_UTIME,
	SIGNAL_STIME,
	OFFSETS
};

enum { R0, R1, R2, R3, TASK = 6, OTHER, FP = 10 };

/* The record is at the top of the stack, below it 8 bytes for one value. */
#define FIELD(name)                                    \
	((int)offsetof(struct sm_taskexit_raw, name) - \
		(int)sizeof(struct sm_taskexit_raw))
#define ON_STACK_VALUE (-(int)sizeof(struct sm_taskexit_raw) - 8)

/* Jumps if the task is a thread that is not its group's leader. */
static size_t is_thread(struct sm_bpf_asm *a, const uint32_t offset[OFFSETS])
{
	sm_bpf_read_kernel(a, ON_STACK_VALUE, 4, TASK, offset[TASK_PID]);
	sm_bpf_read_kernel(a, FIELD(pid), 4, TASK, offset[TASK_TGID]);
	sm_bpf_load(a, BPF_W, R1, FP, ON_STACK_VALUE);
	sm_bpf_load(a, BPF_W, R2, FP, FIELD(pid));
	sm_bpf_alu(a, BPF_SUB, R1, R2);
	return sm_bpf_jump(a, BPF_JNE, R1, 0);
}

/* The signal's sums have all threads, the leader too: __exit_signal() of kernel/exit.c.
 */
static void fill(struct sm_bpf_asm *a, const uint32_t offset[OFFSETS])
{
	sm_bpf_load_kernel(a, OTHER, TASK, offset[TASK_SIGNAL], ON_STACK_VALUE);
	sm_bpf_read_kernel(a, FIELD(cpu_ns), 8, OTHER, offset[SIGNAL_RUNTIME]);
	sm_bpf_read_kernel(a, FIELD(utime_ns), 8, OTHER, offset[SIGNAL_UTIME]);
	sm_bpf_read_kernel(a, FIELD(stime_ns), 8, OTHER, offset[SIGNAL_STIME]);
	sm_bpf_load_kernel(a, OTHER, TASK, offset[TASK_PARENT], ON_STACK_VALUE);
	sm_bpf_read_kernel(a, FIELD(ppid), 4, OTHER, offset[TASK_TGID]);
	sm_bpf_read_kernel(a, FIELD(start_ns), 8, TASK, offset[TASK_START]);
	sm_bpf_read_kernel(a, FIELD(comm), SM_TASK_COMM_LEN, TASK, offset[TASK_COMM]);
	sm_bpf_call(a, SM_BPF_KTIME_GET_NS);
	sm_bpf_store(a, BPF_DW, FP, FIELD(time_ns), R0);
}

static void assemble(struct sm_bpf_asm *a, const uint32_t offset[OFFSETS],
	const struct sm_bpf_stream *s)
{
	size_t thread;

	sm_bpf_load(a, BPF_DW, TASK, R1, 0); /* TP_PROTO(struct task_struct *p) */
	thread = is_thread(a, offset);
	fill(a, offset);
	sm_bpf_address(a, R2, FP, FIELD(time_ns));
	sm_bpf_set(a, R3, sizeof(struct sm_taskexit_raw));
	sm_bpf_stream_output(a, s);
	sm_bpf_land(a, thread);
	sm_bpf_return(a, 0);
}

/* --- opening ----------------------------------------------------------------------- */

static int find_offsets(const struct sm_root *root, uint32_t offset[OFFSETS])
{
	struct sm_btf_member m[OFFSETS] = {
		[TASK_PID] = {"task_struct", "pid", .size = 4},
		[TASK_TGID] = {"task_struct", "tgid", .size = 4},
		[TASK_COMM] = {"task_struct", "comm", .size = SM_TASK_COMM_LEN},
		[TASK_START] = {"task_struct", "start_boottime", .size = 8},
		[TASK_PARENT] = {.structure = "task_struct", .name = "real_parent"},
		[TASK_SIGNAL] = {.structure = "task_struct", .name = "signal"},
		[SIGNAL_RUNTIME] = {"signal_struct", "sum_sched_runtime", .size = 8},
		[SIGNAL_UTIME] = {"signal_struct", "utime", .size = 8},
		[SIGNAL_STIME] = {"signal_struct", "stime", .size = 8},
	};
	int err = sm_vmlinux_members(root, m, OFFSETS);

	for (int i = 0; i < OFFSETS && !err; i++)
		offset[i] = m[i].offset;
	return err;
}

static int attach(
	struct sm_taskexit *t, const uint32_t offset[OFFSETS], struct sm_bpf_log *log)
{
	struct bpf_insn insn[INSN_MAX];
	struct sm_bpf_asm a = {.insn = insn, .cap = INSN_MAX};

	assemble(&a, offset, &t->stream);
	return sm_bpf_stream_attach(
		&t->stream, "task_exit", "sched_process_free", &a, log);
}

int sm_taskexit_open(struct sm_taskexit *t, const struct sm_root *root, size_t ring_bytes,
	struct sm_bpf_log *log)
{
	uint32_t offset[OFFSETS];
	int err;

	log->text[0] = '\0';
	err = sm_bpf_stream_open(&t->stream, "task_exit", ring_bytes);
	if (err)
		return err;
	err = find_offsets(root, offset);
	if (!err)
		err = attach(t, offset, log);
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

/* As cputime_adjust() of kernel/sched/cputime.c. */
static void divide(struct sm_taskexit_record *r, uint64_t utime_ns, uint64_t stime_ns)
{
	double cpu = (double)r->cpu_ns, all = (double)utime_ns + (double)stime_ns;
	double system = all > 0 ? cpu * ((double)stime_ns / all) : 0;

	r->system_ns = system < cpu ? (uint64_t)system : r->cpu_ns;
	if (r->system_ns > r->cpu_ns) /* rounded */
		r->system_ns = r->cpu_ns;
	r->user_ns = r->cpu_ns - r->system_ns;
}

int sm_taskexit_parse(const void *record, size_t len, struct sm_taskexit_record *out)
{
	struct sm_taskexit_raw raw;

	memset(out, 0, sizeof(*out));
	if (len < sizeof(raw))
		return -EBADMSG;
	memcpy(&raw, record, sizeof(raw));
	out->time_ns = raw.time_ns;
	out->start_ns = raw.start_ns;
	out->cpu_ns = raw.cpu_ns;
	divide(out, raw.utime_ns, raw.stime_ns);
	out->pid = (pid_t)raw.pid;
	out->ppid = (pid_t)raw.ppid;
	memcpy(out->comm, raw.comm, sizeof(out->comm) - 1);
	return 0;
}

struct drain {
	sm_taskexit_fn fn;
	void *ctx;
	bool corrupt;
};

static void on_record(void *ctx, const void *record, size_t len)
{
	struct drain *d = ctx;
	struct sm_taskexit_record r;

	if (sm_taskexit_parse(record, len, &r) < 0)
		d->corrupt = true;
	else
		d->fn(d->ctx, &r);
}

ssize_t sm_taskexit_drain(struct sm_taskexit *t, sm_taskexit_fn fn, void *ctx)
{
	struct drain d = {.fn = fn, .ctx = ctx};
	ssize_t n = sm_bpf_ring_drain(&t->stream.ring, on_record, &d);

	return d.corrupt ? -EBADMSG : n;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <unistd.h>

#include "kernel/bpf.h"
#include "kernel/cncount.h"

enum { FORKS, EXECS, EXITS, COUNTERS };
enum { R0, R1, R2, R3, R4, DATAGRAM = 6, FP = 10 };

/* Of the datagram: nlmsghdr 16, cn_msg 20, then struct proc_event. */
#define AT_WHAT	      36
#define AT_DATA	      52
#define EVENT_BYTES   16 /* of event_data: four ids */
#define ON_STACK_EV   (-16)
#define ON_STACK_WHAT (-24)
#define FORK_CHILD    8 /* child_pid, child_tgid */
#define INSN_MAX      64

/* n bytes at offset `from` of the datagram to the stack; jumps when it is shorter. */
static size_t copy(struct sm_bpf_asm *a, int32_t from, int to, int32_t n)
{
	sm_bpf_mov(a, R1, DATAGRAM);
	sm_bpf_set(a, R2, from);
	sm_bpf_address(a, R3, FP, to);
	sm_bpf_set(a, R4, n);
	sm_bpf_call(a, SM_BPF_SKB_LOAD_BYTES);
	return sm_bpf_jump(a, BPF_JNE, R0, 0);
}

/* counter++ if the event is `what` and about a process: its pid is that of its thread
 * group */
static void count_kind(
	struct sm_bpf_asm *a, int map_fd, uint32_t what, int ids, int counter)
{
	size_t other, thread;

	sm_bpf_load(a, BPF_W, R1, FP, ON_STACK_WHAT);
	/* A constant's sign is extended to 64 bits: compare by a 32-bit subtraction. */
	sm_bpf_emit(a, BPF_ALU | BPF_SUB | BPF_K, R1, 0, 0, (int32_t)what);
	other = sm_bpf_jump(a, BPF_JNE, R1, 0);
	sm_bpf_load(a, BPF_W, R1, FP, ON_STACK_EV + ids);
	sm_bpf_load(a, BPF_W, R2, FP, ON_STACK_EV + ids + 4);
	sm_bpf_alu(a, BPF_SUB, R1, R2);
	thread = sm_bpf_jump(a, BPF_JNE, R1, 0);
	sm_bpf_count(a, map_fd, counter * 8);
	sm_bpf_land(a, other);
	sm_bpf_land(a, thread);
}

static void assemble(struct sm_bpf_asm *a, int map_fd)
{
	size_t cut[2];

	sm_bpf_mov(a, DATAGRAM, R1);
	cut[0] = copy(a, AT_WHAT, ON_STACK_WHAT, 4);
	cut[1] = copy(a, AT_DATA, ON_STACK_EV, EVENT_BYTES);
	count_kind(a, map_fd, SM_PROC_FORK, FORK_CHILD, FORKS);
	count_kind(a, map_fd, SM_PROC_EXEC, 0, EXECS);
	count_kind(a, map_fd, (uint32_t)SM_PROC_EXIT, 0, EXITS);
	sm_bpf_land(a, cut[0]);
	sm_bpf_land(a, cut[1]);
	sm_bpf_return(a, 0); /* nothing is queued */
}

static int attach(int socket_fd, int map_fd)
{
	struct bpf_insn insn[INSN_MAX];
	struct sm_bpf_asm a = {.insn = insn, .cap = INSN_MAX};
	SM_CLOSE_FD int prog = -1;

	assemble(&a, map_fd);
	prog = sm_bpf_prog_load(
		"count_events", SM_BPF_PROG_SOCKET_FILTER, a.insn, a.n, NULL);
	return prog < 0 ? prog : sm_bpf_attach_socket(socket_fd, prog);
}

int sm_cncount_open(struct sm_cncount *c, struct sm_cnproc *socket)
{
	int err;

	*c = (struct sm_cncount){0};
	err = sm_bpf_array_open(&c->counters, "event_counts", COUNTERS * 8, 1);
	if (!err)
		err = attach(socket->fd, c->counters.fd);
	if (err)
		sm_cncount_close(c);
	else
		sm_base_close_fd(&c->counters.fd);
	return err;
}

void sm_cncount_read(const struct sm_cncount *c, struct sm_cncounts *out)
{
	const uint64_t *counter = c->counters.values;

	out->forks = __atomic_load_n(&counter[FORKS], __ATOMIC_RELAXED);
	out->execs = __atomic_load_n(&counter[EXECS], __ATOMIC_RELAXED);
	out->exits = __atomic_load_n(&counter[EXITS], __ATOMIC_RELAXED);
}

void sm_cncount_close(struct sm_cncount *c)
{
	sm_bpf_array_close(&c->counters);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bpf.h"
#include "cncount.h"

/* Values of headers that are newer than some we are built with. */
#define PROG_SOCKET_FILTER 1
#define MAP_ARRAY	   2
#define MAP_FLAG_MMAPABLE  (1u << 10)
#define SKB_LOAD_BYTES	   26
#ifndef SO_ATTACH_BPF
#define SO_ATTACH_BPF 50
#endif

enum { FORKS, EXECS, EXITS, COUNTERS };
enum { R0, R1, R2, R3, R4, R6 = 6, FP = 10 };

/* Of the datagram: nlmsghdr 16, cn_msg 20, then struct proc_event. */
#define AT_WHAT	      36
#define AT_DATA	      52
#define EVENT_BYTES   16 /* of event_data: four ids */
#define ON_STACK_EV   (-16)
#define ON_STACK_WHAT (-24)
#define FORK_CHILD    8 /* child_pid, child_tgid */
#define INSN_MAX      64

static void mov(struct sm_bpf_asm *a, unsigned int dst, unsigned int src)
{
	sm_bpf_emit(a, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

static void mov_imm(struct sm_bpf_asm *a, unsigned int dst, int32_t imm)
{
	sm_bpf_emit(a, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}

static void load_stack(struct sm_bpf_asm *a, unsigned int dst, int off)
{
	sm_bpf_emit(a, BPF_LDX | BPF_MEM | BPF_W, dst, FP, off, 0);
}

/* n bytes at offset `from` of the datagram to the stack; the jump is taken when it is
 * shorter. */
static size_t copy(struct sm_bpf_asm *a, int32_t from, int to, int32_t n)
{
	mov(a, R1, R6);
	mov_imm(a, R2, from);
	mov(a, R3, FP);
	sm_bpf_emit(a, BPF_ALU64 | BPF_ADD | BPF_K, R3, 0, 0, to);
	mov_imm(a, R4, n);
	sm_bpf_emit(a, BPF_JMP | BPF_CALL, 0, 0, 0, SKB_LOAD_BYTES);
	return sm_bpf_jump(a, BPF_JNE, R0, 0);
}

static void count(struct sm_bpf_asm *a, int map_fd, int counter)
{
	sm_bpf_emit_map(a, R1, BPF_PSEUDO_MAP_VALUE, map_fd);
	mov_imm(a, R2, 1);
	sm_bpf_emit(a, BPF_STX | BPF_XADD | BPF_DW, R1, R2, counter * 8, 0);
}

/* Of that kind, and about a process: its pid is its thread group's. */
static size_t unless_process(struct sm_bpf_asm *a, uint32_t what, int ids, size_t *other)
{
	load_stack(a, R1, ON_STACK_WHAT);
	sm_bpf_emit(a, BPF_ALU64 | BPF_LSH | BPF_K, R1, 0, 0, 32);
	sm_bpf_emit(a, BPF_ALU64 | BPF_RSH | BPF_K, R1, 0, 0, 32);
	/* A 64-bit comparison extends the sign of its constant. */
	sm_bpf_emit(a, BPF_ALU | BPF_MOV | BPF_K, R2, 0, 0, (int32_t)what);
	sm_bpf_emit(a, BPF_ALU64 | BPF_SUB | BPF_X, R1, R2, 0, 0);
	*other = sm_bpf_jump(a, BPF_JNE, R1, 0);
	load_stack(a, R1, ON_STACK_EV + ids);
	load_stack(a, R2, ON_STACK_EV + ids + 4);
	sm_bpf_emit(a, BPF_ALU64 | BPF_SUB | BPF_X, R1, R2, 0, 0);
	return sm_bpf_jump(a, BPF_JNE, R1, 0);
}

static void count_kind(
	struct sm_bpf_asm *a, int map_fd, uint32_t what, int ids, int counter)
{
	size_t other, thread = unless_process(a, what, ids, &other);

	count(a, map_fd, counter);
	sm_bpf_land(a, other);
	sm_bpf_land(a, thread);
}

static void assemble(struct sm_bpf_asm *a, int map_fd)
{
	size_t cut[2];

	mov(a, R6, R1);
	cut[0] = copy(a, AT_WHAT, ON_STACK_WHAT, 4);
	cut[1] = copy(a, AT_DATA, ON_STACK_EV, EVENT_BYTES);
	count_kind(a, map_fd, SM_PROC_FORK, FORK_CHILD, FORKS);
	count_kind(a, map_fd, SM_PROC_EXEC, 0, EXECS);
	count_kind(a, map_fd, (uint32_t)SM_PROC_EXIT, 0, EXITS);
	sm_bpf_land(a, cut[0]);
	sm_bpf_land(a, cut[1]);
	mov_imm(a, R0, 0); /* nothing is queued */
	sm_bpf_emit(a, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static int attach(int socket_fd, int map_fd)
{
	struct bpf_insn insn[INSN_MAX];
	struct sm_bpf_asm a = {.insn = insn, .cap = INSN_MAX};
	SM_CLOSE_FD int prog = -1;

	assemble(&a, map_fd);
	prog = sm_bpf_prog_load(PROG_SOCKET_FILTER, &a, NULL, 0);
	if (prog < 0)
		return prog;
	if (setsockopt(socket_fd, SOL_SOCKET, SO_ATTACH_BPF, &prog, sizeof(prog)) < 0)
		return -errno;
	return 0;
}

int sm_cncount_open(struct sm_cncount *c, struct sm_cnproc *socket)
{
	SM_CLOSE_FD int map =
		sm_bpf_map_create(MAP_ARRAY, 4, COUNTERS * 8, 1, MAP_FLAG_MMAPABLE);
	void *p;
	int err;

	*c = (struct sm_cncount){.bytes = (size_t)sysconf(_SC_PAGESIZE)};
	if (map < 0)
		return map;
	p = mmap(NULL, c->bytes, PROT_READ, MAP_SHARED, map, 0);
	if (p == MAP_FAILED)
		return -errno;
	c->counter = p;
	err = attach(socket->fd, map);
	if (err < 0)
		sm_cncount_close(c);
	return err;
}

void sm_cncount_read(const struct sm_cncount *c, struct sm_cncounts *out)
{
	out->forks = __atomic_load_n(&c->counter[FORKS], __ATOMIC_RELAXED);
	out->execs = __atomic_load_n(&c->counter[EXECS], __ATOMIC_RELAXED);
	out->exits = __atomic_load_n(&c->counter[EXITS], __ATOMIC_RELAXED);
}

void sm_cncount_close(struct sm_cncount *c)
{
	if (c->counter)
		munmap((void *)(uintptr_t)c->counter, c->bytes);
	*c = (struct sm_cncount){0};
}

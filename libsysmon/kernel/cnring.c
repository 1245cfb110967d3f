// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <unistd.h>

#include "kernel/bpf.h"
#include "kernel/cnring.h"
#include "kernel/vmlinux.h"

#define INSN_MAX 64

/* --- the program ------------------------------------------------------------------- */

enum { SKB_CB, CB_PORTID, SKB_SOCK, SOCK_QUEUED, OFFSETS };

enum { R0, R1, R2, R3, R4, DATAGRAM = 6, FP = 10 };

#define AT_EVENT       36 /* after nlmsghdr 16 and cn_msg 20 */
#define ON_STACK_EV    (-SM_CNPROC_EVENT_BYTES)
#define ON_STACK_VALUE (ON_STACK_EV - 8)

/* event = datagram[36 .. 76); jumps when it is shorter. */
static size_t copy_event(struct sm_bpf_asm *a)
{
	sm_bpf_mov(a, R1, DATAGRAM);
	sm_bpf_set(a, R2, AT_EVENT);
	sm_bpf_address(a, R3, FP, ON_STACK_EV);
	sm_bpf_set(a, R4, SM_CNPROC_EVENT_BYTES);
	sm_bpf_call(a, SM_BPF_SKB_LOAD_BYTES);
	return sm_bpf_jump(a, BPF_JNE, R0, 0);
}

/* Jumps unless *on. */
static size_t is_off(struct sm_bpf_asm *a, int on_fd)
{
	sm_bpf_map_value(a, R1, on_fd);
	sm_bpf_load(a, BPF_W, R1, R1, 0);
	return sm_bpf_jump(a, BPF_JEQ, R1, 0);
}

/* Jumps if the u32 at base + off is not 0. */
static size_t is_set(struct sm_bpf_asm *a, unsigned int base, uint32_t off)
{
	sm_bpf_read_kernel(a, ON_STACK_VALUE, 4, base, off);
	sm_bpf_load(a, BPF_W, R1, FP, ON_STACK_VALUE);
	return sm_bpf_jump(a, BPF_JNE, R1, 0);
}

/* R0 = write the event to the ring */
static void output(struct sm_bpf_asm *a, int ring_fd)
{
	sm_bpf_map(a, R1, ring_fd);
	sm_bpf_address(a, R2, FP, ON_STACK_EV);
	sm_bpf_set(a, R3, SM_CNPROC_EVENT_BYTES);
	sm_bpf_set(a, R4, SM_BPF_RB_NO_WAKEUP);
	sm_bpf_call(a, SM_BPF_RINGBUF_OUTPUT);
}

/* The filter's result is how many bytes of the datagram are queued. */
static void assemble(struct sm_bpf_asm *a, const uint32_t offset[OFFSETS], uint32_t mask,
	int ring_fd, int on_fd)
{
	size_t wanted, pass[5];

	sm_bpf_mov(a, DATAGRAM, R1);
	pass[0] = copy_event(a);
	sm_bpf_load(a, BPF_W, R1, FP, ON_STACK_EV); /* what */
	wanted = sm_bpf_jump(a, BPF_JSET, R1, (int32_t)mask);
	sm_bpf_return(a, 0);
	sm_bpf_land(a, wanted);
	pass[1] = is_off(a, on_fd);
	pass[2] = is_set(a, DATAGRAM, offset[SKB_CB] + offset[CB_PORTID]);
	sm_bpf_load_kernel(a, R1, DATAGRAM, offset[SKB_SOCK], ON_STACK_VALUE);
	pass[3] = is_set(a, R1, offset[SOCK_QUEUED]);
	output(a, ring_fd);
	pass[4] = sm_bpf_jump(a, BPF_JNE, R0, 0);
	sm_bpf_return(a, 0);
	for (size_t i = 0; i < SM_ARRAY_SIZE(pass); i++)
		sm_bpf_land(a, pass[i]);
	sm_bpf_return(a, -1);
}

/* --- opening ----------------------------------------------------------------------- */

static int find_offsets(const struct sm_root *root, uint32_t offset[OFFSETS])
{
	struct sm_btf_member m[OFFSETS] = {
		[SKB_CB] = {"sk_buff", "cb", .size = 48},
		[CB_PORTID] = {"netlink_skb_parms", "portid", .size = 4},
		[SKB_SOCK] = {.structure = "sk_buff", .name = "sk"},
		[SOCK_QUEUED] = {"sock", "sk_receive_queue.qlen", .size = 4},
	};
	int err = sm_vmlinux_members(root, m, OFFSETS);

	for (int i = 0; i < OFFSETS && !err; i++)
		offset[i] = m[i].offset;
	return err;
}

static int attach(const struct sm_root *root, struct sm_cnproc *socket, uint32_t mask,
	int ring_fd, int on_fd)
{
	struct bpf_insn insn[INSN_MAX];
	struct sm_bpf_asm a = {.insn = insn, .cap = INSN_MAX};
	uint32_t offset[OFFSETS];
	int prog, err = find_offsets(root, offset);

	if (err)
		return err;
	assemble(&a, offset, mask, ring_fd, on_fd);
	prog = sm_bpf_prog_load(
		"divert_events", SM_BPF_PROG_SOCKET_FILTER, a.insn, a.n, NULL);
	if (prog < 0)
		return prog;
	err = sm_bpf_attach_socket(socket->fd, prog);
	if (err) {
		close(prog);
		return err;
	}
	sm_base_close_fd(&socket->filter_fd);
	socket->filter_fd = prog;
	return 0;
}

int sm_cnring_open(struct sm_cnring *r, const struct sm_root *root,
	struct sm_cnproc *socket, uint32_t mask)
{
	SM_CLOSE_FD int ring = -1;
	int err;

	*r = (struct sm_cnring){0};
	if (sizeof(long) != 8) /* the ring's positions are the kernel's longs */
		return -ENOSYS;
	ring = sm_bpf_map_create(
		"event_ring", SM_BPF_MAP_RINGBUF, 0, 0, SM_CNRING_BYTES, 0);
	if (ring < 0)
		return ring;
	err = sm_bpf_ring_map(&r->ring, ring, SM_CNRING_BYTES);
	if (!err)
		err = sm_bpf_array_open(&r->on, "event_switch", 4, 1);
	if (!err)
		err = attach(root, socket, mask, ring, r->on.fd);
	if (err)
		sm_cnring_close(r);
	else
		sm_base_close_fd(&r->on.fd);
	return err;
}

void sm_cnring_divert(struct sm_cnring *r, bool on)
{
	uint32_t *value = r->on.values;

	if (value)
		__atomic_store_n(value, on, __ATOMIC_RELEASE);
}

void sm_cnring_close(struct sm_cnring *r)
{
	sm_bpf_array_close(&r->on);
	sm_bpf_ring_close(&r->ring);
	*r = (struct sm_cnring){0};
}

/* --- reading ----------------------------------------------------------------------- */

struct reading {
	struct sm_cnproc *c;
	struct sm_proc_event *to;
};

static void on_record(void *ctx, const void *record, size_t len)
{
	struct reading *r = ctx;

	if (sm_cnproc_parse_event(record, len, r->to) < 0)
		return;
	r->to->time_ns += (uint64_t)r->c->clock_offset_ns;
	r->to++;
	r->c->received++;
}

ssize_t sm_cnring_read(
	struct sm_cnring *r, struct sm_cnproc *c, struct sm_proc_event *ev, size_t max)
{
	struct reading reading = {c, ev};
	ssize_t n = 0;

	if (r->on.values)
		n = sm_bpf_ring_read(&r->ring, on_record, &reading, max);
	return n < 0 ? n : reading.to - ev;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "bpf.h"
#include "perf.h"

#define RECORD_ALIGN 8u
#define HEADER_BYTES 8u
#define RECORD_BUSY  (UINT32_C(1) << 31)
#define RECORD_SKIP  (UINT32_C(1) << 30)
/* A writer runs with preemption off: it is done in a microsecond, unless an interrupt or
 * a hypervisor took its CPU.  Then some 10 ms in all. */
#define BUSY_YIELDS 100
#define BUSY_SLEEPS 100
#define BUSY_NAP_NS 50000

/* --- maps and programs ------------------------------------------------------------- */

static int sys_bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	long r = syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	return r < 0 ? -errno : (int)r;
}

int sm_bpf_map_create(uint32_t type, uint32_t key_bytes, uint32_t value_bytes,
	uint32_t entries, uint32_t flags)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = type;
	attr.key_size = key_bytes;
	attr.value_size = value_bytes;
	attr.max_entries = entries;
	attr.map_flags = flags;
	return sys_bpf(BPF_MAP_CREATE, &attr);
}

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

void sm_bpf_emit_map(
	struct sm_bpf_asm *a, unsigned int dst, unsigned int kind, int map_fd)
{
	sm_bpf_emit(a, BPF_LD | BPF_DW | BPF_IMM, dst, kind, 0, map_fd);
	sm_bpf_emit(a, 0, 0, 0, 0, 0);
}

size_t sm_bpf_jump(struct sm_bpf_asm *a, unsigned int op, unsigned int dst, int32_t imm)
{
	sm_bpf_emit(a, BPF_JMP | op | BPF_K, dst, 0, 0, imm);
	return a->n - 1;
}

void sm_bpf_land(struct sm_bpf_asm *a, size_t jump)
{
	if (jump < a->cap)
		a->insn[jump].off = (int16_t)(a->n - jump - 1);
}

int sm_bpf_prog_load(
	uint32_t type, const struct sm_bpf_asm *a, char *log, size_t log_bytes)
{
	union bpf_attr attr;

	if (a->n > a->cap)
		return -E2BIG;
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = type;
	attr.insns = (uintptr_t)a->insn;
	attr.insn_cnt = (uint32_t)a->n;
	attr.license = (uintptr_t) "GPL";
	if (log) {
		log[0] = '\0';
		attr.log_level = 1;
		attr.log_buf = (uintptr_t)log;
		attr.log_size = (uint32_t)log_bytes;
	}
	return sys_bpf(BPF_PROG_LOAD, &attr);
}

/* The event needs a CPU that is online, or it cannot be opened; ours is.  It just counts.
 */
int sm_bpf_attach_tracepoint(uint32_t event_id, int prog_fd)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.config = event_id,
	};
	int cpu = sched_getcpu();
	int fd = sm_perf_event_open(&attr, -1, cpu < 0 ? 0 : cpu, -1, 0);

	if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog_fd) < 0) {
		int err = errno;

		close(fd);
		return -err;
	}
	return fd;
}

/* --- ring buffer ------------------------------------------------------------------- */

int sm_bpf_ring_adopt(struct sm_bpf_ring *r, unsigned long *consumer,
	const unsigned long *producer, const void *data, size_t data_bytes)
{
	memset(r, 0, sizeof(*r));
	if (data_bytes < RECORD_ALIGN || (data_bytes & (data_bytes - 1)) ||
		(uintptr_t)data % RECORD_ALIGN)
		return -EINVAL;
	r->consumer = consumer;
	r->producer = producer;
	r->data = data;
	r->data_bytes = data_bytes;
	return 0;
}

int sm_bpf_ring_map(struct sm_bpf_ring *r, int map_fd, size_t data_bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *kernels;
	void *ours;
	int err;

	memset(r, 0, sizeof(*r));
	ours = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0);
	if (ours == MAP_FAILED)
		return -errno;
	kernels = mmap(
		NULL, page + 2 * data_bytes, PROT_READ, MAP_SHARED, map_fd, (off_t)page);
	if (kernels == MAP_FAILED) {
		err = -errno;
		munmap(ours, page);
		return err;
	}
	err = sm_bpf_ring_adopt(
		r, ours, (const void *)kernels, kernels + page, data_bytes);
	if (err) {
		munmap(ours, page);
		munmap(kernels, page + 2 * data_bytes);
		return err;
	}
	r->page_bytes = page;
	return 0;
}

void sm_bpf_ring_close(struct sm_bpf_ring *r)
{
	if (r->page_bytes) {
		munmap(r->consumer, r->page_bytes);
		munmap((void *)(uintptr_t)r->producer, r->page_bytes + 2 * r->data_bytes);
	}
	memset(r, 0, sizeof(*r));
}

bool sm_bpf_ring_ready(const struct sm_bpf_ring *r)
{
	return __atomic_load_n(r->producer, __ATOMIC_ACQUIRE) != *r->consumer;
}

static uint32_t load_header(const unsigned char *at)
{
	return __atomic_load_n((const uint32_t *)(const void *)at, __ATOMIC_ACQUIRE);
}

/* The header of a finished record; still with RECORD_BUSY when that took too long. */
static uint32_t finished_header(const unsigned char *at)
{
	static const struct timespec nap = {.tv_nsec = BUSY_NAP_NS};
	uint32_t h = load_header(at);

	for (int i = 0; (h & RECORD_BUSY) && i < BUSY_YIELDS + BUSY_SLEEPS; i++) {
		if (i < BUSY_YIELDS)
			sched_yield();
		else
			nanosleep(&nap, NULL);
		h = load_header(at);
	}
	return h;
}

ssize_t sm_bpf_ring_drain(struct sm_bpf_ring *r, sm_bpf_fn fn, void *ctx)
{
	unsigned long end = __atomic_load_n(r->producer, __ATOMIC_ACQUIRE);
	unsigned long pos = *r->consumer;
	ssize_t count = 0;

	if (pos == end)
		return 0;
	if (end - pos > r->data_bytes || (end | pos) % RECORD_ALIGN)
		count = -EBADMSG;
	while (count >= 0 && pos != end) {
		const unsigned char *at = r->data + (pos & (r->data_bytes - 1));
		uint32_t h = finished_header(at), len = h & ~(RECORD_BUSY | RECORD_SKIP);

		if (h & RECORD_BUSY)
			return count;
		if (len > end - pos - HEADER_BYTES) {
			count = -EBADMSG;
			break;
		}
		if (!(h & RECORD_SKIP)) {
			fn(ctx, at + HEADER_BYTES, len);
			count++;
		}
		pos += (len + HEADER_BYTES + RECORD_ALIGN - 1) &
		       ~(unsigned long)(RECORD_ALIGN - 1);
		__atomic_store_n(r->consumer, pos, __ATOMIC_RELEASE);
	}
	if (count < 0)
		__atomic_store_n(r->consumer, end, __ATOMIC_RELEASE);
	return count;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "bpf/bpf_ring.h"

#define RECORD_ALIGN 8u
#define HEADER_BYTES 8u
#define RECORD_BUSY  (UINT32_C(1) << 31)
#define RECORD_SKIP  (UINT32_C(1) << 30)
/* A writer runs with preemption off and finishes in a microsecond, unless an interrupt or
 * a hypervisor takes its CPU.  The reader then waits for about 10 ms in total. */
#define BUSY_YIELDS 100
#define BUSY_SLEEPS 100
#define BUSY_NAP_NS 50000

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
	r->view_bytes = 2 * data_bytes;
	return 0;
}

int sm_bpf_ring_map(struct sm_bpf_ring *r, int map_fd, size_t data_bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t again =
		data_bytes < SM_BPF_RING_RECORD_MAX ? data_bytes : SM_BPF_RING_RECORD_MAX;
	size_t view = data_bytes + again;
	unsigned char *producer;
	void *consumer;
	int err;

	memset(r, 0, sizeof(*r));
	consumer = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0);
	if (consumer == MAP_FAILED)
		return -errno;
	producer = mmap(NULL, page + view, PROT_READ, MAP_SHARED, map_fd, (off_t)page);
	if (producer == MAP_FAILED) {
		err = -errno;
		munmap(consumer, page);
		return err;
	}
	err = sm_bpf_ring_adopt(
		r, consumer, (const void *)producer, producer + page, data_bytes);
	if (err) {
		munmap(consumer, page);
		munmap(producer, page + view);
		return err;
	}
	r->view_bytes = view;
	r->page_bytes = page;
	return 0;
}

void sm_bpf_ring_close(struct sm_bpf_ring *r)
{
	if (r->page_bytes) {
		munmap(r->consumer, r->page_bytes);
		munmap((void *)(uintptr_t)r->producer, r->page_bytes + r->view_bytes);
	}
	memset(r, 0, sizeof(*r));
}

static uint32_t load_header(const unsigned char *at)
{
	return __atomic_load_n((const uint32_t *)(const void *)at, __ATOMIC_ACQUIRE);
}

/* Waits for a record and returns its header, still RECORD_BUSY after a timeout. */
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

ssize_t sm_bpf_ring_read(struct sm_bpf_ring *r, sm_bpf_fn fn, void *ctx, size_t max)
{
	unsigned long end = __atomic_load_n(r->producer, __ATOMIC_ACQUIRE);
	unsigned long pos = *r->consumer;
	ssize_t count = 0;

	if (pos == end)
		return 0;
	if (end - pos > r->data_bytes || (end | pos) % RECORD_ALIGN)
		count = -EBADMSG;
	while (count >= 0 && pos != end && (size_t)count < max) {
		size_t offset = pos & (r->data_bytes - 1);
		const unsigned char *at = r->data + offset;
		uint32_t h = finished_header(at), len = h & ~(RECORD_BUSY | RECORD_SKIP);

		if (h & RECORD_BUSY)
			return count;
		if (len > end - pos - HEADER_BYTES ||
			len > r->view_bytes - offset - HEADER_BYTES) {
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

ssize_t sm_bpf_ring_drain(struct sm_bpf_ring *r, sm_bpf_fn fn, void *ctx)
{
	return sm_bpf_ring_read(r, fn, ctx, SIZE_MAX);
}

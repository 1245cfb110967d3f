// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "events/perf.h"

#define SCRATCH_BYTES 65536u /* perf_event_header.size is 16 bits */
#define RECORD_ALIGN  8u     /* the kernel pads every record to this */

int sm_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
	unsigned long flags)
{
	long fd;

	attr->size = sizeof(*attr);
	fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd,
		flags | PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

static bool is_pow2(size_t n)
{
	return n && !(n & (n - 1));
}

static size_t round_down_pow2(size_t n)
{
	while (n & (n - 1))
		n &= n - 1;
	return n;
}

int sm_perf_ring_adopt(struct sm_perf_ring *r, void *meta, void *data, size_t data_bytes)
{
	memset(r, 0, sizeof(*r));
	r->fd = -1;
	if (!is_pow2(data_bytes) || data_bytes < RECORD_ALIGN ||
		(uintptr_t)data % RECORD_ALIGN)
		return -EINVAL;
	r->scratch = malloc(SCRATCH_BYTES);
	if (!r->scratch)
		return -ENOMEM;
	r->meta = meta;
	r->data = data;
	r->data_bytes = data_bytes;
	return 0;
}

int sm_perf_ring_map(struct sm_perf_ring *r, int fd, size_t data_bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes = round_down_pow2(data_bytes / page) * page;
	unsigned char *map;
	int rc;

	memset(r, 0, sizeof(*r));
	r->fd = -1;
	if (bytes == 0)
		bytes = page;
	map = mmap(NULL, page + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	/* data_offset of the header page (Linux 4.1+) is always one page. */
	rc = sm_perf_ring_adopt(r, map, map + page, bytes);
	if (rc < 0) {
		munmap(map, page + bytes);
		return rc;
	}
	r->fd = fd;
	return 0;
}

void sm_perf_ring_close(struct sm_perf_ring *r)
{
	if (r->fd >= 0) {
		munmap(r->meta,
			(size_t)(r->data - (unsigned char *)r->meta) + r->data_bytes);
		close(r->fd);
	}
	free(r->scratch);
	memset(r, 0, sizeof(*r));
	r->fd = -1;
}

bool sm_perf_ring_ready(const struct sm_perf_ring *r)
{
	return __atomic_load_n(&r->meta->data_head, __ATOMIC_ACQUIRE) !=
	       r->meta->data_tail;
}

static void copy_out(const struct sm_perf_ring *r, uint64_t pos, void *to, size_t n)
{
	size_t at = (size_t)(pos & (r->data_bytes - 1));
	size_t first = n < r->data_bytes - at ? n : r->data_bytes - at;

	memcpy(to, r->data + at, first);
	memcpy((unsigned char *)to + first, r->data, n - first);
}

/* Returns the record at pos in contiguous memory: in the ring itself unless it wraps. */
static const unsigned char *linear(struct sm_perf_ring *r, uint64_t pos, size_t n)
{
	size_t at = (size_t)(pos & (r->data_bytes - 1));

	if (n <= r->data_bytes - at)
		return r->data + at;
	copy_out(r, pos, r->scratch, n);
	return r->scratch;
}

/* PERF_RECORD_LOST: u64 id, u64 lost. */
static void count_lost(struct sm_perf_ring *r, const unsigned char *body, size_t len)
{
	uint64_t lost;

	if (len < 2 * sizeof(lost))
		return;
	memcpy(&lost, body + sizeof(lost), sizeof(lost));
	r->lost += lost;
}

void sm_perf_ring_begin(struct sm_perf_ring *r)
{
	r->head = __atomic_load_n(&r->meta->data_head, __ATOMIC_ACQUIRE);
	r->pos = r->meta->data_tail;
}

void sm_perf_ring_end(struct sm_perf_ring *r)
{
	__atomic_store_n(&r->meta->data_tail, r->pos, __ATOMIC_RELEASE);
}

/* True if the header at pos belongs to a complete record. */
static bool is_record(const struct sm_perf_ring *r, struct perf_event_header *h)
{
	uint64_t there = r->head - r->pos;

	if (there > r->data_bytes || (r->head | r->pos) % RECORD_ALIGN)
		return false;
	copy_out(r, r->pos, h, sizeof(*h));
	return h->size >= sizeof(*h) && h->size % RECORD_ALIGN == 0 && h->size <= there;
}

int sm_perf_ring_next(
	struct sm_perf_ring *r, struct perf_event_header *h, const void **body)
{
	while (r->pos != r->head) {
		const unsigned char *at;

		if (!is_record(r, h)) {
			r->pos = r->head;
			return -EBADMSG;
		}
		at = linear(r, r->pos, h->size) + sizeof(*h);
		r->pos += h->size;
		if (h->type != PERF_RECORD_LOST) {
			*body = at;
			return 1;
		}
		count_lost(r, at, h->size - sizeof(*h));
	}
	return 0;
}

ssize_t sm_perf_ring_drain(struct sm_perf_ring *r, sm_perf_fn fn, void *ctx)
{
	struct perf_event_header h;
	const void *body;
	ssize_t count = 0;
	int got;

	sm_perf_ring_begin(r);
	while ((got = sm_perf_ring_next(r, &h, &body)) > 0) {
		fn(ctx, &h, body, h.size - sizeof(h));
		count++;
	}
	sm_perf_ring_end(r);
	return got < 0 ? got : count;
}

int sm_perf_ring_join(const struct sm_perf_ring *r, int event_fd)
{
	if (ioctl(event_fd, PERF_EVENT_IOC_SET_OUTPUT, r->fd) < 0)
		return -errno;
	return ioctl(event_fd, PERF_EVENT_IOC_ENABLE, 0) < 0 ? -errno : 0;
}

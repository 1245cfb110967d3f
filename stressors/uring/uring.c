// SPDX-License-Identifier: GPL-2.0-or-later
#include "uring.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int set_up(uint32_t entries, struct io_uring_params *p)
{
	long fd = syscall(SYS_io_uring_setup, entries, p);

	return fd < 0 ? -errno : (int)fd;
}

int uring_try(void)
{
	struct io_uring_params p = {0};
	int fd = set_up(1, &p);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static char *map(const struct uring *u, size_t bytes, off_t what)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, u->fd, what);

	return p == MAP_FAILED ? NULL : p;
}

static uint32_t *at(char *ring, uint32_t offset)
{
	return (uint32_t *)(void *)(ring + offset);
}

int uring_open(struct uring *u, uint32_t entries)
{
	struct io_uring_params p = {0};
	char *sq, *cq, *sqe;

	u->fd = set_up(entries, &p);
	if (u->fd < 0)
		return u->fd;
	sq = map(u, p.sq_off.array + p.sq_entries * sizeof(uint32_t), IORING_OFF_SQ_RING);
	cq = map(u, p.cq_off.cqes + p.cq_entries * sizeof(*u->cqe), IORING_OFF_CQ_RING);
	sqe = map(u, p.sq_entries * sizeof(*u->sqe), IORING_OFF_SQES);
	if (!sq || !cq || !sqe)
		return -errno;
	u->entries = p.sq_entries;
	u->sq_tail = at(sq, p.sq_off.tail);
	u->sq_mask = at(sq, p.sq_off.ring_mask);
	u->sq_array = at(sq, p.sq_off.array);
	u->cq_head = at(cq, p.cq_off.head);
	u->cq_tail = at(cq, p.cq_off.tail);
	u->cq_mask = at(cq, p.cq_off.ring_mask);
	u->cqe = (struct io_uring_cqe *)(void *)(cq + p.cq_off.cqes);
	u->sqe = (struct io_uring_sqe *)(void *)sqe;
	return 0;
}

struct io_uring_sqe *uring_prepare(struct uring *u)
{
	uint32_t i = (*u->sq_tail + u->prepared++) & *u->sq_mask;

	u->sq_array[i] = i;
	memset(&u->sqe[i], 0, sizeof(u->sqe[i]));
	return &u->sqe[i];
}

/* The kernel reads the submission tail in io_uring_enter(2), and writes the completion
 * tail. */
int uring_submit(struct uring *u)
{
	uint32_t left = u->prepared, wanted = *u->cq_head + u->prepared;

	__atomic_store_n(u->sq_tail, *u->sq_tail + u->prepared, __ATOMIC_RELEASE);
	u->prepared = 0;
	for (;;) {
		uint32_t ended = __atomic_load_n(u->cq_tail, __ATOMIC_ACQUIRE);
		uint32_t waits = wanted - ended;
		long n;

		if (!left && !waits)
			return 0;
		n = syscall(SYS_io_uring_enter, u->fd, left, waits,
			IORING_ENTER_GETEVENTS, NULL, 0);
		if (n < 0 && errno != EINTR)
			return -errno;
		left -= n > 0 ? (uint32_t)n : 0;
	}
}

bool uring_take(struct uring *u, struct io_uring_cqe *result)
{
	uint32_t head = *u->cq_head;

	if (head == __atomic_load_n(u->cq_tail, __ATOMIC_ACQUIRE))
		return false;
	*result = u->cqe[head & *u->cq_mask];
	__atomic_store_n(u->cq_head, head + 1, __ATOMIC_RELEASE);
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * peek: bytes of the target's memory for the hex view, and reading pages in when the user asks for it.
 *
 * /proc/PID/mem is read only where the page is present (bit 63 of its pagemap entry) and the mapping
 * is not of a device, because reading anything else makes the kernel bring the page in, or reads a
 * device.  What is not present is reported as such.  Between the look at the entry and the read the
 * kernel may swap the page out; nothing else can.
 *
 * peek_touch() and peek_fill_...() alter the target: they read one byte of pages that are not present.
 */
#ifndef PAGEMON_PEEK_H
#define PAGEMON_PEEK_H

#include "pages/pass.h"
#include "target/target.h"
#include "target/vmas.h"

enum peek_state {
	PEEK_BYTES,       /* its bytes are there */
	PEEK_UNMAPPED,    /* no mapping has the address */
	PEEK_ABSENT,      /* never touched, or given back */
	PEEK_SWAPPED,
	PEEK_GUARD,
	PEEK_DEVICE,
	PEEK_FAILED,      /* the read failed: p->err */
};

struct peek {
	struct vmas *vmas;         /* which mappings are of devices */
	uint64_t start;            /* page-aligned */
	uint64_t page_bytes;
	size_t pages, cap;
	unsigned char *bytes;      /* pages * page_bytes; 0 where the state is not PEEK_BYTES */
	size_t bytes_cap;
	enum peek_state *state;    /* of each page */
	uint64_t *entry;           /* scratch */
	size_t state_cap, entry_cap;
	int err;                   /* of the last PEEK_FAILED */
};

/* vmas: of the struct pagefacts_source; outlives p. */
void peek_init(struct peek *p, struct vmas *vmas);
void peek_fini(struct peek *p);
/* Looks at n bytes from the address on, all of the pages that they touch (n up to PEEK_BYTES_MAX).
 * -EBADF: mem is not open (t->err[TARGET_MEM] says why); -ESRCH: target_check(); -ENOMEM. */
#define PEEK_BYTES_MAX (256u * 1024)
int peek_read(struct peek *p, const struct target *t, const struct space *s, uint64_t address, size_t n)
	SM_MUST;
/* Of an address within the last peek_read(); *byte is set with PEEK_BYTES. */
enum peek_state peek_at(const struct peek *p, uint64_t address, unsigned char *byte);

/* Reads one byte of this page, whatever its state is (but not of a device: -EACCES): it becomes
 * present.  -EFAULT, -EIO: it cannot be read; -EBADF, -ESRCH as above. */
int peek_touch(struct peek *p, const struct target *t, const struct space *s, uint64_t address)
	SM_MUST;

/*
 * Reads in the swapped pages (bit 62 set, 58 clear) of a range of ordinals: a pass finds them, and one
 * byte of each is read, in steps.
 */
struct peek_fill {
	struct pass *pass;
	struct peek *peek;
	const struct target *target;
	const struct space *space;
	uint64_t pages;             /* read in so far */
	uint64_t failed;            /* could not be read */
	bool done;
	int err;                    /* that ended it */
	/* runs found, not yet read */
	struct { uint64_t address, pages; } *queue;
	size_t n, at, cap;
};

/* The space must not change until the fill has ended.  -EBADF: mem is not open; -ENOMEM. */
int peek_fill_begin(struct peek_fill *f, struct peek *p, const struct target *t,
	const struct pass_reader *r, const struct space *s, uint64_t first, uint64_t end) SM_MUST;
/* Goes on for about so much time, at least one page.  1: there is more, 0: done, or -errno. */
int peek_fill_step(struct peek_fill *f, uint64_t budget_ns) SM_MUST;
void peek_fill_end(struct peek_fill *f);

#endif

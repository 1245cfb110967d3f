/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * peek: reads bytes of the target's memory for the hex view, and reads pages in at the user's request.
 *
 * /proc/PID/mem is read only where the page is present (bit 63 of its pagemap entry) and the mapping does
 * not belong to a device: otherwise the read would make the kernel read the page in, or access a device.
 * Pages that are not present have a state instead of bytes.  A page is read in only if the kernel swaps it
 * out between the reading of its entry and the reading of its bytes.
 *
 * peek_touch() and peek_fill_...() alter the target: they read one byte of pages that are not present.
 */
#ifndef PAGEMON_PEEK_H
#define PAGEMON_PEEK_H

#include "pages/pass.h"
#include "target/target.h"
#include "target/vmas.h"

enum peek_state {
	PEEK_BYTES,       /* its bytes were read */
	PEEK_UNMAPPED,    /* the address is not mapped */
	PEEK_ABSENT,      /* never touched, or given back */
	PEEK_SWAPPED,
	PEEK_GUARD,
	PEEK_DEVICE,
	PEEK_FAILED,      /* the read failed: p->err */
};

struct peek {
	struct vmas *vmas;         /* shows which mappings belong to devices */
	uint64_t start;            /* page-aligned */
	uint64_t page_bytes;
	size_t pages;
	unsigned char *bytes;      /* pages * page_bytes; 0 where the state is not PEEK_BYTES */
	size_t bytes_cap;
	enum peek_state *state;    /* state of each page */
	uint64_t *entry;           /* scratch */
	size_t state_cap, entry_cap;
	int err;                   /* error of the last PEEK_FAILED */
};

/* vmas: from struct pagefacts_source; must outlive p. */
void peek_init(struct peek *p, struct vmas *vmas);
void peek_fini(struct peek *p);
/* Reads all pages that contain the n bytes at the address (n up to PEEK_BYTES_MAX).  -EBADF,
 * -EINPROGRESS: mem is not open, see target_need(); -ESRCH: see target_check(); -ENOMEM. */
#define PEEK_BYTES_MAX (256u * 1024)
int peek_read(struct peek *p, struct target *t, const struct space *s, uint64_t address, size_t n)
	SM_MUST;
/* Returns the state of an address in the last peek_read(); sets *byte if it is PEEK_BYTES. */
enum peek_state peek_at(const struct peek *p, uint64_t address, unsigned char *byte);

/* Reads one byte of this page in any state, which makes it present.  -EACCES: it belongs to a device;
 * -EFAULT, -EIO: it cannot be read; -EBADF, -EINPROGRESS, -ESRCH as above. */
int peek_touch(struct peek *p, struct target *t, const struct space *s, uint64_t address)
	SM_MUST;

/*
 * Reads in the swapped-out pages (bit 62 set, bit 58 clear) of a range of ordinals in steps: a pass finds
 * them, and one byte of each is read.
 */
struct peek_fill {
	struct pass *pass;
	struct peek *peek;
	struct target *target;
	const struct space *space;
	uint64_t pages;             /* pages read in so far */
	uint64_t failed;            /* pages that could not be read */
	bool done;
	int err;                    /* error that ended the fill */
	/* runs found but not yet read */
	struct { uint64_t address, pages; } *queue;
	size_t n, at, cap;
};

/* The space must not change until the fill has ended.  -EBADF, -EINPROGRESS as above; -ENOMEM. */
int peek_fill_begin(struct peek_fill *f, struct peek *p, struct target *t,
	const struct pass_reader *r, const struct space *s, uint64_t first, uint64_t end) SM_MUST;
/* Reads in for about budget_ns, at least one page.  Returns 1 if there is more, 0 if done, or -errno. */
int peek_fill_step(struct peek_fill *f, uint64_t budget_ns) SM_MUST;
void peek_fill_end(struct peek_fill *f);

#endif

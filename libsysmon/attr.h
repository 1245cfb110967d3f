/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attr: what the readers of sysfs classes share (Documentation/filesystems/sysfs.rst): the
 * entries of a class directory, one number of a kept-open attribute by one pread, and labels
 * that are unique.
 */
#ifndef SM_ATTR_H
#define SM_ATTR_H

#include "base.h"

/*
 * Calls fn for each entry of a directory that does not begin with a dot, in the directory's
 * order, which means nothing.  Stops at and returns what fn returns unless 0.  -ENOENT: there is
 * no such directory.  Allocates nothing.
 */
int sm_attr_each(int dirfd, const char *path, int (*fn)(void *ctx, const char *name),
	void *ctx) SM_MUST;

/* The number at the end of prefixNUMBER; false when the name is anything else. */
bool sm_attr_number(const char *name, const char *prefix, unsigned int *out) SM_MUST;

/* One pread: a number and at most one newline; -EINVAL for anything else, -ENODATA when empty. */
int sm_attr_read_i64(int fd, int64_t *out) SM_MUST;
int sm_attr_read_u64(int fd, uint64_t *out) SM_MUST;

/* A one-line text into a NUL-terminated buffer, without its newline and what follows a NUL; cut
 * off when too long.  false when it is empty or cannot be read. */
bool sm_attr_text(int dirfd, const char *path, char *buf, size_t cap) SM_MUST;

/*
 * out = base, or "base-number" where several have that base, or "base-number.K" where that is
 * another's base.  cap must hold the longest base and 20 bytes more.  Numbers need not differ.
 */
struct sm_attr_label {
	const char *base;
	unsigned int number;
	char *out;
	size_t cap;
};
void sm_attr_labels(struct sm_attr_label *l, size_t n);

#endif

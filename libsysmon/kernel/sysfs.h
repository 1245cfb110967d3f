/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sysfs: what the readers of sysfs classes share (Documentation/filesystems/sysfs.rst): the
 * entries of a class directory, one number of a kept-open attribute by one pread, and labels
 * that are unique.
 */
#ifndef SM_SYSFS_H
#define SM_SYSFS_H

#include "base/at.h"

/*
 * Calls fn for each entry of a directory that does not begin with a dot, in the directory's
 * order, which means nothing.  Stops at and returns what fn returns unless 0.  -ENOENT: there is
 * no such directory.  Allocates nothing.
 */
int sm_sysfs_each(struct sm_at at, const char *path, int (*fn)(void *ctx, const char *name),
	void *ctx) SM_MUST;

/* The number at the end of prefixNUMBER; false when the name is anything else. */
bool sm_sysfs_number(const char *name, const char *prefix, unsigned int *out) SM_MUST;

/* One pread: a number and at most one newline; -EINVAL for anything else, -ENODATA when empty. */
int sm_sysfs_read_i64(int fd, int64_t *out) SM_MUST;
int sm_sysfs_read_u64(int fd, uint64_t *out) SM_MUST;
/* The value of a counter, and the CLOCK_MONOTONIC in the middle of its reading.  A reading that took
 * so long that its time is uncertain is repeated, twice at most. */
int sm_sysfs_read_timely(int fd, uint64_t *out, uint64_t *at_ns) SM_MUST;

/* A one-line text into a NUL-terminated buffer, without its newline and what follows a NUL; cut
 * off when too long.  false when it is empty or cannot be read. */
bool sm_sysfs_text(struct sm_at at, const char *path, char *buf, size_t cap) SM_MUST;

/*
 * Sets the member `label` of each of n structs: base, or "base-number" if several have that base,
 * or "base-number.K" if that is the base of another.  label must hold the longest base and 20
 * bytes more.  Numbers need not differ.
 */
struct sm_sysfs_labels { size_t size, base, number, label, cap; }; /* offsets in the struct */
#define SM_SYSFS_LABELS(TYPE, BASE) \
	{sizeof(TYPE), offsetof(TYPE, BASE), offsetof(TYPE, number), offsetof(TYPE, label), \
		sizeof(((TYPE *)0)->label)}
void sm_sysfs_labels(void *array, size_t n, const struct sm_sysfs_labels *l);

#endif

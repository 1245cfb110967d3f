/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sysfs: functions for readers of sysfs classes (Documentation/filesystems/sysfs.rst): the entries of a class
 * directory, a number from an open attribute with one pread, and unique labels.
 */
#ifndef SM_SYSFS_H
#define SM_SYSFS_H

#include "base/at.h"

/*
 * Calls fn for each entry of a directory that does not begin with a dot, in any order, until fn
 * returns nonzero, which is then returned.  -ENOENT: there is no such directory.  Does not allocate memory.
 */
int sm_sysfs_each(struct sm_at at, const char *path, int (*fn)(void *ctx, const char *name),
	void *ctx) SM_MUST;

/* Parses the number at the end of prefixNUMBER; false if the name has another form. */
bool sm_sysfs_number(const char *name, const char *prefix, unsigned int *out) SM_MUST;

/* Read a number with one pread.  -EINVAL: not a number with at most one newline; -ENODATA: empty. */
int sm_sysfs_read_i64(int fd, int64_t *out) SM_MUST;
int sm_sysfs_read_u64(int fd, uint64_t *out) SM_MUST;
/* Reads a counter, and CLOCK_MONOTONIC at the middle of the reading.  If a reading took so long that its
 * time is uncertain, it is repeated, at most twice. */
int sm_sysfs_read_timely(int fd, uint64_t *out, uint64_t *at_ns) SM_MUST;

/* Reads a one-line text into a NUL-terminated buffer, up to the first newline or NUL, truncated to cap;
 * false if it is empty or cannot be read. */
bool sm_sysfs_text(struct sm_at at, const char *path, char *buf, size_t cap) SM_MUST;

/*
 * Sets the member `label` of each of n structs to a unique text: base, or "base-number" if several have that
 * base, or "base-number.K" if "base-number" is taken.  label must have room for the longest base and 20 bytes
 * more.  Numbers need not differ.
 */
struct sm_sysfs_labels { size_t size, base, number, label, cap; }; /* offsets in the struct */
#define SM_SYSFS_LABELS(TYPE, BASE) \
	{sizeof(TYPE), offsetof(TYPE, BASE), offsetof(TYPE, number), offsetof(TYPE, label), \
		sizeof(((TYPE *)0)->label)}
void sm_sysfs_labels(void *array, size_t n, const struct sm_sysfs_labels *l);

#endif

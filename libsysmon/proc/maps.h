/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maps: the mappings of a process, from /proc/PID/maps (Documentation/filesystems/proc.rst).
 *
 * A line is "START-END PERMS OFFSET MAJOR:MINOR INODE   NAME".  The kernel escapes only the newline in
 * names ("\012"): a name may contain spaces, control characters and " (deleted)", and a line may be
 * longer than a page.  The name is everything after the inode and the spaces.
 *
 * The list may change between two reads of the file, each of which is consistent in itself.  Addresses only
 * increase: if an entry begins below the end of the previous one (the kernel has joined two mappings in the
 * meantime), only its part after that end is reported, if there is any.
 */
#ifndef SM_MAPS_H
#define SM_MAPS_H

#include "base/buf.h"

enum { SM_VMA_READ = 1, SM_VMA_WRITE = 2, SM_VMA_EXEC = 4, SM_VMA_SHARED = 8 };

struct sm_vma {
	uint64_t start, end;           /* addresses; end is exclusive */
	uint64_t offset_bytes;         /* file offset of the first byte */
	uint64_t inode;                /* 0: not a file */
	uint32_t dev_major, dev_minor;
	unsigned int perms;            /* SM_VMA_... */
	struct sm_str name;            /* hostile bytes without a NUL, valid during the call; may be empty */
};

/* Parses a line without its newline.  -EBADMSG: malformed. */
int sm_maps_parse_line(const char *s, size_t n, struct sm_vma *out) SM_MUST;
/*
 * Reads the file from its beginning and calls fn for each mapping, until fn returns nonzero, which is
 * then returned.  line is scratch memory, empty or from an earlier call.  -ESRCH: the memory does not exist,
 * because the process has exited, is a zombie or a kernel thread, or has executed another program since the
 * file was opened.  -EBADMSG, -ENOMEM, or an error of read(2).
 */
int sm_maps_read(int fd, struct sm_buf *line, int (*fn)(void *ctx, const struct sm_vma *v), void *ctx)
	SM_MUST;
/* Checks an open maps file: 0, or -ESRCH as above.  Costs as much as reading one entry. */
int sm_maps_alive(int fd) SM_MUST;
/* True if the name looks like a device, whose memory must not be read: below /dev (except /dev/shm and
 * /dev/zero) or /sys, or the kernel's "[vvar". */
bool sm_maps_is_device(struct sm_str name);
/* Returns 1 if the file was deleted, for which the kernel adds " (deleted)" to its name, and 0 if not;
 * -EEXIST: not, because the name of the file itself ends so.  That is only found if this process may look the
 * name up.  Memory that was never in a directory (memfd_create(2), shmget(2)) is not deleted. */
int sm_maps_deleted(const struct sm_vma *v);
/* Writes the permissions as "rw-p" and a NUL. */
void sm_maps_perms(unsigned int perms, char out[5]);

#endif

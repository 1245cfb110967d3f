/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maps: the mappings of a process, from /proc/PID/maps (Documentation/filesystems/proc.rst).
 *
 * A line is "START-END PERMS OFFSET MAJOR:MINOR INODE   NAME".  The kernel escapes only the newline in
 * names ("\012"): a name may hold blanks, control characters and " (deleted)", and a line may be
 * longer than a page.  Everything behind the blanks that follow the inode is the name.
 * The list may change between two reads of the file, each of which is consistent in itself; because
 * addresses only grow, of an entry that begins below the end of the one before only the part behind that end
 * is handed out (two mappings that the kernel has joined meanwhile), if there is any.
 */
#ifndef SM_MAPS_H
#define SM_MAPS_H

#include "base/buf.h"

enum { SM_VMA_READ = 1, SM_VMA_WRITE = 2, SM_VMA_EXEC = 4, SM_VMA_SHARED = 8 };

struct sm_vma {
	uint64_t start, end;           /* addresses; end is the first one behind it */
	uint64_t offset_bytes;         /* of the first byte in the file */
	uint64_t inode;                /* 0: none */
	uint32_t dev_major, dev_minor;
	unsigned int perms;            /* SM_VMA_... */
	struct sm_str name;            /* hostile bytes without a NUL, valid during the call; empty: none */
};

/* One line without its newline.  -EBADMSG. */
int sm_maps_parse_line(const char *s, size_t n, struct sm_vma *out) SM_MUST;
/*
 * Reads the file from its beginning and calls fn for each mapping, until fn returns nonzero, which is
 * then returned.  line: scratch, empty or of an earlier call.  -ESRCH: the process has no memory
 * (any more): it has exited, is a zombie or a kernel thread, or has executed another program
 * since the file was opened.  -EBADMSG, -ENOMEM, or an error of read(2).
 */
int sm_maps_read(int fd, struct sm_buf *line, int (*fn)(void *ctx, const struct sm_vma *v), void *ctx)
	SM_MUST;
/* Of an open maps or smaps file: 0, or -ESRCH as above.  The cost is that of one entry. */
int sm_maps_alive(int fd) SM_MUST;
/* Does the name look like that of a device, whose memory must not be read: below /dev (but not /dev/shm and
 * /dev/zero) or /sys, or the kernel's "[vvar"? */
bool sm_maps_is_device(struct sm_str name);
/* "rw-p" and a NUL. */
void sm_maps_perms(unsigned int perms, char out[5]);

#endif

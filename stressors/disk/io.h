/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io: the options of --hdd-opts, and the calls that they change.
 *
 * Some options are flags of open(2), so that a file must be opened for them; the others take effect in later
 * calls.
 */
#ifndef STRESSORS_DISK_IO_H
#define STRESSORS_DISK_IO_H

#include <sys/types.h>

#include "base/base.h"

/* Places in disk_io_options; bits of a set. */
enum disk_io_option {
	DISK_IO_ALL, /* each in turn */
	DISK_IO_DIRECT,
	DISK_IO_DSYNC,
	DISK_IO_FADV_DONTNEED,
	DISK_IO_FADV_NOREUSE,
	DISK_IO_FADV_NORMAL,
	DISK_IO_FADV_RND,
	DISK_IO_FADV_SEQ,
	DISK_IO_FADV_WILLNEED,
	DISK_IO_FDATASYNC,
	DISK_IO_FSYNC,
	DISK_IO_IOVEC,
	DISK_IO_NOATIME,
	DISK_IO_RD_RND,
	DISK_IO_RD_SEQ,
	DISK_IO_SYNC,
	DISK_IO_SYNCFS,
	DISK_IO_UTIMES,
	DISK_IO_WR_RND,
	DISK_IO_WR_SEQ,
	DISK_IO_OPTIONS,
};

#define DISK_IO_BIT(option) (UINT64_C(1) << (option))

extern const char *const disk_io_options[];     /* NULL ends them */
extern const uint64_t disk_io_exclusive[];      /* sets of mutually exclusive options; 0 ends them */

/* Number of parts of a block with DISK_IO_IOVEC. */
#define DISK_IO_PARTS 16u
/* A direct transfer is a multiple of this many bytes. */
#define DISK_IO_DIRECT_BYTES 4096u

int disk_io_flags(uint64_t set);
/* The size of a block must be a multiple of this many bytes. */
size_t disk_io_unit(uint64_t set);
/* Gives the advice for the whole file.  0 or -errno. */
int disk_io_advise(int fd, uint64_t set) SM_MUST;
/* Makes the calls that follow each write.  0 or -errno. */
int disk_io_commit(int fd, uint64_t set) SM_MUST;
/* Both transfer all bytes.  0 or -errno; -ENODATA: a read found the end of the file. */
int disk_io_write(int fd, uint64_t set, void *p, size_t bytes, uint64_t offset) SM_MUST;
int disk_io_read(int fd, uint64_t set, void *p, size_t bytes, uint64_t offset) SM_MUST;

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw: files of procfs that may be read without an effect and without waiting, drawn at random.
 *
 * What is left out:
 *  - links, which lead out of procfs, and what is mounted below it (binfmt_misc, masks of containers);
 *  - files that nobody may read, such as sysrq-trigger;
 *  - by name, files that hand out memory (mem, kcore), take from a queue or wait (kmsg, ..._pipe, channel),
 *    or do work when they are read (stat_refresh; pagetypeinfo, which walks all free pages with interrupts
 *    off);
 *  - directories of drivers and file systems (acpi, bus, driver, fs, scsi ...): what a reading does there is
 *    not known, as with configuration registers of devices.  Of the directories in /proc only irq, pressure,
 *    sys and sysvipc are entered;
 *  - of other processes, all but the few files that cost them nothing: others, such as smaps, make a process
 *    wait that wants to change its address space.
 */
#ifndef STRESSORS_PROCFS_DRAW_H
#define STRESSORS_PROCFS_DRAW_H

#include "run/stress.h"

#define PROCFS_PATH 512

struct procfs_tree {
	int fd;           /* of /proc; paths are relative to it */
	dev_t device;     /* of the file system */
	uint64_t random;  /* state of stress_random() */
	void *buf;        /* of PROCFS_BUF bytes, for directories */
};

#define PROCFS_BUF 8192u

/* Where a file is drawn from. */
enum procfs_place { PROCFS_TOP, PROCFS_SYS, PROCFS_SELF, PROCFS_OTHERS, PROCFS_PLACES };

/* May files of this name be read? */
bool procfs_may_read(const char *name) SM_MUST;

/* Draws and opens a file; its path is for messages.  -ENOENT: the draw led to nothing that may be read;
 * another -errno is that of a call.  The draw ends early when the run of s does. */
int procfs_draw(struct procfs_tree *t, const struct stress *s, enum procfs_place place,
		char path[PROCFS_PATH]) SM_MUST;

#endif

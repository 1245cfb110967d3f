/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw: files of procfs that can be read without an effect and without waiting, drawn at random.
 *
 * These are left out:
 *  - links, which lead out of procfs, and mounts below it (binfmt_misc, masks of containers);
 *  - files without read permission for any user, such as sysrq-trigger;
 *  - by name, files that expose memory (mem, kcore), take from a queue or wait (kmsg, ..._pipe, channel), or
 *    do work when they are read (stat_refresh; pagetypeinfo, which walks all free pages with interrupts off);
 *  - directories of drivers and file systems (acpi, bus, driver, fs, scsi ...): the effect of a reading there
 *    is unknown, as with configuration registers of devices.  Of the directories in /proc only irq, pressure,
 *    sys and sysvipc are entered;
 *  - of other processes, all except the few files that cost them nothing: others, such as smaps, delay a
 *    process that changes its address space.
 */
#ifndef STRESSORS_PROCFS_DRAW_H
#define STRESSORS_PROCFS_DRAW_H

#include "run/stress.h"

#define PROCFS_PATH 512

struct procfs_tree {
	int fd;           /* descriptor of /proc; paths are relative to it */
	dev_t device;     /* device of the file system */
	uint64_t random;  /* state of stress_random() */
	void *buf;        /* of PROCFS_BUF bytes, for directories */
};

#define PROCFS_BUF 8192u

/* The place from which a file is drawn. */
enum procfs_place { PROCFS_TOP, PROCFS_SYS, PROCFS_SELF, PROCFS_OTHERS, PROCFS_PLACES };

/* Returns true if files of this name may be read. */
bool procfs_may_read(const char *name) SM_MUST;

/* Draws and opens a file; its path is for messages.  -ENOENT: the draw did not find a file that may be read;
 * other -errno: a call failed.  The draw ends early when the run of s does. */
int procfs_draw(struct procfs_tree *t, const struct stress *s, enum procfs_place place,
		char path[PROCFS_PATH]) SM_MUST;

#endif

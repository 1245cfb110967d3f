/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cnevent: an event of the proc connector as the kernel sends it (include/uapi/linux/cn_proc.h), for cnproc
 * and for the BPF programs of cnring and cncount.  The values are declared here because older kernel headers
 * lack some.
 */
#ifndef SM_CNEVENT_H
#define SM_CNEVENT_H

#include "base/base.h"

enum sm_proc_what { /* enum proc_cn_event: each one bit */
	SM_PROC_NONE = 0,
	SM_PROC_FORK = 0x00000001,
	SM_PROC_EXEC = 0x00000002,
	SM_PROC_UID = 0x00000004,
	SM_PROC_GID = 0x00000040,
	SM_PROC_SID = 0x00000080,
	SM_PROC_PTRACE = 0x00000100,
	SM_PROC_COMM = 0x00000200,
	SM_PROC_COREDUMP = 0x40000000,
	SM_PROC_EXIT = (int)0x80000000,
};
#define SM_PROC_ALL                                                                      \
	((uint32_t)SM_PROC_FORK | SM_PROC_EXEC | SM_PROC_UID | SM_PROC_GID | SM_PROC_SID |   \
		SM_PROC_PTRACE | SM_PROC_COMM | SM_PROC_COREDUMP | (uint32_t)SM_PROC_EXIT)

/* A datagram consists of nlmsghdr (16 bytes), cn_msg (20) and proc_event: what, cpu, stamp, data. */
#define SM_CNPROC_EVENT_AT      36
#define SM_CNPROC_EVENT_DATA_AT (SM_CNPROC_EVENT_AT + 16)
#define SM_CNPROC_EVENT_BYTES   40

/* Events of processes, not of threads, that cncount's program counts. */
struct sm_cncounts {
	uint64_t forks, execs, exits;
};

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* taskexit_raw: the record that the BPF program of taskexit.h writes. */
#ifndef SM_TASKEXIT_RAW_H
#define SM_TASKEXIT_RAW_H

#include <stdint.h>

struct sm_taskexit_raw {
	uint64_t time_ns, start_ns;
	uint64_t lived_ns;
	uint64_t cpu_ns;
	uint64_t utime_ns, stime_ns;
	uint32_t pid, ppid;
	uint32_t uid, unused;
	char comm[16]; /* TASK_COMM_LEN of include/linux/sched.h */
};

#endif

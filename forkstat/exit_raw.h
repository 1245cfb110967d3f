/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exit_raw: the records that the BPF program of exitbpf.h writes. */
#ifndef FORKSTAT_EXIT_RAW_H
#define FORKSTAT_EXIT_RAW_H

#include "base/base.h"

/* Source of the status that the parent would receive if this thread were the last one. */
enum exitbpf_kind {
	EXITBPF_NONE,	/* the leader has not exited */
	EXITBPF_LEADER, /* the exit code of the leader */
	EXITBPF_GROUP,	/* the final code of exit_group(2) or of a fatal signal */
};

struct exitbpf_raw {
	uint64_t time_ns;
	uint32_t tid, tgid;
	uint32_t live; /* threads of the process that have not begun to exit */
	uint32_t kind; /* enum exitbpf_kind */
	uint32_t code; /* a wait status */
	uint32_t leader_exited; /* 0 or 1; 0 at the leader's own exit */
};

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exit_raw: what the program of exitbpf.h writes. */
#ifndef FORKSTAT_EXIT_RAW_H
#define FORKSTAT_EXIT_RAW_H

#include "base/base.h"

/* What the parent would see as the status of the process, if this thread were its last.
 */
enum exitbpf_kind {
	EXITBPF_NONE,	/* its leader has not exited */
	EXITBPF_LEADER, /* the leader's exit code */
	EXITBPF_GROUP,	/* that of exit_group(2) or of a signal, which does not change any
			   more */
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

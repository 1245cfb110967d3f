/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * copies: copies of a sample's rows.  The sampler's rows are valid only until its next sample, but
 * the screen is drawn at any time and keys rearrange its rows.
 *
 * comm and the programs of exited children are copied; for cmd and cgroup, a reference in their pool is
 * held.
 */
#ifndef CPUSTAT_SCREEN_COPIES_H
#define CPUSTAT_SCREEN_COPIES_H

#include "../sample.h"
#include "base/buf.h"

struct copies {
	struct row *rows;
	size_t n, cap;
	struct sm_buf comms;
	struct row_names *exited;
	size_t exited_cap;
	struct sm_strpool *names;  /* owned by the caller */
};

/* Replaces the previous copies.  Returns 0, or -ENOMEM, after which c is empty. */
int copies_take(struct copies *c, const struct row *rows, size_t n) SM_MUST;
void copies_fini(struct copies *c);

#endif

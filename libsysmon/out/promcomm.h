/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * promcomm: counters by program for a Prometheus file (--prom), with bounded labels.
 *
 * SM_PROMCOMM_MAX programs have a label, and keep it; the rest count in comm="(others)".  The second
 * half of the labels is for programs that are busy, so that those which are not do not take all of
 * them at the start.  Kernel threads are one program up to the first '/' of their name: "[kworker]".
 * In steady state nothing is allocated.
 */
#ifndef SM_PROMCOMM_H
#define SM_PROMCOMM_H

#include "kernel/procpid.h"
#include "out/prom.h"

#define SM_PROMCOMM_MAX	   64
#define SM_PROMCOMM_VALUES 3
/* A comm of maximum length, each byte as \xNN, in brackets. */
#define SM_PROMCOMM_LABEL_MAX (4 * SM_PIDSTAT_COMM_MAX + 2)

struct sm_promcomm {
	uint64_t hash;
	uint64_t v[SM_PROMCOMM_VALUES]; /* the tool's counters */
	size_t n;
	char label[SM_PROMCOMM_LABEL_MAX]; /* sanitised */
};

struct sm_promcomms {
	struct sm_promcomm comm[SM_PROMCOMM_MAX], others;
	unsigned int n;
	uint64_t seed;
	struct sm_buf label;      /* scratch */
};

void sm_promcomms_init(struct sm_promcomms *s);
void sm_promcomms_fini(struct sm_promcomms *s);
/* The counters of a program: its own, or those of (others).  busy: it may take one of the second half
 * of the labels. */
uint64_t *sm_promcomms_of(struct sm_promcomms *s, struct sm_str comm, bool kernel, bool busy);
/* A line of the open family for each program, and (others): v[value] / unit. */
void sm_promcomms_put(const struct sm_promcomms *s, struct sm_prom *p, unsigned int value, double unit);

#endif

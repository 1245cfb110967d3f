/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * promcomm: counters by program for a Prometheus file (--prom), with bounded labels.
 *
 * SM_PROMCOMM_MAX programs have a label; the rest count in comm="(others)".  Kernel threads are one program
 * up to the first '/' of their name: "[kworker]".  In steady state nothing is allocated.
 *
 * Who gets a label:
 *  - The second half of the labels is for programs that are busy, so that those which are not do not take
 *    all of them at the start.
 *  - A program that has not run for SM_PROMCOMM_IDLE seconds, and samples, can lose its label to one that
 *    needs it, the longest idle one first.
 *  - A user can hold half of the labels that are free.  A label belongs to the user whose process got it.
 *    Root has no such limit, and SM_PROMCOMM_ROOT labels are kept for it, because a user can have many user
 *    ids (subuid(5)).
 *
 * A counter only grows.  The series of a lost label ends, and its value is not added to (others), which
 * would be an increase that never was: sum(rate(x[5m])) stays right.  A program that gets a label again
 * starts a new series at 0, which Prometheus takes for a reset; its use without a label is in (others).
 */
#ifndef SM_PROMCOMM_H
#define SM_PROMCOMM_H

#include "kernel/procpid.h"
#include "out/prom.h"

#define SM_PROMCOMM_MAX	   64
#define SM_PROMCOMM_IDLE   60 /* seconds, and samples */
#define SM_PROMCOMM_ROOT   8
#define SM_PROMCOMM_NO_UID ((uid_t)-1) /* of a program whose user is unknown: they count as one user */
#define SM_PROMCOMM_VALUES 3
/* A comm of maximum length, each byte as \xNN, in brackets. */
#define SM_PROMCOMM_LABEL_MAX (4 * SM_PIDSTAT_COMM_MAX + 2)

struct sm_promcomm {
	uint64_t hash;
	uint64_t v[SM_PROMCOMM_VALUES]; /* the tool's counters */
	uint64_t second; /* the last one in which it ran */
	uid_t uid;       /* of the user who holds the label */
	size_t n;
	char label[SM_PROMCOMM_LABEL_MAX]; /* sanitised */
};

struct sm_promcomms {
	struct sm_promcomm comm[SM_PROMCOMM_MAX], others;
	unsigned int n;
	uint64_t second, second_ns; /* number of samples, of those in one second only the first; its time */
	uint64_t refused;         /* programs in a sample that found no label */
	uint64_t seed;
	struct sm_buf label;      /* scratch */
};

void sm_promcomms_init(struct sm_promcomms *s);
void sm_promcomms_fini(struct sm_promcomms *s);
/* A sample begins, at this time (CLOCK_MONOTONIC). */
void sm_promcomms_next(struct sm_promcomms *s, uint64_t now_ns);
struct sm_promcomm_program {
	struct sm_str comm;
	uid_t uid;
	bool kernel;
	bool busy;                /* it may take one of the second half of the labels */
};
/* The counters of a program that ran in this sample: its own, or those of (others). */
uint64_t *sm_promcomms_of(struct sm_promcomms *s, const struct sm_promcomm_program *p);
/* A line of the open family for each program, and (others): v[value] / unit. */
void sm_promcomms_put(const struct sm_promcomms *s, struct sm_prom *p, unsigned int value, double unit);

#endif

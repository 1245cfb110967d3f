/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * promcomm: counters per program for a Prometheus file (--prom), with bounded labels.
 *
 * SM_PROMCOMM_MAX programs have a label; the others are counted in comm="(others)".  Kernel threads
 * whose names are equal up to the first '/' are one program: "[kworker]".  In steady state no memory is
 * allocated.
 *
 * Labels are assigned by these rules:
 * - The second half of the labels is reserved for busy programs, so that idle programs cannot take all
 *   labels at the start.
 * - A program that has not run for SM_PROMCOMM_IDLE seconds and samples may lose its label to a program
 *   that needs one; the program that has been idle longest loses it first.
 * - A user can hold half of the labels that are free.  A label belongs to the user whose process got it.
 *   Root has no such limit, and SM_PROMCOMM_ROOT labels are reserved for root, because a user can have
 *   many user IDs (subuid(5)).
 *
 * A counter never decreases.  The series of a lost label ends, and its value is not added to (others),
 * because that would look like an increase: sum(rate(x[5m])) stays correct.  A program that gets a
 * label again starts a new series at 0, which Prometheus treats as a reset; its use without a label is
 * in (others).
 */
#ifndef SM_PROMCOMM_H
#define SM_PROMCOMM_H

#include "format/prom.h"
#include "proc/procpid.h"

#define SM_PROMCOMM_MAX	   64
#define SM_PROMCOMM_IDLE   60 /* seconds, and samples */
#define SM_PROMCOMM_ROOT   8
#define SM_PROMCOMM_NO_UID ((uid_t)-1) /* unknown user; all programs with it count as one user's */
#define SM_PROMCOMM_VALUES 3
/* A comm of maximum length, with each byte as \xNN, in brackets. */
#define SM_PROMCOMM_LABEL_MAX (4 * SM_PIDSTAT_COMM_MAX + 2)

struct sm_promcomm {
	uint64_t hash;
	uint64_t v[SM_PROMCOMM_VALUES]; /* the tool's counters */
	uint64_t second; /* the last second in which it ran */
	uid_t uid;       /* user who holds the label */
	size_t n;
	char label[SM_PROMCOMM_LABEL_MAX]; /* sanitised */
};

struct sm_promcomms {
	struct sm_promcomm comm[SM_PROMCOMM_MAX], others;
	unsigned int n;
	uint64_t second, second_ns; /* number of seconds with samples; start of the current one */
	uint64_t refused;         /* programs that got no label, summed over the samples */
	uint64_t seed;
	struct sm_buf label;      /* scratch */
};

void sm_promcomms_init(struct sm_promcomms *s);
void sm_promcomms_fini(struct sm_promcomms *s);
/* Starts a sample at this time (CLOCK_MONOTONIC). */
void sm_promcomms_next(struct sm_promcomms *s, uint64_t now_ns);
struct sm_promcomm_program {
	struct sm_str comm;
	uid_t uid;
	bool kernel;
	bool busy;                /* it may get a label of the second half */
};
/* Returns the counters of a program that ran in this sample: its own, or those of (others). */
uint64_t *sm_promcomms_of(struct sm_promcomms *s, const struct sm_promcomm_program *p);
/* Writes a line of the open family for each program and for (others): v[value] / unit. */
void sm_promcomms_put(const struct sm_promcomms *s, struct sm_prom *p, unsigned int value, double unit);

#endif

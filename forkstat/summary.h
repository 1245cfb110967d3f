/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary: the statistics of a run (-S), in bounded memory.
 */
#ifndef FORKSTAT_SUMMARY_H
#define FORKSTAT_SUMMARY_H

#include "base/map.h"
#include "base/strpool.h"
#include "base/loghist.h"
#include "exitcpu.h"
#include "track.h"
#include "view.h"

/* Programs counted one by one; later ones are counted as "(others)". */
#define SUMMARY_PROGRAMS_MAX 8192

struct program {
	struct sm_poolstr *name; /* as shown; NULL: (others) */
	uint64_t count[EVENT_KINDS];
	uint64_t ends;	      /* of processes; exits are of threads, too */
	uint64_t nonzero;     /* of them, those with a status other than 0 */
	uint64_t total;	      /* rows: fork and clone are counted for the parent */
	uint64_t lifetime_ns; /* sum over its ends */
	struct exitcpu_sum cpu;
};

struct summary {
	const struct opts *opts;
	struct exitcpu *cpu; /* NULL: CPU time is not asked for */
	struct sm_strpool *names;
	struct sm_map programs; /* name's address -> struct program */
	struct program others;
	struct sm_buf name, line;
	uint64_t count[EVENT_KINDS]; /* events shown */
	uint64_t ends, nonzero;	     /* as of a program */
	uint64_t failed;	     /* execs, not in count[] */
	uint64_t signals[65], cores[65];
	struct sm_loghist lifetimes; /* ns, of processes that ended */
	uint64_t lifetime_sum_ns;
	uint64_t received, filtered;
	uint64_t lost[LOST_SOURCES];
	uint64_t start_ns;
};

int summary_init(struct summary *s, const struct opts *o, uint64_t now_ns) SM_MUST;
void summary_fini(struct summary *s);
/* One event that passed the filters. */
void summary_add(struct summary *s, const struct row *row);
void summary_lost(struct summary *s, enum lost_source source, uint64_t n);
uint64_t summary_lost_total(const struct summary *s);
/* "lost: kernel 0, output 0, ..." */
void summary_put_lost(const struct summary *s, struct sm_buf *b);
/* At the end of each output: statistics of the table (with -S), the summary record of
 * JSON. */
void summary_show(struct summary *s, struct view *v, uint64_t now_ns);

#endif

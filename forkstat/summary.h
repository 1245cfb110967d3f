/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary: the statistics of a run (-S), in bounded memory.
 */
#ifndef FS_SUMMARY_H
#define FS_SUMMARY_H

#include "hash.h"
#include "intern.h"
#include "stats.h"
#include "track.h"
#include "view.h"

/* Programs counted one by one; later ones are summed up as "(others)". */
#define SUMMARY_PROGRAMS_MAX 8192

struct program {
	struct sm_istr *name;   /* as shown; NULL: the others */
	uint64_t count[FS_NEVENTS];
	uint64_t nonzero;       /* exits that were not 0 */
	uint64_t total;         /* rows: fork and clone are counted for the parent */
	uint64_t lifetime_ns;   /* sum over its exits */
};

struct summary {
	const struct fs_opts *opts;
	struct sm_intern *names;
	struct sm_map programs;     /* name's address -> struct program */
	struct program others;
	struct sm_buf name;
	uint64_t count[FS_NEVENTS]; /* events shown */
	uint64_t nonzero;
	uint64_t signals[65], cores[65];
	struct sm_hist lifetimes;   /* ns, of processes and threads that ended */
	uint64_t lifetime_sum_ns;
	uint64_t received, filtered;
	uint64_t lost[FS_NLOST];
	uint64_t start_ns;
};

int summary_init(struct summary *s, const struct fs_opts *o, uint64_t now_ns) SM_MUST;
void summary_fini(struct summary *s);
/* One event that passed the filters. */
void summary_add(struct summary *s, const struct fs_row *row);
void summary_lost(struct summary *s, enum fs_lost_source source, uint64_t n);
uint64_t summary_lost_total(const struct summary *s);
/* The end of each face: statistics for people (with -S), the summary record of JSON. */
void summary_show(struct summary *s, struct view *v, uint64_t now_ns);

#endif

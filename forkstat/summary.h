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

/* Number of programs that are counted separately; later ones are combined as "(others)". */
#define SUMMARY_PROGRAMS_MAX 8192

struct program {
	struct sm_poolstr *name; /* as shown; NULL: (others) */
	uint64_t count[EVENT_KINDS];
	uint64_t ends;	      /* exits of processes; count[EVENT_EXIT] includes threads */
	uint64_t nonzero;     /* exits of processes with a status other than 0 */
	uint64_t total;	      /* events; fork and clone are counted for the parent */
	uint64_t lifetime_ns; /* sum over the processes that exited */
	struct exitcpu_sum cpu;
};

struct summary {
	const struct opts *opts;
	struct exitcpu *cpu; /* NULL: CPU times are not collected */
	struct sm_strpool *names;
	struct sm_map programs; /* address of the name -> struct program */
	struct program others;
	struct sm_buf name, line;
	uint64_t count[EVENT_KINDS]; /* events shown */
	uint64_t ends, nonzero;	     /* see struct program */
	uint64_t failed;	     /* failed execs, which count[] does not include */
	uint64_t signals[65], cores[65];
	struct sm_loghist lifetimes; /* lifetimes of processes that exited, ns */
	uint64_t lifetime_sum_ns;
	uint64_t received, filtered;
	uint64_t lost[LOST_SOURCES];
	uint64_t start_ns;
};

int summary_init(struct summary *s, const struct opts *o, uint64_t now_ns) SM_MUST;
void summary_fini(struct summary *s);
/* Counts an event that passed the filters. */
void summary_add(struct summary *s, const struct row *row);
static inline void summary_lost(struct summary *s, enum lost_source source, uint64_t n)
{
	s->lost[source] += n;
}
uint64_t summary_lost_total(const struct summary *s);
/* Appends "lost: kernel 0, output 0, ...". */
void summary_put_lost(const struct summary *s, struct sm_buf *b);
/* Ends each output: prints the statistics of a table (with -S), or the JSON summary record. */
void summary_show(struct summary *s, struct view *v, uint64_t now_ns);

#endif

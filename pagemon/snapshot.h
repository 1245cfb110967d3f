/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot: one reading of a process for rows: its mappings, the states of their pages, and its page faults.
 *
 * A snapshot proceeds in steps, so that the loop can handle signals between them.  The process runs while it
 * is read, so each page has the state that it had when it was read.  Nothing here alters the process.
 */
#ifndef PAGEMON_SNAPSHOT_H
#define PAGEMON_SNAPSHOT_H

#include "pages/counts.h"
#include "facts/peek.h"
#include "facts/usage.h"
#include "target/target.h"
#include "facts/vmfacts.h"

/* A run: pages [first, first + n) of mapping number m are in the same state. */
struct page_run {
	size_t m;
	uint64_t first, n;
	uint64_t categories;   /* SM_PAGE_..., PAGE_EXCLUSIVE */
};

struct snapshot;
/* Returns whether more runs can be taken now; if not, the next step continues with the next run. */
typedef bool (*snapshot_run_fn)(void *ctx, const struct snapshot *s, const struct page_run *run);

/* Detail of a snapshot in addition to the totals. */
enum snapshot_detail { SNAPSHOT_TOTALS, SNAPSHOT_MAPPINGS, SNAPSHOT_RUNS };

struct snapshot_totals {
	uint64_t t_ns;         /* CLOCK_MONOTONIC time when the mappings were read */
	uint64_t mappings;
	uint64_t pages;        /* pages of all mappings */
	struct counts counts;
	struct usage usage;    /* with --smaps */
	bool faults_known;
	struct vm_faults faults;
};

struct snapshot {
	struct target target;
	struct space space;
	enum snapshot_detail detail;
	uint64_t known;            /* SM_PAGE_..., PAGE_EXCLUSIVE: categories that `now` contains */
	bool unread;               /* still to be read in the snapshot of the series */
	struct snapshot_totals now; /* the snapshot in progress, or the last one */
	struct snapshot_totals last; /* the last complete snapshot; t_ns 0: not yet taken */
	struct counts *each;       /* SNAPSHOT_MAPPINGS: counts of each mapping of the space */
	bool smaps;                /* --smaps: `usages` are read as well */
	struct usages usages;
	/* private */
	size_t each_cap;
	uint64_t unknown;          /* SM_PAGE_... that this kernel does not support */
	struct pass_reader reader;
	struct pass *pass;
	struct vmfacts facts;
	snapshot_run_fn run_fn;
	void *ctx;
	struct page_run run;       /* run that may continue; n 0: empty */
	struct page_run *runs;     /* runs held back, until they are sorted or the caller takes them */
	size_t nruns, runs_cap;
	size_t handed;             /* number of `runs` that were handed out */
	bool more;                 /* the pass is not complete */
	bool held;                 /* runs are held back until the end: a reading pass does not visit the
	                            * mappings in order, and hidden pages are determined at the end */
	int err;
};

/* Initializes a snapshot without an open target.  -ENOMEM. */
int snapshot_init(struct snapshot *s, enum snapshot_detail detail) SM_MUST;
void snapshot_fini(struct snapshot *s);
/* Prepares reading a target that was opened or executed another program.  dirty_known: the kernel keeps
 * soft-dirty bits.  -ENOTTY: see pass_reader_init(). */
int snapshot_attach(struct snapshot *s, enum pass_method method, int self_pagemap_fd, bool dirty_known)
	SM_MUST;
/* Begins a snapshot and reads the mappings.  With SNAPSHOT_RUNS, fn is called for each run, in order of
 * address.  -ESRCH: see target_check(). */
int snapshot_begin(struct snapshot *s, snapshot_run_fn fn, void *ctx) SM_MUST;
/* Reads for about budget_ns.  Returns 1 if there is more, 0 if s->last is complete, or -errno. */
int snapshot_step(struct snapshot *s, uint64_t budget_ns) SM_MUST;

#endif

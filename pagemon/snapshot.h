/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot: one reading of all pages of a process, for rows: its mappings, a pass over them, its page
 * faults.
 *
 * A snapshot is begun and then goes on in steps, so that the loop takes signals meanwhile. The pages are
 * read while the process runs: each is right for the moment at which it was read. Nothing of the process
 * is changed but by snapshot_clear().
 */
#ifndef PAGEMON_SNAPSHOT_H
#define PAGEMON_SNAPSHOT_H

#include "pages/counts.h"
#include "facts/peek.h"
#include "target/target.h"
#include "facts/vmfacts.h"

/* Pages [first, first + n) of mapping number m are in the same state. */
struct page_run {
	size_t m;
	uint64_t first, n;
	uint64_t categories;   /* SM_PAGE_..., PAGE_EXCLUSIVE */
};

struct snapshot;
typedef void (*snapshot_run_fn)(void *ctx, const struct snapshot *s, const struct page_run *run);

/* What is counted besides the totals. */
enum snapshot_detail { SNAPSHOT_TOTALS, SNAPSHOT_MAPPINGS, SNAPSHOT_RUNS };

struct snapshot_totals {
	uint64_t t_ns;         /* CLOCK_MONOTONIC, of the reading of the mappings */
	uint64_t mappings;
	uint64_t pages;        /* of all mappings */
	struct counts counts;
	bool faults_known;
	struct vm_faults faults;
};

struct snapshot {
	struct target target;
	struct space space;
	enum snapshot_detail detail;
	uint64_t known;            /* SM_PAGE_..., PAGE_EXCLUSIVE: what could be told of `now` */
	struct snapshot_totals now; /* of the snapshot that is being taken, or was last taken */
	struct snapshot_totals last; /* complete; t_ns 0: none yet */
	struct counts *each;       /* SNAPSHOT_MAPPINGS: of each mapping of the space */
	/* own */
	size_t each_cap;
	uint64_t unknown;          /* SM_PAGE_... that mean nothing on this kernel */
	struct pass_reader reader;
	struct pass *pass;
	struct vmfacts facts;
	snapshot_run_fn run_fn;
	void *ctx;
	struct page_run run;       /* may go on; n 0: none */
	struct page_run *runs;     /* held back, to be put in order */
	size_t nruns, runs_cap;
	int err;
};

/* -ENOMEM.  The target is not open. */
int snapshot_init(struct snapshot *s, enum snapshot_detail detail) SM_MUST;
void snapshot_fini(struct snapshot *s);
/* The target is open, or has executed another program.  dirty_known: the kernel keeps soft-dirty bits.
 * -ENOTTY: see pass_reader_init(). */
int snapshot_attach(struct snapshot *s, enum pass_method method, int self_pagemap_fd, bool dirty_known)
	SM_MUST;
/* Reads the mappings.  fn: called for each run of SNAPSHOT_RUNS, in order of address.  -ESRCH: see
 * target_check(). */
int snapshot_begin(struct snapshot *s, snapshot_run_fn fn, void *ctx) SM_MUST;
/* Goes on for about so much CPU time.  1: there is more, 0: s->last is new, or -errno. */
int snapshot_step(struct snapshot *s, uint64_t budget_ns) SM_MUST;
/* Clears the soft-dirty bits. */
int snapshot_clear(struct snapshot *s) SM_MUST;

#endif

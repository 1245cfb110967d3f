/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * accum: sums of rows by identity, in bounded memory.
 *
 * Used three times: the grand total of a run (-g), the merge of sub-samples (-m), and groups
 * (-G).  An entry holds copies of the names (comm's bytes, a reference to cmd and cgroup), so it
 * outlives the task.  Beyond max_entries the entries with the least CPU time that were not
 * added to since the last accum_begin() are merged into one CS_OTHERS row: sums stay exact.
 *
 * A sample's share of an entry is folded into its least and greatest percentage when the next
 * one comes, so that no sample costs a pass over all entries.
 */
#ifndef CS_ACCUM_H
#define CS_ACCUM_H

#include "hash.h"
#include "sample.h"

struct accum_entry;

struct accum {
	struct sm_map map;          /* key -> index in entries + 1 */
	struct accum_entry *entries;
	size_t n, cap, max_entries;
	uint64_t samples;           /* accum_begin() calls since the reset */
	uint64_t span_ns;           /* sum of their dt_ns */
	uint64_t dt_ns;             /* of the last one */
	uint64_t full_at;           /* the sample that found no entry to merge */
	struct sm_intern *names;    /* whose references are given back */
	struct cs_row others;       /* merged entries; members 0: none.  total_ns is used_ns */
	struct cs_row *rows;        /* what accum_rows() hands out; cap + 1 */
};

/* The identity of a row (kind, pid, start_ticks, and comm but for threads of the kernel) as a key;
 * never 0. */
uint64_t cs_row_key(const struct cs_row *row, uint64_t seed);

int accum_init(struct accum *a, struct sm_intern *names, size_t max_entries) SM_MUST;
/* Takes the memory for n entries now, so that it does not grow later; not with entries in it. */
int accum_reserve(struct accum *a, size_t n) SM_MUST;
void accum_fini(struct accum *a);
/* Forgets all, keeps the memory. */
void accum_reset(struct accum *a);
/* One sample of length dt_ns begins. */
void accum_begin(struct accum *a, uint64_t dt_ns);
/* Adds used, usr, sys, wait; state, cpu, names, total_ns and members are the newest (their sum
 * where several rows of one sample have the same key).  key 0: the identity; otherwise the
 * caller's (groups).  -ENOMEM: the row was merged into the others. */
int accum_add(struct accum *a, uint64_t key, const struct cs_row *row) SM_MUST;
/* Gives the entry of the key, if there is one, the comm of another row, and its [ ]. */
void accum_rename(struct accum *a, uint64_t key, const struct cs_row *as);
/* min_pct and max_pct as accum_rows() would give them; -ENOENT. */
int accum_extremes(const struct accum *a, uint64_t key, float *min_pct, float *max_pct) SM_MUST;
/* All entries, others last, as rows whose dt_ns is span_ns (a task that was idle in some of the
 * samples used 0 there); min_pct and max_pct are those over the samples, with 0 for samples
 * without the task (so min <= mean <= max), and NAN, not known, for the others.  For a key that
 * several rows of one sample add to (groups), the sample's value is their sum.  Valid until the
 * next call. */
size_t accum_rows(struct accum *a, struct cs_row **rows);

#endif

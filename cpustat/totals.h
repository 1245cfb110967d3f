/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * totals: sums of rows by identity, in bounded memory.
 *
 * They serve three purposes: the grand total of a run (-g), the merge of sub-samples (-m), and groups
 * (-G).  An entry holds copies of the names (the bytes of comm, a reference to cmd and cgroup), so it
 * outlives the task.  A full table merges the entries with the least CPU time that are not in the
 * current sample into one ROW_OTHERS row: sums stay exact.
 *
 * The minimum and maximum of an entry take its percentage of a sample when the entry's next sample
 * begins, so that a sample costs no pass over all entries.
 */
#ifndef CPUSTAT_TOTALS_H
#define CPUSTAT_TOTALS_H

#include "base/map.h"
#include "sample.h"

struct totals_entry;

struct totals {
	struct sm_map map;          /* key -> index in entries + 1 */
	struct totals_entry *entries;
	size_t n, cap, max_entries;
	uint64_t samples;           /* totals_begin() calls since the reset */
	uint64_t span_ns;           /* sum of their dt_ns */
	uint64_t dt_ns;             /* of the last one */
	uint64_t full_at;           /* the sample in which no entry could be merged */
	struct sm_strpool *names;    /* the pool of cmd and cgroup */
	struct row others;       /* merged entries; members 0: none.  total_ns = used_ns */
	struct row *rows;        /* returned by totals_rows(); cap + 1 */
};

/* The identity of a row as a key, never 0: kind, pid, start_ticks, and comm except of kernel threads. */
uint64_t row_key(const struct row *row, uint64_t seed);

int totals_init(struct totals *a, struct sm_strpool *names, size_t max_entries) SM_MUST;
/* Allocates memory for n entries in advance; only without entries. */
int totals_reserve(struct totals *a, size_t n) SM_MUST;
void totals_fini(struct totals *a);
/* Removes all entries and keeps the memory. */
void totals_reset(struct totals *a);
/* One sample of length dt_ns begins. */
void totals_begin(struct totals *a, uint64_t dt_ns);
/* Adds used, usr, sys and wait; state, cpu, names, total_ns and members are those of the last sample
 * (the last two are sums if several rows of a sample have the same key).  key 0: the identity;
 * otherwise the caller's key (groups).  -ENOMEM: the row was merged into the others. */
int totals_add(struct totals *a, uint64_t key, const struct row *row) SM_MUST;
/* Gives the entry of the key, if any, the comm and ROW_KTHREAD of another row. */
void totals_rename(struct totals *a, uint64_t key, const struct row *as);
/* min_pct and max_pct as in totals_rows(); -ENOENT. */
int totals_extremes(const struct totals *a, uint64_t key, float *min_pct, float *max_pct) SM_MUST;
/* All entries, others last, as rows whose dt_ns is span_ns.  min_pct and max_pct are over all samples:
 * 0 in samples without the task (so min <= mean <= max), the sum in samples where several rows have
 * the same key; NAN (unknown) for the others.  Valid until the next call. */
size_t totals_rows(struct totals *a, struct row **rows);

#endif

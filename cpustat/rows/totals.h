/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * totals: sums of rows by identity, in bounded memory.
 *
 * They serve three purposes: the grand total of a run (-g), the merge of sub-samples (-m), and groups
 * (-G).  An entry holds copies of the names (the bytes of comm, a reference to cmd and cgroup), so it
 * outlives the task.  A full table merges the entries with the least CPU time that are not in the
 * current sample into one ROW_OTHERS row, so sums stay exact.
 *
 * The minimum and maximum of an entry are updated with its percentage in a sample when the entry's next
 * sample begins, so that a sample does not need a pass over all entries.
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
	uint64_t span_ns;           /* sum of the dt_ns of these samples */
	uint64_t dt_ns;             /* dt_ns of the last sample */
	uint64_t full_at;           /* number of the sample in which no entry could be merged */
	struct sm_strpool *names;    /* the pool of cmd and cgroup */
	struct row others;       /* merged entries, if members > 0; total_ns = used_ns */
	struct row *rows;        /* returned by totals_rows(); cap + 1 */
};

/* Returns the identity of a row as a key, never 0, from kind, pid, start_ticks and, except for kernel
 * threads, comm. */
uint64_t row_key(const struct row *row, uint64_t seed);

int totals_init(struct totals *a, struct sm_strpool *names, size_t max_entries) SM_MUST;
/* Allocates memory for n entries in advance.  The table must be empty. */
int totals_reserve(struct totals *a, size_t n) SM_MUST;
void totals_fini(struct totals *a);
/* Removes all entries and keeps the memory. */
void totals_reset(struct totals *a);
/* Begins a sample of length dt_ns. */
void totals_begin(struct totals *a, uint64_t dt_ns);
/* Adds used, usr, sys and wait of a row to the entry with this key.  State, cpu, names, total_ns and members
 * are taken from the last sample (the last two are sums if several rows of a sample have one key). key: 0 for
 * the identity of the row, otherwise a key of the caller (groups).  Returns -ENOMEM if the row was merged
 * into the others. */
int totals_add(struct totals *a, uint64_t key, const struct row *row) SM_MUST;
/* Sets comm and ROW_KTHREAD of the entry with this key, if any, to those of another row. */
void totals_rename(struct totals *a, uint64_t key, const struct row *as);
/* Returns min_pct and max_pct as in totals_rows(), or -ENOENT. */
int totals_extremes(const struct totals *a, uint64_t key, float *min_pct, float *max_pct) SM_MUST;
/* Returns all entries, others last, as rows whose dt_ns is span_ns, valid until the next call. min_pct and
 * max_pct are over all samples: 0 in samples without the task (so min <= mean <= max), the sum in samples in
 * which several rows have one key, and NAN (unknown) for the others. */
size_t totals_rows(struct totals *a, struct row **rows);

#endif

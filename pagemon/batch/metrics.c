// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "metrics.h"

#define PREFIX "sysmon_pagemon_"

enum field {
	MAPPED, /* the first of pages, in the order of pages[] of value() */
	PRESENT,
	SWAP,
	FILE_,
	ZERO,
	HUGE,
	GUARD,
	DIRTY,
	EXCLUSIVE,
	PSS, /* the first of --smaps, in the order of enum usage_key */
	SWAP_PSS,
	REFERENCED,
	LAZY_FREE,
	LOCKED,
	DELETED,
	MAPPINGS,
	MINOR,
	MAJOR,
	FIELDS
};

static const struct {
	const char *name, *type, *help;
	uint64_t category; /* 0: always known */
} family[FIELDS] = {
	[MAPPED] = {PREFIX "mapped_bytes", "gauge", "Size of all mappings.", 0},
	[PRESENT] = {PREFIX "present_bytes", "gauge", "Present pages.", 0},
	[SWAP] = {PREFIX "swap_bytes", "gauge", "Swapped-out pages.", SM_PAGE_SWAPPED},
	[FILE_] = {PREFIX "file_bytes", "gauge", "Present pages of files, or shared.", 0},
	[ZERO] = {PREFIX "zero_bytes", "gauge", "Present pages that are the zero page.",
		SM_PAGE_ZERO},
	[HUGE] = {PREFIX "huge_bytes", "gauge",
		"Present pages mapped by huge page table entries.", SM_PAGE_HUGE},
	[GUARD] = {PREFIX "guard_bytes", "gauge", "Guard regions.", SM_PAGE_GUARD},
	[DIRTY] = {PREFIX "dirty_bytes", "gauge", "Soft-dirty pages.",
		SM_PAGE_SOFT_DIRTY},
	[EXCLUSIVE] = {PREFIX "exclusive_bytes", "gauge",
		"Present pages mapped exactly once.", PAGE_EXCLUSIVE},
	[PSS] = {PREFIX "pss_bytes", "gauge", "Proportional share of present pages.", 0},
	[SWAP_PSS] = {PREFIX "swap_pss_bytes", "gauge",
		"Proportional share of swapped-out pages.", 0},
	[REFERENCED] = {PREFIX "referenced_bytes", "gauge", "Pages marked as accessed.",
		0},
	[LAZY_FREE] = {PREFIX "lazy_free_bytes", "gauge",
		"Present pages freed with MADV_FREE.", 0},
	[LOCKED] = {PREFIX "locked_bytes", "gauge", "Proportional share of locked pages.",
		0},
	[DELETED] = {PREFIX "deleted_bytes", "gauge",
		"Size of mappings of deleted files.", 0},
	[MAPPINGS] = {PREFIX "mappings", "gauge", "Number of mappings.", 0},
	[MINOR] = {PREFIX "minor_faults_total", "counter", "Minor page faults.", 0},
	[MAJOR] = {PREFIX "major_faults_total", "counter", "Major page faults.", 0},
};

static bool value(const struct snapshot *s, enum field f, uint64_t *out)
{
	const struct snapshot_totals *t = &s->last;
	const struct counts *c = &t->counts;
	const uint64_t pages[] = {t->pages, c->present, c->swapped, c->file, c->zero,
		c->huge, c->guard, c->dirty, c->exclusive};

	if (f >= PSS && f <= DELETED) {
		*out = t->usage.kb[f - PSS] * 1024;
		return t->usage.known >> (f - PSS) & 1;
	}
	if (f == MAPPINGS) {
		*out = t->mappings;
		return true;
	}
	if (f == MINOR || f == MAJOR) {
		*out = f == MINOR ? t->faults.minor : t->faults.major;
		return t->faults_known;
	}
	*out = pages[f] * s->space.page_bytes;
	return !family[f].category || s->known & family[f].category;
}

static void put(struct sm_prom *p, const struct snapshot *s, uint64_t v)
{
	char pid[16];
	int n = snprintf(pid, sizeof(pid), "%d", (int)s->target.pid);
	const struct sm_prom_label labels[] = {{"pid", {pid, (size_t)n}},
		{"comm", {s->target.stat.comm, s->target.stat.comm_len}}};

	sm_prom_u64(p, NULL, labels, SM_ARRAY_SIZE(labels), v);
}

static void put_if_known(struct sm_prom *p, const struct snapshot *s, enum field f)
{
	uint64_t v;

	if (s->last.t_ns && !target_over(s->target.state) && value(s, f, &v))
		put(p, s, v);
}

void metrics_write(struct sm_prom *p, const struct snapshot *procs, size_t n,
	const struct metrics_of_run *m)
{
	for (enum field f = 0; f < FIELDS; f++) {
		sm_prom_family(p, family[f].name, family[f].type, family[f].help);
		for (size_t i = 0; i < n; i++)
			put_if_known(p, &procs[i], f);
	}
	sm_prom_result(p, PREFIX "peak_bytes", "Largest resident memory of COMMAND.");
	if (m->command && m->peak_kb)
		put(p, m->command, m->peak_kb * 1024);
	sm_prom_one(
		p, PREFIX "samples_total", "counter", "Snapshots taken.", m->snapshots);
	sm_prom_one(p, PREFIX "missed_samples_total", "counter",
		"Snapshots missed during another one, or skipped to limit CPU use.",
		m->missed);
	sm_prom_one(p, PREFIX "lost_rows_total", "counter", "Rows lost to a slow reader.",
		m->lost_rows);
}

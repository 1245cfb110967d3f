// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "../columns.h"
#include "metrics.h"
#include "values.h"

#define PREFIX "sysmon_pagemon_"

#define BYTES(column, name, help)                                 \
	{                                                         \
		column, true, PREFIX name "_bytes", "gauge", help \
	}

/* Metrics of a process, from the values of its row; sizes are in kB there. */
static const struct {
	unsigned int column;
	bool bytes;
	const char *name, *type, *help;
} family[] = {
	BYTES(C_MAPPED, "mapped", "Size of all mappings."),
	BYTES(C_PRESENT, "present", "Present pages."),
	BYTES(C_SWAP, "swap", "Swapped-out pages."),
	BYTES(C_FILE, "file", "Present pages of files, or shared."),
	BYTES(C_ZERO, "zero", "Present pages that are the zero page."),
	BYTES(C_HUGE, "huge", "Present pages mapped by huge page table entries."),
	BYTES(C_GUARD, "guard", "Guard regions."),
	BYTES(C_DIRTY, "dirty", "Soft-dirty pages."),
	BYTES(C_EXCL, "exclusive", "Present pages mapped exactly once."),
	BYTES(C_PSS, "pss", "Proportional share of present pages."),
	BYTES(C_SWAP_PSS, "swap_pss", "Proportional share of swapped-out pages."),
	BYTES(C_REFERENCED, "referenced", "Pages marked as accessed."),
	BYTES(C_LAZY_FREE, "lazy_free", "Present pages freed with MADV_FREE."),
	BYTES(C_LOCKED, "locked", "Proportional share of locked pages."),
	BYTES(C_DELETED, "deleted", "Size of mappings of deleted files."),
	{C_MAPPINGS, false, PREFIX "mappings", "gauge", "Number of mappings."},
	{C_MINFLT, false, PREFIX "minor_faults_total", "counter", "Minor page faults."},
	{C_MAJFLT, false, PREFIX "major_faults_total", "counter", "Major page faults."},
};

static void put(struct sm_prom *p, const struct snapshot *s, uint64_t v)
{
	char pid[16];
	int n = snprintf(pid, sizeof(pid), "%d", (int)s->target.pid);
	const struct sm_prom_label labels[] = {{"pid", {pid, (size_t)n}},
		{"comm", {s->target.stat.comm, s->target.stat.comm_len}}};

	sm_prom_u64(p, NULL, labels, SM_ARRAY_SIZE(labels), v);
}

static void put_if_known(struct sm_prom *p, const struct snapshot *s, size_t f)
{
	struct sm_value val[C_N];

	if (!s->last.t_ns || target_over(s->target.state))
		return;
	values_process(s, &s->last, val);
	if (val[family[f].column].type != SM_VALUE_NONE)
		put(p, s, val[family[f].column].u * (family[f].bytes ? 1024 : 1));
}

void metrics_write(struct sm_prom *p, const struct snapshot *procs, size_t n,
	const struct metrics_of_run *m)
{
	for (size_t f = 0; f < SM_ARRAY_SIZE(family); f++) {
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

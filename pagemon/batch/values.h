/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * values: the values of a row.  A value that the kernel does not report is missing, not 0.
 */
#ifndef PAGEMON_VALUES_H
#define PAGEMON_VALUES_H

#include "format/table.h"
#include "../snapshot.h"

/* Storage for the text values of a row. */
struct values_text {
	char range[40], start[24], end[24];
	char perms[5], offset[24], device[24];
	char state[64];
};

/* Set all C_N values of val. */
void values_exited(const struct snapshot *s, uint64_t t_ns, uint64_t peak_kb, struct sm_value *val);
/* t: the totals of s, of the snapshot in progress or of the last one. */
void values_process(const struct snapshot *s, const struct snapshot_totals *t, struct sm_value *val);
void values_mapping(
	const struct snapshot *s, size_t m, struct values_text *text, struct sm_value *val);
void values_run(const struct snapshot *s, const struct page_run *run, struct values_text *text,
	struct sm_value *val);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "report.h"
#include "rows/totals.h"

struct sm_widecsv_want report_want(const struct opts *o)
{
	return (struct sm_widecsv_want){.path = o->report,
		.names = "Task:",
		.amounts = "Ticks:",
		.amount_unit = SM_NSEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK),
		.clock = o->heading_time ? SM_WIDECSV_CLOCK_SECOND : SM_WIDECSV_NO_CLOCK};
}

static uint32_t new_column(struct sm_widecsv *w, uint64_t key, const struct row *row)
{
	char text[SM_PIDSTAT_COMM_MAX + 48];
	size_t n = row->comm.n < SM_PIDSTAT_COMM_MAX ? row->comm.n : SM_PIDSTAT_COMM_MAX;
	struct sm_widecsv_name name = {
		.name = {text, 0}, .task = {row->pid, row->tgid, row->start_ticks}};

	if (n)
		memcpy(text, row->comm.p, n);
	else
		text[n++] = '-';
	n += (size_t)snprintf(text + n, sizeof(text) - n, "%s",
		row->kind == ROW_EXITED ? " (exited children)" : "");
	name.name.n = n;
	return sm_widecsv_column(w, key, &name);
}

static void add_row(struct sm_widecsv *w, const struct row *row, double scale)
{
	uint64_t key = row_key(row, sm_widecsv_seed(w));
	uint32_t column;

	if (sm_widecsv_find(w, key, &column) < 0)
		column = new_column(w, key, row);
	sm_widecsv_value(w, column, percent(row, row->used_ns) * scale, row->used_ns);
}

int report_add(struct sm_widecsv *w, const struct sample *s, const struct row *rows,
	size_t n, double scale)
{
	int err = s->dt_ns ? sm_widecsv_begin(w, s->t_ns, s->wall_ns) : 0;

	if (err || !s->dt_ns)
		return err;
	for (size_t i = 0; i < n; i++)
		if (rows[i].kind <= ROW_EXITED && rows[i].used_ns)
			add_row(w, &rows[i], scale);
	return sm_widecsv_end(w);
}

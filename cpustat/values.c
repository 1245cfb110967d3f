// SPDX-License-Identifier: GPL-2.0-or-later
#include "values.h"

void values_percent(const struct row *row, double scale, struct sm_value *val)
{
	val[C_CPU_PCT] = sm_value_double(scale * percent(row, row->used_ns));
	val[C_USR_PCT] = sm_value_double(scale * percent(row, row->usr_ns));
	val[C_SYS_PCT] = sm_value_double(scale * percent(row, row->sys_ns));
	if (row->flags & ROW_HAS_WAIT)
		val[C_WAIT_PCT] = sm_value_double(scale * percent(row, row->wait_ns));
	val[C_MIN_PCT] = sm_value_double(scale * (double)row->min_pct);
	val[C_MAX_PCT] = sm_value_double(scale * (double)row->max_pct);
}

/* Returns whether the CPU time since the start of the task is known.  Time that belongs
 * to no task lacks a start; for exited and merged tasks it can be unknown. */
static bool since_start(const struct row *row)
{
	switch (row->kind) {
	case ROW_SOFTIRQ:
	case ROW_IRQ:
	case ROW_UNACCOUNTED:
		return false;
	case ROW_PROCESS:
	case ROW_THREAD:
		return true;
	default:
		return row->total_ns != 0;
	}
}

void values_task(const struct row *row, struct sm_value *val)
{
	if (row->pid)
		val[C_PID] = sm_value_u64((uint64_t)row->pid);
	if (row->tgid)
		val[C_TGID] = sm_value_u64((uint64_t)row->tgid);
	if (row->state)
		val[C_STATE] = sm_value_text(&row->state, 1);
	if (row->cpu >= 0)
		val[C_CPU] = sm_value_u64((uint64_t)row->cpu);
	if (row->members)
		val[C_MEMBERS] = sm_value_u64(row->members);
	if (since_start(row))
		val[C_TOTAL] =
			(struct sm_value){.type = SM_VALUE_CPU_TIME, .u = row->total_ns};
}

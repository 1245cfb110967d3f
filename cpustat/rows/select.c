// SPDX-License-Identifier: GPL-2.0-or-later
#include <unistd.h>

#include "base/array.h"
#include "proc/cgroup.h"
#include "proc/taskname.h"
#include "select.h"

/* Returns the command line; kernel threads do not have one. */
static struct sm_str command_of(const struct row *row)
{
	return sm_strpool_str(row->flags & ROW_KTHREAD ? NULL : row->cmd);
}

static bool uid_match(const struct sm_opt_list *uids, const struct row *row)
{
	return row->flags & ROW_HAS_UID && sm_opt_list_has(uids, row->uid);
}

static bool any_filter(const struct opts *o)
{
	return o->pids.n || o->uids.n || o->name_glob || o->text || o->cgroup;
}

bool select_match(const struct opts *o, const struct row *row)
{
	if (row->kind > ROW_GROUP)
		return !any_filter(o);
	if (row->kind == ROW_GROUP) /* its members passed */
		return true;
	if (o->ignore_self && row->flags & ROW_SELF)
		return false;
	if (!sm_opt_list_selects(&o->pids, (uint32_t)row->pid, (uint32_t)row->tgid))
		return false;
	if (o->uids.n && !uid_match(&o->uids, row))
		return false;
	if (o->name_glob && !sm_taskname_is(o->name_glob, row->comm, command_of(row)))
		return false;
	if (o->text && !sm_taskname_has(o->text, row->comm, command_of(row)))
		return false;
	return !o->cgroup ||
	       (row->cgroup && sm_cgroup_below(o->cgroup, sm_strpool_str(row->cgroup)));
}

bool select_over_threshold(const struct opts *o, const struct row *row)
{
	double used = (double)row->used_ns, dt = (double)row->dt_ns;
	double user_hz = (double)sysconf(_SC_CLK_TCK);

	/* A division could exclude, by rounding, a row that is exactly at the
	 * threshold. */
	return used * 1000 * user_hz >= (double)o->threshold_mticks * dt &&
	       used * 10000 >= (double)o->threshold_centi_pct * dt;
}

size_t select_rows(const struct opts *o, struct row *rows, size_t n)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		if (!select_match(o, &rows[i]) || !select_over_threshold(o, &rows[i]))
			continue;
		if (i != m)
			SM_SWAP(rows[i], rows[m]);
		m++;
	}
	return m;
}

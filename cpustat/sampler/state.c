// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/array.h"
#include "base/clock.h"
#include "proc/procstat.h"
#include "state.h"

bool state_same(const struct sampler *s, size_t i, const struct sm_pidstat *st)
{
	const struct task *t = state_task(s, i);

	if (t && t->seen)
		return t->start_ticks == st->start_ticks;
	/* The entry is new, or it existed at the last sample but its start time is
	 * unknown. */
	return (s->pids.ns[i] == 0 && s->pids.ppid[i] == 0) ||
	       st->start_ticks <= s->t_ticks;
}

int64_t state_difference(uint64_t a, uint64_t b)
{
	const int64_t max = INT64_MAX / 4;
	int64_t d = (int64_t)(a - b);

	if (d > max)
		return max;
	return d < -max ? -max : d;
}

uint64_t state_now_ns(const struct sampler *s)
{
	uint64_t ns;

	if (!s->own_time)
		return sm_clock_mono_ns();
	return sm_procstat_uptime_ns(s->root, &ns) == 0 ? ns : s->t_ns;
}

void state_stamp(struct sampler *s, uint64_t t_ns)
{
	s->now.t_ns = t_ns;
	s->now.wall_ns = t_ns + (uint64_t)sm_clock_wall_offset_ns();
	s->now.dt_ns = s->t_ns && t_ns > s->t_ns ? t_ns - s->t_ns : 0;
}

static void describe(const struct sampler *s, const struct task *t, struct row *row)
{
	row->pid = row->tgid = t->pid;
	row->ppid = t->ppid;
	row->state = t->state;
	row->cpu = t->cpu;
	row->start_ticks = t->start_ticks;
	row->comm = (struct sm_str){t->comm, t->comm_len};
	row->cmd = t->cmd;
	row->cgroup = t->cgroup;
	row->total_ns = t->ns;
	row->dt_ns = t->dt_ns;
	if (t->flags & TASK_KTHREAD)
		row->flags |= ROW_KTHREAD;
	if (t->pid == s->self)
		row->flags |= ROW_SELF;
	if (t->flags & TASK_CREDS) {
		row->flags |= ROW_HAS_UID;
		row->uid = t->uid;
	}
}

struct row *state_add_row(struct sampler *s, enum row_kind kind, const struct task *t)
{
	int err =
		sm_array_reserve(&s->rows, &s->rows_cap, s->nrows + 1, sizeof(*s->rows));
	struct row *row;

	if (err) {
		s->err = err;
		return NULL;
	}
	row = &s->rows[s->nrows++];
	*row = (struct row){.kind = (uint8_t)kind, .cpu = -1, .members = 1};
	if (t)
		describe(s, t, row);
	return row;
}

/* A reading that took this long, and per process more than SLOW_TIMES as long as the
 * fastest one, was interrupted. */
#define SLOW_NS	   (SM_NSEC_PER_MSEC / 2)
#define SLOW_TIMES 4

bool state_interrupted(struct sampler *s, size_t n, uint64_t took_ns)
{
	uint64_t each_ns = took_ns / n;

	if (!s->fastest_ns || each_ns < s->fastest_ns)
		s->fastest_ns = each_ns;
	return took_ns >= SLOW_NS && each_ns > SLOW_TIMES * s->fastest_ns;
}

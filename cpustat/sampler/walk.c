// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "children.h"
#include "proc/cpuclock.h"
#include "walk.h"

#define ROOM_MIN  2048u
#define MAX_WALKS 4

bool walk_open(struct sampler *s)
{
	struct sm_loadavg load = {0};
	uint32_t room = ROOM_MIN;

	if (!s->clocks || !s->machine || s->opts->source == SOURCE_CLOCK ||
		!sm_root_initial_timens(s->root))
		return false;
	/* Threads count too, so that there is room for twice as many processes. */
	if (sm_procstat_read_loadavg(&s->pids.loadavg, &load) == 0 &&
		load.tasks > room / 2)
		room = 2 * load.tasks;
	s->walks = sm_taskwalk_open(&s->walk, s->root, room, NULL) == 0;
	return s->walks;
}

uint64_t walk_begun_ns(const struct sampler *s)
{
	return sm_taskwalk_head(&s->walk)->begun_ns;
}

/* Runs the program.  If it fails, the clocks are used from then on. */
static bool run(struct sampler *s)
{
	if (s->walks && sm_taskwalk_run(&s->walk) < 0) {
		s->walks = false;
		s->pids.rescan = true;
	}
	return s->walks;
}

static bool was_interrupted(struct sampler *s)
{
	const struct sm_taskwalk_head *head = sm_taskwalk_head(&s->walk);

	return head->n && state_interrupted(s, head->n, head->ended_ns - head->begun_ns);
}

/* Only a sample's first walk changes fastest_ns: the caches of the others are warm. */
static bool run_in_one_go(struct sampler *s)
{
	uint64_t fastest_ns;
	bool again = run(s) && was_interrupted(s);

	fastest_ns = s->fastest_ns;
	for (int i = 1; again && i < MAX_WALKS; i++)
		again = run(s) && was_interrupted(s);
	s->fastest_ns = fastest_ns;
	return s->walks;
}

/* Notes the record of each process in the list and the processes that are not there. */
static int match(struct sampler *s, bool create)
{
	const struct sm_taskwalk_raw *r = sm_taskwalk_records(&s->walk);
	struct pidlist *l = &s->pids;
	ssize_t i = 0;
	int err = 0;

	for (size_t k = 0; k < l->n; k++)
		l->record[k] = 0;
	for (uint32_t k = 0; k < sm_taskwalk_head(&s->walk)->n && !err; k++) {
		/* Both orders are nearly equal. */
		if ((size_t)i >= l->n || l->pid[i] != r[k].pid)
			i = pidlist_find(l, r[k].pid);
		if (i >= 0)
			l->record[i] = k + 1;
		else if (create)
			err = pidlist_add(l, r[k].pid);
		i++;
	}
	return err;
}

int walk_begin(struct sampler *s)
{
	int err;

	if (!run_in_one_go(s))
		return 0;
	s->pids.ncreated = 0;
	s->pids.load_read = false;
	s->last_stamp = walk_begun_ns(s);
	state_stamp(s, s->last_stamp);
	err = match(s, true);
	if (!err && s->pids.ncreated)
		err = pidlist_admit(&s->pids);
	return err ? err : match(s, false);
}

bool walk_is_complete(struct sampler *s)
{
	const struct sm_taskwalk_raw *r = sm_taskwalk_records(&s->walk);
	struct pidlist *l = &s->pids;
	struct sm_loadavg load;
	struct sm_pidstat st;
	uint64_t threads = 0;

	if (sm_procstat_read_loadavg(&l->loadavg, &load) < 0)
		return false;
	for (uint32_t k = 0; k < sm_taskwalk_head(&s->walk)->n; k++)
		threads += r[k].threads;
	if (pidlist_find(l, 1) >= 0)
		return threads == load.tasks;
	return sm_procpid_read_stat(s->root, 1, &st) == 0 &&
	       threads + (uint64_t)st.num_threads == load.tasks &&
	       pidlist_add(l, 1) == 0 && pidlist_admit(l) == 0;
}

const struct sm_taskwalk_raw *walk_record(const struct sampler *s, size_t i)
{
	uint32_t at = s->walks ? s->pids.record[i] : 0;

	return at ? &sm_taskwalk_records(&s->walk)[at - 1] : NULL;
}

/* The clocks of all threads are read with the threads (thread_rows.h). */
static bool has_ns(const struct sampler *s, size_t i, const struct sm_taskwalk_raw *r)
{
	return sm_taskwalk_has_ns(r) && r->ns >= s->pids.ns[i] &&
	       (!s->opts->threads || (r->flags & SM_PF_KTHREAD));
}

int walk_ns(const struct sampler *s, size_t i, uint64_t *ns)
{
	const struct sm_taskwalk_raw *r = walk_record(s, i);

	if (!r || !has_ns(s, i, r))
		return sm_cpuclock_ns(s->pids.pid[i], ns);
	*ns = r->ns;
	return 0;
}

int walk_stat(const struct sampler *s, size_t i, struct sm_pidstat *st)
{
	const struct sm_taskwalk_raw *r = walk_record(s, i);

	if (r && sm_taskwalk_stat(r, st))
		return 0;
	return sm_procpid_read_stat(s->root, s->pids.pid[i], st);
}

int walk_times(const struct sampler *s, size_t i, struct sm_pidstat *st)
{
	const struct sm_taskwalk_raw *r = walk_record(s, i);

	if (!r || !sm_taskwalk_has_ns(r))
		return sm_procpid_read_stat(s->root, s->pids.pid[i], st);
	(void)sm_taskwalk_stat(r, st);
	return 0;
}

void walk_again(struct sampler *s)
{
	struct pidlist *l = &s->pids;
	uint64_t ns;

	if (!run(s))
		return;
	(void)match(s, false);
	for (size_t i = 0; i < l->n; i++)
		if (l->pid[i] > 0 && !l->record[i] && walk_ns(s, i, &ns) < 0)
			children_exited(s, i);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>

#include "base/parse.h"
#include "proc/cpuclock.h"
#include "proc/procpid.h"
#include "stall.h"

#define LOOK_NS	 (SM_NSEC_PER_SEC / 5)
#define STALL_NS SM_NSEC_PER_SEC
#define LIST	 4096 /* bytes of a list of children; the rest is ignored */

static void look(struct worker *w, uint64_t now_ns)
{
	uint64_t ops = atomic_load_explicit(&w->slot->ops, memory_order_relaxed);

	if (ops == w->seen_ops)
		return;
	w->seen_ops = ops;
	w->seen_ns = now_ns;
}

void stall_begin(struct stage *g)
{
	for (size_t i = 0; i < g->n; i++)
		g->worker[i].seen_ns = g->go_ns;
	g->look_ns = g->go_ns + LOOK_NS;
}

void stall_look(struct stage *g, uint64_t now_ns)
{
	if (now_ns < g->look_ns)
		return;
	for (size_t i = 0; i < g->n; i++)
		look(&g->worker[i], now_ns);
	while (g->look_ns <= now_ns)
		g->look_ns += LOOK_NS;
}

/* Returns the CPU time so far; 0: unknown. */
static uint64_t cpu_ns(const struct worker *w)
{
	uint64_t ns;

	return w->pid && sm_cpuclock_ns(w->pid, &ns) == 0 ? ns : 0;
}

void stall_stop(struct stage *g)
{
	for (size_t i = 0; i < g->n; i++) {
		struct worker *w = &g->worker[i];

		look(w, g->stop_ns);
		w->cpu_ns = cpu_ns(w);
	}
}

/* Returns the state of a process as in proc_pid_stat(5); 0: unknown. */
static char state_of(const struct sm_root *root, pid_t pid)
{
	struct sm_pidstat st;

	return sm_procpid_read_stat(root, pid, &st) == 0 ? st.state : 0;
}

static bool is_runnable(const struct sm_root *root, pid_t pid)
{
	return state_of(root, pid) == 'R';
}

/* Returns true for an instance with files in state D: a call that waits for a disk is not
 * ended by a signal.  Other stressors may also be in that state, as in vfork(2), but are
 * not excused. */
static bool waits_for_disk(const struct worker *w, const struct sm_root *root)
{
	return w->job->stressor->scratch && state_of(root, w->pid) == 'D';
}

static bool has_runnable_child(const struct sm_root *root, pid_t pid)
{
	char name[40], list[LIST];
	const char *p = list;
	uint64_t child;
	ssize_t n;

	snprintf(name, sizeof(name), "task/%d/children", (int)pid);
	n = sm_procpid_read_file(root, pid, name, list, sizeof(list));
	while (n > 0 && sm_parse_u64(&p, list + n, &child)) {
		if (is_runnable(root, (pid_t)child))
			return true;
		sm_parse_skip_blanks(&p, list + n);
	}
	return false;
}

struct threads {
	const struct sm_root *root;
	pid_t pid;
};

/* Callback of sm_procpid_scan_threads(): 1 ends the scan. */
static int is_runnable_thread(void *ctx, pid_t tid)
{
	const struct threads *t = ctx;
	struct sm_pidstat st;

	return tid != t->pid &&
	       sm_procpid_read_thread_stat(t->root, t->pid, tid, &st) == 0 &&
	       st.state == 'R';
}

/* Returns true if a thread other than the main thread is runnable. */
static bool has_runnable_thread(const struct sm_root *root, pid_t pid)
{
	struct threads t = {root, pid};

	return sm_procpid_scan_threads(root, pid, is_runnable_thread, &t) > 0;
}

/* Returns true if the instance is runnable but had a CPU for less than half of the time
 * since the end of the run, if a child or thread of it is runnable, or if it waits for a
 * disk. */
static bool is_starved(const struct stage *g, const struct worker *w,
	const struct sm_root *root, uint64_t now_ns)
{
	if (has_runnable_child(root, w->pid) || has_runnable_thread(root, w->pid) ||
		waits_for_disk(w, root))
		return true;
	return is_runnable(root, w->pid) &&
	       cpu_ns(w) - w->cpu_ns < (now_ns - g->stop_ns) / 2;
}

static bool is_quiet(const struct stage *g, const struct worker *w)
{
	uint64_t ops = atomic_load_explicit(&w->slot->ops, memory_order_relaxed);

	/* An op that ended after the end of the run also counts as progress. */
	return ops == w->seen_ops && (!ops || g->stop_ns - w->seen_ns >= STALL_NS);
}

/* Calls judge(g, w, root, now_ns) for each instance that is in its run. */
static void for_each_in_run(struct stage *g, const struct sm_root *root,
	void (*judge)(const struct stage *g, struct worker *w, const struct sm_root *root,
		uint64_t now_ns))
{
	uint64_t now_ns = sm_clock_mono_ns();

	/* Otherwise /proc shows other processes under these pids. */
	if (!sm_cpuclock_usable(root) || !g->go_ns)
		return;
	for (size_t i = 0; i < g->n; i++) {
		struct worker *w = &g->worker[i];
		uint32_t phase = atomic_load(&w->slot->phase);

		if (w->pid && phase >= PHASE_READY && phase < PHASE_ENDED)
			judge(g, w, root, now_ns);
	}
}

static void judge_stalled(const struct stage *g, struct worker *w,
	const struct sm_root *root, uint64_t now_ns)
{
	w->stalled = is_quiet(g, w) && !is_starved(g, w, root, now_ns);
}

static void judge_starved(const struct stage *g, struct worker *w,
	const struct sm_root *root, uint64_t now_ns)
{
	w->starved = is_starved(g, w, root, now_ns);
}

void stall_find_stalled(struct stage *g, const struct sm_root *root)
{
	for_each_in_run(g, root, judge_stalled);
}

void stall_find_starved(struct stage *g, const struct sm_root *root)
{
	for_each_in_run(g, root, judge_starved);
}

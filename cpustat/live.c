// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "cpuclock.h"
#include "live.h"
#include "procpid.h"
#include "procstat.h"

#define FIRST_CAP  256u
#define SCAN_EVERY 16u
/* A try of a pid that is none costs a quarter of an entry in a scan (measured). */
#define TRIES_PER_ENTRY 4u
/* Forks that can be under way at one time, and those that overtake them. */
#define TRY_AGAIN 64u

/* --- memory ------------------------------------------------------------------------ */

#define REGROW(array, cap)                                             \
	({                                                             \
		void *p_ = reallocarray(array, cap, sizeof(*(array))); \
		if (p_)                                                \
			(array) = p_;                                  \
		p_ ? 0 : -ENOMEM;                                      \
	})

static int reserve(struct live *l, size_t want)
{
	size_t cap = l->cap ? l->cap : FIRST_CAP;

	if (want <= l->cap)
		return 0;
	while (cap < want)
		cap += cap / 2;
	if (REGROW(l->pid, cap) || REGROW(l->ns, cap) || REGROW(l->task, cap) ||
		REGROW(l->ppid, cap) || REGROW(l->child_ticks, cap))
		return -ENOMEM;
	l->cap = cap;
	return 0;
}

static int push_pid(pid_t **list, size_t *n, size_t *cap, pid_t pid)
{
	if (*n == *cap) {
		size_t more = *cap ? *cap + *cap / 2 : FIRST_CAP;

		if (REGROW(*list, more))
			return -ENOMEM;
		*cap = more;
	}
	(*list)[(*n)++] = pid;
	return 0;
}

/* --- the list ---------------------------------------------------------------------- */

/* An entry that has gone is still in its place. */
static pid_t place(const struct live *l, size_t i)
{
	return l->pid[i] < 0 ? -l->pid[i] : l->pid[i];
}

/* The first index whose pid is not below. */
static size_t lower_bound(const struct live *l, pid_t pid)
{
	size_t low = 0, high = l->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (place(l, mid) < pid)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

ssize_t live_find(const struct live *l, pid_t pid)
{
	size_t i = lower_bound(l, pid);

	return i < l->n && l->pid[i] == pid ? (ssize_t)i : -1;
}

static void move_entry(struct live *l, size_t to, size_t from)
{
	l->pid[to] = l->pid[from];
	l->ns[to] = l->ns[from];
	l->task[to] = l->task[from];
	l->ppid[to] = l->ppid[from];
	l->child_ticks[to] = l->child_ticks[from];
}

static void new_entry(struct live *l, size_t at, pid_t pid)
{
	l->pid[at] = pid;
	l->ns[at] = 0;
	l->task[at] = 0;
	l->ppid[at] = 0;
	l->child_ticks[at] = 0;
}

/* From the back, so that each entry moves once. */
int live_admit(struct live *l)
{
	size_t from = l->n, new = l->nborn, to = l->n + l->nborn;
	int err = reserve(l, to);

	if (err)
		return err;
	l->n = to;
	while (new) {
		if (from && place(l, from - 1) > l->born[new - 1])
			move_entry(l, --to, --from);
		else
			new_entry(l, --to, l->born[--new]);
	}
	l->nborn = 0;
	return 0;
}

void live_sweep(struct live *l)
{
	size_t to = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (l->pid[i] < 0)
			continue;
		if (to != i)
			move_entry(l, to, i);
		to++;
	}
	l->n = to;
}

/* --- births ------------------------------------------------------------------------ */

static int note_scanned(void *ctx, pid_t pid)
{
	struct live *l = ctx;

	return push_pid(&l->scan, &l->nscan, &l->scan_cap, pid);
}

static int compare_pids(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

static bool ascending(const pid_t *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (v[i] <= v[i - 1])
			return false;
	return true;
}

/* procfs lists by pid; a directory of somebody's need not.  Each pid stays once. */
static void sort_pids(pid_t *v, size_t *n)
{
	size_t to = 1;

	if (ascending(v, *n))
		return;
	qsort(v, *n, sizeof(*v), compare_pids);
	for (size_t i = 1; i < *n; i++)
		if (v[i] != v[to - 1])
			v[to++] = v[i];
	*n = to;
}

/* Both lists ascend: what only the scan has was born, what it lacks is gone, unless the
 * clock will say so itself (hidepid hides the living). */
static int compare_with_scan(struct live *l, void (*gone)(void *, size_t), void *ctx)
{
	size_t i = 0;

	for (size_t k = 0; k < l->nscan; k++) {
		for (; i < l->n && place(l, i) < l->scan[k]; i++)
			if (!l->clocks)
				gone(ctx, i);
		if (i < l->n && place(l, i) == l->scan[k])
			i++;
		else if (push_pid(&l->born, &l->nborn, &l->born_cap, l->scan[k]))
			return -ENOMEM;
	}
	for (; i < l->n; i++)
		if (!l->clocks)
			gone(ctx, i);
	return 0;
}

static int whole_scan(struct live *l, void (*gone)(void *, size_t), void *ctx)
{
	int err;

	l->since_scan = 0;
	l->rescan = false;
	l->nscan = 0;
	err = sm_pid_scan(l->root, note_scanned, l);
	if (err)
		return err;
	sort_pids(l->scan, &l->nscan);
	return compare_with_scan(l, gone, ctx);
}

static int try_pid(struct live *l, pid_t pid)
{
	uint64_t ns;

	if (sm_cpuclock_ns(pid, &ns) < 0 || live_find(l, pid) >= 0)
		return 0;
	return push_pid(&l->born, &l->nborn, &l->born_cap, pid);
}

/* The pids that were given out since the last look, (from, to] around the wrap. */
static int try_range(struct live *l, pid_t from, uint32_t n)
{
	pid_t pid = from;
	int err = 0;

	while (n-- && !err) {
		pid = (uint32_t)pid + 1 >= l->pid_max ? 1 : pid + 1;
		err = try_pid(l, pid);
	}
	sort_pids(l->born, &l->nborn);
	return err;
}

static int read_last_pid(struct live *l, pid_t *out)
{
	struct sm_loadavg la = {0};
	ssize_t n = sm_file_read(&l->loadavg);
	int err = n < 0 ? (int)n : sm_loadavg_parse(l->loadavg.buf, (size_t)n, &la);

	if (!err)
		*out = la.last_pid;
	return err;
}

/* How many pids were given out, at most. */
static uint32_t passed_since(const struct live *l, pid_t before)
{
	if (l->last_pid >= before)
		return (uint32_t)(l->last_pid - before);
	return (uint32_t)l->last_pid + l->pid_max - (uint32_t)before;
}

int live_births(struct live *l, void (*gone)(void *, size_t), void *ctx)
{
	pid_t last = l->last_pid, before = l->last_pid;
	uint32_t passed, again;

	l->nborn = 0;
	if (l->fixed)
		return 0;
	/* The newest pid first: what is born during the look is found by the next one. */
	if (!l->have_loadavg || read_last_pid(l, &last) < 0)
		return whole_scan(l, gone, ctx);
	l->last_pid = last;
	if ((uint32_t)last >= l->pid_max) { /* it was raised */
		l->pid_max = sm_pid_max(l->root);
		l->rescan = true;
	}
	passed = passed_since(l, before);
	again = l->again < (uint32_t)before ? l->again : (uint32_t)before;
	l->again = passed < TRY_AGAIN ? passed : TRY_AGAIN;
	if (l->rescan || ++l->since_scan >= SCAN_EVERY || passed / TRIES_PER_ENTRY > l->n)
		return whole_scan(l, gone, ctx);
	return try_range(l, before - (pid_t)again, passed + again);
}

int live_only(struct live *l, const uint32_t *pids, size_t n)
{
	l->fixed = true;
	l->nborn = 0;
	for (size_t i = 0; i < n; i++)
		if (push_pid(&l->born, &l->nborn, &l->born_cap, (pid_t)pids[i]))
			return -ENOMEM;
	sort_pids(l->born, &l->nborn);
	return live_admit(l);
}

int live_open(struct live *l, const struct sm_root *root, bool clocks)
{
	*l = (struct live){.root = root, .clocks = clocks, .rescan = true};
	l->loadavg = (struct sm_file)SM_FILE_INIT;
	l->pid_max = sm_pid_max(root);
	/* A file that pretends to be loadavg (lxcfs) tells another machine's pids. */
	if (clocks && sm_file_open(&l->loadavg, root->proc_fd, "loadavg") == 0)
		l->have_loadavg = sm_file_is_procfs(&l->loadavg);
	return 0;
}

void live_close(struct live *l)
{
	sm_file_close(&l->loadavg);
	free(l->pid);
	free(l->ns);
	free(l->task);
	free(l->ppid);
	free(l->child_ticks);
	free(l->born);
	free(l->scan);
	*l = (struct live){.loadavg = SM_FILE_INIT};
}

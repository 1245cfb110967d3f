// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "pidlist.h"
#include "proc/cpuclock.h"
#include "proc/procpid.h"
#include "proc/procstat.h"

#define FIRST_CAP  256u
#define SCAN_EVERY 16u
/* Probing a non-existent pid costs 1/4 of one getdents64 entry (measured). */
#define PROBES_PER_ENTRY 4u
/* Forks that can be incomplete at one time, and forks that overtake them. */
#define PROBE_AGAIN 64u

/* --- memory ----------------------------------------------------------------------- */

#define REGROW(array, cap)                                             \
	({                                                             \
		void *p_ = reallocarray(array, cap, sizeof(*(array))); \
		if (p_)                                                \
			(array) = p_;                                  \
		p_ ? 0 : -ENOMEM;                                      \
	})

static int reserve(struct pidlist *l, size_t want)
{
	size_t cap = l->cap ? l->cap : FIRST_CAP;

	if (want <= l->cap)
		return 0;
	while (cap < want)
		cap += cap / 2;
	if (REGROW(l->pid, cap) || REGROW(l->ns, cap) || REGROW(l->task, cap) ||
		REGROW(l->ppid, cap) || REGROW(l->child_ns, cap) ||
		REGROW(l->record, cap) || REGROW(l->had_children, cap))
		return -ENOMEM;
	l->cap = cap;
	return 0;
}

static int push_pid(pid_t **list, size_t *n, size_t *cap, pid_t pid)
{
	int err = sm_array_reserve(list, cap, *n + 1, sizeof(**list));

	if (!err)
		(*list)[(*n)++] = pid;
	return err;
}

int pidlist_add(struct pidlist *l, pid_t pid)
{
	return push_pid(&l->created, &l->ncreated, &l->created_cap, pid);
}

/* --- the list --------------------------------------------------------------------- */

/* Returns the PID of an entry, even if its process has exited. */
static pid_t pid_of(const struct pidlist *l, size_t i)
{
	return l->pid[i] < 0 ? -l->pid[i] : l->pid[i];
}

/* Returns the first index whose PID is at least pid. */
static size_t lower_bound(const struct pidlist *l, pid_t pid)
{
	size_t low = 0, high = l->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (pid_of(l, mid) < pid)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

ssize_t pidlist_find(const struct pidlist *l, pid_t pid)
{
	size_t i = lower_bound(l, pid);

	return i < l->n && l->pid[i] == pid ? (ssize_t)i : -1;
}

static void move_entry(struct pidlist *l, size_t to, size_t from)
{
	l->pid[to] = l->pid[from];
	l->ns[to] = l->ns[from];
	l->task[to] = l->task[from];
	l->ppid[to] = l->ppid[from];
	l->child_ns[to] = l->child_ns[from];
	l->record[to] = l->record[from];
	l->had_children[to] = l->had_children[from];
}

static void new_entry(struct pidlist *l, size_t at, pid_t pid)
{
	l->pid[at] = pid;
	l->ns[at] = 0;
	l->task[at] = 0;
	l->ppid[at] = 0;
	l->child_ns[at] = 0;
	l->record[at] = 0;
	l->had_children[at] = false;
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

/* Sorts PIDs and removes duplicates. procfs is sorted by PID; another directory need not
 * be. */
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

/* Merges from the back, so that each entry moves once. */
int pidlist_admit(struct pidlist *l)
{
	size_t from = l->n, new, to;
	int err;

	sort_pids(l->created, &l->ncreated);
	new = l->ncreated;
	to = from + new;
	err = reserve(l, to);
	if (err)
		return err;
	l->n = to;
	while (new) {
		if (from && pid_of(l, from - 1) > l->created[new - 1])
			move_entry(l, --to, --from);
		else
			new_entry(l, --to, l->created[--new]);
	}
	l->ncreated = 0;
	return 0;
}

void pidlist_sweep(struct pidlist *l)
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

/* --- new processes ---------------------------------------------------------------- */

static int note_scanned(void *ctx, pid_t pid)
{
	struct pidlist *l = ctx;

	return push_pid(&l->scan, &l->nscan, &l->scan_cap, pid);
}

/* Compares both lists, which ascend: PIDs only in the scan are new, PIDs missing from it
 * have exited.  With clocks, the clocks show which have exited, because hidepid hides
 * existing processes from the scan. */
static int compare_with_scan(
	struct pidlist *l, void (*missing)(void *, size_t), void *ctx)
{
	size_t i = 0;

	for (size_t k = 0; k < l->nscan; k++) {
		for (; i < l->n && pid_of(l, i) < l->scan[k]; i++)
			if (!l->clocks)
				missing(ctx, i);
		if (i < l->n && pid_of(l, i) == l->scan[k])
			i++;
		else if (pidlist_add(l, l->scan[k]))
			return -ENOMEM;
	}
	for (; i < l->n; i++)
		if (!l->clocks)
			missing(ctx, i);
	return 0;
}

static int whole_scan(struct pidlist *l, void (*missing)(void *, size_t), void *ctx)
{
	int err;

	l->since_scan = 0;
	l->rescan = false;
	l->nscan = 0;
	err = sm_procpid_scan(l->root, note_scanned, l);
	if (err)
		return err;
	sort_pids(l->scan, &l->nscan);
	return compare_with_scan(l, missing, ctx);
}

static int probe_pid(struct pidlist *l, pid_t pid)
{
	uint64_t ns;

	if (sm_cpuclock_ns(pid, &ns) < 0 || pidlist_find(l, pid) >= 0)
		return 0;
	return pidlist_add(l, pid);
}

/* Probes the n PIDs after from, with the wrap at pid_max. */
static int probe_range(struct pidlist *l, pid_t from, uint32_t n)
{
	pid_t pid = from;
	int err = 0;

	while (n-- && !err) {
		pid = (uint32_t)pid + 1 >= l->pid_max ? 1 : pid + 1;
		err = probe_pid(l, pid);
	}
	return err;
}

static int read_last_pid(struct pidlist *l, pid_t *out)
{
	int err = sm_procstat_read_loadavg(&l->loadavg, &l->load);

	l->load_read = !err;
	if (!err)
		*out = l->load.last_pid;
	return err;
}

/* Returns the greatest possible number of PIDs allocated since before. */
static uint32_t passed_since(const struct pidlist *l, pid_t before)
{
	if (l->last_pid >= before)
		return (uint32_t)(l->last_pid - before);
	return (uint32_t)l->last_pid + l->pid_max - (uint32_t)before;
}

int pidlist_created(struct pidlist *l, void (*missing)(void *, size_t), void *ctx)
{
	pid_t last = l->last_pid, before = l->last_pid;
	uint32_t passed, again;

	l->ncreated = 0;
	l->load_read = false;
	if (l->fixed)
		return 0;
	/* The newest PID is read first: a process created after that is found the next
	 * time. */
	if (!l->have_loadavg || read_last_pid(l, &last) < 0)
		return whole_scan(l, missing, ctx);
	l->last_pid = last;
	if ((uint32_t)last >= l->pid_max) { /* pid_max was raised */
		l->pid_max = sm_procpid_max(l->root);
		l->rescan = true;
	}
	passed = passed_since(l, before);
	again = l->again < (uint32_t)before ? l->again : (uint32_t)before;
	l->again = passed < PROBE_AGAIN ? passed : PROBE_AGAIN;
	if (l->rescan || ++l->since_scan >= SCAN_EVERY ||
		passed / PROBES_PER_ENTRY > l->n)
		return whole_scan(l, missing, ctx);
	return probe_range(l, before - (pid_t)again, passed + again);
}

int pidlist_only(struct pidlist *l, const uint32_t *pids, size_t n)
{
	l->fixed = true;
	l->ncreated = 0;
	for (size_t i = 0; i < n; i++)
		if (pidlist_add(l, (pid_t)pids[i]))
			return -ENOMEM;
	return pidlist_admit(l);
}

int pidlist_open(struct pidlist *l, const struct sm_root *root, bool clocks)
{
	*l = (struct pidlist){.root = root, .clocks = clocks, .rescan = true};
	l->loadavg = (struct sm_file)SM_FILE_INIT;
	l->pid_max = sm_procpid_max(root);
	/* An emulated loadavg (lxcfs) has the pids of another machine. */
	if (sm_procstat_open_loadavg(&l->loadavg, root) == 0)
		l->have_loadavg = clocks && sm_file_is_procfs(l->loadavg.fd);
	return 0;
}

void pidlist_close(struct pidlist *l)
{
	sm_file_close(&l->loadavg);
	free(l->pid);
	free(l->ns);
	free(l->task);
	free(l->ppid);
	free(l->child_ns);
	free(l->record);
	free(l->had_children);
	free(l->created);
	free(l->scan);
	*l = (struct pidlist){.loadavg = SM_FILE_INIT};
}

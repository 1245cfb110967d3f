// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "totals.h"

#define COMM_MAX    SM_PIDSTAT_COMM_MAX
#define FIRST_CAP   16
#define MERGE_SHARE 4 /* a full table merges 1/MERGE_SHARE of its entries */

struct totals_entry {
	uint64_t key;
	struct row row; /* the pointers below replace its own */
	struct sm_poolstr *cmd, *cgroup;
	struct sm_poolstr
		*long_comm;	 /* a name that does not fit into comm (a cgroup path) */
	uint64_t sample;	 /* the last sample with this entry */
	uint64_t used_ns, dt_ns; /* in the last sample */
	uint64_t seen;		 /* number of samples before the last */
	double min_pct, max_pct; /* over these samples */
	char comm[COMM_MAX];
};

static const struct row no_others = {.kind = ROW_OTHERS, .cpu = -1};

uint64_t row_key(const struct row *row, uint64_t seed)
{
	/* Exited threads do not have their own PID. */
	pid_t pid = row->pid ? row->pid : row->tgid;
	uint64_t h = sm_map_hash_u64((uint64_t)row->kind << 32 |
					     (row->pid ? 0 : UINT64_C(1) << 63) |
					     (uint32_t)pid,
		seed);

	h = sm_map_hash_u64(row->start_ticks, h);
	/* A kworker is renamed for each piece of work. */
	if (!(row->flags & ROW_KTHREAD))
		h = sm_map_hash_bytes(row->comm.p, row->comm.n, h);
	return h ? h : 1;
}

/* --- memory ----------------------------------------------------------------------- */

static int set_cap(struct totals *a, size_t cap)
{
	struct totals_entry *entries;
	struct row *rows;

	rows = reallocarray(a->rows, cap + 1, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	a->rows = rows;
	entries = calloc(cap ? cap : 1, sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	if (a->n)
		memcpy(entries, a->entries, a->n * sizeof(*entries));
	free(a->entries);
	a->entries = entries;
	a->cap = cap;
	return 0;
}

int totals_init(struct totals *a, struct sm_strpool *names, size_t max_entries)
{
	int err;

	memset(a, 0, sizeof(*a));
	a->names = names;
	a->max_entries = max_entries;
	a->others = no_others;
	err = sm_map_init(&a->map, FIRST_CAP);
	if (!err)
		err = set_cap(a, FIRST_CAP);
	if (err)
		totals_fini(a);
	return err;
}

int totals_reserve(struct totals *a, size_t n)
{
	int err = n > a->cap ? set_cap(a, n) : 0;

	if (!err) /* populates the pages */
		memset(a->entries, 0, n * sizeof(*a->entries));
	return err;
}

static void forget_names(struct totals *a, struct totals_entry *e)
{
	sm_strpool_put(a->names, e->cmd);
	sm_strpool_put(a->names, e->cgroup);
	sm_strpool_put(a->names, e->long_comm);
}

void totals_fini(struct totals *a)
{
	totals_reset(a);
	sm_map_fini(&a->map);
	free(a->entries);
	free(a->rows);
	memset(a, 0, sizeof(*a));
}

void totals_reset(struct totals *a)
{
	for (size_t i = 0; i < a->n; i++) {
		forget_names(a, &a->entries[i]);
		sm_map_del(&a->map, a->entries[i].key);
	}
	a->n = 0;
	a->samples = a->span_ns = a->dt_ns = a->full_at = 0;
	a->others = no_others;
}

void totals_begin(struct totals *a, uint64_t dt_ns)
{
	a->samples++;
	a->dt_ns = dt_ns;
	a->span_ns += dt_ns;
}

/* --- merging ---------------------------------------------------------------------- */

static void add_sums(struct row *to, const struct row *from)
{
	to->used_ns += from->used_ns;
	to->usr_ns += from->usr_ns;
	to->sys_ns += from->sys_ns;
	to->wait_ns += from->wait_ns;
	to->flags |= from->flags & ROW_HAS_WAIT;
}

/* Merges a row into the others.  Their total_ns is used_ns, because a task can return as
 * a new entry, which would count its time since the start twice. */
static void merge(struct totals *a, const struct row *row)
{
	add_sums(&a->others, row);
	a->others.total_ns = a->others.used_ns;
	a->others.members += row->members;
}

static void remove_entry(struct totals *a, size_t i)
{
	struct totals_entry *last = &a->entries[--a->n];

	forget_names(a, &a->entries[i]);
	sm_map_del(&a->map, a->entries[i].key);
	if (last == &a->entries[i])
		return;
	a->entries[i] = *last;
	/* The key exists, so nothing is allocated. */
	(void)!sm_map_put(&a->map, last->key, (void *)(uintptr_t)(i + 1));
}

static bool idle(const struct totals *a, const struct totals_entry *e)
{
	return e->sample != a->samples;
}

/* Merges the idle entries with less than limit_ns, and at_limit entries with exactly
 * limit_ns. */
static void merge_idle(struct totals *a, uint64_t limit_ns, size_t at_limit)
{
	for (size_t i = a->n; i-- > 0;) {
		const struct totals_entry *e = &a->entries[i];

		if (!idle(a, e) || e->row.used_ns > limit_ns)
			continue;
		if (e->row.used_ns == limit_ns) {
			if (!at_limit)
				continue;
			at_limit--;
		}
		merge(a, &e->row);
		remove_entry(a, i);
	}
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* a->rows, unused between two calls of totals_rows(), holds the times. */
static size_t idle_times(struct totals *a, uint64_t *used_ns)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++)
		if (idle(a, &a->entries[i]))
			used_ns[n++] = a->entries[i].row.used_ns;
	qsort(used_ns, n, sizeof(*used_ns), by_value);
	return n;
}

static bool make_room(struct totals *a)
{
	uint64_t *used_ns = (void *)a->rows;
	size_t n, want = a->max_entries / MERGE_SHARE + 1, equal = 1;

	if (a->full_at == a->samples)
		return false;
	n = idle_times(a, used_ns);
	if (n == 0) {
		a->full_at = a->samples;
		return false;
	}
	if (want > n)
		want = n;
	while (equal < want && used_ns[want - 1 - equal] == used_ns[want - 1])
		equal++;
	merge_idle(a, used_ns[want - 1], equal);
	return true;
}

/* --- adding ----------------------------------------------------------------------- */

static struct totals_entry *find(const struct totals *a, uint64_t key)
{
	uintptr_t i = (uintptr_t)sm_map_get(&a->map, key);

	return i ? &a->entries[i - 1] : NULL;
}

/* Returns NULL if memory is short (*err is set) or the table is full (*err is 0). */
static struct totals_entry *new_entry(struct totals *a, uint64_t key, int *err)
{
	struct totals_entry *e;

	*err = 0;
	if (a->n >= a->max_entries && !make_room(a))
		return NULL;
	if (a->n == a->cap)
		*err = set_cap(a, a->cap * 2);
	if (!*err)
		*err = sm_map_put(&a->map, key, (void *)(uintptr_t)(a->n + 1));
	if (*err)
		return NULL;
	e = &a->entries[a->n++];
	memset(e, 0, sizeof(*e));
	e->key = key;
	return e;
}

/* Replaces a held string; without s, the old string stays. */
static void hold(struct totals *a, struct sm_poolstr **held, const struct sm_poolstr *s)
{
	if (!s || s == *held)
		return;
	sm_strpool_put(a->names, *held);
	*held = sm_strpool_ref(s);
}

static void set_comm(struct totals *a, struct totals_entry *e, struct sm_str comm)
{
	sm_strpool_put(a->names, e->long_comm);
	e->long_comm = NULL;
	if (comm.n > sizeof(e->comm))
		e->long_comm = sm_strpool_get(a->names, comm.p, comm.n, 0);
	e->row.comm.n = comm.n < sizeof(e->comm) ? comm.n : sizeof(e->comm);
	if (comm.n)
		memcpy(e->comm, comm.p, e->row.comm.n);
}

static void fold(struct totals_entry *e)
{
	double pct = share_pct(e->used_ns, e->dt_ns);

	if (!e->seen || pct < e->min_pct)
		e->min_pct = pct;
	if (!e->seen || pct > e->max_pct)
		e->max_pct = pct;
	e->seen++;
}

static void enter_sample(struct totals *a, struct totals_entry *e)
{
	if (e->sample)
		fold(e);
	e->sample = a->samples;
	e->dt_ns = a->dt_ns;
	e->used_ns = 0;
	e->row.total_ns = 0;
	e->row.members = 0;
}

static void take(struct totals *a, struct totals_entry *e, const struct row *row)
{
	const struct row *was = &e->row;
	struct row sum = *row;

	if (idle(a, e))
		enter_sample(a, e);
	add_sums(&sum, was);
	sum.flags |= was->flags & ROW_NEW;
	sum.exited = NULL; /* valid in its sample only */
	sum.total_ns += was->total_ns;
	sum.members += was->members;
	if (was->flags & ~row->flags & ROW_HAS_UID) {
		sum.flags |= ROW_HAS_UID;
		sum.uid = was->uid;
	}
	e->row = sum;
	e->used_ns += row->used_ns;
	set_comm(a, e, row->comm);
	hold(a, &e->cmd, row->cmd);
	hold(a, &e->cgroup, row->cgroup);
}

int totals_add(struct totals *a, uint64_t key, const struct row *row)
{
	struct totals_entry *e;
	int err = 0;

	if (!key)
		key = row_key(row, a->map.seed);
	e = find(a, key);
	if (!e)
		e = new_entry(a, key, &err);
	if (e)
		take(a, e, row);
	else
		merge(a, row);
	return err;
}

void totals_rename(struct totals *a, uint64_t key, const struct row *as)
{
	struct totals_entry *e = find(a, key);

	if (!e)
		return;
	set_comm(a, e, as->comm);
	e->row.flags =
		(uint8_t)((e->row.flags & ~ROW_KTHREAD) | (as->flags & ROW_KTHREAD));
}

/* --- the result ------------------------------------------------------------------- */

static void extremes(const struct totals *a, const struct totals_entry *e, float *min_pct,
	float *max_pct)
{
	double newest = share_pct(e->used_ns, e->dt_ns);
	double min = e->seen && e->min_pct < newest ? e->min_pct : newest;
	double max = e->seen && e->max_pct > newest ? e->max_pct : newest;

	*min_pct = (float)(e->seen + 1 < a->samples ? 0 : min);
	*max_pct = (float)max;
}

int totals_extremes(const struct totals *a, uint64_t key, float *min_pct, float *max_pct)
{
	const struct totals_entry *e = find(a, key);

	if (!e)
		return -ENOENT;
	extremes(a, e, min_pct, max_pct);
	return 0;
}

static void to_row(const struct totals *a, const struct totals_entry *e, struct row *row)
{
	*row = e->row;
	row->dt_ns = a->span_ns;
	row->cmd = e->cmd;
	row->cgroup = e->cgroup;
	row->comm.p = e->comm;
	if (e->long_comm)
		row->comm = sm_strpool_str(e->long_comm);
	extremes(a, e, &row->min_pct, &row->max_pct);
}

size_t totals_rows(struct totals *a, struct row **rows)
{
	size_t n = a->n;

	for (size_t i = 0; i < n; i++)
		to_row(a, &a->entries[i], &a->rows[i]);
	if (a->others.members) {
		a->rows[n] = a->others;
		a->rows[n].dt_ns = a->span_ns;
		a->rows[n].comm = SM_STR("(others)");
		a->rows[n].min_pct = a->rows[n].max_pct = NAN;
		n++;
	}
	*rows = a->rows;
	return n;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accum.h"

#define COMM_MAX    SM_PIDSTAT_COMM_MAX
#define FIRST_CAP   16
#define MERGE_SHARE 4 /* a full table merges this part of its entries at once */

struct accum_entry {
	uint64_t key;
	struct cs_row row; /* its pointers are not valid: those below are */
	struct sm_istr *cmd, *cgroup;
	struct sm_istr *long_comm; /* where comm has no room (a group's cgroup path) */
	uint64_t sample;	   /* the newest that it was added to */
	uint64_t used_ns, dt_ns;   /* in that one */
	uint64_t seen;		   /* how many were before that one */
	double min_pct, max_pct;   /* over these */
	char comm[COMM_MAX];
};

static const struct cs_row no_others = {.kind = CS_OTHERS, .cpu = -1};

uint64_t cs_row_key(const struct cs_row *row, uint64_t seed)
{
	uint64_t h = sm_hash_u64((uint64_t)row->kind << 32 | (uint32_t)row->pid, seed);

	h = sm_hash_u64(row->start_ticks, h);
	/* A worker of the kernel is renamed with each piece of work. */
	if (!(row->flags & CS_KTHREAD))
		h = sm_hash_bytes(row->comm.p, row->comm.n, h);
	return h ? h : 1;
}

/* --- memory ------------------------------------------------------------------------- */

static int set_cap(struct accum *a, size_t cap)
{
	struct accum_entry *entries;
	struct cs_row *rows;

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

int accum_init(struct accum *a, struct sm_intern *names, size_t max_entries)
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
		accum_fini(a);
	return err;
}

int accum_reserve(struct accum *a, size_t n)
{
	int err = n > a->cap ? set_cap(a, n) : 0;

	if (!err) /* touched, so that it is there */
		memset(a->entries, 0, n * sizeof(*a->entries));
	return err;
}

static void forget_names(struct accum *a, struct accum_entry *e)
{
	sm_intern_put(a->names, e->cmd);
	sm_intern_put(a->names, e->cgroup);
	sm_intern_put(a->names, e->long_comm);
}

void accum_fini(struct accum *a)
{
	for (size_t i = 0; i < a->n; i++)
		forget_names(a, &a->entries[i]);
	sm_map_fini(&a->map);
	free(a->entries);
	free(a->rows);
	memset(a, 0, sizeof(*a));
}

void accum_reset(struct accum *a)
{
	for (size_t i = 0; i < a->n; i++) {
		forget_names(a, &a->entries[i]);
		sm_map_del(&a->map, a->entries[i].key);
	}
	a->n = 0;
	a->samples = a->span_ns = a->dt_ns = a->full_at = 0;
	a->others = no_others;
}

void accum_begin(struct accum *a, uint64_t dt_ns)
{
	a->samples++;
	a->dt_ns = dt_ns;
	a->span_ns += dt_ns;
}

/* --- merging ------------------------------------------------------------------------ */

static void add_sums(struct cs_row *to, const struct cs_row *from)
{
	to->used_ns += from->used_ns;
	to->usr_ns += from->usr_ns;
	to->sys_ns += from->sys_ns;
	to->wait_ns += from->wait_ns;
	to->flags |= from->flags & CS_HAS_WAIT;
}

/* A task may come back as a new entry, so their times since birth would be counted twice.
 */
static void merge(struct accum *a, const struct cs_row *row)
{
	add_sums(&a->others, row);
	a->others.total_ns = a->others.used_ns;
	a->others.members += row->members;
}

static void remove_entry(struct accum *a, size_t i)
{
	struct accum_entry *last = &a->entries[--a->n];

	forget_names(a, &a->entries[i]);
	sm_map_del(&a->map, a->entries[i].key);
	if (last == &a->entries[i])
		return;
	a->entries[i] = *last;
	/* It is there already, so nothing is allocated. */
	(void)!sm_map_put(&a->map, last->key, (void *)(uintptr_t)(i + 1));
}

static bool idle(const struct accum *a, const struct accum_entry *e)
{
	return e->sample != a->samples;
}

/* Merges the idle entries with less than limit_ns, and so many that have just that. */
static void merge_idle(struct accum *a, uint64_t limit_ns, size_t at_limit)
{
	for (size_t i = a->n; i-- > 0;) {
		const struct accum_entry *e = &a->entries[i];

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

/* The room for rows is free between two calls of accum_rows(): it holds the times. */
static size_t idle_times(struct accum *a, uint64_t *used_ns)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++)
		if (idle(a, &a->entries[i]))
			used_ns[n++] = a->entries[i].row.used_ns;
	qsort(used_ns, n, sizeof(*used_ns), by_value);
	return n;
}

static bool make_room(struct accum *a)
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

/* --- adding ------------------------------------------------------------------------- */

static struct accum_entry *find(const struct accum *a, uint64_t key)
{
	uintptr_t i = (uintptr_t)sm_map_get(&a->map, key);

	return i ? &a->entries[i - 1] : NULL;
}

/* NULL with *err 0: there is no room. */
static struct accum_entry *new_entry(struct accum *a, uint64_t key, int *err)
{
	struct accum_entry *e;

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

/* To count references does not change the string.  None: what was known before stays. */
static void hold(struct accum *a, struct sm_istr **held, const struct sm_istr *s)
{
	struct sm_istr *ref = (struct sm_istr *)(uintptr_t)s;

	if (!ref || ref == *held)
		return;
	sm_istr_ref(ref);
	sm_intern_put(a->names, *held);
	*held = ref;
}

static void set_comm(struct accum *a, struct accum_entry *e, struct sm_str comm)
{
	sm_intern_put(a->names, e->long_comm);
	e->long_comm = NULL;
	if (comm.n > sizeof(e->comm))
		e->long_comm = sm_intern_get(a->names, comm.p, comm.n, 0);
	e->row.comm.n = comm.n < sizeof(e->comm) ? comm.n : sizeof(e->comm);
	if (comm.n)
		memcpy(e->comm, comm.p, e->row.comm.n);
}

static double percent(uint64_t used_ns, uint64_t dt_ns)
{
	return dt_ns ? 100.0 * (double)used_ns / (double)dt_ns : 0;
}

/* The entry's newest sample is complete. */
static void fold(struct accum_entry *e)
{
	double pct = percent(e->used_ns, e->dt_ns);

	if (!e->seen || pct < e->min_pct)
		e->min_pct = pct;
	if (!e->seen || pct > e->max_pct)
		e->max_pct = pct;
	e->seen++;
}

static void enter_sample(struct accum *a, struct accum_entry *e)
{
	if (e->sample)
		fold(e);
	e->sample = a->samples;
	e->dt_ns = a->dt_ns;
	e->used_ns = 0;
	e->row.total_ns = 0;
	e->row.members = 0;
}

static void take(struct accum *a, struct accum_entry *e, const struct cs_row *row)
{
	const struct cs_row *was = &e->row;
	struct cs_row sum = *row;

	if (idle(a, e))
		enter_sample(a, e);
	add_sums(&sum, was);
	sum.flags |= was->flags & CS_NEW;
	sum.total_ns += was->total_ns;
	sum.members += was->members;
	if (was->flags & ~row->flags & CS_HAS_UID) {
		sum.flags |= CS_HAS_UID;
		sum.uid = was->uid;
	}
	e->row = sum;
	e->used_ns += row->used_ns;
	set_comm(a, e, row->comm);
	hold(a, &e->cmd, row->cmd);
	hold(a, &e->cgroup, row->cgroup);
}

int accum_add(struct accum *a, uint64_t key, const struct cs_row *row)
{
	struct accum_entry *e;
	int err = 0;

	if (!key)
		key = cs_row_key(row, a->map.seed);
	e = find(a, key);
	if (!e)
		e = new_entry(a, key, &err);
	if (e)
		take(a, e, row);
	else
		merge(a, row);
	return err;
}

void accum_rename(struct accum *a, uint64_t key, const struct cs_row *as)
{
	struct accum_entry *e = find(a, key);

	if (!e)
		return;
	set_comm(a, e, as->comm);
	e->row.flags = (uint8_t)((e->row.flags & ~CS_KTHREAD) | (as->flags & CS_KTHREAD));
}

/* --- the result --------------------------------------------------------------------- */

static void extremes(const struct accum *a, const struct accum_entry *e, float *min_pct,
	float *max_pct)
{
	double newest = percent(e->used_ns, e->dt_ns);
	double min = e->seen && e->min_pct < newest ? e->min_pct : newest;
	double max = e->seen && e->max_pct > newest ? e->max_pct : newest;

	*min_pct = (float)(e->seen + 1 < a->samples ? 0 : min);
	*max_pct = (float)max;
}

int accum_extremes(const struct accum *a, uint64_t key, float *min_pct, float *max_pct)
{
	const struct accum_entry *e = find(a, key);

	if (!e)
		return -ENOENT;
	extremes(a, e, min_pct, max_pct);
	return 0;
}

static void to_row(const struct accum *a, const struct accum_entry *e, struct cs_row *row)
{
	*row = e->row;
	row->dt_ns = a->span_ns;
	row->cmd = e->cmd;
	row->cgroup = e->cgroup;
	row->comm.p = e->comm;
	if (e->long_comm)
		row->comm = (struct sm_str){e->long_comm->s, e->long_comm->len};
	extremes(a, e, &row->min_pct, &row->max_pct);
}

size_t accum_rows(struct accum *a, struct cs_row **rows)
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

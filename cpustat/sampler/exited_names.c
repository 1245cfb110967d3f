// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"
#include "exited_names.h"

#define RING_BYTES \
	(256u << 10) /* 2,978 records; exited_names_fd() is ready at half of them */
#define KEPT_NS		SM_NSEC_PER_SEC
#define KEPT_MAX	32768u
#define MAX_GENERATIONS 64

/* --- the records ------------------------------------------------------------------ */

int exited_names_open(struct exited_names *e, const struct sm_root *root)
{
	struct sm_bpf_log log;
	int err = -EOPNOTSUPP;

	if (root->live && sm_root_initial_pidns(root))
		err = sm_taskexit_open(&e->program, root, RING_BYTES, &log);
	e->open = err == 0;
	return err == -ENOMEM ? err : 0;
}

void exited_names_close(struct exited_names *e)
{
	if (e->open)
		sm_taskexit_close(&e->program);
	free(e->v);
	free(e->lists);
	*e = (struct exited_names){0};
}

static struct exited_name *add(struct exited_names *e, pid_t pid, pid_t ppid, uint64_t ns)
{
	struct exited_name *x;

	if (e->n >= KEPT_MAX || sm_array_reserve(&e->v, &e->cap, e->n + 1, sizeof(*x))) {
		e->not_kept++;
		return NULL;
	}
	x = &e->v[e->n++];
	*x = (struct exited_name){.pid = pid, .ppid = ppid, .ns = ns};
	return x;
}

void exited_names_begin(struct exited_names *e, uint64_t now_ns)
{
	size_t to = 0;

	e->now_ns = now_ns;
	for (size_t i = 0; i < e->n; i++)
		if (!e->v[i].at_ns || now_ns - e->v[i].at_ns <= KEPT_NS)
			e->v[to++] = e->v[i];
	e->n = to;
}

void exited_names_missing(struct exited_names *e, pid_t pid, pid_t ppid, uint64_t ns)
{
	if (e->open)
		(void)add(e, pid, ppid, ns);
}

void exited_names_record(struct exited_names *e, const struct sm_taskexit_record *r)
{
	struct exited_name *x = add(e, r->pid, r->ppid, r->cpu_ns);

	if (!x)
		return;
	x->recorded = true;
	x->done = r->cpu_unknown; /* only leads to its parent */
	x->reaped_ns = r->time_ns;
	x->uid = r->uid;
	memcpy(x->comm, r->comm, strlen(r->comm));
}

static void on_record(void *ctx, const struct sm_taskexit_record *r)
{
	exited_names_record(ctx, r);
}

/* --- owners ----------------------------------------------------------------------- */

/* Sorts by PID; an exit that the sampler noticed precedes the record of the PID. */
static int by_pid(const void *a, const void *b)
{
	const struct exited_name *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->recorded - y->recorded;
}

static const struct exited_name *find(const struct exited_names *e, pid_t pid)
{
	size_t low = 0, high = e->n;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (e->v[mid].pid < pid)
			low = mid + 1;
		else
			high = mid;
	}
	return low < e->n && e->v[low].pid == pid ? &e->v[low] : NULL;
}

static bool is_new_missing(const struct exited_name *x)
{
	return !x->recorded && !x->at_ns;
}

/* v[i] is a missing process.  A record from before the last sample is of another process
 * that had its PID. */
static bool reaped_within(
	const struct exited_names *e, size_t i, uint64_t since_ns, uint64_t until_ns)
{
	const struct exited_name *x = &e->v[i];

	for (i++; i < e->n && e->v[i].pid == x->pid; i++)
		if (e->v[i].recorded && e->v[i].ns >= x->ns &&
			e->v[i].reaped_ns > since_ns && e->v[i].reaped_ns <= until_ns)
			return true;
	return false;
}

bool exited_names_reaped(
	struct exited_names *e, uint64_t n, uint64_t since_ns, uint64_t until_ns)
{
	uint64_t missing = 0;

	exited_names_take(e);
	if (!e->n)
		return false;
	qsort(e->v, e->n, sizeof(*e->v), by_pid);
	for (size_t i = 0; i < e->n; i++) {
		if (!is_new_missing(&e->v[i]))
			continue;
		if (!reaped_within(e, i, since_ns, until_ns))
			return false;
		missing++;
	}
	return missing == n;
}

static void subtract_reported(struct exited_name *missing, struct exited_name *record)
{
	if (missing->pid != record->pid || missing->recorded || missing->done)
		return;
	missing->done = true;
	record->ns = record->ns > missing->ns ? record->ns - missing->ns : 0;
}

static uint32_t row_of(const struct row *rows, size_t n, pid_t pid)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].kind == ROW_EXITED && rows[i].pid == pid)
			return (uint32_t)i + 1;
	return 0;
}

/* Returns the row, as index + 1, of the nearest ancestor that has one, or 0.  The
 * processes in between have exited. */
static uint32_t owner_of(
	const struct exited_names *e, const struct row *rows, size_t n, pid_t ppid)
{
	for (int i = 0; i < MAX_GENERATIONS && ppid > 0; i++) {
		uint32_t owner = row_of(rows, n, ppid);
		const struct exited_name *parent;

		if (owner)
			return owner;
		parent = find(e, ppid);
		ppid = parent ? parent->ppid : 0;
	}
	return 0;
}

static void find_owners(struct exited_names *e, const struct row *rows, size_t n)
{
	qsort(e->v, e->n, sizeof(*e->v), by_pid);
	for (size_t i = 1; i < e->n; i++)
		if (e->v[i].recorded && !e->v[i].done)
			subtract_reported(&e->v[i - 1], &e->v[i]);
	for (size_t i = 0; i < e->n; i++) {
		struct exited_name *x = &e->v[i];
		bool waits = x->recorded && !x->done;

		x->owner = waits ? owner_of(e, rows, n, x->ppid) : 0;
		x->done |= x->owner != 0;
	}
}

/* --- lists ------------------------------------------------------------------------ */

static int by_owner(const void *a, const void *b)
{
	const struct exited_name *x = a, *y = b;

	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	return memcmp(x->comm, y->comm, sizeof(x->comm));
}

static void add_to(struct row_name *to, const struct row_name *name)
{
	if (to->count && to->uid != name->uid)
		to->uid = ROW_NO_UID;
	else
		to->uid = name->uid;
	to->count += name->count;
	to->ns += name->ns;
}

/* Inserts a name, most time first; names beyond the maximum are added to the others. */
static void insert(struct row_names *l, const struct row_name *name)
{
	size_t at = l->n;

	while (at && l->v[at - 1].ns < name->ns)
		at--;
	if (at == ROW_NAMES_MAX) {
		add_to(&l->others, name);
		return;
	}
	if (l->n == ROW_NAMES_MAX)
		add_to(&l->others, &l->v[--l->n]);
	memmove(&l->v[at + 1], &l->v[at], (l->n - at) * sizeof(*name));
	l->v[at] = *name;
	l->n++;
}

/* Sums the processes, starting with i, that have one owner and name; returns the index
 * after them. */
static size_t sum_up(const struct exited_names *e, size_t i, struct row_name *sum)
{
	const struct exited_name *first = &e->v[i];

	*sum = (struct row_name){0};
	memcpy(sum->comm, first->comm, sizeof(sum->comm));
	for (; i < e->n && by_owner(&e->v[i], first) == 0; i++)
		add_to(sum, &(struct row_name){
				    .count = 1, .ns = e->v[i].ns, .uid = e->v[i].uid});
	return i;
}

static void fill_lists(struct exited_names *e, struct row *rows)
{
	size_t i = 0, lists = 0;
	struct row_name sum;

	qsort(e->v, e->n, sizeof(*e->v), by_owner);
	while (i < e->n) {
		struct row *row = e->v[i].owner ? &rows[e->v[i].owner - 1] : NULL;

		if (row && !row->exited) {
			e->lists[lists] = (struct row_names){.others.comm = "(others)"};
			row->exited = &e->lists[lists++];
		}
		i = sum_up(e, i, &sum);
		if (row)
			insert(&e->lists[lists - 1], &sum);
	}
}

uint64_t exited_names_lost(const struct exited_names *e)
{
	return e->not_kept + (e->open ? sm_taskexit_lost(&e->program) : 0);
}

int exited_names_fd(const struct exited_names *e)
{
	return e->open ? e->program.stream.ring_fd : -1;
}

void exited_names_take(struct exited_names *e)
{
	if (e->open)
		(void)!sm_taskexit_drain(&e->program, on_record, e);
}

/* Waits for the last records.  A record follows its process after an RCU grace period,
 * and each call waits for one.  Records that come after the first may be a moment late;
 * if the kernel does not have the call, they are missing. */
static void await_records(const struct exited_names *e)
{
	for (int i = 0; e->open && e->last && i < 2; i++)
		(void)!syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}

void exited_names_settle(struct exited_names *e, struct row *rows, size_t n)
{
	size_t owners = 0;

	for (size_t i = 0; i < n; i++)
		owners += rows[i].kind == ROW_EXITED;
	if (owners)
		await_records(e);
	exited_names_take(e);
	for (size_t i = 0; i < e->n; i++)
		if (!e->v[i].at_ns)
			e->v[i].at_ns = e->now_ns;
	if (!e->n || !owners ||
		sm_array_reserve(&e->lists, &e->lists_cap, owners, sizeof(*e->lists)))
		return;
	find_owners(e, rows, n);
	fill_lists(e, rows);
}

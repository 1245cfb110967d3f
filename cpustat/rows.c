// SPDX-License-Identifier: GPL-2.0-or-later
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rows.h"

#define GROUPS_MAX 65536
/* Of the total in rows->sub; keys of groups are odd. */
#define TOTAL_KEY 2

int rows_init(struct rows *r, const struct cs_opts *o, struct sm_user *users,
	struct sm_intern *names)
{
	int err;

	memset(r, 0, sizeof(*r));
	r->opts = o;
	r->users = users;
	err = accum_init(&r->groups, names, GROUPS_MAX);
	if (!err)
		err = accum_init(&r->sub, names, GROUPS_MAX);
	if (err)
		rows_fini(r);
	return err;
}

void rows_fini(struct rows *r)
{
	accum_fini(&r->groups);
	accum_fini(&r->sub);
}

/* --- filters ------------------------------------------------------------------------ */

static bool glob(const char *pattern, struct sm_str s)
{
	char name[256];
	size_t n = s.n < sizeof(name) ? s.n : sizeof(name) - 1;

	if (n)
		memcpy(name, s.p, n);
	name[n] = '\0';
	return fnmatch(pattern, name, 0) == 0;
}

/* argv[0] without its directory. */
static struct sm_str base_name(const struct sm_istr *cmd)
{
	size_t n = strnlen(cmd->s, cmd->len);
	const char *slash = memrchr(cmd->s, '/', n);
	const char *base = slash ? slash + 1 : cmd->s;

	return (struct sm_str){base, (size_t)(cmd->s + n - base)};
}

static bool name_match(const char *pattern, const struct cs_row *row)
{
	if (glob(pattern, row->comm))
		return true;
	return !(row->flags & CS_KTHREAD) && row->cmd &&
	       glob(pattern, base_name(row->cmd));
}

/* Whole components: /a is above /a/b, not above /ab.  The slashes around prefix do not
 * matter. */
static bool below(const char *prefix, const struct sm_istr *path)
{
	size_t n;

	if (!path)
		return false;
	while (*prefix == '/')
		prefix++;
	n = strlen(prefix);
	while (n && prefix[n - 1] == '/')
		n--;
	if (!n)
		return true;
	if (path->len < n + 1 || path->s[0] != '/' || memcmp(path->s + 1, prefix, n) != 0)
		return false;
	return path->len == n + 1 || path->s[n + 1] == '/';
}

static bool pid_match(const struct sm_opt_list *pids, const struct cs_row *row)
{
	return sm_opt_list_has(pids, (uint32_t)row->pid) ||
	       sm_opt_list_has(pids, (uint32_t)row->tgid);
}

static bool uid_match(const struct sm_opt_list *uids, const struct cs_row *row)
{
	return row->flags & CS_HAS_UID && sm_opt_list_has(uids, row->uid);
}

static bool any_filter(const struct cs_opts *o)
{
	return o->pids.n || o->uids.n || o->name_glob || o->cgroup;
}

bool rows_match(const struct cs_opts *o, const struct cs_row *row)
{
	if (row->kind > CS_GROUP)
		return !any_filter(o);
	if (row->kind == CS_GROUP) /* its members have passed */
		return true;
	if (o->ignore_self && row->flags & CS_SELF)
		return false;
	if (o->pids.n && !pid_match(&o->pids, row))
		return false;
	if (o->uids.n && !uid_match(&o->uids, row))
		return false;
	if (o->name_glob && !name_match(o->name_glob, row))
		return false;
	return !o->cgroup || below(o->cgroup, row->cgroup);
}

bool rows_over_threshold(const struct cs_opts *o, const struct cs_row *row)
{
	double used = (double)row->used_ns, dt = (double)row->dt_ns;
	double user_hz = (double)sysconf(_SC_CLK_TCK);

	/* Multiplied out, so that what is just the threshold is not lost to rounding. */
	return used * 1000 * user_hz >= (double)o->threshold_mticks * dt &&
	       used * 10000 >= (double)o->threshold_centi_pct * dt;
}

static bool wanted(const struct cs_opts *o, const struct cs_row *row)
{
	return rows_match(o, row) && rows_over_threshold(o, row);
}

static void swap(struct cs_row *a, struct cs_row *b)
{
	struct cs_row t = *a;

	*a = *b;
	*b = t;
}

/* Wanted rows to the front; how many. */
static size_t partition(const struct cs_opts *o, struct cs_row *rows, size_t n)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		if (!wanted(o, &rows[i]))
			continue;
		if (i != m)
			swap(&rows[i], &rows[m]);
		m++;
	}
	return m;
}

/* --- sums --------------------------------------------------------------------------- */

static void add_sum(struct cs_row *sum, const struct cs_row *row)
{
	sum->used_ns += row->used_ns;
	sum->usr_ns += row->usr_ns;
	sum->sys_ns += row->sys_ns;
	sum->wait_ns += row->wait_ns;
	sum->total_ns += row->total_ns;
	sum->members += row->members;
	sum->flags |= row->flags & CS_HAS_WAIT;
}

static struct cs_row sum_of(
	const struct cs_row *rows, size_t n, uint64_t dt_ns, struct sm_str name)
{
	struct cs_row sum = {.kind = CS_GROUP, .cpu = -1, .dt_ns = dt_ns, .comm = name};

	for (size_t i = 0; i < n; i++)
		add_sum(&sum, &rows[i]);
	sum.min_pct = sum.max_pct = (float)cs_pct(&sum, sum.used_ns);
	return sum;
}

/* --- groups ------------------------------------------------------------------------- */

/* Residual and merged rows stand for themselves. */
static bool groupable(const struct rows *r, const struct cs_row *row)
{
	return r->opts->group != CS_GROUP_NONE && row->kind < CS_GROUP;
}

static pid_t parent_of(const struct cs_row *row)
{
	return row->kind == CS_EXITED ? row->pid : row->ppid;
}

static uint64_t odd(uint64_t hash)
{
	return hash | 1;
}

static uint64_t parent_key(const struct rows *r, pid_t parent)
{
	return odd(sm_hash_u64((uint32_t)parent, r->groups.map.seed));
}

/* A program that calls itself kworker is not one: [kworker] is another group. */
static uint64_t comm_key(const struct rows *r, const struct cs_row *row)
{
	uint64_t apart = (row->kind == CS_EXITED ? 1u : 0u) | (row->flags & CS_KTHREAD)
								      << 1;

	return odd(sm_hash_bytes(row->comm.p, row->comm.n, r->groups.map.seed + apart));
}

/* Of what as_member() made, and of the sum of such. */
static uint64_t member_key(const struct rows *r, const struct cs_row *member)
{
	uint64_t seed = r->groups.map.seed;
	const struct sm_istr *path = member->cgroup;

	switch (member->kind == CS_GROUP || member->kind == CS_EXITED ? r->opts->group
								      : CS_GROUP_NONE) {
	case CS_GROUP_NONE:
		return odd(cs_row_key(member, seed));
	case CS_GROUP_COMM:
		return comm_key(r, member);
	case CS_GROUP_USER:
		return odd(sm_hash_u64(
			member->flags & CS_HAS_UID ? member->uid : UINT64_MAX, seed));
	case CS_GROUP_CGROUP:
		return odd(path ? sm_hash_bytes(path->s, path->len, seed) : seed);
	default:
		return parent_key(r, member->pid);
	}
}

#define PARENT_NAME_MAX 24

static struct sm_str parent_name(pid_t parent, char text[PARENT_NAME_MAX])
{
	if (!parent)
		return SM_STR("(no parent)");
	snprintf(text, PARENT_NAME_MAX, "pid %d", (int)parent);
	return (struct sm_str){text, strlen(text)};
}

static struct sm_str user_name(const struct rows *r, const struct cs_row *row)
{
	const char *name;

	if (!(row->flags & CS_HAS_UID))
		return SM_STR("(unknown)");
	name = sm_user_name(r->users, row->uid);
	return (struct sm_str){name, strlen(name)};
}

/* What this row is as a member of its group. */
static struct cs_row as_member(
	const struct rows *r, const struct cs_row *row, char text[PARENT_NAME_MAX])
{
	struct cs_row g = {.kind = CS_GROUP, .cpu = -1, .members = 1};

	g.used_ns = row->used_ns;
	g.usr_ns = row->usr_ns;
	g.sys_ns = row->sys_ns;
	g.wait_ns = row->wait_ns;
	g.total_ns = row->total_ns;
	g.flags = row->flags & CS_HAS_WAIT;
	switch (r->opts->group) {
	case CS_GROUP_COMM:
		if (row->kind == CS_EXITED)
			g.kind = CS_EXITED;
		g.flags |= row->flags & CS_KTHREAD;
		g.comm = row->comm;
		break;
	case CS_GROUP_USER:
		g.flags |= row->flags & CS_HAS_UID;
		g.uid = row->uid;
		g.comm = user_name(r, row);
		break;
	case CS_GROUP_CGROUP:
		g.cgroup = row->cgroup;
		g.comm = row->cgroup ? (struct sm_str){row->cgroup->s, row->cgroup->len}
				     : SM_STR("(unknown)");
		break;
	default:
		g.pid = g.tgid = parent_of(row);
		g.comm = parent_name(g.pid, text);
		break;
	}
	return g;
}

/* Without memory the row goes into the accumulator's others: no sum is wrong. */
static void add_member(const struct rows *r, struct accum *to, const struct cs_row *row)
{
	char text[PARENT_NAME_MAX];
	struct cs_row member = *row;

	if (groupable(r, row))
		member = as_member(r, row, text);
	(void)!accum_add(to, member_key(r, &member), &member);
}

/* A parent need not pass the filters to be known by its name. */
static void name_parents(struct rows *r, const struct cs_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].kind < CS_GROUP && rows[i].pid == rows[i].tgid)
			accum_rename(&r->groups, parent_key(r, rows[i].pid), &rows[i]);
}

/* *rows: n of them, of which the first m are wanted. */
static size_t group(
	struct rows *r, struct cs_row **rows, size_t m, size_t n, uint64_t dt_ns)
{
	accum_reset(&r->groups);
	accum_begin(&r->groups, dt_ns);
	for (size_t i = 0; i < m; i++)
		add_member(r, &r->groups, &(*rows)[i]);
	if (r->opts->group == CS_GROUP_PARENT)
		name_parents(r, *rows, n);
	return accum_rows(&r->groups, rows);
}

/* --- sub-samples -------------------------------------------------------------------- */

void rows_subsample(struct rows *r, const struct cs_row *rows, size_t n, uint64_t dt_ns)
{
	struct cs_row total = {.kind = CS_GROUP, .cpu = -1};

	if (r->sub_used)
		accum_reset(&r->sub);
	r->sub_used = false;
	accum_begin(&r->sub, dt_ns);
	for (size_t i = 0; i < n; i++) {
		if (!rows_match(r->opts, &rows[i]))
			continue;
		add_sum(&total, &rows[i]);
		if (r->opts->group != CS_GROUP_NONE)
			add_member(r, &r->sub, &rows[i]);
	}
	(void)!accum_add(&r->sub, TOTAL_KEY, &total);
}

/* A threshold is of whole intervals: what the sub-samples had added up is not this row.
 */
static void set_extremes(const struct rows *r, uint64_t key, struct cs_row *row)
{
	if (r->opts->threshold_mticks || r->opts->threshold_centi_pct ||
		accum_extremes(&r->sub, key, &row->min_pct, &row->max_pct) < 0)
		row->min_pct = row->max_pct = NAN;
}

static void use_subsamples(struct rows *r, struct cs_row *rows, size_t n)
{
	if (!r->sub.samples)
		return;
	r->sub_used = true;
	set_extremes(r, TOTAL_KEY, &r->total);
	for (size_t i = 0; r->opts->group != CS_GROUP_NONE && i < n; i++)
		set_extremes(r, member_key(r, &rows[i]), &rows[i]);
}

/* --- order -------------------------------------------------------------------------- */

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_pct(
	const struct cs_row *a, uint64_t a_ns, const struct cs_row *b, uint64_t b_ns)
{
	double x = cs_pct(a, a_ns), y = cs_pct(b, b_ns);

	return (x > y) - (x < y);
}

static int compare_name(const struct cs_row *a, const struct cs_row *b)
{
	size_t n = a->comm.n < b->comm.n ? a->comm.n : b->comm.n;
	int c = n ? memcmp(a->comm.p, b->comm.p, n) : 0;

	return c ? c : compare_u64(a->comm.n, b->comm.n);
}

static int compare_pid(const struct cs_row *a, const struct cs_row *b)
{
	return (a->pid > b->pid) - (a->pid < b->pid);
}

/* Less than 0: a is shown first. */
static int compare_key(int sort, const struct cs_row *a, const struct cs_row *b)
{
	switch (sort) {
	case CS_SORT_CPU:
		return compare_pct(b, b->used_ns, a, a->used_ns);
	case CS_SORT_USR:
		return compare_pct(b, b->usr_ns, a, a->usr_ns);
	case CS_SORT_SYS:
		return compare_pct(b, b->sys_ns, a, a->sys_ns);
	case CS_SORT_WAIT:
		return compare_pct(b, b->wait_ns, a, a->wait_ns);
	case CS_SORT_TIME:
		return compare_u64(b->total_ns, a->total_ns);
	case CS_SORT_NAME:
		return compare_name(a, b);
	default:
		return compare_pid(a, b);
	}
}

/* Tasks, what was merged of them, then what no task used. */
static unsigned int rank(const struct cs_row *row)
{
	if (row->kind <= CS_GROUP)
		return 0;
	return row->kind == CS_OTHERS ? 1 : row->kind;
}

/* A total order, so that equal samples look equal. */
static int compare(int sort, const struct cs_row *a, const struct cs_row *b)
{
	int c = compare_u64(rank(a), rank(b));

	if (!c)
		c = compare_key(sort, a, b);
	if (!c) /* of many that waited for nothing, say, the busiest are of interest */
		c = compare_key(CS_SORT_CPU, a, b);
	if (!c)
		c = compare_pid(a, b);
	if (!c)
		c = compare_u64(a->kind, b->kind);
	if (!c)
		c = compare_name(a, b);
	return c ? c : compare_u64(a->start_ticks, b->start_ticks);
}

/* The first n rows are a heap whose root is shown last, but for i, which may be too
 * early. */
static void sift_down(int sort, struct cs_row *rows, size_t n, size_t i)
{
	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && compare(sort, &rows[child + 1], &rows[child]) > 0)
			child++;
		if (compare(sort, &rows[child], &rows[i]) <= 0)
			return;
		swap(&rows[i], &rows[child]);
	}
}

/* Puts the first k in order: a heap of k sees all n pass.  Unlike qsort(3) it needs no
 * memory. */
static void select_first(int sort, struct cs_row *rows, size_t n, size_t k)
{
	for (size_t i = k / 2; i-- > 0;)
		sift_down(sort, rows, k, i);
	for (size_t i = k; k && i < n; i++) {
		if (compare(sort, &rows[i], &rows[0]) >= 0)
			continue;
		swap(&rows[i], &rows[0]);
		sift_down(sort, rows, k, 0);
	}
	while (k > 1) {
		swap(&rows[0], &rows[--k]);
		sift_down(sort, rows, k, 0);
	}
}

size_t rows_arrange(struct rows *r, struct cs_row **rows, size_t n, uint64_t dt_ns)
{
	const struct cs_opts *o = r->opts;
	size_t m = partition(o, *rows, n), k;

	r->total = sum_of(*rows, m, dt_ns, SM_STR("Total"));
	if (o->group != CS_GROUP_NONE)
		m = group(r, rows, m, n, dt_ns);
	use_subsamples(r, *rows, m);
	k = o->limit && o->limit < m ? (size_t)o->limit : m;
	select_first(o->sort, *rows, m, k);
	r->matched = m;
	r->shown = sum_of(*rows, k, dt_ns, SM_STR("Shown"));
	if (k == m) {
		r->shown.min_pct = r->total.min_pct;
		r->shown.max_pct = r->total.max_pct;
	} else if (r->sub.samples) {
		r->shown.min_pct = r->shown.max_pct = NAN;
	}
	return k;
}

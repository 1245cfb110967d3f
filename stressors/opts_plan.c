// SPDX-License-Identifier: GPL-2.0-or-later
/* From what was asked for to the plan. */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/err.h"
#include "cli/opt_value.h"
#include "run/limit.h"
#include "kernel/memfree.h"
#include "kernel/cpulist.h"
#include "foreign.h"
#include "list.h"
#include "opts_state.h"

/* Of --no-rand-seed. */
#define FIXED_SEED 1

static int refuse(struct sm_buf *why, const char *text)
{
	sm_buf_str(why, text);
	return -EINVAL;
}

/* --- the job file ------------------------------------------------------------------- */

static const struct sm_opt *find_row(const struct asked *a, const char *name)
{
	for (size_t i = 0; i < a->rows->n; i++)
		if (a->rows->opt[i].name && strcmp(a->rows->opt[i].name, name) == 0)
			return &a->rows->opt[i];
	return NULL;
}

static int unknown_row(const struct asked *a, const char *name, struct sm_buf *why)
{
	SM_CLEANUP(sm_buf_fini) struct sm_buf reason = {0};
	struct sm_str s = {name, strlen(name)};
	const struct sm_opt *near;

	sm_buf_str(why, "unknown option");
	sm_buf_str(&reason, ": ");
	if (foreign_option(s, &reason)) {
		sm_buf_add(why, reason.p, reason.len);
		return -EINVAL;
	}
	near = sm_opt_nearest(a->spec, s);
	if (near)
		sm_buf_printf(why, ": the nearest is %s", near->name);
	return -EINVAL;
}

static void set_flag(struct asked *a, const struct sm_opt *o)
{
	const bool yes = true;

	memcpy((char *)a + o->offset, &yes, sizeof(yes));
}

/* What the command line says stays. */
static void set_to(struct asked *a, const struct sm_opt *o, const char *value)
{
	struct sm_opt_to to;

	memcpy(&to, (char *)a + o->offset, sizeof(to));
	if (!value)
		to.here = true;
	else if (!to.file)
		to.file = value;
	memcpy((char *)a + o->offset, &to, sizeof(to));
}

static int take_row(
	struct asked *a, const struct sm_opt *o, const char *value, struct sm_buf *why)
{
	switch (o->kind) {
	case SM_OPT_FLAG:
		set_flag(a, o);
		return 0;
	case SM_OPT_TO:
		set_to(a, o, value);
		return 0;
	case SM_OPT_CALL:
		return o->call_row(a, o, value, why);
	default:
		return refuse(why, "not in a job file");
	}
}

static bool is_joint(char c)
{
	return c == ':' || c == ' ';
}

/* Removes what the reason quotes: the text of a file may be a secret, and messages go to
 * logs. */
static void remove_quotes(struct sm_buf *why, size_t at)
{
	char *begin = why->p + at, *end = why->p + why->len, *head, *tail;

	head = memchr(begin, '\'', why->len - at);
	if (!head)
		return;
	tail = (char *)memrchr(head, '\'', (size_t)(end - head)) + 1;
	while (head > begin && is_joint(head[-1]))
		head--;
	while (head == begin && tail < end && is_joint(*tail))
		tail++;
	memmove(head, tail, (size_t)(end - tail));
	why->len -= (size_t)(tail - head);
}

static int take_line(void *ctx, const char *name, const char *value, struct sm_buf *why)
{
	struct asked *a = ctx;
	const struct sm_opt *o = find_row(a, name);
	size_t at;
	int err;

	if (!o)
		return unknown_row(a, name, why);
	sm_buf_printf(why, "%s: ", o->name);
	at = why->len;
	if (!value && o->arg && !o->arg_optional) {
		sm_buf_printf(why, "needs a value (%s)", o->arg);
		return -EINVAL;
	}
	if (value && !o->arg)
		return refuse(why, "takes no value");
	err = take_row(a, o, value, why);
	if (!err)
		sm_buf_reset(why);
	else
		remove_quotes(why, at);
	return err;
}

static int read_job(struct asked *a, struct sm_buf *why)
{
	int err;

	if (!a->job_path)
		return 0;
	err = jobfile_open(&a->file, a->job_path, why);
	if (err)
		return err;
	a->in_file = true;
	err = jobfile_each(&a->file, take_line, a, why);
	a->in_file = false;
	return err;
}

/* --- contradictions ----------------------------------------------------------------- */

static int set_time(struct asked *a, struct sm_buf *why)
{
	struct plan *p = &a->cfg.plan;
	bool given = p->time_ns != UINT64_MAX;

	if (a->forever && given && p->time_ns)
		return refuse(why, "--forever and --timeout exclude each other");
	if (a->forever || !p->time_ns)
		p->time_ns = UINT64_MAX;
	else if (!given)
		p->time_ns = OPTS_TIME_NS;
	return 0;
}

static int check_outputs(const struct config *c, struct sm_buf *why)
{
	bool yaml = c->yaml && strcmp(c->yaml, "-") == 0;
	const struct sm_opt_file files[] = {
		{"--json", c->json.file, SM_OPT_STDOUT_TO},
		{"--csv", c->csv.file, SM_OPT_STDOUT_TO},
		{"--yaml", yaml ? NULL : c->yaml, NULL},
		{"--log-file", c->log_file, NULL},
	};

	if (c->json.here + c->csv.here + yaml > 1)
		return refuse(why,
			"only one of --json, --csv and --yaml - can write to standard "
			"output; --json=FILE and --csv=FILE write beside it");
	return sm_opt_files(files, SM_ARRAY_SIZE(files), why);
}

static int check(struct asked *a, struct sm_buf *why)
{
	if (a->minimize && a->maximize)
		return refuse(why, "--minimize and --maximize exclude each other");
	if (a->has_all && a->has_seq && a->n_all != a->n_seq)
		return refuse(why, "--all and --seq have different numbers of instances");
	a->pick.instances = a->has_all ? a->n_all : a->has_seq ? a->n_seq : 1;
	if (a->cfg.quiet && a->cfg.verbose)
		return refuse(why, "--quiet and --verbose exclude each other");
	return check_outputs(&a->cfg, why);
}

/* --- CPUs --------------------------------------------------------------------------- */

unsigned int opts_cpus(const struct plan *p)
{
	cpu_set_t set;
	long online;

	if (p->has_cpus)
		return (unsigned int)CPU_COUNT(&p->cpus);
	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		return (unsigned int)CPU_COUNT(&set);
	/* More CPUs than the set has bits. */
	online = sysconf(_SC_NPROCESSORS_ONLN);
	return online > 0 ? (unsigned int)online : 1;
}

static int check_online(
	const struct plan *p, const struct sm_cpulist *l, struct sm_buf *why)
{
	for (unsigned int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &p->cpus) || (cpu < l->n && l->online[cpu]))
			continue;
		sm_buf_printf(why, "--taskset: CPU %u is not online", cpu);
		return -EINVAL;
	}
	return 0;
}

/* Where there is no list of them, the kernel will say. */
static int check_cpus(const struct plan *p, struct sm_buf *why)
{
	struct sm_root root = SM_ROOT_INIT;
	struct sm_cpulist l = SM_CPULIST_INIT;
	int err = 0;

	if (!p->has_cpus || sm_root_open(&root, NULL) < 0)
		return 0;
	if (sm_cpulist_open(&l, &root) == 0) {
		if (sm_cpulist_read(&l) > 0)
			err = check_online(p, &l, why);
		sm_cpulist_close(&l);
	}
	sm_root_close(&root);
	return err;
}

/* --- jobs --------------------------------------------------------------------------- */

static uint64_t normal(const struct asked *a, const struct stressor_opt *o)
{
	if (o->small == o->large && !o->small)
		return o->normal;
	return a->minimize ? o->small : a->maximize ? o->large : o->normal;
}

static bool has_relative(const struct asked_one *one, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (unsigned int k = 0; k < PLAN_VALUES; k++)
			if (one[i].value[k].kind != AMOUNT_NUMBER)
				return true;
	return false;
}

static bool is_relative(const struct asked *a)
{
	size_t n = a->rows->n_stressors;

	return a->max_memory.kind != AMOUNT_NUMBER ||
	       has_relative(a->of[FROM_COMMAND], n) ||
	       has_relative(a->of[FROM_FILE], n) || has_relative(a->job, a->pick.n_named);
}

static void read_base(const struct asked *a, struct amount_base *base)
{
	struct sm_root root = SM_ROOT_INIT;

	*base = (struct amount_base){0};
	if (!is_relative(a) || sm_root_open(&root, NULL) < 0)
		return;
	if (sm_memfree_read(&root, &base->free) < 0)
		base->free = 0;
	amount_caches(base, &root);
	sm_root_close(&root);
}

static int resolve(const struct amount *v, const struct amount_base *base, uint64_t *n,
	struct sm_buf *why)
{
	int err = amount_resolve(v, base, n);

	if (err && v->kind == AMOUNT_CACHE)
		sm_buf_printf(why, "L%u: this machine does not tell its size",
			(unsigned int)v->n);
	else if (err)
		sm_buf_str(why, "this machine does not tell how much memory is free");
	return err;
}

/* A percentage is of all instances together; what comes of it is put within the limits.
 */
static int set_value(struct job *j, unsigned int i, const struct amount *v,
	const struct amount_base *base, struct sm_buf *why)
{
	const struct stressor_opt *o = &j->stressor->opts[i];
	uint64_t n;
	int err = resolve(v, base, &n, why);

	if (err)
		return err;
	if (v->kind == AMOUNT_PERCENT)
		n /= j->instances;
	if (v->kind != AMOUNT_NUMBER && n < o->min)
		n = o->min;
	if (v->kind != AMOUNT_NUMBER && o->max && n > o->max)
		n = o->max;
	j->value[i] = n;
	return 0;
}

/* stress-ng takes higher values than the kernel has. */
static void lower_to_most(const struct asked *a, struct job *j, unsigned int i)
{
	const struct stressor_opt *o = &j->stressor->opts[i];

	if (!o->most || j->value[i] <= o->most)
		return;
	if (!a->cfg.quiet)
		sm_err("--%s-%s: %" PRIu64 " is more than the kernel has: %" PRIu64
		       " is used",
			j->stressor->name, o->name, j->value[i], o->most);
	j->value[i] = o->most;
}

/* Where options of a job are looked for; the first that has one counts. */
struct sources {
	const struct asked_one *one[3];
	unsigned int n;
};

static void find_sources(const struct asked *a, const struct picked *p, struct sources *s)
{
	const struct asked_one *command = &a->of[FROM_COMMAND][p->at],
			       *file = &a->of[FROM_FILE][p->at];

	if (p->named == PICK_NOT_NAMED)
		*s = (struct sources){{command, file}, 2};
	else if (p->named < a->n_command)
		*s = (struct sources){{&a->job[p->named], command, file}, 3};
	else
		*s = (struct sources){{command, &a->job[p->named], file}, 3};
}

/* NULL: it was not given. */
static const struct amount *find_value(const struct sources *s, unsigned int option)
{
	for (unsigned int i = 0; i < s->n; i++)
		if (s->one[i]->has & UINT32_C(1) << option)
			return &s->one[i]->value[option];
	return NULL;
}

static uint64_t find_ops(const struct sources *s)
{
	for (unsigned int i = 0; i < s->n; i++)
		if (s->one[i]->has_ops)
			return s->one[i]->ops;
	return UINT64_MAX;
}

static unsigned int instances(const struct asked *a, unsigned int asked)
{
	long online = asked == PICK_ONLINE ? sysconf(_SC_NPROCESSORS_ONLN) : 0;

	if (online > 0)
		return (unsigned int)online;
	return asked && asked != PICK_ONLINE ? asked : opts_cpus(&a->cfg.plan);
}

static int fill_job(const struct asked *a, const struct picked *p, struct job *j,
	const struct amount_base *base, struct sm_buf *why)
{
	const struct stressor *s = list_all[p->at];
	struct sources from;
	int err = 0;

	find_sources(a, p, &from);
	*j = (struct job){.stressor = s,
		.instances = instances(a, p->instances),
		.ops = find_ops(&from)};
	for (unsigned int i = 0; !err && s->opts && i < PLAN_VALUES && s->opts[i].name;
		i++) {
		const struct amount *v = find_value(&from, i);

		j->value[i] = normal(a, &s->opts[i]);
		j->given |= v ? UINT32_C(1) << i : 0;
		if (v)
			err = set_value(j, i, v, base, why);
		if (!err)
			lower_to_most(a, j, i);
	}
	return err;
}

static bool is_picked(const struct asked *a, size_t n, size_t stressor)
{
	for (size_t i = 0; i < n; i++)
		if (a->picked[i].at == stressor)
			return true;
	return false;
}

static void warn_unused(const struct asked *a, size_t n)
{
	for (size_t i = 0; i < a->rows->n_stressors && !a->cfg.quiet; i++) {
		const struct sm_opt *row = a->of[FROM_COMMAND][i].row;

		row = row ? row : a->of[FROM_FILE][i].row;
		if (row && !is_picked(a, n, i))
			sm_err("--%s has no effect: %s is not started", row->name,
				list_all[i]->name);
	}
}

static int fill_jobs(struct asked *a, struct sm_buf *why)
{
	struct plan *p = &a->cfg.plan;
	struct amount_base base;
	int n, err;

	a->picked =
		calloc(a->rows->n_stressors + a->pick.n_named + 1, sizeof(*a->picked));
	if (!a->picked)
		return refuse(why, "out of memory");
	n = pick(&a->pick, a->picked, why);
	if (n < 0)
		return n;
	p->job = calloc((size_t)n, sizeof(*p->job));
	if (!p->job)
		return refuse(why, "out of memory");
	read_base(a, &base);
	p->free_memory = base.free;
	err = resolve(&a->max_memory, &base, &p->max_memory, why);
	for (p->n = 0; !err && p->n < (size_t)n; p->n++)
		err = fill_job(a, &a->picked[p->n], &p->job[p->n], &base, why);
	if (!err)
		warn_unused(a, (size_t)n);
	return err;
}

static void set_seed(struct asked *a)
{
	uint64_t *seed = &a->cfg.plan.seed;

	if (a->fixed_seed && !a->has_seed)
		*seed = FIXED_SEED;
	else if (!a->has_seed &&
		 getrandom(seed, sizeof(*seed), GRND_NONBLOCK) != sizeof(*seed))
		*seed = sm_clock_ns(CLOCK_REALTIME) ^ (uint64_t)getpid() << 32;
}

static int set_prio(struct plan *p, bool quiet, struct sm_buf *why)
{
	if (p->sched_prio && !(p->has_sched && policy_realtime(p->sched)))
		return refuse(why, "--sched-prio needs --sched=fifo or --sched=rr");
	if (!p->sched_prio)
		p->sched_prio = POLICY_PRIO;
	if (p->sched_prio <= POLICY_PRIO_MAX)
		return 0;
	if (!quiet)
		sm_err("--sched-prio: %u is not below the priority of the supervisor: "
		       "%d is used",
			p->sched_prio, POLICY_PRIO_MAX);
	p->sched_prio = POLICY_PRIO_MAX;
	return 0;
}

/* After all options, because --quiet may be the last. */
static void write_notes(struct asked *a)
{
	const char *p = a->notes.p, *end;

	for (size_t left = a->notes.len; left && !a->cfg.quiet;
		left -= (size_t)(end - p) + 1, p = end + 1) {
		end = memchr(p, '\n', left);
		sm_err("%.*s", (int)(end - p), p);
	}
	sm_buf_reset(&a->notes);
}

/* Numbers of other options that depend on several of them. */
static void set_inherited(struct asked *a)
{
	struct inherit *h = &a->cfg.plan.inherit;

	if (a->has_random)
		a->pick.random = instances(a, a->pick.random);
	if (!a->has_io_level)
		h->io_level = INHERIT_IO_LEVEL;
	else if (h->io == INHERIT_IO_NONE)
		h->io = INHERIT_IO_BESTEFFORT;
}

int opts_plan(struct asked *a, struct sm_buf *why)
{
	struct plan *p = &a->cfg.plan;
	int err = read_job(a, why);

	write_notes(a);
	if (!err)
		err = check(a, why);
	if (!err)
		err = set_time(a, why);
	if (!err)
		err = check_cpus(p, why);
	if (!err)
		err = set_prio(p, a->cfg.quiet, why);
	if (err)
		return err;
	p->sequential = a->pick.seq || a->file.run == JOBFILE_RUN_SEQUENTIAL;
	set_seed(a);
	a->pick.seed = p->seed;
	set_inherited(a);
	return fill_jobs(a, why);
}

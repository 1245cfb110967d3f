// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the plan from the values of the options. */
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
#include "proc/memfree.h"
#include "proc/cpulist.h"
#include "run/cpuset.h"
#include "run/scratch.h"
#include "foreign.h"
#include "list.h"
#include "opts_state.h"

#define FIXED_SEED 1			 /* --no-rand-seed */
#define SLACK_NS   (50 * UINT64_C(1000)) /* the kernel's usual timer slack, prctl(2) */

static int refuse(struct sm_buf *why, const char *text)
{
	sm_buf_str(why, text);
	return -EINVAL;
}

/* --- the job file ------------------------------------------------------------------- */

static int take_line(void *ctx, const char *name, const char *value, struct sm_buf *why)
{
	struct asked *a = ctx;

	return sm_opt_take_line(a->spec, a, name, value, why);
}

static int read_job(struct asked *a, struct sm_buf *why)
{
	const char *cpus = a->cpus;
	int err;

	if (!a->job_path)
		return 0;
	err = jobfile_open(&a->file, a->job_path, why);
	if (err)
		return err;
	a->in_file = true;
	err = jobfile_each(&a->file, take_line, a, why);
	a->in_file = false;
	a->cpus_in_file = a->cpus != cpus;
	return err;
}

/* --- contradictions ----------------------------------------------------------------- */

static bool given(const struct asked *a, const char *option)
{
	return sm_opt_given(a->spec, option);
}

static bool given_one(const struct asked *a, const char *option, const char *alias)
{
	return given(a, option) || given(a, alias);
}

static int set_time(struct asked *a, struct sm_buf *why)
{
	struct plan *p = &a->cfg.plan;
	bool has_time = given_one(a, "timeout", "duration");

	if (a->forever && p->time_ns)
		return refuse(why, "--forever and --timeout cannot be used together");
	if (!a->forever && !has_time)
		p->time_ns = OPTS_TIME_NS;
	else if (!p->time_ns)
		p->time_ns = UINT64_MAX;
	return 0;
}

static int check_outputs(struct config *c, struct sm_buf *why)
{
	bool yaml = c->yaml && strcmp(c->yaml, "-") == 0;
	const struct sm_opt_file own[] = {
		{"--yaml", yaml ? NULL : c->yaml, NULL},
		{"--log-file", c->log_file, NULL},
	};

	if (yaml && c->app.output)
		return refuse(why,
			"--yaml - and --output cannot be used together; use --yaml=FILE");
	if (c->app.json.here + c->app.csv.here + yaml > 1)
		return refuse(why,
			"only one of --json, --csv and --yaml - can write to standard "
			"output; use --json=FILE, --csv=FILE or --yaml=FILE");
	return sm_app_opts_check(&c->app, own, SM_ARRAY_SIZE(own), NULL, why);
}

static int set_instances(struct asked *a, struct sm_buf *why)
{
	bool all = a->n_all != OPTS_NO_NUMBER, seq = a->n_seq != OPTS_NO_NUMBER;

	if (all && seq && a->n_all != a->n_seq)
		return refuse(
			why, "--all and --seq must have the same number of instances");
	a->pick.all = all;
	a->pick.instances = all ? a->n_all : seq ? a->n_seq : 1;
	return 0;
}

static int set_sched(struct asked *a, struct sm_buf *why)
{
	static const enum policy policies[] = {
		POLICY_OTHER, POLICY_BATCH, POLICY_IDLE, POLICY_FIFO, POLICY_RR};
	struct plan *p = &a->cfg.plan;

	p->has_sched = given(a, "sched");
	if (p->has_sched)
		p->sched = policies[a->sched];
	p->sched_prio = a->prio ? (unsigned int)a->prio : POLICY_PRIO;
	if (a->prio && !(p->has_sched && policy_realtime(p->sched)))
		return refuse(why, "--sched-prio needs --sched=fifo or --sched=rr");
	if (p->sched_prio <= POLICY_PRIO_MAX)
		return 0;
	sm_buf_printf(&a->notes,
		"--sched-prio: %u is not below the supervisor's priority; using %d\n",
		p->sched_prio, POLICY_PRIO_MAX);
	p->sched_prio = POLICY_PRIO_MAX;
	return 0;
}

static void set_inherited(struct asked *a)
{
	struct inherit *h = &a->cfg.plan.inherit;
	bool has_level = given(a, "ionice-level");

	if (given(a, "ionice-class"))
		h->io = INHERIT_IO_REALTIME + (unsigned int)a->io_class;
	else if (has_level)
		h->io = INHERIT_IO_BESTEFFORT;
	h->io_level = has_level ? (unsigned int)a->io_level : INHERIT_IO_LEVEL;
	if (given(a, "timer-slack"))
		a->cfg.plan.timer_slack_ns = a->slack_ns ? a->slack_ns : SLACK_NS;
}

static void set_seed(struct asked *a)
{
	uint64_t *seed = &a->cfg.plan.seed;

	if (given(a, "seed"))
		return;
	if (a->fixed_seed)
		*seed = FIXED_SEED;
	else if (getrandom(seed, sizeof(*seed), GRND_NONBLOCK) != sizeof(*seed))
		*seed = sm_clock_ns(CLOCK_REALTIME) ^ (uint64_t)getpid() << 32;
}

/* Called after all options were parsed, because --quiet may be the last of them. */
static void write_notes(struct asked *a)
{
	const char *p = a->notes.p, *end;

	for (size_t left = a->notes.len; left && !a->cfg.app.quiet;
		left -= (size_t)(end - p) + 1, p = end + 1) {
		end = memchr(p, '\n', left);
		sm_err("%.*s", (int)(end - p), p);
	}
	sm_buf_reset(&a->notes);
}

static int check(struct asked *a, struct sm_buf *why)
{
	if (a->minimize && a->maximize)
		return refuse(why, "--minimize and --maximize cannot be used together");
	if (a->cfg.app.quiet && a->cfg.verbose)
		return refuse(why, "--quiet and --verbose cannot be used together");
	return check_outputs(&a->cfg, why);
}

int opts_check(struct asked *a, struct sm_buf *why)
{
	struct config *c = &a->cfg;
	int err = read_job(a, why);

	if (!err)
		err = check(a, why);
	if (!err)
		err = set_instances(a, why);
	if (!err)
		err = set_time(a, why);
	if (!err)
		err = set_sched(a, why);
	write_notes(a);
	if (err)
		return err;
	c->tz |= given(a, "thermalstat");
	c->rapl |= given(a, "raplstat");
	c->plan.sequential = a->pick.seq || a->file.run == JOBFILE_RUN_SEQUENTIAL;
	set_seed(a);
	a->pick.seed = c->plan.seed;
	set_inherited(a);
	return 0;
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
	/* The machine has more CPUs than the set has bits. */
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

/* Checks that the CPUs are online.  If the list of CPUs cannot be read,
 * sched_setaffinity(2) will report the error. */
static int check_cpus(
	const struct plan *p, const struct sm_root *root, struct sm_buf *why)
{
	struct sm_cpulist l = SM_CPULIST_INIT;
	int err = 0;

	if (sm_cpulist_open(&l, root) < 0)
		return 0;
	if (sm_cpulist_read(&l) > 0)
		err = check_online(p, &l, why);
	sm_cpulist_close(&l);
	return err;
}

static void set_cpu(void *ctx, unsigned int cpu)
{
	struct plan *p = ctx;

	if (cpu < CPU_SETSIZE)
		CPU_SET(cpu, &p->cpus);
}

struct taskset {
	struct plan *plan;
	const struct sm_root *root;
	bool in_file; /* messages do not repeat the text of a job file */
};

/* Adds an element of the list, which is a word or a range of numbers. */
static int add_cpus(void *ctx, struct sm_str s, struct sm_buf *why)
{
	struct taskset *t = ctx;

	if (sm_cpulist_parse(s.p, s.n, set_cpu, t->plan) > 0 ||
		cpuset_word(t->root, s.p, s.n, &t->plan->cpus) >= 0)
		return 0;
	if (t->in_file)
		sm_buf_str(why, "taskset in the job file");
	else
		sm_opt_complain(why, "--taskset:", s);
	sm_buf_str(why, " must be a CPU, a range (0-3), all, even, odd or package0");
	return -EINVAL;
}

static int set_cpus(struct asked *a, const struct sm_root *root, struct sm_buf *why)
{
	struct taskset t = {&a->cfg.plan, root, a->cpus_in_file};
	int err;

	if (!a->cpus)
		return 0;
	CPU_ZERO(&t.plan->cpus);
	err = sm_opt_each(a->cpus, add_cpus, &t, why);
	if (err)
		return err;
	if (CPU_COUNT(&t.plan->cpus) == 0)
		return refuse(why, "--taskset: this machine has none of these CPUs");
	t.plan->has_cpus = true;
	return check_cpus(t.plan, root, why);
}

/* --- jobs --------------------------------------------------------------------------- */

static uint64_t normal(const struct asked *a, const struct stressor_opt *o)
{
	if (o->small == o->large && !o->small)
		return o->normal;
	if (a->cfg.plan.aggressive && o->kind == STRESSOR_CHOICES && !a->minimize)
		return o->large;
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

/* The amounts to which percentages refer, by kind of size. */
struct bases {
	struct amount_base of[STRESSOR_OF_A_CALL + 1];
};

static void read_bases(
	const struct asked *a, const struct sm_root *root, struct bases *base)
{
	struct amount_base memory = {0}, disk;

	*base = (struct bases){0};
	if (!is_relative(a))
		return;
	if (sm_memfree_read(root, &memory.free) < 0)
		memory.free = 0;
	amount_caches(&memory, root);
	disk = memory;
	if (scratch_free(scratch_path(&a->cfg.plan), &disk.free) < 0)
		disk.free = 0;
	for (unsigned int i = 0; i <= STRESSOR_OF_A_CALL; i++)
		base->of[i] = i == STRESSOR_OF_DISK ? disk : memory;
}

static int resolve(const struct amount *v, const struct bases *base,
	enum stressor_size size, uint64_t *n, struct sm_buf *why)
{
	int err = amount_resolve(v, &base->of[size], n);

	if (err && v->kind == AMOUNT_CACHE)
		sm_buf_printf(why, "cannot determine the size of the L%u cache",
			(unsigned int)v->n);
	else if (err)
		sm_buf_printf(why, "cannot determine how much %s is free",
			size == STRESSOR_OF_DISK ? "disk space" : "memory");
	return err;
}

/* Sets an option of a job.  A percentage applies to all instances together; a value that
 * was computed is clamped to the limits of the option. */
static int set_value(struct job *j, unsigned int i, const struct amount *v,
	const struct bases *base, struct sm_buf *why)
{
	const struct stressor_opt *o = &j->stressor->opts[i];
	uint64_t n;
	int err = resolve(v, base, o->size, &n, why);

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

/* Lowers a value that stress-ng accepts but the kernel does not. */
static void lower_to_most(const struct asked *a, struct job *j, unsigned int i)
{
	const struct stressor_opt *o = &j->stressor->opts[i];

	if (!o->most || j->value[i] <= o->most)
		return;
	if (!a->cfg.app.quiet)
		sm_err("--%s-%s: %" PRIu64
		       " is above the limit of the kernel; using %" PRIu64,
			j->stressor->name, o->name, j->value[i], o->most);
	j->value[i] = o->most;
}

/* The sources of a job's options, in order of precedence. */
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

/* Returns the value that was given for an option, or NULL. */
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
	const struct bases *base, struct sm_buf *why)
{
	const struct stressor *s = list_all[p->at];
	struct sources from;
	int err = 0;

	find_sources(a, p, &from);
	*j = (struct job){.stressor = s,
		.number = (unsigned int)a->cfg.plan.n,
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
	for (size_t i = 0; i < a->rows->n_stressors && !a->cfg.app.quiet; i++) {
		const struct sm_opt *row = a->of[FROM_COMMAND][i].row;

		row = row ? row : a->of[FROM_FILE][i].row;
		if (row && !is_picked(a, n, i))
			sm_err("--%s has no effect: %s is not started", row->name,
				list_all[i]->name);
	}
}

static int fill_jobs(struct asked *a, const struct sm_root *root, struct sm_buf *why)
{
	struct plan *p = &a->cfg.plan;
	struct bases base;
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
	read_bases(a, root, &base);
	p->free_memory = base.of[STRESSOR_OF_MEMORY].free;
	err = resolve(&a->max_memory, &base, STRESSOR_OF_MEMORY, &p->max_memory, why);
	for (p->n = 0; !err && p->n < (size_t)n; p->n++)
		err = fill_job(a, &a->picked[p->n], &p->job[p->n], &base, why);
	if (!err)
		warn_unused(a, (size_t)n);
	return err;
}

int opts_plan(struct config *c, const struct sm_root *root, struct sm_buf *why)
{
	struct asked *a = (struct asked *)c;
	int err;

	if (a->list || a->list_classes || a->verifiable)
		return 0;
	err = set_cpus(a, root, why);
	if (err)
		return err;
	a->pick.random = a->n_random == OPTS_NO_NUMBER ? 0 : instances(a, a->n_random);
	return fill_jobs(a, root, why);
}

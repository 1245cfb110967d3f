// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/parse.h"
#include "children.h"
#include "names.h"
#include "pass.h"
#include "proc/cgroup.h"
#include "proc/cpuclock.h"
#include "proc/cpulist.h"
#include "reap.h"
#include "residual.h"
#include "sampler.h"
#include "walk.h"

/* --- a sample --------------------------------------------------------------------- */

static uint64_t since_boot_ns(const struct sampler *s, uint64_t t_ns)
{
	return t_ns + (s->own_time ? 0 : (uint64_t)sm_clock_boot_offset_ns());
}

static uint64_t boot_ticks(const struct sampler *s, uint64_t t_ns)
{
	return since_boot_ns(s, t_ns) / s->tick_ns;
}

/* Reads /proc/stat.  The file of a recorded tree can have been replaced. */
static int read_stat(struct sampler *s, struct sm_procstat *now)
{
	int err = 0;

	if (s->recorded) {
		sm_procstat_close(&s->stat_file);
		err = sm_procstat_open(&s->stat_file, s->root);
	}
	return err ? err : sm_procstat_read(&s->stat_file, now);
}

static void read_machine(struct sampler *s)
{
	struct sm_procstat *now = &s->stat[s->number & 1];
	bool had = s->have_stat;

	s->have_stat = read_stat(s, now) == 0;
	s->now.now = s->have_stat ? now : NULL;
	s->now.before = had && s->have_stat ? &s->stat[(s->number & 1) ^ 1] : NULL;
	if (s->have_stat && now->online)
		s->online = now->online;
	if (s->own_time && s->now.now && now->btime)
		s->now.wall_ns = now->btime * SM_NSEC_PER_SEC + s->now.t_ns;
	s->now.online = s->online;
	s->now.capacity_cpus = s->capacity_cpus > 0 && s->capacity_cpus < s->online
				       ? s->capacity_cpus
				       : (double)s->online;
}

static void missing_in_scan(void *ctx, size_t i)
{
	children_exited(ctx, i);
}

static int find_created(struct sampler *s)
{
	int err = walk_begin(s);

	if (err || (s->walks && (s->number > 1 || walk_is_complete(s))))
		return err;
	err = pidlist_created(&s->pids, missing_in_scan, s);
	return err ? err : pidlist_admit(&s->pids);
}

/* Reads the load, unless the list of processes has already read it. */
static void read_load(struct sampler *s)
{
	struct pidlist *l = &s->pids;

	if (!l->load_read && (s->opts->system || s->opts->tui))
		l->load_read = sm_procstat_read_loadavg(&l->loadavg, &l->load) == 0;
	s->now.has_load = l->load_read;
	s->now.load = l->load;
}

static void begin(struct sampler *s)
{
	s->nrows = s->nmoved = 0;
	s->read_again = false;
	s->err = 0;
	s->now = (struct sample){.machine = s->machine};
	state_stamp(s, state_now_ns(s));
	exited_names_begin(&s->exited_names, s->now.t_ns);
	turnover_begin(&s->turnover);
	if (!s->recorded || s->own_time)
		s->now.uptime_ns = since_boot_ns(s, s->now.t_ns);
}

static void first_sample(struct sampler *s, bool since_start)
{
	pass_first(s);
	/* Stamped after the pass: a process that starts later is a new one. */
	s->t_ticks = boot_ticks(s, state_now_ns(s));
	if (since_start)
		pass_since_start(s);
}

static void later_sample(struct sampler *s)
{
	uint64_t ticks = boot_ticks(s, state_now_ns(s));

	pass_later(s);
	reap_settle(s);
	residual_add(s);
	s->t_ticks = ticks;
}

pid_t sampler_missing_pid(const struct sampler *s)
{
	struct sm_pidstat st;
	uint64_t ns;

	for (unsigned int i = 0; i < s->opts->pids.n; i++) {
		pid_t pid = (pid_t)s->opts->pids.v[i];

		if (sm_procpid_read_stat(s->root, pid, &st) < 0 ||
			(s->clocks && sm_cpuclock_ns(pid, &ns) < 0))
			return pid;
	}
	return 0;
}

int sampler_take(struct sampler *s, bool since_start, struct sample *out)
{
	int err;

	begin(s);
	*out = s->now;
	if (s->number && !s->now.dt_ns)
		return 0; /* the rows of the last sample stay valid */
	tasks_reclaim(&s->tasks);
	s->number++;
	err = find_created(s);
	if (err)
		return err;
	read_load(s);
	if (s->number == 1)
		pass_parents(s); /* takes time: it is not part of the first interval */
	read_machine(s);	 /* close in time to the clocks */
	if (s->number == 1)
		first_sample(s, since_start);
	else
		later_sample(s);
	s->t_ns = s->now.t_ns;
	s->now.processes = s->pids.n;
	if (s->pids.fixed)
		s->now.counted = true;
	else
		turnover_end(&s->turnover, s->pids.n, s->number == 1, &s->now);
	s->now.source = s->walks ? "bpf" : s->clocks ? "clock" : "proc";
	s->now.rows = s->rows;
	s->now.nrows = s->nrows;
	*out = s->now;
	return s->err;
}

/* --- opening ---------------------------------------------------------------------- */

/* Notes that an option that is switched on applies to the next sample. */
static void since(bool *was, bool is, uint32_t number, uint32_t *at)
{
	if (is && !*was)
		*at = number + 1;
	*was = is;
}

void sampler_options(struct sampler *s)
{
	const struct opts *o = s->opts;
	bool machine = o->app.json.here || o->app.csv.here || o->app.json.file ||
		       o->app.csv.file || o->tui;

	s->want_cmd = machine || !o->comm || o->name_glob;
	s->want_uid = machine || o->uids.n || o->group == GROUP_USER || o->app.prom;
	s->want_cgroup |= o->cgroup || o->group == GROUP_CGROUP;
	since(&s->with_threads, o->threads || o->wait, s->number, &s->threads_since);
	since(&s->with_wait, o->wait, s->number, &s->wait_since);
}

/* Only these outputs have the numbers of created and exited processes. */
static bool wants_turnover(const struct opts *o)
{
	return o->app.json.here || o->app.json.file || o->app.prom || o->tui;
}

int sampler_open(struct sampler *s, const struct sm_root *root, const struct opts *o,
	struct sm_strpool *names)
{
	uint64_t limit_milli, ns;
	int err;

	*s = (struct sampler){.opts = o,
		.root = root,
		.names = names,
		.names_budget = NAMES_BUDGET,
		.self = getpid(),
		.pids.loadavg = SM_FILE_INIT,
		.walk.prog_fd = -1,
		.stat_file.file = SM_FILE_INIT};
	s->tick_ns = SM_NSEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK);
	s->recorded = !root->real_proc;
	s->own_time = s->recorded && sm_procstat_uptime_ns(root, &ns) == 0;
	s->clocks = o->source != SOURCE_PROC && sm_cpuclock_usable(root);
	if ((o->source == SOURCE_CLOCK || o->source == SOURCE_BPF) && !s->clocks)
		return -EOPNOTSUPP;
	s->machine = (s->recorded || sm_root_initial_pidns(root)) && !o->pids.n;
	if (!root->live)
		s->self = 0;
	sampler_options(s);
	s->scratch = malloc(NAMES_BYTES);
	if (!s->scratch)
		return -ENOMEM;
	tasks_init(&s->tasks, names);
	err = exited_names_open(&s->exited_names, root);
	if (!err && s->machine && root->live && wants_turnover(o))
		err = turnover_open(&s->turnover, root);
	if (!err)
		err = pidlist_open(&s->pids, root, s->clocks);
	if (!err && o->pids.n)
		err = pidlist_only(&s->pids, o->pids.v, o->pids.n);
	if (err)
		return err;
	if (!walk_open(s) && o->source == SOURCE_BPF)
		return -EOPNOTSUPP;
	s->online = 1;
	err = sm_cpulist_online(root);
	if (err > 0)
		s->online = (unsigned int)err;
	if (!s->machine && !s->recorded && sm_cgroup_limit_milli(root, &limit_milli) == 0)
		s->capacity_cpus = (double)limit_milli / 1000;
	/* The residual is unknown without /proc/stat. */
	err = sm_procstat_open(&s->stat_file, root);
	return err == -ENOMEM ? err : 0;
}

void sampler_close(struct sampler *s)
{
	if (!s->root) /* never opened */
		return;
	tasks_fini(&s->tasks);
	pidlist_close(&s->pids);
	exited_fini(&s->exited);
	exited_names_close(&s->exited_names);
	turnover_close(&s->turnover);
	sm_taskwalk_close(&s->walk);
	sm_procstat_close(&s->stat_file);
	sm_procstat_fini(&s->stat[0]);
	sm_procstat_fini(&s->stat[1]);
	free(s->stamps);
	free(s->moved);
	free(s->rows);
	free(s->scratch);
	*s = (struct sampler){0};
}

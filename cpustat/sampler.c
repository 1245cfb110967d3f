// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "cpu.h"
#include "cpuclock.h"
#include "parse.h"
#include "sampler.h"
#include "threads.h"

#define CHUNK 256u /* processes between two looks at the time */

/* At the start the parents and child times are read of those that have used most CPU and
 * those that came last, which are most likely to reap; a moment later (sampler_early())
 * of those of the others that are at work; of the rest slowly. */
#define LEARN_FIRST    64u
#define LEARN_NEWEST   16
#define LEARN_LEAST_NS SM_NSEC_PER_MSEC
#define LEARN_EARLY_NS (SM_NSEC_PER_MSEC / 4)
#define LEARN_LATER    3u
#define LEARN_SLOWEST  (100 * SM_NSEC_PER_MSEC)

/* --- memory ------------------------------------------------------------------------ */

static void note_moved(struct sampler *s, size_t i, uint64_t ns, uint64_t dt_ns)
{
	if (s->nmoved == s->moved_cap) {
		size_t cap = s->moved_cap ? s->moved_cap + s->moved_cap / 2 : CHUNK;
		struct sampler_moved *v = reallocarray(s->moved, cap, sizeof(*v));

		if (!v) {
			s->err = -ENOMEM;
			return;
		}
		s->moved = v;
		s->moved_cap = cap;
	}
	s->moved[s->nmoved++] = (struct sampler_moved){i, ns, dt_ns};
}

/* --- time -------------------------------------------------------------------------- */

/* A recorded tree's stands still when it cannot be read. */
static uint64_t time_now(const struct sampler *s)
{
	uint64_t ns;

	if (!s->own_time)
		return sm_mono_ns();
	return sm_uptime_ns(s->root, &ns) == 0 ? ns : s->t_ns;
}

static uint64_t boot_ticks(const struct sampler *s, uint64_t t_ns)
{
	int64_t offset = s->own_time ? 0 : sm_clock_boot_offset_ns();

	return (t_ns + (uint64_t)offset) / s->tick_ns;
}

/* Stamps the chunk that begins; gives the time since it was read last. */
static uint64_t stamp_chunk(struct sampler *s, size_t chunk)
{
	uint64_t now = time_now(s), before;

	if (chunk >= s->stamps_cap) {
		size_t cap = s->stamps_cap ? 2 * s->stamps_cap : 64;
		uint64_t *v = reallocarray(s->stamps, cap, sizeof(*v));

		if (!v) {
			s->err = -ENOMEM;
			return s->now.dt_ns;
		}
		s->stamps = v;
		s->stamps_cap = cap;
	}
	/* What is in a chunk that is new was in the last one, or not at all. */
	before = chunk < s->nstamps ? s->stamps[chunk] : s->last_stamp;
	s->stamps[chunk] = now;
	return now > before ? now - before : 0;
}

/* After a pass: stamps of chunks that are no more would be those of a time long ago. */
static void end_stamps(struct sampler *s)
{
	s->nstamps = (s->live.n + CHUNK - 1) / CHUNK;
	s->last_stamp = s->nstamps ? s->stamps[s->nstamps - 1] : s->now.t_ns;
}

/* --- the passes -------------------------------------------------------------------- */

/* By clocks: one system call for each process, a stat only for those that moved. */
static void clock_pass(struct sampler *s)
{
	struct live *l = &s->live;
	uint64_t dt = 0, ns;

	for (size_t i = 0; i < l->n; i++) {
		if (i % CHUNK == 0)
			dt = stamp_chunk(s, i / CHUNK);
		if (sm_cpuclock_ns(l->pid[i], &ns) < 0) {
			sampler_bury(s, i);
			continue;
		}
		/* Less than before: another process, which its stat has to say. */
		if (ns != l->ns[i])
			note_moved(s, i, ns, dt);
	}
	end_stamps(s);
}

static void read_moved(struct sampler *s)
{
	struct sm_pidstat st;

	for (size_t k = 0; k < s->nmoved; k++) {
		struct sampler_moved *m = &s->moved[k];

		if (sm_pidstat_read(s->root, s->live.pid[m->i], &st) < 0)
			sampler_account_unread(s, m);
		else
			sampler_account(s, m->i, &st, m->ns, m->dt_ns);
	}
}

static uint64_t stat_ns(const struct sampler *s, const struct sm_pidstat *st)
{
	return (st->utime_ticks + st->stime_ticks) * s->tick_ns;
}

/* A parent that only reaped has no tick of its own, perhaps, nor has a process that died:
 * that it is a zombie has to be known (look_at()). */
static bool stood_still(const struct sampler *s, size_t i, const struct sm_pidstat *st)
{
	if (st->state == 'Z' && !s->live.task[i])
		return false;
	return stat_ns(s, st) == s->live.ns[i] &&
	       sampler_child_ticks(st) == s->live.child_ticks[i] &&
	       sampler_same(s, i, st);
}

/* It used nothing, but its parent or itself may have died. */
static void look_idle(struct sampler *s, size_t i, const struct sm_pidstat *st)
{
	s->live.ppid[i] = st->ppid;
	if (s->live.task[i])
		sampler_task(s, i)->state = st->state;
}

static void one_stat(struct sampler *s, size_t i, uint64_t dt)
{
	struct live *l = &s->live;
	struct sm_pidstat st;
	int err = sm_pidstat_read(s->root, l->pid[i], &st);

	if (err == -ENOENT && s->number == 1)
		live_bury(l, i);
	else if (err == -ENOENT)
		sampler_bury(s, i);
	else if (err < 0)
		s->now.unreadable++;
	else if (l->child_ticks[i] == SAMPLER_UNKNOWN_TICKS)
		sampler_take_base(s, i, &st, stat_ns(s, &st));
	else if (stood_still(s, i, &st))
		look_idle(s, i, &st);
	else
		sampler_account(s, i, &st, stat_ns(s, &st), dt);
}

/* By /proc/PID/stat alone: all of them. */
static void stat_pass(struct sampler *s)
{
	uint64_t dt = 0;

	for (size_t i = 0; i < s->live.n; i++) {
		if (i % CHUNK == 0)
			dt = stamp_chunk(s, i / CHUNK);
		if (s->live.pid[i] > 0)
			one_stat(s, i, dt);
	}
	end_stamps(s);
}

/* The first look by clocks. */
static void first_clocks(struct sampler *s)
{
	struct live *l = &s->live;

	for (size_t i = 0; i < l->n; i++) {
		if (i % CHUNK == 0)
			(void)stamp_chunk(s, i / CHUNK);
		if (sm_cpuclock_ns(l->pid[i], &l->ns[i]) < 0)
			live_bury(l, i);
	}
	end_stamps(s);
}

/* --- learning ---------------------------------------------------------------------- */

static void learn(struct sampler *s, size_t i)
{
	struct sm_pidstat st;

	if (s->live.task[i] || s->live.child_ticks[i] != SAMPLER_UNKNOWN_TICKS ||
		sm_pidstat_read(s->root, s->live.pid[i], &st) < 0)
		return;
	s->live.ppid[i] = st.ppid;
	s->live.child_ticks[i] = sampler_child_ticks(&st);
}

/* The CPU time that only about n processes have reached, as a power of two. */
static uint64_t top_limit(const struct live *l, size_t n)
{
	size_t count[65] = {0}, sum = 0;
	int bit = 64;

	for (size_t i = 0; i < l->n; i++)
		count[l->ns[i] ? 64 - __builtin_clzll(l->ns[i]) : 0]++;
	while (bit > 0 && sum + count[bit] <= n)
		sum += count[bit--];
	return bit >= 63 ? UINT64_MAX : UINT64_C(1) << bit;
}

/* COMMAND and ourselves, who reap its orphans, however many forks came since. */
static bool is_ours(const struct sampler *s, pid_t pid)
{
	return pid == s->tree || pid == s->self;
}

static bool is_new(const struct live *l, pid_t pid)
{
	return l->last_pid >= pid && l->last_pid - pid < LEARN_NEWEST;
}

static void learn_first(struct sampler *s)
{
	struct live *l = &s->live;
	size_t most = LEARN_FIRST + l->n / 64;
	uint64_t limit = top_limit(l, most);

	if (limit < LEARN_LEAST_NS)
		limit = LEARN_LEAST_NS;
	for (size_t i = 0; i < l->n; i++)
		if (l->fixed || l->ns[i] >= limit || is_ours(s, l->pid[i]) ||
			is_new(l, l->pid[i]))
			learn(s, i);
}

void sampler_early(struct sampler *s)
{
	struct live *l = &s->live;
	uint64_t ns;

	if (!s->clocks)
		return;
	for (size_t i = 0; i < l->n; i++)
		if (l->ns[i] >= LEARN_EARLY_NS && !l->task[i] &&
			l->child_ticks[i] == SAMPLER_UNKNOWN_TICKS &&
			sm_cpuclock_ns(l->pid[i], &ns) == 0 && ns != l->ns[i])
			learn(s, i);
}

/* Round and round: entries move when others come and go. */
static void learn_some(struct sampler *s)
{
	if (s->now.dt_ns < LEARN_SLOWEST)
		return;
	if (s->learn_at >= s->live.n)
		s->learn_at = 0;
	for (unsigned int k = 0; k < LEARN_LATER && s->learn_at < s->live.n; k++)
		learn(s, s->learn_at++);
}

/* --- a sample ---------------------------------------------------------------------- */

/* A recorded tree's file may be another one by now. */
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

static void gone_from_scan(void *ctx, size_t i)
{
	sampler_bury(ctx, i);
}

static int find_births(struct sampler *s)
{
	int err = live_births(&s->live, gone_from_scan, s);

	if (!err && s->number > 1)
		s->now.births += s->live.nborn;
	return err ? err : live_admit(&s->live);
}

/* The first look: where everybody stands. */
static void baseline(struct sampler *s)
{
	struct live *l = &s->live;

	for (size_t i = 0; i < l->n; i++)
		l->child_ticks[i] = SAMPLER_UNKNOWN_TICKS;
	if (s->clocks)
		first_clocks(s);
	else
		stat_pass(s);
	live_sweep(l);
	/* After the look: whoever starts later is another process. */
	s->t_ticks = boot_ticks(s, time_now(s));
	if (s->clocks)
		learn_first(s);
}

/* Everybody's average since birth, for a screen that cannot wait. */
static void rows_since_birth(struct sampler *s)
{
	struct sm_pidstat st;

	for (size_t i = 0; i < s->live.n; i++) {
		uint64_t age, ns = s->live.ns[i];

		if (!ns || sm_pidstat_read(s->root, s->live.pid[i], &st) < 0)
			continue;
		age = s->t_ticks > st.start_ticks ? s->t_ticks - st.start_ticks : 1;
		s->live.ns[i] = 0; /* counts whole, once */
		sampler_account(s, i, &st, ns, age * s->tick_ns);
	}
	s->now.tasks_ns = s->now.self_ns = 0;
	s->exited.nreapers = 0;
}

static void begin(struct sampler *s)
{
	uint64_t t = time_now(s);

	s->nrows = s->nmoved = 0;
	s->read_again = false;
	s->err = 0;
	s->now = (struct cs_sample){.t_ns = t,
		.wall_ns = t + (uint64_t)sm_clock_wall_offset_ns(),
		.dt_ns = s->number && t > s->t_ns ? t - s->t_ns : 0,
		.machine = s->machine};
}

static void first_sample(struct sampler *s, bool since_birth)
{
	baseline(s);
	if (since_birth)
		rows_since_birth(s);
}

static void later_sample(struct sampler *s)
{
	uint64_t ticks = boot_ticks(s, s->now.t_ns);

	if (s->clocks) {
		clock_pass(s);
		read_moved(s);
	} else {
		stat_pass(s);
	}
	sampler_settle(s);
	learn_some(s);
	sampler_residual(s);
	s->t_ticks = ticks;
}

int sampler_take(struct sampler *s, bool since_birth, struct cs_sample *out)
{
	int err;

	begin(s);
	*out = s->now;
	if (s->number && !s->now.dt_ns)
		return 0; /* the last sample's rows stay as they are */
	tasks_reclaim(&s->tasks);
	s->number++;
	read_machine(s);
	err = find_births(s);
	if (err)
		return err;
	if (s->number == 1)
		first_sample(s, since_birth);
	else
		later_sample(s);
	s->t_ns = s->now.t_ns;
	s->now.live = s->live.n;
	s->now.rows = s->rows;
	s->now.nrows = s->nrows;
	*out = s->now;
	return s->err;
}

/* --- opening ----------------------------------------------------------------------- */

/* What is switched on now is read from the next sample on. */
static void since(bool *was, bool is, uint32_t number, uint32_t *at)
{
	if (is && !*was)
		*at = number + 1;
	*was = is;
}

void sampler_options(struct sampler *s)
{
	const struct cs_opts *o = s->opts;
	bool machine =
		o->json.here || o->csv.here || o->json.file || o->csv.file || o->tui;

	s->want_cmd = machine || !o->comm || o->name_glob;
	s->want_uid = machine || o->uids.n || o->group == CS_GROUP_USER;
	s->want_cgroup = o->cgroup || o->group == CS_GROUP_CGROUP;
	since(&s->with_threads, o->threads || o->wait, s->number, &s->threads_since);
	since(&s->with_wait, o->wait, s->number, &s->wait_since);
}

int sampler_open(struct sampler *s, const struct sm_root *root, const struct cs_opts *o,
	struct sm_intern *names)
{
	uint64_t limit_milli, ns;
	int err;

	*s = (struct sampler){.opts = o,
		.root = root,
		.names = names,
		.self = getpid(),
		.live.loadavg = SM_FILE_INIT,
		.stat_file.file = SM_FILE_INIT};
	s->tick_ns = SM_NSEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK);
	s->recorded = !root->real_proc;
	s->own_time = s->recorded && sm_uptime_ns(root, &ns) == 0;
	s->clocks = o->source != CS_SOURCE_PROC && sm_cpuclock_usable(root);
	if (o->source == CS_SOURCE_CLOCK && !s->clocks)
		return -EOPNOTSUPP;
	s->machine = (s->recorded || sm_pidns_initial(root)) && !o->pids.n;
	if (!root->live)
		s->self = 0;
	sampler_options(s);
	s->scratch = malloc(SAMPLER_NAME_BYTES);
	if (!s->scratch)
		return -ENOMEM;
	tasks_init(&s->tasks, names);
	err = live_open(&s->live, root, s->clocks);
	if (!err && o->pids.n)
		err = live_only(&s->live, o->pids.v, o->pids.n);
	if (err)
		return err;
	s->online = 1;
	err = sm_cpu_online(root);
	if (err > 0)
		s->online = (unsigned int)err;
	if (!s->machine && !s->recorded && sm_cpu_limit_milli(root, &limit_milli) == 0)
		s->capacity_cpus = (double)limit_milli / 1000;
	/* Without it there is no residual; the rest works. */
	err = sm_procstat_open(&s->stat_file, root);
	return err == -ENOMEM ? err : 0;
}

void sampler_close(struct sampler *s)
{
	if (!s->root) /* never opened */
		return;
	tasks_fini(&s->tasks);
	live_close(&s->live);
	exited_fini(&s->exited);
	sm_procstat_close(&s->stat_file);
	sm_procstat_fini(&s->stat[0]);
	sm_procstat_fini(&s->stat[1]);
	free(s->stamps);
	free(s->moved);
	free(s->rows);
	free(s->scratch);
	*s = (struct sampler){0};
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/signame.h"
#include "outcome.h"

#define REASON 256

/* --- one instance ------------------------------------------------------------------- */

static enum result_status status_of(enum stress_outcome o)
{
	switch (o) {
	case STRESS_PASS:
		return RESULT_PASS;
	case STRESS_SKIP:
		return RESULT_SKIP;
	case STRESS_LACKS:
		return RESULT_LACKS;
	default:
		return RESULT_FAIL;
	}
}

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static double of_timeval(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* The signal need not be the last one that was sent: an end by SIGTERM may take longer
 * than a second. */
static bool is_ended_by_force(const struct worker *w)
{
	int signo = WTERMSIG(w->wstatus);

	return w->forced && (signo == SIGTERM || signo == SIGKILL);
}

static enum result_status killed(const struct supervisor *v, const struct stage *g,
	const struct worker *w, char *why)
{
	int signo = WTERMSIG(w->wstatus);
	char buf[SM_SIGNAME_MAX];
	const char *name = sm_signame(signo, buf);

	if (w->too_slow) {
		snprintf(why, REASON, "the setup took longer than 30 s");
		return RESULT_LACKS;
	}
	if (w->stalled && is_ended_by_force(w)) {
		snprintf(why, REASON, "no progress since t = %.1f s",
			seconds(w->seen_ns - g->go_ns));
		return RESULT_FAIL;
	}
	if (is_ended_by_force(w) && (signo == SIGTERM || w->starved)) {
		snprintf(why, REASON, "killed by %s, %s s after the end of the run", name,
			signo == SIGTERM ? "0.3" : "1.3");
		return RESULT_PASS;
	}
	if (v->cut && (signo == SIGTERM || signo == SIGKILL)) {
		snprintf(why, REASON, "killed by %s", name);
		return RESULT_INTERRUPTED;
	}
	snprintf(why, REASON,
		is_ended_by_force(w) ? "did not stop: killed by %s" : "killed by %s",
		name);
	return RESULT_FAIL;
}

static enum result_status exited(const struct worker *w, char *why)
{
	const struct stress_slot *slot = w->slot;
	unsigned int code = (unsigned int)WEXITSTATUS(w->wstatus);

	if (slot->phase != PHASE_DONE || code != slot->outcome) {
		snprintf(why, REASON, "exited unexpectedly, with status %u", code);
		return RESULT_FAIL;
	}
	snprintf(why, REASON, "%s", slot->reason);
	return status_of(slot->outcome);
}

static bool ended_by_oom(const struct worker *w)
{
	return WIFSIGNALED(w->wstatus) && WTERMSIG(w->wstatus) == SIGKILL && !w->forced;
}

/* Reads user and system CPU time.  An instance that was killed has not recorded them for
 * its run. */
static void cpu_times(const struct worker *w, double s[2])
{
	const struct stress_slot *slot = w->slot;

	s[0] = slot->end_ns ? seconds(slot->user_ns) : of_timeval(w->usage.ru_utime);
	s[1] = slot->end_ns ? seconds(slot->sys_ns) : of_timeval(w->usage.ru_stime);
}

/* Returns the status of an instance that exited normally, which passes only if it
 * completed an op. */
static enum result_status passed(
	const struct supervisor *v, const struct worker *w, char *why)
{
	double cpu_s[2];

	if (v->cut)
		return RESULT_INTERRUPTED;
	if (w->slot->ops || !w->job->ops)
		return RESULT_PASS;
	if (v->aborted)
		return RESULT_INTERRUPTED;
	cpu_times(w, cpu_s);
	snprintf(why, REASON,
		"completed no op within the run time; it received %.0f ms of CPU",
		(cpu_s[0] + cpu_s[1]) * 1000);
	return RESULT_LACKS;
}

/* Returns the status of an instance and writes the reason to why ("" if there is nothing
 * to report). */
static enum result_status judge(const struct supervisor *v, const struct stage *g,
	const struct worker *w, char *why)
{
	enum result_status s;

	*why = '\0';
	if (w->start_err) {
		snprintf(why, REASON, "cannot start: %s", strerror(-w->start_err));
		return RESULT_LACKS;
	}
	if (w->pid) {
		snprintf(why, REASON, "still running after SIGKILL");
		return RESULT_FAIL;
	}
	s = WIFSIGNALED(w->wstatus) ? killed(v, g, w, why) : exited(w, why);
	/* This applies even if it was restarted and did its work then. */
	if (w->oom_kills && (s == RESULT_PASS || ended_by_oom(w))) {
		snprintf(why, REASON, "killed by the kernel for lack of memory");
		return RESULT_LACKS;
	}
	return s == RESULT_PASS ? passed(v, w, why) : s;
}

/* Fills in the times.  An instance that was killed has not recorded its end. */
static void fill_times(
	const struct stage *g, const struct worker *w, struct result_instance *one)
{
	const struct stress_slot *slot = w->slot;
	uint64_t end = slot->end_ns > w->fork_ns ? slot->end_ns : w->end_ns;
	double cpu_s[2];

	if (g->go_ns && end > g->go_ns)
		one->wall_s = seconds(end - g->go_ns);
	cpu_times(w, cpu_s);
	one->user_s = cpu_s[0];
	one->sys_s = cpu_s[1];
	one->maxrss_kb = (uint64_t)w->usage.ru_maxrss;
}

/* --- a job -------------------------------------------------------------------------- */

/* Returns the severity of a status. */
static int gravity(enum result_status s)
{
	static const int of[] = {[RESULT_PASS] = 0,
		[RESULT_SKIP] = 1,
		[RESULT_INTERRUPTED] = 2,
		[RESULT_LACKS] = 3,
		[RESULT_FAIL] = 4};

	return of[s];
}

static int give_reason(struct result *r, const char *why, unsigned int number)
{
	char text[REASON + 32];

	if (r->n > 1)
		snprintf(text, sizeof(text), "instance %u: %s", number, why);
	else
		snprintf(text, sizeof(text), "%s", why);
	free(r->reason);
	r->reason = strdup(text);
	return r->reason ? 0 : -ENOMEM;
}

static int add_worker(const struct supervisor *v, const struct stage *g,
	const struct worker *w, struct result *r)
{
	struct result_instance *one = &r->one[w->number];
	const struct stress_slot *slot = w->slot;
	char why[REASON];
	double setup = 0;

	one->status = judge(v, g, w, why);
	one->ops = slot->ops;
	one->metric = slot->metric;
	one->pinned = slot->pinned;
	r->histogram[w->number] = w->histogram;
	memcpy(one->has_metric, slot->has_metric, sizeof(one->has_metric));
	fill_times(g, w, one);
	r->ops += one->ops;
	r->user_s += one->user_s;
	r->sys_s += one->sys_s;
	if (one->wall_s > r->wall_s)
		r->wall_s = one->wall_s;
	r->oom_kills += w->oom_kills;
	r->forced += w->forced && WIFSIGNALED(w->wstatus);
	if (one->maxrss_kb > r->maxrss_kb)
		r->maxrss_kb = one->maxrss_kb;
	if (slot->ready_ns > w->fork_ns)
		setup = seconds(slot->ready_ns - w->fork_ns);
	if (setup > r->setup_s)
		r->setup_s = setup;
	if (*why && (!r->reason || gravity(one->status) > gravity(r->status)))
		if (give_reason(r, why, w->number) < 0)
			return -ENOMEM;
	if (gravity(one->status) > gravity(r->status))
		r->status = one->status;
	return 0;
}

/* Returns the unit of an event; "" for a count. */
static const char *unit_of(const char *event)
{
	return strcmp(event, "task-clock") == 0 ? "ns" : "";
}

static void add_perf(const struct supervisor *v, const struct worker *w, struct result *r,
	const struct perf_counts **counts)
{
	for (unsigned int i = 0; i < r->n; i++)
		counts[i] = &w[i].slot->perf;
	for (unsigned int i = 0; i < v->perf->n; i++) {
		struct result_figure f = {
			.name = v->perf->name[i], .unit = unit_of(v->perf->name[i])};

		if (perf_sum(counts, r->n, i, &f.value, &f.share) &&
			r->n_figures < RESULT_FIGURES)
			r->figure[r->n_figures++] = f;
	}
}

static int job_result(const struct supervisor *v, const struct stage *g,
	const struct job *j, const struct worker *w, struct result *r)
{
	const struct perf_counts **counts;
	int err = 0;

	*r = (struct result){.job = j};
	if (j->why_not) {
		r->status = j->lacks ? RESULT_LACKS : RESULT_SKIP;
		r->reason = strdup(j->why_not);
		return r->reason ? 0 : -ENOMEM;
	}
	r->n = j->instances;
	r->one = calloc(r->n, sizeof(*r->one));
	r->histogram = calloc(r->n, sizeof(struct sm_loghist *));
	counts = calloc(r->n, sizeof(struct perf_counts *));
	if (!r->one || !r->histogram || !counts)
		err = -ENOMEM;
	for (unsigned int i = 0; i < r->n && !err; i++)
		err = add_worker(v, g, &w[i], r);
	if (!err && v->perf)
		add_perf(v, w, r, counts);
	free(counts);
	return err;
}

int outcome_results(const struct supervisor *v, const struct stage *g, struct result *r)
{
	const struct worker *w = g->worker;
	int err = 0;

	for (size_t i = 0; i < g->n_jobs && !err; i++) {
		err = job_result(v, g, &g->job[i], w, &r[i]);
		w += r[i].n;
	}
	return err;
}

void outcome_free(struct result *r)
{
	free(r->one);
	free(r->histogram);
	free(r->reason);
}

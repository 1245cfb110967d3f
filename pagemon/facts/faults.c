// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "faults.h"
#include "kernel/tracefs.h"
#include "target/opener.h"

static const char *const names[FAULT_KEYS] = {
	[FAULT_MINOR] = "Page Faults (Minor)",
	[FAULT_MAJOR] = "Page Faults (Major)",
	[FAULT_USER] = "Page Faults (User Space)",
	[FAULT_KERNEL] = "Page Faults (Kernel Space)",
	[FAULT_ALLOC] = "Kernel Page Allocate",
	[FAULT_FREE] = "Kernel Page Free",
};

const char *fault_name(enum fault_key key)
{
	return names[key];
}

void faults_init(struct faults *f)
{
	*f = (struct faults){.perf = PERFSET_INIT};
	for (enum fault_key k = 0; k < FAULT_KEYS; k++)
		f->count[k].err = -ENODATA;
}

void faults_fini(struct faults *f)
{
	perfset_close(&f->perf);
}

static enum perf_counter perf_of(enum fault_key k)
{
	return (enum perf_counter)(k - FAULT_USER);
}

/* perf counters count since they were opened, counters of stat since the first reading.
 */
static void put(struct fault_count *c, enum fault_key k, uint64_t now)
{
	c->err = 0;
	c->now = now;
	if (!c->have_first) {
		c->first = k >= FAULT_USER ? 0 : now;
		c->have_first = true;
	}
	c->since_start = now - c->first;
}

static void opened(struct faults *f, int err)
{
	for (enum fault_key k = FAULT_USER; k < FAULT_KEYS; k++)
		f->count[k].err = err ? err : f->perf.err[perf_of(k)];
	f->perf_open = !err;
}

static int open_here(struct faults *f, const struct target *t)
{
	int dir = sm_tracefs_open(t->root);
	int err = perfset_open(&f->perf, t->root, dir, t->pid);

	if (dir >= 0)
		close(dir);
	return err;
}

static int open_events(struct faults *f, const struct target *t)
{
	int err;

	f->execs = t->execs;
	f->uid = t->uid;
	if (!t->opener) {
		err = open_here(f, t);
		opened(f, err);
		return err;
	}
	err = opener_perf_ask(t->opener, t);
	f->perf_asked = !err;
	opened(f, err ? err : -EINPROGRESS);
	return err;
}

int faults_perf(struct faults *f, const struct target *t)
{
	if (f->perf_tried)
		return 0;
	f->perf_tried = true;
	return open_events(f, t);
}

/* Opens new events, whose counts are added to the counts so far. */
static void open_again(struct faults *f, const struct target *t)
{
	for (enum fault_key k = FAULT_USER; k < FAULT_KEYS; k++)
		f->count[k].before = f->count[k].now;
	perfset_close(&f->perf);
	(void)!open_events(f, t);
}

/* Returns whether the target executed a set-user-ID program after the events were opened.
 */
static bool events_ended(struct faults *f, const struct target *t)
{
	if (!f->perf_open || f->execs == t->execs)
		return false;
	f->execs = t->execs;
	return f->uid != t->uid;
}

static void receive(struct faults *f, const struct target *t)
{
	int err = f->perf_asked ? opener_perf(t->opener, &f->perf) : -EAGAIN;

	if (err == -EAGAIN)
		return;
	f->perf_asked = false;
	opened(f, err);
}

/* The VM window also shows these counters and rates. */
static void take_stat(struct faults *f, const struct vmfacts *v)
{
	struct fault_count *minor = &f->count[FAULT_MINOR];
	struct fault_count *major = &f->count[FAULT_MAJOR];

	if (!v->faults_known)
		return;
	put(minor, FAULT_MINOR, v->faults.minor);
	put(major, FAULT_MAJOR, v->faults.major);
	minor->rate_known = major->rate_known = v->rates_known;
	minor->per_s = v->minor_per_s;
	major->per_s = v->major_per_s;
}

static void read_perf(struct faults *f)
{
	for (enum fault_key k = FAULT_USER; k < FAULT_KEYS; k++) {
		struct fault_count *c = &f->count[k];
		uint64_t now;
		int err = perfset_read(&f->perf, perf_of(k), &now);

		if (err)
			c->err = err;
		else
			put(c, k, c->before + now);
	}
}

static void rate(struct fault_count *c, double seconds)
{
	c->rate_known = !c->err && c->had_rate_from;
	if (c->rate_known)
		c->per_s = (double)(c->now - c->rate_from) / seconds;
	c->rate_from = c->now;
	c->had_rate_from = !c->err;
}

static void rates(struct faults *f, uint64_t now_ns)
{
	uint64_t ns = now_ns - f->rate_from_ns;

	if (f->rate_from_ns && ns < VM_RATE_NS)
		return;
	for (enum fault_key k = FAULT_USER; k < FAULT_KEYS; k++)
		rate(&f->count[k], (double)ns / (double)SM_NSEC_PER_SEC);
	f->rate_from_ns = now_ns;
}

void faults_read(struct faults *f, const struct target *t, const struct vmfacts *v,
	uint64_t now_ns)
{
	take_stat(f, v);
	receive(f, t);
	if (events_ended(f, t))
		open_again(f, t);
	if (f->perf_open)
		read_perf(f);
	rates(f, now_ns);
}

void faults_explain(const struct faults *f, enum fault_key key, struct sm_buf *out)
{
	int err = f->count[key].err;

	if (err == -EINPROGRESS)
		sm_buf_str(out, "opening perf events");
	else if (err)
		sm_buf_printf(
			out, "n/a: %s", err == -ENODATA ? "not counted" : strerror(-err));
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "faults.h"
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
	*f = (struct faults){.asked = false};
	for (enum fault_key k = 0; k < FAULT_KEYS; k++)
		f->count[k].err = -ENODATA;
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

static void set_err(struct faults *f, int err)
{
	for (enum fault_key k = FAULT_USER; k < FAULT_KEYS; k++)
		f->count[k].err = err;
}

/* The kernel ends the events of a target that executes a set-user-ID program.  New ones
 * are opened, whose counts are added to the counts so far. */
void faults_ask(struct faults *f, const struct target *t)
{
	bool renew = f->asked && f->uid != t->uid;
	int err = opener_ask_events(t->opener, t, renew);

	if (err == -EBUSY)
		return;
	if (err || !f->asked)
		set_err(f, err ? err : -EINPROGRESS);
	for (enum fault_key k = FAULT_USER; renew && k < FAULT_KEYS; k++)
		f->count[k].before = f->count[k].now;
	f->asked = true;
	f->uid = t->uid;
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

void faults_take(struct faults *f, const struct target *t, const struct vmfacts *v,
	uint64_t now_ns)
{
	struct perf_counts now;

	take_stat(f, v);
	if (opener_events(t->opener, &now) < 0)
		return;
	for (enum fault_key k = FAULT_USER; k < FAULT_KEYS; k++) {
		struct fault_count *c = &f->count[k];

		c->err = now.err[k - FAULT_USER];
		if (!c->err)
			put(c, k, c->before + now.count[k - FAULT_USER]);
	}
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

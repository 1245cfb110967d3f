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
		f->count[k].before = f->count[k].since_start;
	f->asked = true;
	f->uid = t->uid;
}

/* The VM window also shows these counters and rates. */
static void take_stat(struct fault_count *c, uint64_t now, const struct vm_rate *rate)
{
	if (c->err)
		c->first = now;
	c->err = 0;
	c->since_start = now - c->first;
	c->rate = *rate;
}

/* perf counters count since they were opened. */
static void take_perf(
	struct fault_count *c, const struct perf_counts *now, enum perf_counter i)
{
	c->err = now->err[i];
	if (c->err) {
		c->rate = (struct vm_rate){.known = false};
		return;
	}
	c->since_start = c->before + now->count[i];
	vm_rate_add(&c->rate, c->since_start, now->ns);
}

void faults_take(struct faults *f, const struct target *t, const struct vmfacts *v)
{
	struct perf_counts now;

	if (v->faults_known) {
		take_stat(&f->count[FAULT_MINOR], v->faults.minor, &v->minor);
		take_stat(&f->count[FAULT_MAJOR], v->faults.major, &v->major);
	}
	if (opener_events(t->opener, &now) < 0)
		return;
	for (enum perf_counter i = 0; i < PERF_COUNTERS; i++)
		take_perf(&f->count[FAULT_USER + i], &now, i);
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

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "exitcpu.h"

#define RING_BYTES (1u << 20) /* 11,900 records */
/* Longest wait for a record after the exit of its process. */
#define LATE_NS SM_NSEC_PER_SEC

struct exitcpu_wait {
	pid_t pid;
	uint64_t end_ns;
	struct exitcpu_sum *sum;
};

int exitcpu_open(struct exitcpu *x, const struct sm_root *root)
{
	struct sm_bpf_log log;

	*x = (struct exitcpu){0};
	x->err = sm_map_init(&x->waiting, 64);
	if (!x->err)
		x->err = sm_taskexit_open(&x->program, root, RING_BYTES, &log);
	x->open = x->err == 0;
	return x->err == -ENOMEM ? x->err : 0;
}

void exitcpu_close(struct exitcpu *x)
{
	struct exitcpu_wait *w;

	if (x->open)
		sm_taskexit_close(&x->program);
	for (size_t i = 0; x->waiting.slots && (w = sm_map_next(&x->waiting, &i));)
		free(w);
	sm_map_fini(&x->waiting);
	free(x->early);
	*x = (struct exitcpu){0};
}

/* Returns the entry of a pid and creates it if necessary.  NULL: no memory. */
static struct exitcpu_wait *entry(struct exitcpu *x, pid_t pid)
{
	struct exitcpu_wait *w = sm_map_get(&x->waiting, (uint64_t)pid);

	if (w || !(w = malloc(sizeof(*w))))
		return w;
	*w = (struct exitcpu_wait){.pid = pid};
	if (sm_map_put(&x->waiting, (uint64_t)pid, w) == 0)
		return w;
	free(w);
	return NULL;
}

void exitcpu_ended(struct exitcpu *x, const struct sm_task *p, uint64_t end_ns,
	struct exitcpu_sum *sum)
{
	struct exitcpu_wait *w = x->open ? entry(x, p->pid) : NULL;

	x->all.ended++;
	sum->ended++;
	if (!w) {
		x->err = x->open ? -ENOMEM : x->err;
		return;
	}
	w->end_ns = end_ns;
	w->sum = sum;
}

void exitcpu_record(void *ctx, const struct sm_taskexit_record *r)
{
	struct exitcpu *x = ctx;
	int err = sm_array_reserve(&x->early, &x->cap, x->n + 1, sizeof(*r));

	if (err)
		x->err = err;
	else
		x->early[x->n++] = *r;
}

void exitcpu_read(struct exitcpu *x)
{
	if (x->open && !x->n)
		(void)!sm_taskexit_drain(&x->program, exitcpu_record, x);
}

static void add(struct exitcpu_sum *sum, uint64_t ns)
{
	sum->known++;
	sum->ns += ns;
}

static void settle_one(struct exitcpu *x, const struct sm_taskexit_record *r)
{
	struct exitcpu_wait *w = sm_map_del(&x->waiting, (uint64_t)r->pid);

	if (w && r->start_ns < w->end_ns && !r->cpu_unknown) {
		add(w->sum, r->cpu_ns);
		add(&x->all, r->cpu_ns);
	}
	free(w);
}

void exitcpu_settle(struct exitcpu *x)
{
	for (size_t i = 0; i < x->n; i++)
		settle_one(x, &x->early[i]);
	x->n = 0;
}

/* A zombie has no record yet, so it is not waited for. */
bool exitcpu_outstanding(const struct exitcpu *x, uint64_t now_ns)
{
	const struct exitcpu_wait *w;

	for (size_t i = 0; x->open && (w = sm_map_next(&x->waiting, &i));)
		if (w->end_ns + LATE_NS > now_ns && sm_procpid_is_gone(w->pid))
			return true;
	return false;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "bpf/vmlinux.h"
#include "proc/ksyms.h"
#include "timers/timerowner.h"

int sm_timerowner_open(struct sm_timer_owners *o, struct sm_bpf_loader *l,
	unsigned int owners, unsigned int symbols)
{
	struct sm_timer_symbols *s;
	int err = sm_bpf_loader_map(l, owners);

	if (err < 0)
		return err;
	o->owners_fd = sm_bpf_loader_keep(l, owners);
	err = sm_bpf_loader_array(l, symbols, &o->symbols);
	if (err)
		return err;
	o->symbols_fd = sm_bpf_loader_keep(l, symbols);
	s = o->symbols.values;
	for (int i = 0; i < SM_TIMER_CALLBACKS; i++)
		s->callback[i] = UINT64_MAX;
	return 0;
}

int sm_timerowner_attach(struct sm_bpf_loader *l, unsigned int program)
{
	int fd = sm_bpf_loader_attach(l, program);

	if (fd != -EINVAL || !l->object->symbols)
		return fd;
	memset(l->symbol, 0, sizeof(l->symbol)); /* this kernel rejects functions */
	return sm_bpf_loader_attach(l, program);
}

static void store(uint64_t *to, uint64_t address)
{
	__atomic_store_n(to, address, __ATOMIC_RELAXED);
}

void sm_timerowner_callback(
	struct sm_timer_owners *o, enum sm_timer_callback callback, uint64_t func)
{
	struct sm_timer_symbols *s = o->symbols.values;

	store(&s->callback[callback], func);
}

/* Addresses of per-CPU variables; 0: unknown. */
struct places {
	uint64_t queue, count, tick;
};

/* Adds the offset of a member to the address of a variable. */
static void add_member(const struct sm_btf *b, const char *structure, const char *name,
	size_t size, uint64_t *address)
{
	struct sm_btf_member m = {.structure = structure, .name = name, .size = size};

	*address = sm_btf_find(b, &m) ? 0 : *address + m.offset;
}

/* Finds the tick's timer, which begins hrtimer.function bytes before its callback. */
static void find_tick(const struct sm_btf *b, struct places *p)
{
	struct sm_btf_member m = {.structure = "hrtimer", .name = "function"};

	if (sm_btf_percpu(b, "tick_cpu_sched", &p->tick) || sm_btf_find(b, &m))
		return;
	add_member(b, "tick_sched", "sched_timer.function", 0, &p->tick);
	if (p->tick)
		p->tick -= m.offset;
}

/* The preempt count of x86 was a member of pcpu_hot in Linux 6.2 to 6.14. */
static int find_places(const struct sm_btf *b, void *ctx)
{
	struct places *p = ctx;
	int err = sm_btf_percpu(b, "runqueues", &p->queue);

	if (err)
		return err;
	find_tick(b, p);
	if (!sm_btf_percpu(b, "__preempt_count", &p->count))
		return 0;
	if (!sm_btf_percpu(b, "pcpu_hot", &p->count))
		add_member(b, "pcpu_hot", "preempt_count", sizeof(int), &p->count);
	return 0;
}

/* Linux 5.10 of Debian, for example, lacks variables in BTF, but has these symbols. */
static void find_symbols(const struct sm_root *root, struct places *p)
{
	struct sm_ksym_named symbol[] = {
		{.name = "runqueues"}, {.name = "__preempt_count"}};

	if (sm_ksyms_find(root, symbol, SM_ARRAY_SIZE(symbol)))
		return;
	p->queue = symbol[0].address;
	p->count = symbol[1].address;
}

bool sm_timerowner_find(struct sm_timer_owners *o, const struct sm_root *root)
{
	struct sm_timer_symbols *s = o->symbols.values;
	struct places p = {0};

	if (sm_vmlinux_read(root, find_places, &p) == -ENOENT)
		find_symbols(root, &p);
	store(&s->preempt_count, p.count ? p.count - p.queue : 0);
	store(&s->tick, p.tick ? p.tick - p.queue : 0);
	return p.count;
}

void sm_timerowner_close(struct sm_timer_owners *o)
{
	sm_base_close_fd(&o->owners_fd);
	sm_base_close_fd(&o->symbols_fd);
	sm_bpf_array_close(&o->symbols);
}

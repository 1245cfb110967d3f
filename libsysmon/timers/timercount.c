// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "timercount.bpf.h"
#include "timers/timercount.h"

/* --- opening ----------------------------------------------------------------------- */

static int make_maps(struct sm_timercount *t, struct sm_bpf_loader *l, uint32_t by_timer)
{
	int err = sm_timerowner_open(&t->owners, l, MAP_TIMER_OWNERS, MAP_TIMER_SYMBOLS);

	if (!err)
		err = sm_bpf_loader_array(l, MAP_LOSSES, &t->lost);
	if (!err)
		err = sm_bpf_loader_array(l, MAP_SHARES, &t->share_array);
	if (!err) {
		t->shares = t->share_array.values;
		t->shares->room = SM_TIMER_COUNTERS_MAX;
	}
	return err ? err : sm_bpf_loader_set(l, MAP_BY_TIMER, &by_timer);
}

static int attach_all(struct sm_timercount *t, struct sm_bpf_loader *l)
{
	for (unsigned int i = 0; i < SM_TIMERCOUNT_PROGRAMS; i++) {
		t->attached[i] = sm_timerowner_attach(l, i);
		if (t->attached[i] < 0)
			return t->attached[i];
	}
	t->counts_fd = sm_bpf_loader_keep(l, MAP_TIMER_COUNTS);
	return 0;
}

/* On arm64 the preempt count is a member of a task. */
static bool has_member(const struct sm_bpf_loader *l, const char *name)
{
	const struct sm_bpf_object *o = l->object;

	for (unsigned int i = 0; i < o->members; i++)
		if (l->exists[i] && !strcmp(o->names + o->member[i].name, name))
			return true;
	return false;
}

/* Loads all programs; without BTF some owners are unknown. */
static int load_all(struct sm_timercount *t, const struct sm_root *root, bool by_timer,
	struct sm_bpf_log *log)
{
	SM_CLEANUP(sm_bpf_loader_close) struct sm_bpf_loader l;
	int err = sm_bpf_loader_open(&l, &timercount_bpf, root, log);

	if (err && l.btf)
		return err;
	err = make_maps(t, &l, by_timer);
	if (!err)
		t->shows_context = sm_timerowner_find(&t->owners, root) ||
				   has_member(&l, "thread_info.preempt.count");
	return err ? err : attach_all(t, &l);
}

static int open_all(struct sm_timercount *t, const struct sm_root *root, bool by_timer,
	struct sm_bpf_log *log)
{
	t->key = malloc(SM_TIMER_COUNTERS_MAX * sizeof(*t->key));
	t->counts = malloc(SM_TIMER_COUNTERS_MAX * sizeof(*t->counts));
	if (!t->key || !t->counts)
		return -ENOMEM;
	return load_all(t, root, by_timer, log);
}

int sm_timercount_open(struct sm_timercount *t, const struct sm_root *root, bool by_timer,
	struct sm_bpf_log *log)
{
	int err = -ENOSYS;

	*t = (struct sm_timercount){.owners = SM_TIMER_OWNERS_INIT, .counts_fd = -1};
	for (size_t i = 0; i < SM_TIMERCOUNT_PROGRAMS; i++)
		t->attached[i] = -1;
	log->text[0] = '\0';
	if (sizeof(void *) == 8)
		err = open_all(t, root, by_timer, log);
	if (err)
		sm_timercount_close(t);
	return err;
}

/* --- reading ----------------------------------------------------------------------- */

int sm_timercount_read(struct sm_timercount *t)
{
	t->n = SM_TIMER_COUNTERS_MAX;
	return sm_bpf_map_read(t->counts_fd, t->key, t->counts, &t->n);
}

int sm_timercount_delete(struct sm_timercount *t, const struct sm_timer_key *key,
	struct sm_timer_counts *rest)
{
	int err = sm_bpf_map_take(t->counts_fd, key, rest);

	if (!err)
		sm_shares_deleted(t->shares, (uint32_t)rest->payer);
	return err;
}

struct sm_timer_losses sm_timercount_lost(const struct sm_timercount *t)
{
	const struct sm_timer_losses *lost = t->lost.values;

	return (struct sm_timer_losses){
		.owners = __atomic_load_n(&lost->owners, __ATOMIC_RELAXED),
		.events = __atomic_load_n(&lost->events, __ATOMIC_RELAXED)};
}

void sm_timercount_close(struct sm_timercount *t)
{
	for (size_t i = 0; i < SM_TIMERCOUNT_PROGRAMS; i++)
		sm_base_close_fd(&t->attached[i]);
	sm_timerowner_close(&t->owners);
	sm_base_close_fd(&t->counts_fd);
	sm_bpf_array_close(&t->lost);
	sm_bpf_array_close(&t->share_array);
	free(t->key);
	free(t->counts);
	t->key = NULL;
	t->counts = NULL;
}

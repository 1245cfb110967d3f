// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "proc/cpulist.h"
#include "timers/wakecause.h"
#include "wakecause.bpf.h"

/* --- opening ----------------------------------------------------------------------- */

static void take_highest(void *cpus, unsigned int cpu)
{
	unsigned int *n = cpus;

	if (cpu >= *n)
		*n = cpu + 1;
}

static int count_cpus(struct sm_wakecause *w, const struct sm_root *root)
{
	char text[4096];
	ssize_t n = sm_file_slurp_bytes(
		root->sys, "devices/system/cpu/possible", text, sizeof(text));
	int err = n < 0 ? (int)n
			: sm_cpulist_parse(text, (size_t)n, take_highest, &w->cpus);

	if (err < 0)
		return err;
	return w->cpus ? 0 : -ENODATA;
}

/* True if state 0 of the tracepoint polls.  Without cpuidle it stands for idle=poll. */
static bool does_zero_poll(const struct sm_root *root)
{
	char name[16];
	ssize_t n = sm_file_slurp_bytes(root->sys,
		"devices/system/cpu/cpu0/cpuidle/state0/name", name, sizeof(name));

	return n < 4 || !memcmp(name, "POLL", 4);
}

static int make_maps(struct sm_wakecause *w, struct sm_bpf_loader *l,
	const struct sm_root *root, const struct sm_timer_owners *owners)
{
	struct sm_wake_settings settings = {
		.zero_polls = does_zero_poll(root), .has_owners = owners != NULL};
	int err;

	l->entries[MAP_WAKE_CPUS] = w->cpus;
	err = sm_bpf_loader_array(l, MAP_WAKE_CPUS, &w->cpu_array);
	if (err)
		return err;
	w->cpu = w->cpu_array.values;
	err = sm_bpf_loader_array(l, MAP_SHARES, &w->share_array);
	if (err)
		return err;
	w->shares = w->share_array.values;
	w->shares->room = SM_WAKECAUSE_MAX;
	if (owners) {
		sm_bpf_loader_lend(l, MAP_TIMER_OWNERS, owners->owners_fd);
		sm_bpf_loader_lend(l, MAP_TIMER_SYMBOLS, owners->symbols_fd);
	}
	l->entries[MAP_TIMER_OWNERS] = 1; /* not used without owners */
	return sm_bpf_loader_set(l, MAP_SETTINGS, &settings);
}

struct program {
	unsigned int program;
	bool required;
};

/* Vectors differ between machines, so most of their tracepoints are optional. */
static const struct program causes[] = {
	{PROGRAM_WAKE_IRQ, true},
	{PROGRAM_WAKE_IRQ_END, true},
	{PROGRAM_WAKE_SOFT, true},
	{PROGRAM_WAKE_SOFT_END, true},
	{PROGRAM_WAKE_HR, true},
	{PROGRAM_WAKE_HR_END, true},
	{PROGRAM_WAKE_WHEEL, true},
	{PROGRAM_WAKE_WHEEL_END, true},
	{PROGRAM_WAKE_IPI, false},
	{PROGRAM_WAKE_CLOCK, false},
	{PROGRAM_WAKE_RESCHED, false},
	{PROGRAM_WAKE_CALL, false},
	{PROGRAM_WAKE_CALL_ONE, false},
	{PROGRAM_WAKE_WORK, false},
	{PROGRAM_WAKE_PLATFORM, false},
	{PROGRAM_WAKE_THERMAL, false},
	{PROGRAM_WAKE_THRESHOLD, false},
	{PROGRAM_WAKE_DEFERRED, false},
	{PROGRAM_WAKE_ERROR, false},
	{PROGRAM_WAKE_SPURIOUS, false},
};

/* Needs the kernel's types. */
static const struct program running[] = {
	{PROGRAM_WAKE_RAN, true},
};

static const struct program sending[] = {
	{PROGRAM_WAKE_FLAG, false},
	{PROGRAM_WAKE_QUEUE, false},
	{PROGRAM_WAKE_SEND, true},
};

/* Replacement for the last program before Linux 6.4. */
static const struct program waking[] = {
	{PROGRAM_WAKE_WAKING, true},
	{PROGRAM_WAKE_WOKEN, true},
};

/* Attached after the programs that find causes. */
static const struct program counting[] = {
	{PROGRAM_WAKE_EXITS, true},
	{PROGRAM_WAKE_IDLE, true},
};

_Static_assert(SM_ARRAY_SIZE(causes) + SM_ARRAY_SIZE(sending) + SM_ARRAY_SIZE(waking) +
			       SM_ARRAY_SIZE(running) + SM_ARRAY_SIZE(counting) <=
		       SM_WAKECAUSE_PROGRAMS,
	"programs");

static int attach(
	struct sm_wakecause *w, struct sm_bpf_loader *l, const struct program *p)
{
	int fd = sm_timerowner_attach(l, p->program);

	if (fd < 0)
		return fd == -ENOENT && !p->required ? 0 : fd;
	w->attached[w->programs++] = fd;
	return 0;
}

static int attach_each(struct sm_wakecause *w, struct sm_bpf_loader *l,
	const struct program *p, size_t n)
{
	int err = 0;

	for (size_t i = 0; i < n && !err; i++)
		err = attach(w, l, &p[i]);
	return err;
}

/* An old kernel without BTF does not show the sender. */
static int attach_senders(struct sm_wakecause *w, struct sm_bpf_loader *l)
{
	int err = attach_each(w, l, sending, SM_ARRAY_SIZE(sending));

	if (err != -ENOENT)
		return err;
	return l->btf ? attach_each(w, l, waking, SM_ARRAY_SIZE(waking)) : 0;
}

static int attach_all(struct sm_wakecause *w, struct sm_bpf_loader *l, bool woke)
{
	int err = attach_each(w, l, causes, SM_ARRAY_SIZE(causes));

	if (!err && woke && l->btf)
		err = attach_each(w, l, running, SM_ARRAY_SIZE(running));
	if (!err)
		err = attach_senders(w, l);
	if (!err)
		err = attach_each(w, l, counting, SM_ARRAY_SIZE(counting));
	if (!err)
		w->counts_fd = sm_bpf_loader_keep(l, MAP_WAKE_COUNTS);
	return err;
}

static int load_all(struct sm_wakecause *w, const struct sm_root *root,
	const struct sm_timer_owners *owners, bool woke, struct sm_bpf_log *log)
{
	SM_CLEANUP(sm_bpf_loader_close) struct sm_bpf_loader l;
	int err = sm_bpf_loader_open(&l, &wakecause_bpf, root, log);

	if (err && l.btf)
		return err;
	err = make_maps(w, &l, root, owners);
	return err ? err : attach_all(w, &l, woke);
}

static int open_all(struct sm_wakecause *w, const struct sm_root *root,
	const struct sm_timer_owners *owners, bool woke, struct sm_bpf_log *log)
{
	int err = count_cpus(w, root);

	if (err)
		return err;
	w->key = malloc(SM_WAKECAUSE_MAX * sizeof(*w->key));
	w->counts = malloc(SM_WAKECAUSE_MAX * sizeof(*w->counts));
	if (!w->key || !w->counts)
		return -ENOMEM;
	return load_all(w, root, owners, woke, log);
}

int sm_wakecause_open(struct sm_wakecause *w, const struct sm_root *root,
	const struct sm_timer_owners *owners, bool woke, struct sm_bpf_log *log)
{
	int err = -ENOSYS;

	*w = (struct sm_wakecause){.counts_fd = -1};
	log->text[0] = '\0';
	if (sizeof(void *) == 8)
		err = open_all(w, root, owners, woke, log);
	if (err)
		sm_wakecause_close(w);
	return err;
}

/* --- reading ----------------------------------------------------------------------- */

int sm_wakecause_read(struct sm_wakecause *w)
{
	w->n = SM_WAKECAUSE_MAX;
	return sm_bpf_map_read(w->counts_fd, w->key, w->counts, &w->n);
}

int sm_wakecause_delete(struct sm_wakecause *w, const struct sm_wake_key *key,
	struct sm_wake_counts *rest)
{
	int err = sm_bpf_map_take(w->counts_fd, key, rest);

	if (!err)
		sm_shares_deleted(w->shares, (uint32_t)rest->payer);
	return err;
}

static uint64_t load(const uint64_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

uint64_t sm_wakecause_exits(const struct sm_wakecause *w, unsigned int cpu)
{
	return cpu < w->cpus ? load(&w->cpu[cpu].exits) : 0;
}

struct sm_wake_sum sm_wakecause_lost(
	const struct sm_wakecause *w, unsigned int cpu, enum sm_wake_cause cause)
{
	const struct sm_wake_sum *s;

	if (cpu >= w->cpus || cause >= SM_WAKE_CAUSES)
		return (struct sm_wake_sum){0};
	s = &w->cpu[cpu].lost[cause];
	return (struct sm_wake_sum){load(&s->wakeups), load(&s->slept_ns)};
}

uint64_t sm_wakecause_sleeps(
	const struct sm_wakecause *w, unsigned int cpu, unsigned int bucket)
{
	return cpu < w->cpus && bucket < SM_WAKE_BUCKETS
		       ? load(&w->cpu[cpu].sleeps[bucket])
		       : 0;
}

void sm_wakecause_close(struct sm_wakecause *w)
{
	while (w->programs > 0)
		sm_base_close_fd(&w->attached[--w->programs]);
	sm_bpf_array_close(&w->cpu_array);
	sm_bpf_array_close(&w->share_array);
	sm_base_close_fd(&w->counts_fd);
	free(w->key);
	free(w->counts);
	w->cpu = NULL;
	w->cpus = 0;
	w->key = NULL;
	w->counts = NULL;
}

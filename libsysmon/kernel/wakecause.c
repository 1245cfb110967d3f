// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "kernel/cpulist.h"
#include "kernel/wakecause.h"

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

static int make_maps(struct sm_wakecause *w)
{
	int err = sm_bpf_array_open(&w->cpu_array, "wake_cpus", sizeof(*w->cpu), w->cpus);

	if (err)
		return err;
	w->cpu = w->cpu_array.values;
	w->prog.cpus_fd = w->cpu_array.fd;
	w->prog.counts_fd = sm_bpf_map_create("wake_counts", SM_BPF_MAP_HASH,
		sizeof(struct sm_wake_key), sizeof(struct sm_wake_counts),
		SM_WAKECAUSE_MAX, 0);
	return w->prog.counts_fd < 0 ? w->prog.counts_fd : 0;
}

static int open_all(
	struct sm_wakecause *w, const struct sm_root *root, struct sm_bpf_log *log)
{
	int err = count_cpus(w, root);

	if (!err)
		err = make_maps(w);
	if (err)
		return err;
	w->key = malloc(SM_WAKECAUSE_MAX * sizeof(*w->key));
	w->counts = malloc(SM_WAKECAUSE_MAX * sizeof(*w->counts));
	if (!w->key || !w->counts)
		return -ENOMEM;
	return sm_wakeprog_attach(&w->prog, root, log);
}

int sm_wakecause_open(struct sm_wakecause *w, const struct sm_root *root,
	const struct sm_timer_owners *owners, struct sm_bpf_log *log)
{
	int err = -ENOSYS;

	*w = (struct sm_wakecause){.prog = {.cpus_fd = -1,
					   .counts_fd = -1,
					   .owners = owners,
					   .wakers_fd = -1}};
	log->text[0] = '\0';
	if (sizeof(void *) == 8)
		err = open_all(w, root, log);
	if (err)
		sm_wakecause_close(w);
	return err;
}

int sm_wakecause_read(struct sm_wakecause *w)
{
	w->n = SM_WAKECAUSE_MAX;
	return sm_bpf_map_read(w->prog.counts_fd, w->key, w->counts, &w->n);
}

int sm_wakecause_delete(struct sm_wakecause *w, const struct sm_wake_key *key,
	struct sm_wake_counts *rest)
{
	return sm_bpf_map_take(w->prog.counts_fd, key, rest);
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
	sm_wakeprog_detach(&w->prog);
	sm_bpf_array_close(&w->cpu_array);
	sm_base_close_fd(&w->prog.counts_fd);
	free(w->key);
	free(w->counts);
	w->cpu = NULL;
	w->cpus = 0;
	w->key = NULL;
	w->counts = NULL;
}

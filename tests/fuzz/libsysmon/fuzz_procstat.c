// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_procstat: /proc/stat, twice into the same memory: a reading must not depend on the
 * one before, and the counts must agree with the lines.  Differences never exceed what
 * was read.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proc/procstat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void check_lines(const struct sm_procstat *s)
{
	unsigned int present = 0;

	require(s->ncpu <= s->cap && s->ncpu <= 65536 && s->online <= s->ncpu);
	for (unsigned int i = 0; i < s->ncpu; i++)
		present += s->cpu[i].present;
	require(present == s->online);
}

/* Equal to a fresh reading. */
static void check_same(const struct sm_procstat *fresh, const struct sm_procstat *used)
{
	static const struct sm_cpu_line absent;

	require(memcmp(&fresh->total, &used->total, sizeof(fresh->total)) == 0);
	require(fresh->online == used->online && fresh->ncpu <= used->ncpu);
	for (unsigned int i = 0; i < used->ncpu; i++) {
		const struct sm_cpu_line *f = i < fresh->ncpu ? &fresh->cpu[i] : &absent;
		const struct sm_cpu_line *u = &used->cpu[i];

		require(f->present == u->present);
		require(memcmp(&f->t, &u->t, sizeof(f->t)) == 0);
	}
	require(fresh->ctxt == used->ctxt && fresh->intr == used->intr);
	require(fresh->softirq == used->softirq && fresh->btime == used->btime);
	require(fresh->processes == used->processes);
	require(fresh->running == used->running && fresh->blocked == used->blocked);
}

static void check_delta(const struct sm_cpu_ticks *now, const struct sm_cpu_ticks *before)
{
	struct sm_cpu_ticks d;

	sm_procstat_delta(now, before, UINT64_MAX, &d);
	require(d.user <= now->user && d.nice <= now->nice && d.system <= now->system);
	require(d.idle <= now->idle && d.iowait <= now->iowait && d.irq <= now->irq);
	require(d.softirq <= now->softirq && d.steal <= now->steal);
	require(d.guest <= now->guest && d.guest_nice <= now->guest_nice);
	require(sm_procstat_sum(&d) ==
		sm_procstat_busy(&d) + d.idle + d.iowait + d.steal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct sm_procstat fresh = {0}, used = {0};
	int first, again, half;

	half = sm_procstat_parse(text, size / 2, &used);
	require(half == 0 || half == -EBADMSG);
	check_lines(&used);
	first = sm_procstat_parse(text, size, &fresh);
	check_delta(&fresh.total, &used.total);
	again = sm_procstat_parse(text, size, &used);
	require(first == again && (first == 0 || first == -EBADMSG));
	require(half != 0 ||
		first == 0); /* more text does not lose the line of all CPUs */
	check_lines(&fresh);
	check_lines(&used);
	check_same(&fresh, &used);
	sm_procstat_fini(&fresh);
	sm_procstat_fini(&used);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "facts.h"

static unsigned int cpus(int name)
{
	long n = sysconf(name);

	return n > 0 ? (unsigned int)n : 1;
}

/* cpu_set_t holds 1024 CPUs.  On a larger machine the call fails, and the number of
 * online CPUs is used. */
static unsigned int usable_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return cpus(_SC_NPROCESSORS_ONLN);
	return (unsigned int)CPU_COUNT(&set);
}

static void set_load(struct facts *f)
{
	bool known = sysinfo(&f->system) == 0;

	for (unsigned int i = 0; i < SM_ARRAY_SIZE(f->load); i++)
		f->load[i] =
			known ? (double)f->system.loads[i] / (1 << SI_LOAD_SHIFT) : NAN;
}

void facts_machine(struct facts *f)
{
	f->cpus = usable_cpus();
	if (uname(&f->host) < 0)
		memset(&f->host, 0, sizeof(f->host));
	set_load(f);
	f->online_cpus = cpus(_SC_NPROCESSORS_ONLN);
	f->known_cpus = cpus(_SC_NPROCESSORS_CONF);
}

void facts_begin(struct facts *f)
{
	memset(f, 0, sizeof(*f));
	f->begin_mono_ns = sm_clock_mono_ns();
	f->begin_wall_ns = sm_clock_ns(CLOCK_REALTIME);
}

void facts_end(struct facts *f)
{
	uint64_t ns = sm_clock_mono_ns() - f->begin_mono_ns;

	f->end_wall_ns = f->begin_wall_ns + ns;
	f->wall_s = (double)ns / (double)SM_NSEC_PER_SEC;
	if (f->cpus)
		set_load(f);
}

void facts_count(const struct result *r, size_t n, struct facts_counts *counts)
{
	memset(counts, 0, sizeof(*counts));
	for (size_t i = 0; i < n; i++)
		counts->n[r[i].status]++;
}

const char *facts_reason(const struct result *r)
{
	return r->reason ? r->reason : r->job->why_not;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proc/cgroup.h"
#include "state.h"

#define KHZ_PER_MHZ 1000.0
#define MC_PER_C    1000.0

int state_open(struct state *s, const struct sm_root *root)
{
	int err = sm_cpufreq_open(&s->freq, root);

	s->root = root;
	sm_cpusettings_read(&s->cpu, root);
	if (sm_cgroup_limit_milli(root, &s->limit_milli) < 0)
		s->limit_milli = 0;
	s->has_freq = !err;
	if (err != -ENOMEM)
		err = sm_thermal_open(&s->thermal, root);
	s->has_thermal = !err;
	if (s->has_thermal) {
		s->zone = calloc(s->thermal.n + 1, sizeof(*s->zone));
		s->zones = s->zone ? s->thermal.n : 0;
	}
	return err == -ENOMEM || (s->has_thermal && !s->zone) ? -ENOMEM : 0;
}

void state_close(struct state *s)
{
	if (s->has_freq)
		sm_cpufreq_close(&s->freq);
	if (s->has_thermal)
		sm_thermal_close(&s->thermal);
	sm_throttle_free(&s->throttle);
	free(s->zone);
	memset(s, 0, sizeof(*s));
}

/* Returns the mean frequency in MHz; 0: unknown. */
static double mean_mhz(struct state *s)
{
	if (!s->has_freq || sm_cpufreq_read(&s->freq) < 0)
		return 0;
	return s->freq.mean_khz / KHZ_PER_MHZ;
}

void state_begin(struct state *s)
{
	s->mhz.begin = mean_mhz(s);
	if (s->has_thermal)
		(void)!sm_thermal_read(&s->thermal);
	for (unsigned int i = 0; i < s->zones; i++) {
		const struct sm_thermal_zone *z = &s->thermal.zone[i];

		s->zone[i] = (struct state_zone){.label = z->label,
			.begun = z->error == 0,
			.c.begin = (double)z->temp_mc / MC_PER_C};
	}
	s->has_throttle = sm_throttle_read(&s->throttle, s->root) == 0;
}

void state_full(struct state *s)
{
	double mhz = mean_mhz(s);

	if (mhz <= 0)
		return;
	if (!s->full_mhz.known)
		s->full_mhz.begin = mhz;
	s->full_mhz.known = true;
	s->full_mhz.end = mhz;
}

static void end_temperatures(struct state *s)
{
	if (s->has_thermal)
		(void)!sm_thermal_read(&s->thermal);
	for (unsigned int i = 0; i < s->zones; i++) {
		const struct sm_thermal_zone *z = &s->thermal.zone[i];

		s->zone[i].c.known = s->zone[i].begun && z->error == 0;
		s->zone[i].c.end = (double)z->temp_mc / MC_PER_C;
	}
}

void state_end(struct state *s)
{
	struct sm_throttle now;

	s->mhz.end = mean_mhz(s);
	s->mhz.known = s->mhz.begin > 0 && s->mhz.end > 0;
	end_temperatures(s);
	if (!s->has_throttle || sm_throttle_read(&now, s->root) < 0)
		return;
	/* Events of some cores are worth a remark. */
	(void)sm_throttle_between(
		&s->throttle, &now, &s->core_throttles, &s->package_throttles);
	sm_throttle_free(&now);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

#include "base/clock.h"
#include "events/perf.h"
#include "events/tsc.h"

#define NEAR_NS	   SM_NSEC_PER_MSEC
#define TRIES	   5 /* the fastest reading is used */
#define LEAF_POWER 0x80000007u
#define INVARIANT  (1u << 8)

int sm_tsc_hz_of(uint32_t mult, uint16_t shift, double *hz)
{
	if (mult == 0 || shift > 63)
		return -ENODATA;
	*hz = ldexp(1e9, shift) / mult;
	return 0;
}

int sm_tsc_hz_between(
	const struct sm_tsc_mark *a, const struct sm_tsc_mark *b, double *hz)
{
	if (b->raw_ns < a->raw_ns + NEAR_NS || b->tsc <= a->tsc)
		return -ENODATA;
	*hz = (double)(b->tsc - a->tsc) * 1e9 / (double)(b->raw_ns - a->raw_ns);
	return 0;
}

#if defined(__x86_64__) || defined(__i386__)
bool sm_tsc_usable(void)
{
	unsigned int a, b, c, d;

	return __get_cpuid(LEAF_POWER, &a, &b, &c, &d) && d & INVARIANT;
}

/* Reads the clock between two readings of the counter and uses their middle. */
int sm_tsc_mark(struct sm_tsc_mark *m)
{
	uint64_t best = UINT64_MAX;

	if (!sm_tsc_usable())
		return -EOPNOTSUPP;
	for (int i = 0; i < TRIES; i++) {
		uint64_t before = __rdtsc(), ns = sm_clock_ns(CLOCK_MONOTONIC_RAW);
		uint64_t took = __rdtsc() - before;

		if (took >= best)
			continue;
		best = took;
		*m = (struct sm_tsc_mark){before + took / 2, ns};
	}
	return 0;
}

/* Every event has the page, even a dummy event, which requires no privileges. */
int sm_tsc_kernel_hz(double *hz)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *p;
	int r = -ENODATA;

	if (!sm_tsc_usable())
		return -EOPNOTSUPP;
	SM_CLOSE_FD int fd = sm_perf_event_open(&attr, 0, -1, -1, 0);
	if (fd < 0)
		return -ENODATA;
	p = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return -ENODATA;
	if (p->cap_user_time)
		r = sm_tsc_hz_of(p->time_mult, p->time_shift, hz);
	munmap(p, bytes);
	return r;
}
#else
bool sm_tsc_usable(void)
{
	return false;
}

int sm_tsc_mark(struct sm_tsc_mark *m)
{
	(void)m;
	return -EOPNOTSUPP;
}

int sm_tsc_kernel_hz(double *hz)
{
	(void)hz;
	return -EOPNOTSUPP;
}
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tsc: the frequency of the time stamp counter, which is that of the "reference cycles" of a PMU.
 *
 * x86 only, and only where the counter is invariant (CPUID 0x80000007, EDX bit 8: the same rate in all
 * states of frequency and idleness).  The kernel's own figure comes from the factors of a perf event's
 * mmap page (time_mult, time_shift: linux/perf_event.h), to 1 in 10^8; it is absent where the clock of
 * the scheduler is another (kvm-clock).  Else two readings beside CLOCK_MONOTONIC_RAW measure it, the
 * better the longer they are apart.  Elsewhere all is -EOPNOTSUPP.
 */
#ifndef SM_TSC_H
#define SM_TSC_H

#include "base/base.h"

struct sm_tsc_mark {
	uint64_t tsc;
	uint64_t raw_ns; /* CLOCK_MONOTONIC_RAW at the same time */
};

bool sm_tsc_usable(void);
/* -ENODATA: the kernel does not tell. */
int sm_tsc_kernel_hz(double *hz) SM_MUST;
int sm_tsc_mark(struct sm_tsc_mark *m) SM_MUST;
/* -ENODATA: less than 1 ms apart. */
int sm_tsc_hz_between(const struct sm_tsc_mark *a, const struct sm_tsc_mark *b, double *hz) SM_MUST;
/* Hz of "(cycles * mult) >> shift" nanoseconds.  -ENODATA: mult is 0 or shift is above 63. */
int sm_tsc_hz_of(uint32_t mult, uint16_t shift, double *hz) SM_MUST;

#endif

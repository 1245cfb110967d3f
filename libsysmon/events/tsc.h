/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tsc: the frequency of the time stamp counter, at which the "reference cycles" of a PMU also count.
 *
 * Works only on x86 with an invariant counter (CPUID 0x80000007, EDX bit 8: a constant rate in all
 * frequency and idle states); otherwise reading it gives -EOPNOTSUPP.  The kernel's own value is
 * computed from the factors in a perf event's mmap page (time_mult, time_shift: linux/perf_event.h) and is
 * exact to 1 in 10^8.  It is missing if the scheduler uses another clock (kvm-clock).  Two readings
 * together with CLOCK_MONOTONIC_RAW measure the frequency instead; the accuracy grows with the time between
 * them.
 */
#ifndef SM_TSC_H
#define SM_TSC_H

#include "base/base.h"

struct sm_tsc_mark {
	uint64_t tsc;
	uint64_t raw_ns; /* CLOCK_MONOTONIC_RAW at the time of the reading */
};

bool sm_tsc_usable(void);
/* Reads the kernel's value.  -ENODATA: the kernel does not report it. */
int sm_tsc_kernel_hz(double *hz) SM_MUST;
int sm_tsc_mark(struct sm_tsc_mark *m) SM_MUST;
/* Computes the frequency from two readings.  -ENODATA: less than 1 ms apart. */
int sm_tsc_hz_between(const struct sm_tsc_mark *a, const struct sm_tsc_mark *b, double *hz) SM_MUST;
/* Computes Hz from "(cycles * mult) >> shift" nanoseconds.  -ENODATA: mult is 0 or shift is above 63. */
int sm_tsc_hz_of(uint32_t mult, uint16_t shift, double *hz) SM_MUST;

#endif

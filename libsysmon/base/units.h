/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units: parses option values with units, and prints numbers with units.
 *
 * A parser accepts the whole string or fails with -EINVAL (not a number, or trailing text) or -ERANGE
 * (too large).
 */
#ifndef SM_UNITS_H
#define SM_UNITS_H

#include "base/base.h"
#include "base/buf.h"

int sm_units_u64(const char *s, uint64_t *out) SM_MUST;
/* Duration: 5 5s 1.5s 200ms 50us 10ns 2m 1h 1d 1w 1y (365 days), or several of them, such as 1h30m.  A
 * number without a unit means seconds.  Negative values are rejected. */
int sm_units_duration_ns(const char *s, uint64_t *out) SM_MUST;
/* sm_units_duration_ns() with another unit for a number without one, such as "ns". */
int sm_units_time_ns(const char *s, const char *unit, uint64_t *out) SM_MUST;
/* Size: 4096 4k 4K 8KiB 64M 1G are powers of 1024; 4kB 1MB are powers of 1000. */
int sm_units_size_bytes(const char *s, uint64_t *out) SM_MUST;
/* 12.5 or 12.5% is 1250 hundredths of a percent. */
int sm_units_percent(const char *s, uint32_t *centi) SM_MUST;
/* Prints eight columns with three decimals: "  0.020s", " 30.399s", "  1.682m", h, d, w, y.  Units are
 * decimal throughout: 1.682m is 1.682 minutes. */
void sm_units_print_duration(struct sm_buf *b, uint64_t ns);
/* 1536 -> "1.5 KiB"; 12 -> "12 B". */
void sm_units_print_iec(struct sm_buf *b, uint64_t bytes);

#endif

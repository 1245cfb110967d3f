/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units: numbers with units: parsing of option values, and human-readable output.
 *
 * Every parser takes the whole string or fails: -EINVAL (not a number, rest left over),
 * -ERANGE (does not fit).
 */
#ifndef SM_UNITS_H
#define SM_UNITS_H

#include "base/base.h"
#include "base/buf.h"

int sm_units_u64(const char *s, uint64_t *out) SM_MUST;
/* 5 5s 1.5s 200ms 50us 10ns 2m 1h 1d 1w 1y (365 days), or several of them, 1h30m; a bare number is seconds.
 * Not negative. */
int sm_units_duration_ns(const char *s, uint64_t *out) SM_MUST;
/* The same with another unit of a bare number: "ns". */
int sm_units_time_ns(const char *s, const char *unit, uint64_t *out) SM_MUST;
/* 4096 4k 4K 8KiB 64M 1G: powers of 1024; 4kB 1MB: powers of 1000. */
int sm_units_size_bytes(const char *s, uint64_t *out) SM_MUST;
/* 12.5 or 12.5%: hundredths of a percent (1250). */
int sm_units_percent(const char *s, uint32_t *centi) SM_MUST;
/* Eight columns, three decimals: "  0.020s", " 30.399s", "  1.682m", h, d, w, y: decimal
 * units throughout (1.682m is 1.682 minutes). */
void sm_units_print_duration(struct sm_buf *b, uint64_t ns);
/* 1536 -> "1.5 KiB"; 12 -> "12 B". */
void sm_units_print_iec(struct sm_buf *b, uint64_t bytes);

#endif

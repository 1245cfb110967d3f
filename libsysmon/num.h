/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * num: the numbers of the command line and of people.
 *
 * Every parser takes the whole string or fails: -EINVAL (not a number, rest left over),
 * -ERANGE (does not fit).
 */
#ifndef SM_NUM_H
#define SM_NUM_H

#include "base.h"
#include "buf.h"

int sm_num_u64(const char *s, uint64_t *out) SM_MUST;
/* 5 5s 1.5s 200ms 50us 10ns 2m 1h 1d 1w; a bare number is seconds.  Not negative. */
int sm_num_duration_ns(const char *s, uint64_t *out) SM_MUST;
/* 4096 4k 4K 8KiB 64M 1G: powers of 1024; 4kB 1MB: powers of 1000. */
int sm_num_size_bytes(const char *s, uint64_t *out) SM_MUST;
/* 12.5 or 12.5%: hundredths of a percent (1250). */
int sm_num_percent(const char *s, uint32_t *centi) SM_MUST;
/* "0-3,8": calls fn for each CPU, ascending within a range (cpumask list format of
 * Documentation/admin-guide/cputopology.rst).  Bytes are given: sysfs text, trailing
 * newline allowed.  Number of CPUs, or -EINVAL, -ERANGE (> 65535). */
int sm_num_cpulist(const char *s, size_t n, void (*fn)(void *ctx, unsigned int cpu), void *ctx)
	SM_MUST;
/* Eight columns, three decimals: "  0.020s", " 30.399s", "  1.682m", h, d, w, y: decimal
 * units throughout (1.682m is 1.682 minutes). */
void sm_num_print_duration(struct sm_buf *b, uint64_t ns);
/* 1536 -> "1.5 KiB"; 12 -> "12 B". */
void sm_num_print_iec(struct sm_buf *b, uint64_t bytes);
/* 1536000 -> "1.54 M": three significant digits. */
void sm_num_print_si(struct sm_buf *b, double v);

#endif

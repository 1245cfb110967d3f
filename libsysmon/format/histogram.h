/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * histogram: the values of a linhist as text and JSON, in a unit of the caller.
 *
 * sm_histogram_bars(): ten bins with bars of up to 40 columns.  The edges have enough decimals to
 * differ; the upper edge of a bin is one unit of the last decimal below the lower edge of the next:
 * 28.000 - 28.999, 29.000 - 30.000.  sm_histogram_shares() and sm_histogram_json(): 20 bins without the
 * empty ones.  sm_histogram_times() and sm_histogram_times_json(): bins of the caller, in milliseconds
 * with bars, and in seconds.  The counts always add up to the number of values.
 */
#ifndef SM_HISTOGRAM_H
#define SM_HISTOGRAM_H

#include "base/buf.h"
#include "base/linhist.h"
#include "format/table.h"

struct sm_histogram {
	const char *title; /* "Histogram (of N TITLE)": "power measurements"; sanitised */
	const char *of;    /* "Range is zero, cannot produce histogram of OF" */
	const char *unit;  /* "Range (UNIT)" */
	double scale;      /* size of the linhist's unit, in units of the caller */
};

void sm_histogram_bars(
	const struct sm_histogram *what, const struct sm_linhist *h, struct sm_buf *b);
/* "  0.00 -   1.58       196  91.59\n": the edges, the count and its percentage. */
void sm_histogram_shares(const struct sm_linhist *h, double scale, struct sm_buf *b);
/* Writes "bins":[{"low_pct":0.00,"high_pct":1.58,"count":196}], with these two keys. */
void sm_histogram_json(const struct sm_linhist *h, double scale, const char *low_key,
	const char *high_key, struct sm_json *j);

struct sm_timebin {
	uint64_t low_ns, high_ns; /* UINT64_MAX: no upper edge */
	uint64_t count;
};

/* Appends "Histogram (of N TITLE)" and the bins from the first to the last that is not empty. */
void sm_histogram_times(
	const struct sm_timebin *bin, unsigned int n, const char *title, struct sm_buf *b);
/* Writes "count":200,"bins":[{"low_s":0.000001024,"high_s":0.000002048,"count":196}] without the empty
 * bins. */
void sm_histogram_times_json(const struct sm_timebin *bin, unsigned int n, struct sm_json *j);

#endif

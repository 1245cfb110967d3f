/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * histogram: ten bins with bars of up to 40 columns (-H).
 *
 * Edges ascend: they have as many decimals as it takes to tell the bins apart, and the upper edge
 * of a bin is the number before the next one's lower edge.  The counts add up to the values.
 */
#ifndef PS_HISTOGRAM_H
#define PS_HISTOGRAM_H

#include "buf.h"
#include "linhist.h"

struct histogram {
	const char *title; /* "Histogram (of N TITLE)": "power measurements"; sanitised */
	const char *of;    /* "Range is zero, cannot produce histogram of OF" */
	const char *unit;  /* "Range (UNIT)" */
	double scale;      /* a value of the histogram in units */
};

void histogram_print(const struct histogram *what, const struct sm_linhist *h, struct sm_buf *b);

#endif

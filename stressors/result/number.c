// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "number.h"

#define MACHINE_DECIMALS 6
#define EXACT		 0x1p53 /* all integers up to it */

uint8_t number_decimals(double v)
{
	double a = fabs(v), least = 10;
	uint8_t n = 2;

	if (!isfinite(v) || a == 0)
		return n;
	for (; n < 9 && a < least; n++)
		least /= 10;
	return n;
}

/* Smaller doubles have few digits, and do not occur. */
#define SMALLEST 1e-300

/* plus: the exponent has a sign and two digits, as YAML requires. */
static void scientific(struct sm_buf *b, double v, int decimals, bool plus)
{
	int e = (int)floor(log10(fabs(v)));
	double m = v / pow(10, e);

	if (fabs(m) < 1) { /* pow() is not exact */
		m *= 10;
		e--;
	}
	if (fabs(m) >= 10 - 0.5 * pow(10, -decimals)) {
		m /= 10;
		e++;
	}
	sm_buf_double(b, m, decimals);
	sm_buf_chr(b, 'e');
	if (e < 0)
		sm_buf_chr(b, '-');
	else if (plus)
		sm_buf_chr(b, '+');
	sm_buf_u64_pad(b, (uint64_t)(e < 0 ? -e : e), plus ? 2 : 1);
}

void number_text(struct sm_buf *b, double v)
{
	double a = fabs(v);

	if (isfinite(v) && (a >= 1e12 || (a < 1e-6 && a > SMALLEST)))
		scientific(b, v, 3, false);
	else
		sm_buf_double(b, v, number_decimals(v));
}

void number_metric(struct sm_buf *b, double v)
{
	if (isfinite(v) && v == floor(v) && fabs(v) < 1e12)
		sm_buf_double(b, v, 0);
	else
		number_text(b, v);
}

void number_short(struct sm_buf *b, double v)
{
	double a = fabs(v);

	if (!isfinite(v) || (a < 1e6 && v == floor(v)))
		sm_buf_double(b, v, 0);
	else if (a >= 1e6 || (a < 1e-6 && a > SMALLEST))
		scientific(b, v, 2, false);
	else
		sm_buf_double(b, v, number_decimals(v));
}

void number_si(struct sm_buf *b, double v)
{
	static const char prefix[] = " kMGT";
	size_t i = 0;

	if (isfinite(v) && fabs(v) < 9999.95) {
		sm_buf_double(b, v, 1);
		return;
	}
	/* 999.95 would be shown as 1000.0. */
	for (; isfinite(v) && fabs(v) >= 999.95 && i < sizeof(prefix) - 2; i++)
		v /= 1000;
	sm_buf_double(b, v, 1);
	if (i)
		sm_buf_chr(b, prefix[i]);
}

void number_commas(struct sm_buf *b, uint64_t v)
{
	if (v < 1000) {
		sm_buf_u64(b, v);
		return;
	}
	number_commas(b, v / 1000);
	sm_buf_chr(b, ',');
	sm_buf_u64_pad(b, v % 1000, 3);
}

void number_machine(struct sm_buf *b, double v)
{
	double a = fabs(v);

	if (a <= EXACT && v == floor(v))
		sm_buf_double(b, v, 0);
	else if (isfinite(v) && a > SMALLEST && (a < 1e-4 || a > EXACT))
		scientific(b, v, MACHINE_DECIMALS, true);
	else
		sm_buf_double(b, v, a < 1 && a > SMALLEST ? 9 : MACHINE_DECIMALS);
}

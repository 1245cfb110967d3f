// SPDX-License-Identifier: GPL-2.0-or-later
#include <float.h>
#include <math.h>

#include "fit/tdist.h"

#define DF_MAX 1e7
/* The continued fraction needs about sqrt(max(a, b)) terms. */
#define TERMS_MAX 20000

static double away_from_zero(double x)
{
	return fabs(x) < DBL_MIN ? DBL_MIN : x;
}

/* The continued fraction of I_x(a, b), which converges fast for x < (a + 1) / (a + b +
 * 2). */
static double fraction(double a, double b, double x)
{
	double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), f = d;

	for (int i = 1; i < TERMS_MAX; i++) {
		double m = i, even, odd, step;

		even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 / away_from_zero(1 + even * d);
		c = away_from_zero(1 + even / c);
		f *= d * c;
		odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / away_from_zero(1 + odd * d);
		c = away_from_zero(1 + odd / c);
		step = d * c;
		f *= step;
		if (fabs(step - 1) < DBL_EPSILON)
			break;
	}
	return f;
}

/* y is 1 - x, which the caller may know better than a subtraction gives it. */
static double beta(double a, double b, double x, double y)
{
	int sign;
	double front;

	if (!(a > 0) || !(b > 0) || !(x >= 0) || !(y >= 0))
		return NAN;
	if (x == 0 || y == 0)
		return x == 0 ? 0 : 1;
	front = exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) +
		    a * log(x) + b * log(y));
	if (x < (a + 1) / (a + b + 2))
		return front * fraction(a, b, x) / a;
	return 1 - front * fraction(b, a, y) / b;
}

double sm_tdist_p(double t, double df)
{
	double t2 = t * t;

	df = df > DF_MAX ? DF_MAX : df;
	if (isinf(t2) && df > 0)
		return 0;
	return beta(df / 2, 0.5, df / (df + t2), t2 / (df + t2));
}

double sm_tdist_cdf(double t, double df)
{
	double tail = sm_tdist_p(t, df) / 2;

	return t > 0 ? 1 - tail : tail;
}

/* Returns the t > 0 that is exceeded, in either direction, with probability p, by
 * bisection of log t: a quantile is computed a few times per run, so Newton's method
 * would save no time. */
static double exceeded(double p, double df)
{
	double low = -40, high = 700;

	for (int i = 0; i < 200 && high - low > 1e-15 * fabs(low); i++) {
		double middle = (low + high) / 2;

		if (sm_tdist_p(exp(middle), df) > p)
			low = middle;
		else
			high = middle;
	}
	return exp((low + high) / 2);
}

double sm_tdist_quantile(double p, double df)
{
	if (!(p > 0) || !(p < 1) || !(df > 0))
		return NAN;
	if (p == 0.5)
		return 0;
	return p < 0.5 ? -exceeded(2 * p, df) : exceeded(2 * (1 - p), df);
}

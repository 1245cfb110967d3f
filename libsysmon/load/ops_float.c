// SPDX-License-Identifier: GPL-2.0-or-later
#include "load/ops_impl.h"

/* p(x) = c0 x^8 + ... + c8 for x = 1 to 4 and coefficients of 1 to 7 is at most 7 * (4^9
 * - 1) / 3 = 611,669 < 2^24.  Each step of Horner's rule is an integer that a float
 * represents exactly, so no rounding takes place. */
#define HORNER(type, x, c0, c1, c2, c3, c4, c5, c6, c7, c8)                 \
	((((((((((type)(c0) * (x) + (type)(c1)) * (x) + (type)(c2)) * (x) + \
		      (type)(c3)) *                                         \
			     (x) +                                          \
		     (type)(c4)) *                                          \
			    (x) +                                           \
		    (type)(c5)) *                                           \
			   (x) +                                            \
		   (type)(c6)) *                                            \
			  (x) +                                             \
		  (type)(c7)) *                                             \
			(x) +                                               \
		(type)(c8)))

/* Four different values of x, and four polynomials that do not depend on each other. */
#define POLYNOMIALS(name, type)                                                 \
	void name(struct sm_ops_state *st, uint64_t n)                          \
	{                                                                       \
		uint64_t k = st->s[0], sum = st->sum;                           \
                                                                                \
		for (; n > 0; n--, k++) {                                       \
			type x = (type)(int)((k & 3) + 1);                      \
			type y = (type)(int)((k >> 2 & 3) + 1);                 \
			type z = (type)(int)((k >> 4 & 3) + 1);                 \
			type w = (type)(int)((k >> 6 & 3) + 1);                 \
			type p = HORNER(type, x, 7, 3, 5, 1, 6, 2, 4, 7, 1);    \
			type q = HORNER(type, y, 3, 6, 1, 7, 2, 5, 4, 1, 6);    \
			type r = HORNER(type, z, 5, 2, 7, 4, 1, 3, 6, 2, 5);    \
			type s = HORNER(type, w, 1, 4, 6, 3, 5, 7, 2, 6, 3);    \
                                                                                \
			sum += (uint32_t)(int)(p + q) ^ (uint32_t)(int)(r + s); \
		}                                                               \
		st->s[0] = k;                                                   \
		st->sum = sum;                                                  \
	}

POLYNOMIALS(sm_ops_float, float)
POLYNOMIALS(sm_ops_double, double)

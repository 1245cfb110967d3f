// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "run/stress.h"

#include "cpu.h"

/* ---- fft: products of polynomials ---- */

#define FFT_N	1024u
#define DEGREES (FFT_N / 2) /* of each polynomial; coefficients are below 1024 */

struct complex {
	double re, im;
};

struct fft {
	struct complex z[FFT_N];
	struct complex root[FFT_N / 2]; /* exp(-2 pi i k / FFT_N) */
};

_Static_assert(sizeof(struct fft) <= CPU_MEM_BYTES, "mem is too small");

static struct complex times(struct complex a, struct complex b)
{
	return (struct complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void fft_roots(struct fft *m)
{
	const double pi = 3.14159265358979323846;

	for (unsigned int k = 0; k < FFT_N / 2; k++) {
		double x = -2 * pi * k / FFT_N;

		m->root[k] = (struct complex){cos(x), sin(x)};
	}
}

/* Transforms from natural order to bit-reversed order. */
static void forward(struct fft *m)
{
	for (unsigned int half = FFT_N / 2; half > 0; half /= 2)
		for (unsigned int from = 0; from < FFT_N; from += 2 * half)
			for (unsigned int k = 0; k < half; k++) {
				struct complex *x = &m->z[from + k], *y = x + half;
				struct complex d = {x->re - y->re, x->im - y->im};

				*x = (struct complex){x->re + y->re, x->im + y->im};
				*y = times(d, m->root[k * (FFT_N / 2 / half)]);
			}
}

/* Transforms back; the values are FFT_N times too large. */
static void backward(struct fft *m)
{
	for (unsigned int half = 1; half < FFT_N; half *= 2)
		for (unsigned int from = 0; from < FFT_N; from += 2 * half)
			for (unsigned int k = 0; k < half; k++) {
				struct complex *x = &m->z[from + k], *y = x + half;
				struct complex r = m->root[k * (FFT_N / 2 / half)], t;

				t = times(*y, (struct complex){r.re, -r.im});
				*y = (struct complex){x->re - t.re, x->im - t.im};
				*x = (struct complex){x->re + t.re, x->im + t.im};
			}
}

static void load_polynomials(struct fft *m, uint64_t state)
{
	for (unsigned int k = 0; k < FFT_N; k++) {
		uint64_t x = k < DEGREES ? stress_random(&state) : 0;

		m->z[k] = (struct complex){(double)(x & 1023), (double)(x >> 10 & 1023)};
	}
}

static uint64_t whole(double x)
{
	return (uint64_t)llrint(x);
}

/* The square of p + iq is pp - qq + 2ipq.  Its coefficients are whole numbers below 2^31,
 * and the transform's error is far below 1/2. */
void cpu_fft(struct cpu_state *st, unsigned int i)
{
	struct fft *m = st->mem;

	if (i == 0)
		fft_roots(m);
	load_polynomials(m, i);
	forward(m);
	for (unsigned int k = 0; k < FFT_N; k++)
		m->z[k] = times(m->z[k], m->z[k]);
	backward(m);
	for (unsigned int k = 0; k < FFT_N; k++)
		st->sum += (k + 1) *
			   (whole(m->z[k].re / FFT_N) + 3 * whole(m->z[k].im / FFT_N));
}

/* ---- matrixprod: in the order of the schoolbook ---- */

#define MATRIX_N    48u
#define MATRIX_ROWS 8u /* in a step; the product is made more than once */

struct pair {
	double a[MATRIX_N][MATRIX_N], b[MATRIX_N][MATRIX_N];
};

_Static_assert(sizeof(struct pair) <= CPU_MEM_BYTES, "mem is too small");

static void load_pair(struct pair *m)
{
	uint64_t state = 4;

	for (unsigned int y = 0; y < MATRIX_N; y++)
		for (unsigned int x = 0; x < MATRIX_N; x++) {
			uint64_t z = stress_random(&state);

			m->a[y][x] = (double)(z & 1023);
			m->b[y][x] = (double)(z >> 10 & 1023);
		}
}

static double dot(const struct pair *m, unsigned int y, unsigned int x)
{
	double d = 0;

	for (unsigned int k = 0; k < MATRIX_N; k++)
		d += m->a[y][k] * m->b[k][x];
	return d;
}

void cpu_matrixprod(struct cpu_state *st, unsigned int i)
{
	unsigned int from = i * MATRIX_ROWS % MATRIX_N;
	struct pair *m = st->mem;

	if (i == 0)
		load_pair(m);
	for (unsigned int y = from; y < from + MATRIX_ROWS; y++)
		for (unsigned int x = 0; x < MATRIX_N; x++)
			st->sum +=
				(uint64_t)(y * MATRIX_N + x + 1) * (uint64_t)dot(m, y, x);
}

/* ---- trig: the C library's functions ---- */

#define ANGLES 512u /* in a step */

/* 20 bits of each value count: all values are too far from a half to be rounded
 * differently by other libraries. */
static uint64_t bits20(double x)
{
	return whole(x * 1048576.0);
}

void cpu_trig(struct cpu_state *st, unsigned int i)
{
	for (unsigned int k = i * ANGLES; k < (i + 1) * ANGLES; k++) {
		double x = (k + 1) / 128.0;

		st->sum = st->sum * 3 + bits20(sin(x));
		st->sum = st->sum * 3 + bits20(cos(x));
		st->sum = st->sum * 3 + bits20(atan(x));
	}
}

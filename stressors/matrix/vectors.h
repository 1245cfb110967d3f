/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vectors: struct matrix_code for registers of one width.  Private to vectors.c, which includes it once for
 * each, with
 *
 *	WIDTH       bytes of a register
 *	CODE(name)  a name for this width
 *	TARGET      attribute of its functions, for the compiler
 */

typedef float CODE(reg) __attribute__((vector_size(WIDTH), may_alias));

#define LANES (WIDTH / sizeof(float))

TARGET static void CODE(row)(const struct matrix *m, enum matrix_method how, size_t i)
{
	const CODE(reg) *a = (const CODE(reg) *)matrix_row(m, m->a, i);
	const CODE(reg) *b = (const CODE(reg) *)matrix_row(m, m->b, i);
	CODE(reg) *r = (CODE(reg) *)matrix_row(m, m->r, i);
	CODE(reg) zero = {0};
	size_t n = m->stride / LANES;

	switch (how) {
	case MATRIX_ADD:
		for (size_t j = 0; j < n; j++)
			r[j] = a[j] + b[j];
		break;
	case MATRIX_COPY:
		for (size_t j = 0; j < n; j++)
			r[j] = a[j];
		break;
	case MATRIX_DIV:
		for (size_t j = 0; j < n; j++)
			r[j] = a[j] / b[j];
		break;
	case MATRIX_HADAMARD:
		for (size_t j = 0; j < n; j++)
			r[j] = a[j] * b[j];
		break;
	case MATRIX_MEAN:
		for (size_t j = 0; j < n; j++)
			r[j] = (a[j] + b[j]) * 0.5f;
		break;
	case MATRIX_MULT:
		for (size_t j = 0; j < n; j++)
			r[j] = a[j] * MATRIX_SCALAR;
		break;
	case MATRIX_NEGATE:
		for (size_t j = 0; j < n; j++)
			r[j] = -a[j];
		break;
	case MATRIX_SUB:
		for (size_t j = 0; j < n; j++)
			r[j] = a[j] - b[j];
		break;
	default: /* zero and identity */
		for (size_t j = 0; j < n; j++)
			r[j] = zero;
	}
	if (how == MATRIX_IDENTITY)
		matrix_row(m, m->r, i)[i] = 1.0f;
}

TARGET static float CODE(dot)(const float *x, const float *y, size_t n)
{
	const CODE(reg) *a = (const CODE(reg) *)x, *b = (const CODE(reg) *)y;
	CODE(reg) s = {0}, t = {0};
	size_t whole = n / (2 * LANES) * 2;
	float sum = 0;

	for (size_t j = 0; j < whole; j += 2) {
		s += a[j] * b[j];
		t += a[j + 1] * b[j + 1];
	}
	s += t;
	for (size_t j = 0; j < LANES; j++)
		sum += s[j];
	for (size_t j = whole * LANES; j < n; j++)
		sum += x[j] * y[j];
	return sum;
}

/* Four rows of two registers: as many sums as a CPU needs that adds in 4 cycles, twice at a time. */
TARGET static void CODE(tile)(const struct matrix *m, const float *a, size_t depth, float *r, bool first)
{
	const float *a0 = a, *a1 = a0 + m->stride, *a2 = a1 + m->stride, *a3 = a2 + m->stride;
	const CODE(reg) *b = (const CODE(reg) *)m->panel;
	CODE(reg) *r0 = (CODE(reg) *)r, *r1 = (CODE(reg) *)(r + m->stride);
	CODE(reg) *r2 = (CODE(reg) *)(r + 2 * m->stride), *r3 = (CODE(reg) *)(r + 3 * m->stride);
	CODE(reg) s00 = {0}, s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00, s30 = s00, s31 = s00;

	if (!first) {
		s00 = r0[0], s01 = r0[1];
		s10 = r1[0], s11 = r1[1];
		s20 = r2[0], s21 = r2[1];
		s30 = r3[0], s31 = r3[1];
	}
	for (size_t k = 0; k < depth; k++) {
		CODE(reg) b0 = b[2 * k], b1 = b[2 * k + 1];

		s00 += a0[k] * b0, s01 += a0[k] * b1;
		s10 += a1[k] * b0, s11 += a1[k] * b1;
		s20 += a2[k] * b0, s21 += a2[k] * b1;
		s30 += a3[k] * b0, s31 += a3[k] * b1;
	}
	r0[0] = s00, r0[1] = s01;
	r1[0] = s10, r1[1] = s11;
	r2[0] = s20, r2[1] = s21;
	r3[0] = s30, r3[1] = s31;
}

#undef LANES

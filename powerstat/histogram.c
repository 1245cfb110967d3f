// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>

#include "histogram.h"
#include "text.h"

#define BINS	     10
#define BAR_WIDTH    40
#define DECIMALS_MIN 3
#define DECIMALS_MAX 9

/* So many that a bin is at least two of the last one's units wide. */
static int decimals_for(double bin_width)
{
	int n = DECIMALS_MIN;
	double unit = 1e-3;

	for (; n < DECIMALS_MAX && bin_width < 2 * unit; n++)
		unit /= 10;
	return n;
}

/* One edge, right in `width` columns. */
static size_t edge(struct sm_buf *b, double v, int decimals, size_t width)
{
	char text[400]; /* a double before the point, and the decimals */
	struct sm_buf n = {.p = text, .cap = sizeof(text)};

	sm_buf_double(&n, v, decimals);
	sm_buf_fill(b, ' ', n.len < width ? width - n.len : 0);
	sm_buf_add(b, n.p, n.len);
	return n.len;
}

struct bins {
	struct sm_linbin bin[BINS];
	double scale, unit;
	int decimals;
	size_t width;
	uint64_t most;
};

static double upper(const struct bins *s, unsigned int i)
{
	return s->bin[i].high * s->scale - (i + 1 < BINS ? s->unit : 0);
}

static void measure(struct bins *s)
{
	struct sm_buf b = {0};

	s->decimals = decimals_for((s->bin[0].high - s->bin[0].low) * s->scale);
	s->unit = pow(10, -s->decimals);
	for (unsigned int i = 0; i < BINS; i++) {
		size_t low = edge(&b, s->bin[i].low * s->scale, s->decimals, 0);
		size_t high = edge(&b, upper(s, i), s->decimals, 0);

		s->width = s->width > low ? s->width : low;
		s->width = s->width > high ? s->width : high;
		s->most = s->most > s->bin[i].count ? s->most : s->bin[i].count;
	}
	sm_buf_fini(&b);
}

static void head(const struct bins *s, const char *unit, struct sm_buf *b)
{
	size_t width = 2 * s->width + sizeof(" - ") - 1, n, pad;
	struct sm_buf range = {0};

	sm_buf_str(&range, "Range (");
	sm_buf_str(&range, unit);
	sm_buf_chr(&range, ')');
	n = range.len;
	pad = width > n ? width - n : 0;
	sm_buf_fill(b, ' ', pad / 2);
	sm_buf_add(b, range.p, range.len);
	sm_buf_fill(b, ' ', pad - pad / 2);
	sm_buf_str(b, " Count\n");
	sm_buf_fini(&range);
}

static void rows(const struct bins *s, struct sm_buf *b)
{
	for (unsigned int i = 0; i < BINS; i++) {
		uint64_t n = s->bin[i].count;

		edge(b, s->bin[i].low * s->scale, s->decimals, s->width);
		sm_buf_str(b, " - ");
		edge(b, upper(s, i), s->decimals, s->width);
		sm_buf_printf(b, " %5llu", (unsigned long long)n);
		if (n)
			sm_buf_chr(b, ' ');
		sm_buf_fill(b, '#', (size_t)((double)n * BAR_WIDTH / (double)s->most));
		sm_buf_chr(b, '\n');
	}
}

void histogram_print(
	const struct histogram *what, const struct sm_linhist *h, struct sm_buf *b)
{
	struct bins s = {.scale = what->scale};
	int n = sm_linhist_bins(h, BINS, s.bin);

	sm_buf_chr(b, '\n');
	if (n != BINS) {
		sm_buf_str(
			b, n == -ENODATA
				   ? "There are no values, cannot produce histogram of "
				   : "Range is zero, cannot produce histogram of ");
		sm_buf_str(b, what->of);
		sm_buf_chr(b, '\n');
		return;
	}
	measure(&s);
	sm_buf_str(b, "Histogram (of ");
	sm_buf_u64(b, h->n);
	sm_buf_chr(b, ' ');
	sm_buf_str(b, what->title);
	sm_buf_str(b, ")\n\n");
	head(&s, what->unit, b);
	rows(&s, b);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "format/histogram.h"

#define BINS	     10 /* in a histogram with bars */
#define SHARES	     20
#define BAR_WIDTH    40
#define DECIMALS_MIN 3
#define DECIMALS_MAX 9

/* Returns the unit of the last decimal. */
static double unit_of(int decimals)
{
	double unit = 1;

	while (decimals-- > 0)
		unit /= 10;
	return unit;
}

/* Returns enough decimals to make a bin at least two units of the last decimal wide. */
static int decimals_for(double bin_width)
{
	int n = DECIMALS_MIN;

	while (n < DECIMALS_MAX && bin_width < 2 * unit_of(n))
		n++;
	return n;
}

struct bins {
	struct sm_linbin bin[BINS];
	double scale, unit;
	int decimals;
	size_t width;
	uint64_t max_count;
};

static double upper(const struct bins *s, unsigned int i)
{
	return s->bin[i].high * s->scale - (i + 1 < BINS ? s->unit : 0);
}

/* Returns the columns of an edge. */
static size_t columns(double v, int decimals)
{
	struct sm_buf b = {0};
	size_t n;

	sm_buf_double(&b, v, decimals);
	n = b.len;
	sm_buf_fini(&b);
	return n;
}

static void measure(struct bins *s)
{
	s->decimals = decimals_for((s->bin[0].high - s->bin[0].low) * s->scale);
	s->unit = unit_of(s->decimals);
	for (unsigned int i = 0; i < BINS; i++) {
		size_t low = columns(s->bin[i].low * s->scale, s->decimals);
		size_t high = columns(upper(s, i), s->decimals);

		s->width = s->width > low ? s->width : low;
		s->width = s->width > high ? s->width : high;
		s->max_count =
			s->max_count > s->bin[i].count ? s->max_count : s->bin[i].count;
	}
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

		sm_buf_double_right(b, s->bin[i].low * s->scale, s->decimals, s->width);
		sm_buf_str(b, " - ");
		sm_buf_double_right(b, upper(s, i), s->decimals, s->width);
		sm_buf_printf(b, " %5llu", (unsigned long long)n);
		if (n)
			sm_buf_chr(b, ' ');
		sm_buf_fill(
			b, '#', (size_t)((double)n * BAR_WIDTH / (double)s->max_count));
		sm_buf_chr(b, '\n');
	}
}

void sm_histogram_bars(
	const struct sm_histogram *what, const struct sm_linhist *h, struct sm_buf *b)
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

void sm_histogram_shares(const struct sm_linhist *h, double scale, struct sm_buf *b)
{
	struct sm_linbin bin[SHARES];
	int n = sm_linhist_bins(h, SHARES, bin);

	for (int i = 0; i < n; i++) {
		if (!bin[i].count)
			continue;
		sm_buf_double_right(b, bin[i].low * scale, 2, 6);
		sm_buf_str(b, " - ");
		sm_buf_double_right(b, bin[i].high * scale, 2, 6);
		sm_buf_printf(b, "  %8llu ", (unsigned long long)bin[i].count);
		sm_buf_double_right(b, 100.0 * (double)bin[i].count / (double)h->n, 2, 6);
		sm_buf_chr(b, '\n');
	}
}

void sm_histogram_json(const struct sm_linhist *h, double scale, const char *low_key,
	const char *high_key, struct sm_json *j)
{
	struct sm_linbin bin[SHARES];
	int n = sm_linhist_bins(h, SHARES, bin);

	sm_json_array(j, "bins");
	for (int i = 0; i < n; i++) {
		if (!bin[i].count)
			continue;
		sm_json_object(j, NULL);
		sm_json_double(j, low_key, bin[i].low * scale, 2);
		sm_json_double(j, high_key, bin[i].high * scale, 2);
		sm_json_u64(j, "count", bin[i].count);
		sm_json_end(j);
	}
	sm_json_end(j);
}

/* --- histograms of times ------------------------------------------------------------ */

#define TIME_WIDTH 12

struct times {
	unsigned int first, last; /* bins that are not empty */
	uint64_t n, most;
};

/* Finds the bins that are not empty; false: all are empty. */
static bool survey(const struct sm_timebin *bin, unsigned int n, struct times *t)
{
	*t = (struct times){.first = n};
	for (unsigned int i = 0; i < n; i++) {
		if (!bin[i].count)
			continue;
		t->first = t->first < i ? t->first : i;
		t->last = i;
		t->n += bin[i].count;
		t->most = t->most > bin[i].count ? t->most : bin[i].count;
	}
	return t->n > 0;
}

static void edge(uint64_t ns, struct sm_buf *b)
{
	if (ns == UINT64_MAX)
		sm_buf_fill(b, ' ', TIME_WIDTH);
	else
		sm_buf_double_right(b, (double)ns / 1e6, 3, TIME_WIDTH);
}

void sm_histogram_times(
	const struct sm_timebin *bin, unsigned int n, const char *title, struct sm_buf *b)
{
	struct times t;

	if (!survey(bin, n, &t)) {
		sm_buf_printf(b,
			"\nThere are no values, cannot produce histogram of %s\n", title);
		return;
	}
	sm_buf_printf(b, "\nHistogram (of %llu %s)\n\n", (unsigned long long)t.n, title);
	sm_buf_printf(b, "%*s    Count\n", 2 * TIME_WIDTH + 3, "Range (ms)        ");
	for (unsigned int i = t.first; i <= t.last; i++) {
		edge(bin[i].low_ns, b);
		sm_buf_str(b, " - ");
		edge(bin[i].high_ns, b);
		sm_buf_printf(b, " %8llu", (unsigned long long)bin[i].count);
		if (bin[i].count)
			sm_buf_chr(b, ' ');
		sm_buf_fill(b, '#',
			(size_t)((double)bin[i].count * BAR_WIDTH / (double)t.most));
		sm_buf_chr(b, '\n');
	}
}

void sm_histogram_times_json(
	const struct sm_timebin *bin, unsigned int n, struct sm_json *j)
{
	struct times t;

	(void)survey(bin, n, &t);
	sm_json_u64(j, "count", t.n);
	sm_json_array(j, "bins");
	for (unsigned int i = 0; i < n; i++) {
		if (!bin[i].count)
			continue;
		sm_json_object(j, NULL);
		sm_json_seconds(j, "low_s", bin[i].low_ns);
		if (bin[i].high_ns != UINT64_MAX)
			sm_json_seconds(j, "high_s", bin[i].high_ns);
		sm_json_u64(j, "count", bin[i].count);
		sm_json_end(j);
	}
	sm_json_end(j);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/stats.h"
#include "out/widecsv_table.h"

#define WRITE_BYTES 65536

/* --- the spool ---------------------------------------------------------------------- */

struct reader {
	const struct sm_widecsv *w;
	uint64_t at; /* offset of buf's end in the spool */
	size_t pos, len;
	char buf[WRITE_BYTES];
};

static int fill(struct reader *r)
{
	ssize_t n;

	do
		n = pread(r->w->spool, r->buf, sizeof(r->buf), (off_t)r->at);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n == 0)
		return -EIO;
	r->at += (size_t)n;
	r->len = (size_t)n;
	r->pos = 0;
	return 0;
}

static int get(struct reader *r, void *to, size_t n)
{
	char *p = to;

	while (n) {
		size_t part = r->len - r->pos;
		int err = part ? 0 : fill(r);

		if (err)
			return err;
		if (!part)
			continue;
		part = part < n ? part : n;
		memcpy(p, r->buf + r->pos, part);
		r->pos += part;
		p += part;
		n -= part;
	}
	return 0;
}

/* --- rows --------------------------------------------------------------------------- */

struct table {
	const struct sm_widecsv *w;
	struct reader in;
	struct sm_buf out;
	uint32_t n;		/* columns, including (others) */
	double *value;		/* by column, (others) last, or NAN */
	uint32_t *order;	/* order of the columns in the table */
	struct sm_stats *stats; /* by column; NULL: not requested */
	int fd;
};

static int flush(struct table *t)
{
	int err = sm_buf_error(&t->out);

	if (!err)
		err = sm_file_write(t->fd, t->out.p, t->out.len);
	sm_buf_reset(&t->out);
	return err;
}

static int end_row(struct table *t)
{
	sm_buf_chr(&t->out, '\n');
	return t->out.len < WRITE_BYTES ? sm_buf_error(&t->out) : flush(t);
}

/* Writes the first fields of a row other than a sample. */
static void put_label(struct table *t, const char *label)
{
	sm_buf_str(&t->out, label);
	if (t->w->want.clock == SM_WIDECSV_CLOCK_SECOND)
		sm_buf_chr(&t->out, ',');
}

static void put_text(struct table *t, uint32_t column, unsigned int which)
{
	const struct sm_buf *texts = &t->w->texts[which];
	const struct sm_widecsv_column *c = &t->w->column[column];
	size_t end = column + 1 < t->w->n ? c[1].text[which] : texts->len;

	sm_buf_add(&t->out, texts->p + c->text[which], end - c->text[which]);
}

static int put_texts(struct table *t, const char *label, unsigned int which)
{
	put_label(t, label);
	for (uint32_t i = 0; i < t->w->n; i++)
		put_text(t, t->order[i], which);
	if (t->w->others)
		sm_buf_str(&t->out, which ? "," : ",(others)");
	return end_row(t);
}

static uint64_t amount(const struct table *t, uint32_t column)
{
	return column < t->w->n ? t->w->column[column].amount : t->w->others_amount;
}

static int put_amounts(struct table *t)
{
	uint64_t unit = t->w->want.amount_unit;

	put_label(t, t->w->want.amounts);
	for (uint32_t i = 0; i < t->n; i++) {
		sm_buf_chr(&t->out, ',');
		sm_buf_u64(&t->out, (amount(t, t->order[i]) + unit / 2) / unit);
	}
	return end_row(t);
}

static int put_head(struct table *t)
{
	int err = put_texts(t, t->w->want.names, 0);

	if (!err && t->w->want.second_names)
		err = put_texts(t, t->w->want.second_names, 1);
	return err ? err : put_amounts(t);
}

static void put_clock(struct table *t, uint64_t wall_ns)
{
	time_t sec = (time_t)(wall_ns / SM_NSEC_PER_SEC);
	char text[16] = "";
	struct tm tm;

	memset(&tm, 0, sizeof(tm));
	localtime_r(&sec, &tm);
	strftime(text, sizeof(text), "%H:%M:%S", &tm);
	sm_buf_str(&t->out, text);
}

static void put_time(struct table *t, const struct sm_widecsv_head *head)
{
	if (t->w->want.clock == SM_WIDECSV_CLOCK_FIRST) {
		put_clock(t, head->wall_ns);
		sm_buf_chr(&t->out, ',');
	}
	sm_buf_fixed(&t->out, (head->t_ns - t->w->start_ns + 500) / 1000, 6);
	if (t->w->want.clock == SM_WIDECSV_CLOCK_SECOND) {
		sm_buf_chr(&t->out, ',');
		put_clock(t, head->wall_ns);
	}
}

/* The values of a sample are in any order; several can belong to "(others)". */
static int get_values(struct table *t, uint64_t n)
{
	struct sm_widecsv_value v;
	int err = 0;

	while (n-- && !err) {
		double *value;

		err = get(&t->in, &v, sizeof(v));
		if (err)
			break;
		value = &t->value[v.column < t->w->n ? v.column : t->w->n];
		*value = (isnan(*value) ? 0 : *value) + v.v;
	}
	return err;
}

static void put_value(
	struct table *t, const struct sm_widecsv_head *head, uint32_t column)
{
	double v = t->value[column];

	if (isnan(v) && t->w->want.zeros)
		v = 0;
	sm_buf_chr(&t->out, ',');
	if (isnan(v))
		return;
	sm_buf_double(&t->out, v, 6);
	if (t->stats)
		sm_stats_add(&t->stats[column], v, head->weight, head->rest);
	t->value[column] = NAN;
}

static int put_sample(struct table *t)
{
	struct sm_widecsv_head head;
	int err = get(&t->in, &head, sizeof(head));

	if (!err)
		err = get_values(t, head.n);
	if (err)
		return err;
	put_time(t, &head);
	for (uint32_t i = 0; i < t->n; i++)
		put_value(t, &head, t->order[i]);
	return end_row(t);
}

/* --- statistics --------------------------------------------------------------------- */

static double minimum(const struct sm_stats *s)
{
	return s->min;
}

static double maximum(const struct sm_stats *s)
{
	return s->max;
}

static double mean(const struct sm_stats *s)
{
	return s->mean;
}

static int put_statistics(struct table *t)
{
	static const struct {
		const char *label;
		double (*of)(const struct sm_stats *s);
	} rows[] = {{",Min:", minimum}, {",Max:", maximum}, {",Average:", mean},
		{",Std.Dev.:", sm_stats_stddev}};
	int err = 0;

	for (size_t k = 0; k < SM_ARRAY_SIZE(rows) && !err; k++) {
		sm_buf_str(&t->out, rows[k].label);
		for (uint32_t i = 0; i < t->n; i++) {
			sm_buf_chr(&t->out, ',');
			sm_buf_double(&t->out, rows[k].of(&t->stats[t->order[i]]), 6);
		}
		err = end_row(t);
	}
	return err;
}

/* --- the table ---------------------------------------------------------------------- */

/* Orders by amount, the largest first; equal amounts by order of appearance. */
static int compare(const void *x, const void *y, void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	uint64_t of_a = amount(ctx, a), of_b = amount(ctx, b);

	return of_a != of_b ? (of_a < of_b) - (of_a > of_b) : (a > b) - (a < b);
}

static int arrange(struct table *t)
{
	size_t n = (size_t)t->w->n + 1;

	t->n = t->w->n + t->w->others;
	t->value = malloc(n * sizeof(*t->value));
	t->order = malloc(n * sizeof(*t->order));
	if (t->w->want.statistics)
		t->stats = calloc(n, sizeof(*t->stats));
	if (!t->value || !t->order || (t->w->want.statistics && !t->stats))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		t->value[i] = NAN;
		t->order[i] = (uint32_t)i;
	}
	if (t->w->want.sorted) /* (others) stays last */
		qsort_r(t->order, t->w->n, sizeof(*t->order), compare, t);
	return 0;
}

static bool is_at_end(const struct table *t)
{
	return t->in.at - (t->in.len - t->in.pos) >= t->w->spool_bytes;
}

static int put_table(struct table *t)
{
	int err = arrange(t);

	if (!err)
		err = put_head(t);
	while (!err && !is_at_end(t))
		err = put_sample(t);
	if (!err && t->stats)
		err = put_statistics(t);
	return err ? err : flush(t);
}

int sm_widecsv_write(void *ctx, int fd)
{
	struct table *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return -ENOMEM;
	t->w = t->in.w = ctx;
	t->fd = fd;
	err = put_table(t);
	sm_buf_fini(&t->out);
	free(t->value);
	free(t->order);
	free(t->stats);
	free(t);
	return err;
}

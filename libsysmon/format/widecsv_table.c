// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/stats.h"
#include "base/text.h"
#include "format/widecsv_table.h"

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
	uint32_t *places;	/* place of each ID, mapped */
	uint32_t n;		/* columns, including (others) */
	double *value;		/* by place, (others) last, or NAN */
	uint32_t *order;	/* places of the columns in the order of the table */
	struct sm_stats *stats; /* by place; NULL: not requested */
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

/* A spreadsheet treats text that begins with these characters as a formula, and any user
 * can choose names. */
static void put_name(struct table *t, const char *name, size_t n)
{
	struct sm_buf text = {0};

	if (n && strchr("=+-@", name[0]))
		sm_buf_chr(&text, '\'');
	sm_buf_add(&text, name, n);
	sm_text_csv_shown(&t->out, text.p, text.len);
	if (sm_buf_error(&text))
		t->out.err = sm_buf_error(&text);
	sm_buf_fini(&text);
}

/* Appends the PID: "7", or "7+" for threads of a process. */
static void put_pid(struct sm_buf *b, const struct sm_widecsv_column *c)
{
	const struct sm_widecsv_task *task = &c->task;

	if (task->tid >= 0 || task->tgid >= 0)
		sm_buf_printf(b, "%d%s", (int)(task->tid >= 0 ? task->tid : task->tgid),
			task->tid >= 0 ? "" : "+");
	else if (c->shared)
		sm_buf_str(b, "exited");
}

static void put_first_name(struct table *t, const struct sm_widecsv_column *c)
{
	SM_CLEANUP(sm_buf_fini) struct sm_buf text = {0};

	sm_buf_add(&text, c->name, c->n);
	if (!t->w->want.pids && (c->shared || c->task.tgid >= 0)) {
		sm_buf_str(&text, " (");
		put_pid(&text, c);
		sm_buf_chr(&text, ')');
	}
	if (sm_buf_error(&text))
		t->out.err = sm_buf_error(&text);
	put_name(t, text.p, text.len);
}

static void put_second_name(struct table *t, const struct sm_widecsv_column *c)
{
	const char *second = sm_widecsv_second(c);

	put_name(t, second, strlen(second));
}

static void put_pid_field(struct table *t, const struct sm_widecsv_column *c)
{
	put_pid(&t->out, c);
}

static int put_texts(struct table *t, const char *label, const char *others,
	void (*put)(struct table *t, const struct sm_widecsv_column *c))
{
	put_label(t, label);
	for (uint32_t i = 0; i < t->n; i++) {
		sm_buf_chr(&t->out, ',');
		if (t->order[i] < t->w->n)
			put(t, &t->w->column[t->order[i]]);
		else
			sm_buf_str(&t->out, others);
	}
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
	const struct sm_widecsv_want *want = &t->w->want;
	int err = put_texts(t, want->names, "(others)", put_first_name);

	if (!err && want->second_names)
		err = put_texts(t, want->second_names, "", put_second_name);
	if (!err && want->pids)
		err = put_texts(t, want->pids, "", put_pid_field);
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
		value = &t->value[v.id < t->w->ids ? t->places[v.id] : t->w->n];
		*value = (isnan(*value) ? 0 : *value) + v.v;
	}
	return err;
}

/* Most values of a report are 0. */
static void put_number(struct table *t, double v)
{
	sm_buf_chr(&t->out, ',');
	if (v > 0 || v < 0)
		sm_buf_double(&t->out, v, 6);
	else if (!isnan(v))
		sm_buf_chr(&t->out, '0');
}

static void put_value(
	struct table *t, const struct sm_widecsv_head *head, uint32_t column)
{
	double v = t->value[column];

	if (isnan(v) && t->w->want.zeros)
		v = 0;
	put_number(t, v);
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
		for (uint32_t i = 0; i < t->n; i++)
			put_number(t, rows[k].of(&t->stats[t->order[i]]));
		err = end_row(t);
	}
	return err;
}

/* --- the table ---------------------------------------------------------------------- */

/* Orders by amount, the largest first, if requested; then by order of appearance.
 * "(others)" is last. */
static int compare(const void *x, const void *y, void *ctx)
{
	const struct sm_widecsv *w = ((const struct table *)ctx)->w;
	const struct sm_widecsv_column *a = &w->column[*(const uint32_t *)x];
	const struct sm_widecsv_column *b = &w->column[*(const uint32_t *)y];

	if (w->want.sorted && a->amount != b->amount)
		return a->amount < b->amount ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

static int map_places(struct table *t)
{
	void *p;

	if (!t->w->ids)
		return 0;
	p = mmap(NULL, t->w->ids * sizeof(*t->places), PROT_READ, MAP_PRIVATE,
		t->w->places, 0);
	if (p == MAP_FAILED)
		return -errno;
	t->places = p;
	return 0;
}

static void unmap_places(struct table *t)
{
	if (t->places)
		munmap(t->places, t->w->ids * sizeof(*t->places));
}

static int arrange(struct table *t)
{
	size_t n = (size_t)t->w->n + 1;

	t->value = malloc(n * sizeof(*t->value));
	t->order = malloc(n * sizeof(*t->order));
	if (t->w->want.statistics)
		t->stats = calloc(n, sizeof(*t->stats));
	if (!t->value || !t->order || (t->w->want.statistics && !t->stats))
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		t->value[i] = NAN;
	for (uint32_t i = 0; i < t->w->n; i++)
		if (t->w->column[i].key)
			t->order[t->n++] = i;
	qsort_r(t->order, t->n, sizeof(*t->order), compare, t);
	if (t->w->others)
		t->order[t->n++] = t->w->n;
	return map_places(t);
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
	unmap_places(t);
	sm_buf_fini(&t->out);
	free(t->value);
	free(t->order);
	free(t->stats);
	free(t);
	return err;
}

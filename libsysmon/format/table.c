// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "format/table_human.h"
#include "format/value.h"
#include "base/text.h"

/* --- columns ----------------------------------------------------------------------- */

static bool in_format(const struct sm_table *t, const struct sm_table_column *col)
{
	return t->format == SM_FORMAT_TABLE ? col->head != NULL : col->c->key != NULL;
}

/* Drops the column of lowest priority; false: no column may be dropped. */
static bool drop_lowest(struct sm_table *t)
{
	unsigned int lowest = UINT8_MAX + 1, at = 0;

	for (unsigned int k = 0; k < t->nshown; k++) {
		unsigned int priority = t->col[t->shown[k]].c->priority;

		if (priority && priority < lowest) {
			lowest = priority;
			at = k;
		}
	}
	if (lowest > UINT8_MAX)
		return false;
	t->nshown--;
	memmove(t->shown + at, t->shown + at + 1, (t->nshown - at) * sizeof(*t->shown));
	return true;
}

static void arrange(struct sm_table *t)
{
	if (SM_LIKELY(t->arranged))
		return;
	t->arranged = true;
	t->nshown = 0;
	for (unsigned int i = 0; i < t->ncols; i++)
		if (t->col[i].on && in_format(t, &t->col[i]))
			t->shown[t->nshown++] = (uint16_t)i;
	while (t->fit && t->columns && sm_table_human_width(t) > t->columns &&
		drop_lowest(t))
		;
}

static bool same_group(const struct sm_column *a, const struct sm_column *b)
{
	return a->group && b->group && strcmp(a->group, b->group) == 0;
}

static void set_column(struct sm_table *t, unsigned int i, const struct sm_column *cols)
{
	const struct sm_column *c = &cols[i];
	struct sm_table_column *col = &t->col[i];

	col->c = c;
	col->head = c->head;
	col->width = c->width;
	col->on = true;
	if (c->group)
		col->group =
			i && same_group(c, c - 1) ? col[-1].group : (uint16_t)(i + 1);
}

static const char *json_name(const struct sm_column *c)
{
	return c->member ? c->member : c->key ? c->key : "";
}

/* Stores each name with its quotes, comma and colon, so that a row appends it in one
 * step. */
static int set_names(struct sm_table *t)
{
	size_t size = 0;
	char *p;

	for (unsigned int i = 0; i < t->ncols; i++)
		size += strlen(json_name(t->col[i].c)) + sizeof(",\"\":");
	p = t->names = malloc(size);
	if (!p)
		return -ENOMEM;
	for (unsigned int i = 0; i < t->ncols; i++) {
		t->col[i].json.p = p;
		p = stpcpy(stpcpy(stpcpy(p, ",\""), json_name(t->col[i].c)), "\":");
		t->col[i].json.n = (size_t)(p++ - t->col[i].json.p);
	}
	return 0;
}

static void free_columns(struct sm_table *t)
{
	free(t->col);
	free(t->shown);
	free(t->names);
	t->col = NULL;
	t->names = NULL;
	t->shown = NULL;
	t->ncols = t->nshown = 0;
}

void sm_table_columns(
	struct sm_table *t, const struct sm_column *cols, unsigned int ncols)
{
	free_columns(t);
	t->arranged = false;
	t->err = 0;
	if (!ncols)
		return;
	t->col = calloc(ncols, sizeof(*t->col));
	t->shown = calloc(ncols, sizeof(*t->shown));
	if (!t->col || !t->shown || ncols >= UINT16_MAX) {
		free_columns(t);
		t->err = -ENOMEM;
		return;
	}
	t->ncols = ncols;
	for (unsigned int i = 0; i < ncols; i++)
		set_column(t, i, cols);
	if (t->format == SM_FORMAT_JSON && set_names(t) < 0) {
		free_columns(t);
		t->err = -ENOMEM;
	}
}

void sm_table_init(struct sm_table *t, enum sm_format format,
	const struct sm_column *cols, unsigned int ncols, const char *record,
	struct sm_sink *sink)
{
	memset(t, 0, sizeof(*t));
	t->format = format;
	t->record = record;
	t->sink = sink;
	t->time.cached_sec = UINT64_MAX;
	sm_table_columns(t, cols, ncols);
}

int sm_table_error(const struct sm_table *t)
{
	return t->err;
}

void sm_table_fini(struct sm_table *t)
{
	free_columns(t);
	sm_buf_fini(&t->row);
	sm_buf_fini(&t->scratch);
}

void sm_table_show(struct sm_table *t, unsigned int col, bool on)
{
	if (col >= t->ncols)
		return;
	t->col[col].on = on;
	t->arranged = false;
}

void sm_table_set_width(struct sm_table *t, unsigned int col, unsigned int width)
{
	if (col >= t->ncols)
		return;
	t->col[col].width = (uint16_t)width;
	t->arranged = false;
}

void sm_table_set_head(struct sm_table *t, unsigned int col, const char *head)
{
	if (col >= t->ncols)
		return;
	t->arranged = t->arranged && !t->col[col].head == !head;
	t->col[col].head = head;
}

void sm_table_set_time(struct sm_table *t, unsigned int col, enum sm_time_style style,
	unsigned int decimals)
{
	t->time.style = style;
	t->time.decimals = decimals;
	sm_table_set_width(t, col, sm_value_time_width(style, decimals));
}

void sm_table_terminal(
	struct sm_table *t, unsigned int columns, unsigned int rows, bool fit)
{
	t->columns = columns;
	t->rows = rows;
	t->fit = fit;
	t->arranged = false;
}

/* --- the sink ---------------------------------------------------------------------- */

/* Starts a row; without a sink, rows accumulate. */
static void begin_row(struct sm_table *t)
{
	if (t->sink)
		sm_buf_reset(&t->row);
}

static bool put_row(struct sm_table *t, unsigned int rows)
{
	if (SM_UNLIKELY(t->err))
		t->row.err = t->err;
	return t->sink ? sm_sink_put_buf(t->sink, &t->row, rows) : !sm_buf_error(&t->row);
}

/* --- CSV and JSON rows ------------------------------------------------------------- */

static void csv_row(struct sm_table *t, const struct sm_value *vals)
{
	for (unsigned int k = 0; k < t->nshown; k++) {
		unsigned int i = t->shown[k];

		if (!sm_value_missing(&vals[i]))
			sm_value_csv(t, t->col[i].c, &vals[i]);
		sm_buf_chr(&t->row, k + 1 < t->nshown ? ',' : '\n');
	}
}

static void csv_heading(struct sm_table *t)
{
	for (unsigned int k = 0; k < t->nshown; k++) {
		sm_buf_str(&t->row, t->col[t->shown[k]].c->key);
		sm_buf_chr(&t->row, k + 1 < t->nshown ? ',' : '\n');
	}
}

/* Ends the group `from` and begins the group of the column.  Returns false if the next
 * member is the first one of its object. */
static bool json_group(
	struct sm_table *t, uint16_t from, const struct sm_table_column *col)
{
	if (from)
		sm_buf_chr(&t->row, '}');
	if (!col->group)
		return true;
	sm_buf_add(&t->row, ",\"", 2);
	sm_buf_str(&t->row, col->c->group);
	sm_buf_add(&t->row, "\":{", 3);
	return false;
}

static void json_row(struct sm_table *t, const struct sm_value *vals)
{
	struct sm_buf *b = &t->row;
	uint16_t group = 0;
	struct sm_json j;

	sm_json_open(&j, b, t->record);
	for (unsigned int k = 0; k < t->nshown; k++) {
		unsigned int i = t->shown[k];
		const struct sm_table_column *col = &t->col[i];
		bool comma = true;

		if (sm_value_missing(&vals[i]))
			continue;
		if (col->group != group)
			comma = json_group(t, group, col);
		group = col->group;
		sm_buf_add(b, col->json.p + !comma, col->json.n - !comma);
		sm_value_json(t, col->c,
			(struct sm_str){col->json.p + 2, col->json.n - 4}, &vals[i]);
	}
	if (group)
		sm_buf_chr(b, '}');
	sm_json_close(&j);
}

/* --- rows -------------------------------------------------------------------------- */

void sm_table_header(struct sm_table *t)
{
	if (t->no_header || t->format == SM_FORMAT_JSON)
		return;
	if (sm_table_human_grow(t))
		t->arranged = false;
	arrange(t);
	begin_row(t);
	if (t->format == SM_FORMAT_TABLE)
		sm_table_human_heading(t);
	else
		csv_heading(t);
	t->header_done = put_row(t, 0);
}

/* Returns true if the header was not printed yet, or if the next row would scroll it off
 * the terminal, whose last line contains the cursor.  If a row takes more than a fifth of
 * the terminal, the header does not repeat: it would precede every second row. */
static bool header_due(const struct sm_table *t)
{
	unsigned int row;

	if (!t->header_done)
		return true;
	if (!t->rows || t->format != SM_FORMAT_TABLE)
		return false;
	row = sm_table_human_lines(t, sm_table_human_width(t));
	return t->rows / row > 4 && t->since_header + row > t->rows - 2;
}

void sm_table_need_header(struct sm_table *t)
{
	arrange(t);
	if (header_due(t))
		sm_table_header(t);
}

/* Fits the columns again if a value made the row wider than the terminal. */
static void fit_row(struct sm_table *t, const struct sm_value *vals, size_t width)
{
	if (!t->fit || !t->columns || width <= t->columns || !sm_table_human_grow(t))
		return;
	t->arranged = false;
	sm_table_header(t);
	arrange(t);
	begin_row(t);
	sm_table_human_row(t, vals);
}

bool sm_table_row(struct sm_table *t, const struct sm_value *vals)
{
	sm_table_need_header(t);
	begin_row(t);
	if (t->format == SM_FORMAT_TABLE)
		fit_row(t, vals, sm_table_human_row(t, vals));
	else if (t->format == SM_FORMAT_CSV)
		csv_row(t, vals);
	else
		json_row(t, vals);
	return put_row(t, 1);
}

void sm_table_grow(struct sm_table *t)
{
	if (t->format != SM_FORMAT_TABLE)
		return;
	arrange(t);
	if (!t->fit || !t->columns || sm_table_human_widest(t) <= t->columns)
		(void)sm_table_human_grow(t);
}

void sm_table_rule(struct sm_table *t)
{
	if (t->format != SM_FORMAT_TABLE)
		return;
	arrange(t);
	begin_row(t);
	sm_table_human_rule(t);
	put_row(t, 0);
}

bool sm_table_text(struct sm_table *t, const struct sm_buf *b, unsigned int rows)
{
	if (t->format != SM_FORMAT_TABLE)
		return true;
	sm_buf_reset(&t->row);
	if (t->rows)
		sm_table_human_count(t, b);
	if (sm_buf_error(b))
		t->row.err = sm_buf_error(b);
	else if (t->fit && t->columns)
		sm_table_human_cut(t, b);
	else
		return sm_sink_put(t->sink, b->p, b->len, rows);
	return put_row(t, rows);
}

bool sm_table_wrap(struct sm_table *t, const struct sm_buf *b, unsigned int rows)
{
	struct sm_buf lines = {0};
	bool put;

	if (t->format != SM_FORMAT_TABLE)
		return true;
	sm_table_human_wrap(t->fit ? t->columns : 0, b, &lines);
	if (t->rows)
		sm_table_human_count(t, &lines);
	put = sm_sink_put_buf(t->sink, &lines, rows);
	sm_buf_fini(&lines);
	return put;
}

/* --- records ----------------------------------------------------------------------- */

void sm_table_record(
	struct sm_table *t, struct sm_json *j, const char *type, uint64_t wall_ns)
{
	const struct sm_value v = {.type = SM_VALUE_TIME, .u = wall_ns};

	sm_buf_reset(&t->row);
	sm_json_open(j, &t->row, type);
	if (!wall_ns)
		return;
	sm_buf_str(&t->row, ",\"time\":");
	sm_value_json_other(t, SM_STR("time"), &v);
}

void sm_table_record_header(struct sm_table *t, struct sm_json *j, const char *tool,
	const char *version, const char *boot_id, uint64_t start_wall_ns)
{
	sm_table_record(t, j, "header", 0);
	sm_json_str(j, "tool", tool);
	sm_json_str(j, "version", version);
	sm_json_u64(j, "schema", 1);
	if (boot_id && *boot_id)
		sm_json_str(j, "boot_id", boot_id);
	sm_json_time(j, "start", start_wall_ns);
}

bool sm_table_record_end(struct sm_table *t, struct sm_json *j, unsigned int rows)
{
	sm_json_close(j);
	return put_row(t, rows);
}

void sm_table_json_header(struct sm_table *t, const char *tool, const char *version,
	const char *boot_id, uint64_t start_wall_ns)
{
	struct sm_json j;

	if (t->format != SM_FORMAT_JSON)
		return;
	sm_table_record_header(t, &j, tool, version, boot_id, start_wall_ns);
	sm_table_record_end(t, &j, 0);
}

/* --- screens ----------------------------------------------------------------------- */

unsigned int sm_table_shown(struct sm_table *t, const uint16_t **cols)
{
	arrange(t);
	*cols = t->shown;
	return t->nshown;
}

const char *sm_table_head(const struct sm_table *t, unsigned int col)
{
	return t->col[col].head;
}

unsigned int sm_table_width(const struct sm_table *t, unsigned int col)
{
	return col < t->ncols ? t->col[col].width : 0;
}

unsigned int sm_table_full_width(struct sm_table *t)
{
	arrange(t);
	return sm_table_human_width(t);
}

void sm_table_cell(
	struct sm_table *t, unsigned int col, const struct sm_value *v, struct sm_buf *b)
{
	struct sm_table_column own = t->col[col];
	struct sm_column c = *own.c;
	size_t at = b->len;

	own.c = &c;
	if (sm_value_missing(v)) {
		if (!(c.flags & SM_COLUMN_BLANK))
			sm_buf_chr(b, '-');
		return;
	}
	for (;; c.decimals--) {
		sm_table_human_text(t, &own, v, b);
		if (v->type != SM_VALUE_DOUBLE || !c.decimals || b->len - at <= own.width)
			return;
		b->len = at;
	}
}

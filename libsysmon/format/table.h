/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table: the column table of every format: terminal, CSV (RFC 4180), JSON lines, screen.  (Prometheus
 * text is in prom.h: it contains totals, not rows.)
 *
 * A tool declares its columns once (columns.h); each row is an array of values in the order of the
 * columns, and the format determines which columns appear and how a value is printed.  Rows are put
 * into a struct sm_sink; nothing here writes output.  Rows need no allocation: a table allocates memory
 * when its columns are set, and its row buffer grows to the longest row.
 *
 * Human rows have one space between columns.  A value wider than its column uses the spaces before the
 * next values, so that the rest of the row keeps its place.  There are no trailing spaces.  The header
 * is printed once, or on a terminal again before it scrolls away.  CSV has a header row of keys, LF
 * line ends, and an empty field for a missing value.  JSON omits the key of a missing value, and a
 * group whose values are all missing.  Times in CSV and JSON are ISO 8601 UTC with 9 decimals and Z for
 * the styles CLOCK and ISO, and seconds with 9 decimals (in JSON a number) for EPOCH, MONO and DELTA.
 *
 * The rows of a table without a sink are collected in its buffer `row` (without colour), for a table
 * within a text.  A screen (tui/table.h) uses such a table too: sm_table_terminal() fits the columns to
 * its width, sm_table_shown() returns those that remain, and sm_table_head(), sm_table_width(),
 * sm_table_right() and sm_table_cell() return what to draw.
 */
#ifndef SM_TABLE_H
#define SM_TABLE_H

#include <string.h>

#include "base/base.h"
#include "base/buf.h"
#include "format/columns.h"
#include "format/json.h"
#include "format/sink.h"

enum sm_format { SM_FORMAT_TABLE, SM_FORMAT_CSV, SM_FORMAT_JSON };

enum sm_value_type {
	SM_VALUE_NONE = 0,
	SM_VALUE_U64,
	SM_VALUE_I64,
	SM_VALUE_FIXED,    /* u / 10^scale */
	SM_VALUE_DOUBLE,   /* d with the column's decimals, but at least `scale` of them */
	SM_VALUE_BOOL,     /* JSON true/false, CSV 1/0, human yes/no */
	SM_VALUE_DURATION, /* u ns: human as sm_units_print_duration(), machine seconds with 9 decimals */
	SM_VALUE_CPU_TIME, /* u ns: human 59.99s, minutes.seconds 1.30m (90 s), hours.minutes 2.05h, days
	                    * 3.25d, w, y (of 365 days), as in ps and top; machine as SM_VALUE_DURATION */
	SM_VALUE_TIME,     /* u = wall clock ns since the epoch, see enum sm_time_style */
	SM_VALUE_STR,      /* the tool's own text: printed unchanged */
	SM_VALUE_TEXT,     /* hostile bytes: sanitised or quoted; JSON adds the key "<key>_b64" if they are
	                    * not valid UTF-8 */
	SM_VALUE_ARGV,     /* hostile, NUL between arguments: human and CSV joined by spaces, JSON an array of
	                    * strings, plus the key "<key>_b64" (base64 of the bytes) if an argument is not
	                    * valid UTF-8.  "a\0b" and "a\0b\0" are two arguments, "" is an empty list */
	SM_VALUE_SHELL,    /* as ARGV, but quoted for a shell (sm_text_shell()); not for JSON */
	SM_VALUE_JSON,     /* JSON only: an array or object written by the tool */
};

struct sm_value {
	uint8_t type;   /* enum sm_value_type */
	uint8_t scale;
	union {
		uint64_t u;
		int64_t i;
		double d;
		bool b;
		struct sm_str s;
	};
	const char *suffix; /* human only: the tool's text after the value (a mark), or NULL */
};

static inline struct sm_value sm_value_of(enum sm_value_type type)
{
	struct sm_value v;

	memset(&v, 0, sizeof(v));
	v.type = (uint8_t)type;
	return v;
}

static inline struct sm_value sm_value_number(enum sm_value_type type, uint64_t u)
{
	struct sm_value v = sm_value_of(type);

	v.u = u;
	return v;
}

static inline struct sm_value sm_value_u64(uint64_t u)
{
	return sm_value_number(SM_VALUE_U64, u);
}

static inline struct sm_value sm_value_duration(uint64_t ns)
{
	return sm_value_number(SM_VALUE_DURATION, ns);
}

static inline struct sm_value sm_value_time(uint64_t wall_ns)
{
	return sm_value_number(SM_VALUE_TIME, wall_ns);
}

static inline struct sm_value sm_value_double(double d)
{
	struct sm_value v = sm_value_of(SM_VALUE_DOUBLE);

	v.d = d;
	return v;
}

static inline struct sm_value sm_value_bool(bool b)
{
	struct sm_value v = sm_value_of(SM_VALUE_BOOL);

	v.b = b;
	return v;
}

static inline struct sm_value sm_value_bytes(enum sm_value_type type, const char *p, size_t n)
{
	struct sm_value v = sm_value_of(type);

	v.s.p = p;
	v.s.n = n;
	return v;
}

static inline struct sm_value sm_value_str(const char *s)
{
	return sm_value_bytes(SM_VALUE_STR, s, strlen(s));
}

static inline struct sm_value sm_value_text(const char *p, size_t n)
{
	return sm_value_bytes(SM_VALUE_TEXT, p, n);
}

enum sm_time_style {
	SM_TIME_CLOCK, /* 13:05:59, local time */
	SM_TIME_ISO,   /* 2026-11-21T13:05:59+0100 */
	SM_TIME_EPOCH, /* 1795266359 */
	SM_TIME_MONO,  /* seconds of CLOCK_MONOTONIC, at least 6 decimals */
	SM_TIME_DELTA, /* seconds since the previous row, at least 6 decimals; may be negative */
};

struct sm_table_time {
	enum sm_time_style style;
	unsigned int decimals;     /* human: 0, 3, 6 or 9 */
	int64_t wall_offset_ns;    /* realtime - monotonic: for SM_TIME_MONO and _DELTA */
	uint64_t prev_ns;          /* monotonic time of the previous row, for SM_TIME_DELTA */
	uint64_t cached_sec;       /* second of the formatted clock */
	char cached_clock[40];
	uint8_t cached_len;
};

struct sm_table_column {       /* a column as shown by this table */
	const struct sm_column *c;
	const char *head;
	struct sm_str json;        /* JSON: ,"NAME": */
	uint16_t width;            /* human */
	uint16_t widest;           /* human: widest value so far (SM_COLUMN_GROW) */
	uint16_t group;            /* JSON: the first column of its group, or 0 */
	bool on;
};

struct sm_table {
	enum sm_format format;
	struct sm_table_column *col;
	unsigned int ncols;
	char *names;               /* JSON: the bytes of all names */
	uint16_t *shown;           /* the columns shown, in order */
	unsigned int nshown;
	bool arranged;             /* shown[] is up to date */
	int err;
	const char *record;        /* JSON "type" of the rows */
	struct sm_table_time time;
	unsigned int text_flags;   /* SM_TEXT_UTF8 */
	const char *sgr;           /* human: SGR parameters of the next rows ("31"), or NULL */
	const char *head_sgr;      /* human: SGR parameters of the header */
	bool no_header;
	bool header_done;
	unsigned int columns, rows; /* human: size of the terminal; 0: unlimited */
	bool fit;                   /* human: lines are truncated at `columns` */
	unsigned int since_header;  /* terminal lines since the first line of the header */
	struct sm_buf row;
	struct sm_buf scratch;     /* CSV: joined arguments; human: a cell */
	struct sm_sink *sink;
};

/* Sets defaults: all columns shown, widths from the columns, clock style, header once.  If out of
 * memory, the table is empty and refuses its rows: see sm_table_error(). */
void sm_table_init(struct sm_table *t, enum sm_format format, const struct sm_column *cols,
	unsigned int ncols, const char *record, struct sm_sink *sink);
/* Replaces the columns, if they are known only after sm_table_init(). */
void sm_table_columns(struct sm_table *t, const struct sm_column *cols, unsigned int ncols);
int sm_table_error(const struct sm_table *t) SM_MUST; /* 0 or -ENOMEM */
void sm_table_fini(struct sm_table *t);

/* --- columns: a number that is not a column's is ignored ------------------------------------ */

void sm_table_show(struct sm_table *t, unsigned int col, bool on);
void sm_table_set_width(struct sm_table *t, unsigned int col, unsigned int width);
/* Sets a header other than the column's; head is borrowed. */
void sm_table_set_head(struct sm_table *t, unsigned int col, const char *head);
/* Sets the style of all times, and the width of the column that shows them. */
void sm_table_set_time(
	struct sm_table *t, unsigned int col, enum sm_time_style style, unsigned int decimals);
/* Appends a time in that style, for a line of text. */
void sm_table_time_text(struct sm_table *t, uint64_t wall_ns, struct sm_buf *b);
/* Sets the size of the human table's terminal (0: unlimited).  rows: the header repeats before it
 * scrolls away.  fit: columns of low priority are dropped until the others fit, again if a value makes a
 * row too wide, and lines are truncated; otherwise lines wrap.  Without a terminal (columns is 0), a space in
 * a text before the last column is written as \x20, and an empty text as "-". */
void sm_table_terminal(struct sm_table *t, unsigned int columns, unsigned int rows, bool fit);

/* --- rows ------------------------------------------------------------------------------ */

/* Writes the human header or the CSV header row; nothing for JSON or with no_header.  sm_table_row()
 * calls it when needed. */
void sm_table_header(struct sm_table *t);
/* Writes the header if the next row needs one. */
void sm_table_need_header(struct sm_table *t);
/* Writes a row.  Returns false if the sink refused it. */
bool sm_table_row(struct sm_table *t, const struct sm_value *vals);
/* Makes SM_COLUMN_GROW columns as wide as their widest values, as the next header would, unless the table
 * would then be wider than its terminal. */
void sm_table_grow(struct sm_table *t);
/* Writes, to the human table, a line of dashes as wide as each column, between rows and statistics. */
void sm_table_rule(struct sm_table *t);
/* Writes whole lines of text to the human table (summaries).  Other formats ignore them. */
bool sm_table_text(struct sm_table *t, const struct sm_buf *b, unsigned int rows);
/* Writes whole lines of text to the human table without truncating them, for results.  A line that is wider
 * than the terminal continues, indented, in the next one.  It is split at marks that the text contains: first
 * at SM_TABLE_MAY_BREAK, then, in a part that is still too wide, at SM_TABLE_MIGHT_BREAK, and then at blanks.
 * Marks stand after a blank and are never printed. */
bool sm_table_wrap(struct sm_table *t, const struct sm_buf *b, unsigned int rows);
#define SM_TABLE_MAY_BREAK   "\v"
#define SM_TABLE_MIGHT_BREAK "\f"

/* --- JSON records other than rows: the table is of SM_FORMAT_JSON ------------------------ */

/* Opens {"type":TYPE,"time":... in the table's time style (no time if wall_ns is 0). */
void sm_table_record(
	struct sm_table *t, struct sm_json *j, const char *type, uint64_t wall_ns);
/* Opens the first record of every tool, {"type":"header","tool","version","schema":1,"boot_id","start";
 * boot_id may be NULL. */
void sm_table_record_header(struct sm_table *t, struct sm_json *j, const char *tool,
	const char *version, const char *boot_id, uint64_t start_wall_ns);
/* Closes the record and puts it into the sink, where it counts as `rows` rows.  Returns false if the
 * sink refused it. */
bool sm_table_record_end(struct sm_table *t, struct sm_json *j, unsigned int rows);
/* Writes a header record without further members; nothing in other formats. */
void sm_table_json_header(struct sm_table *t, const char *tool, const char *version,
	const char *boot_id, uint64_t start_wall_ns);

/* --- screens ----------------------------------------------------------------------------- */

/* Returns the number of columns shown, and their indices in order. */
unsigned int sm_table_shown(struct sm_table *t, const uint16_t **cols);
const char *sm_table_head(const struct sm_table *t, unsigned int col);
/* Return the width of a column, and of the whole table (SM_COLUMN_LAST with its minimum width). */
unsigned int sm_table_width(const struct sm_table *t, unsigned int col);
unsigned int sm_table_full_width(struct sm_table *t);
/* Returns true if the value is aligned right. */
bool sm_table_right(const struct sm_table *t, unsigned int col, const struct sm_value *v);
/* Appends the text of a value as in the human table, without padding; a number that is wider than its
 * column gets fewer decimals.  A missing value is "-", or empty. */
void sm_table_cell(struct sm_table *t, unsigned int col, const struct sm_value *v, struct sm_buf *b);

#endif

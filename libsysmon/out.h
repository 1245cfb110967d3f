/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * out: one column table, all faces: human table, CSV (RFC 4180), JSON lines.
 * (Prometheus text is prom.h: it shows totals, not rows.)
 *
 * A tool declares its columns once; each row is an array of values in column order, and
 * the face decides which columns appear and how a value looks.  A column without a head
 * is not in the human table; one without a key is not in CSV and JSON.  Nothing here
 * prints: rows go into a struct sm_sink.
 *
 * Human rows: one blank between columns; a value wider than its column takes the blanks
 * before the next values, so that the rest of the row keeps its place; no trailing blank.
 * CSV has a header row of keys, LF line ends, an empty field for a missing value.  JSON
 * leaves a missing value out.  Machine faces: time is ISO 8601 UTC with 9 decimals and Z.
 */
#ifndef SM_OUT_H
#define SM_OUT_H

#include "base.h"
#include "buf.h"
#include "sink.h"

enum sm_face { SM_FACE_HUMAN, SM_FACE_CSV, SM_FACE_JSON };

/* Of values and heading.  AUTO: numbers right, text left; heading and SM_VAL_NONE left. */
enum sm_align { SM_ALIGN_AUTO, SM_ALIGN_LEFT, SM_ALIGN_RIGHT };

enum {
	SM_COL_LAST = 1,    /* rest of the line: where it can start, never aligned right */
	SM_COL_BLANK = 2,   /* a missing value is blank in the human table, not "-" */
	SM_COL_GLUED = 4,   /* no separator before the next column (glyphs) */
	SM_COL_HEAD_LEFT = 8, /* the heading is left although the values are right */
};

struct sm_col {
	const char *key;    /* snake_case with its unit: "duration_s"; CSV and JSON */
	const char *head;   /* human heading */
	uint8_t width;      /* human columns; the tool may change it before the heading */
	uint8_t align;      /* enum sm_align */
	uint8_t flags;
	const char *help;   /* one line for the man page and --help */
};

enum sm_val_type {
	SM_VAL_NONE = 0,
	SM_VAL_U64,
	SM_VAL_I64,
	SM_VAL_FIXED,    /* u / 10^scale */
	SM_VAL_DOUBLE,   /* d with scale decimals */
	SM_VAL_BOOL,     /* JSON true/false, CSV 1/0, human yes/no */
	SM_VAL_DURATION, /* u ns: human 8 columns of sm_num_print_duration, machine seconds .9 */
	SM_VAL_TIME,     /* u = wall clock ns since the epoch, see enum sm_time_style */
	SM_VAL_STR,      /* ours: printed as it is */
	SM_VAL_TEXT,     /* hostile bytes: sanitised or quoted; JSON plus key "<key>_b64" when they
	                    are not valid UTF-8 */
	SM_VAL_ARGV,     /* hostile, NUL between arguments: human and CSV joined by blanks, JSON an
	                    array of strings, plus key "<key>_b64" (base64 of the bytes) when an
	                    argument is not valid UTF-8.  "a\0b" and "a\0b\0" are two arguments,
	                    "" none */
};

struct sm_val {
	uint8_t type;   /* enum sm_val_type */
	uint8_t scale;
	union {
		uint64_t u;
		int64_t i;
		double d;
		bool b;
		struct sm_str s;
	};
	const char *suffix; /* human only: ours, printed after the value (a mark), or NULL */
};

enum sm_time_style {
	SM_TIME_CLOCK, /* 13:05:59, local time */
	SM_TIME_ISO,   /* 2026-11-21T13:05:59+0100 */
	SM_TIME_EPOCH, /* 1795266359 */
	SM_TIME_MONO,  /* seconds of CLOCK_MONOTONIC, at least 6 decimals */
	SM_TIME_DELTA, /* seconds since the row before, at least 6 decimals; may be negative */
};

struct sm_out {
	enum sm_face face;
	const struct sm_col *cols;
	unsigned int ncols;        /* at most 64 */
	uint64_t show;             /* bit n: column n is shown */
	uint64_t in_face;          /* bit n: column n has a head or a key, as the face needs */
	uint8_t width[64];         /* human widths, from the table, adjustable */
	const char *record;        /* JSON "type" of the rows */
	enum sm_time_style time_style;
	unsigned int time_decimals; /* 0, 3, 6 or 9 */
	int64_t wall_offset_ns;    /* realtime - monotonic: for SM_TIME_MONO */
	uint64_t prev_time_ns;     /* for SM_TIME_DELTA */
	unsigned int text_flags;   /* SM_TEXT_UTF8 */
	const char *sgr;           /* human: SGR parameters of the next rows ("31"), or NULL */
	bool no_header;
	unsigned int repeat_rows;  /* heading again after so many rows; 0 = once */
	unsigned int since_header;
	bool header_done;
	size_t max_text;           /* human: longest TEXT or ARGV of a SM_COL_LAST column in
	                              bytes of the value, ellipsis included; 0 = any, else >= 4 */
	struct sm_buf row;
	struct sm_buf scratch;     /* CSV: joined arguments */
	struct sm_sink *sink;
	uint64_t cached_sec;       /* of the formatted clock */
	char cached_clock[40];
	uint8_t cached_len;
};

/* Sets defaults: all columns shown, widths from the table, clock style. */
void sm_out_init(struct sm_out *o, enum sm_face face, const struct sm_col *cols,
	unsigned int ncols, const char *record, struct sm_sink *sink);
void sm_out_fini(struct sm_out *o);
void sm_out_show(struct sm_out *o, unsigned int col, bool on);
/* Columns that a time of this style takes: for o->width[]. */
unsigned int sm_out_time_width(enum sm_time_style style, unsigned int decimals);
/* Human heading or CSV header row; nothing for JSON or with no_header.  sm_out_row() calls
 * it when needed. */
void sm_out_header(struct sm_out *o);
/* False when the sink refused the row. */
bool sm_out_row(struct sm_out *o, const struct sm_val *vals);
/* JSON records other than rows: the common keys of the first record of every tool
 * {"type":"header","tool","version","schema":1,"boot_id","start"}. */
void sm_out_json_header(struct sm_out *o, const char *tool, const char *version,
	const char *boot_id, uint64_t start_wall_ns);
/* Free text for the human face (summaries): whole lines.  Other faces ignore it. */
bool sm_out_text(struct sm_out *o, const struct sm_buf *b, unsigned int rows);

/*
 * JSON writer for nested records:
 *	sm_json_open(&j, b, "summary");       {"type":"summary"
 *	sm_json_u64(&j, "rows", 3);           ,"rows":3
 *	sm_json_array(&j, "top"); sm_json_object(&j, NULL); ... sm_json_end(&j); sm_json_end(&j);
 *	sm_json_close(&j);                    }\n   (ends what is still open)
 * Keys are ours and are not escaped; inside an array the key is NULL.
 */
struct sm_json {
	struct sm_buf *b;
	uint32_t comma;    /* bit per depth (at most 31): something was written there */
	uint32_t is_array;
	int depth;
};

void sm_json_open(struct sm_json *j, struct sm_buf *b, const char *type);
void sm_json_u64(struct sm_json *j, const char *key, uint64_t v);
void sm_json_i64(struct sm_json *j, const char *key, int64_t v);
void sm_json_double(struct sm_json *j, const char *key, double v, int decimals);
void sm_json_seconds(struct sm_json *j, const char *key, uint64_t ns); /* 9 decimals */
void sm_json_bool(struct sm_json *j, const char *key, bool v);
void sm_json_text(struct sm_json *j, const char *key, const char *p, size_t n);
void sm_json_time(struct sm_json *j, const char *key, uint64_t wall_ns); /* ISO 8601, UTC, .9Z */
void sm_json_object(struct sm_json *j, const char *key);
void sm_json_array(struct sm_json *j, const char *key);
void sm_json_end(struct sm_json *j);
void sm_json_close(struct sm_json *j);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_rig: writes rows to a memory file and returns them as one string; makers of values.
 */
#ifndef OUT_RIG_H
#define OUT_RIG_H

#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "format/table.h"
#include "base/text.h"
#include "unit.h"

#define T0 UINT64_C(1795266359123456789) /* 2026-11-21T13:05:59Z */

#define COL(k, h, w, a, f) {.key = k, .head = h, .width = w, .align = a, .flags = f}

static struct sm_sink sink;
static struct sm_table out;
static int file;
static char text[8192];

static inline void begin(enum sm_format format, const struct sm_column *cols, unsigned int n)
{
	setenv("TZ", "UTC0", 1);
	tzset();
	file = memfd_create("out", MFD_CLOEXEC);
	ck_assert_int_ge(file, 0);
	ck_assert_int_eq(sm_sink_init(&sink, file, SM_SINK_DEFAULT_MAX), 0);
	sm_table_init(&out, format, cols, n, "event", &sink);
	out.text_flags = SM_TEXT_UTF8;
}

static inline const char *written(void)
{
	ssize_t n;

	ck_assert_int_eq(sm_sink_flush(&sink), 0);
	n = pread(file, text, sizeof(text) - 1, 0);
	ck_assert_int_ge(n, 0);
	text[n] = '\0';
	return text;
}

/* Returns the rows so far and clears them. */
static inline void expect(const char *want)
{
	ck_assert_str_eq(written(), want);
	ck_assert_int_eq(ftruncate(file, 0), 0);
	lseek(file, 0, SEEK_SET);
}

static inline void end(void)
{
	sm_table_fini(&out);
	sm_sink_close(&sink);
	close(file);
}

static inline struct sm_value none(void)
{
	return (struct sm_value){0};
}

static inline struct sm_value u64(uint64_t u)
{
	return (struct sm_value){.type = SM_VALUE_U64, .u = u};
}

static inline struct sm_value str(const char *s)
{
	return (struct sm_value){.type = SM_VALUE_STR, .s = {s, strlen(s)}};
}

static inline struct sm_value bytes(enum sm_value_type type, const char *p, size_t n)
{
	return (struct sm_value){.type = (uint8_t)type, .s = {p, n}};
}

static inline struct sm_value hostile(const char *s)
{
	return bytes(SM_VALUE_TEXT, s, strlen(s));
}

static inline struct sm_value wall(uint64_t ns)
{
	return (struct sm_value){.type = SM_VALUE_TIME, .u = ns};
}

static inline struct sm_value lasted(uint64_t ns)
{
	return (struct sm_value){.type = SM_VALUE_DURATION, .u = ns};
}

#define ARGV(literal) bytes(SM_VALUE_ARGV, (literal), sizeof(literal) - 1)
#define ROW(...)      ck_assert(sm_table_row(&out, (struct sm_value[]){__VA_ARGS__}))

/* Columns without anything special. */
static const struct sm_column plain[] = {
	COL("a", "A", 5, 0, 0),
	COL("b", "B", 5, SM_ALIGN_RIGHT, 0),
	COL("c", "C", 5, SM_ALIGN_LEFT, 0),
	COL("d", "D", 3, 0, 0),
};

static inline const char *cell(unsigned int col, struct sm_value v)
{
	static char got[64];
	struct sm_buf b = {.p = got, .cap = sizeof(got)};

	sm_table_cell(&out, col, &v, &b);
	got[b.len] = '\0';
	return got;
}

/* Columns as those of forkstat. */
enum { TIME, EVENT, PID, UID, EUID, TTY, GLYPH, INFO, DURATION, PROCESS };

static inline void begin_forkstat(enum sm_format format, bool extra)
{
	static const struct sm_column forkstat[] = {
		[TIME] = COL("time", "Time", 8, 0, 0),
		[EVENT] = COL("event", "Event", 5, SM_ALIGN_LEFT, 0),
		[PID] = COL("pid", "PID", 5, SM_ALIGN_RIGHT, 0),
		[UID] = COL("uid", "UID", 7, SM_ALIGN_RIGHT, 0),
		[EUID] = COL("euid", "EUID", 7, SM_ALIGN_RIGHT, 0),
		[TTY] = COL("tty", "TTY", 6, SM_ALIGN_RIGHT, SM_COLUMN_HEAD_LEFT),
		[GLYPH] = COL(NULL, "", 1, 0, SM_COLUMN_GLUED | SM_COLUMN_BLANK),
		[INFO] = COL("info", "Info", 6, 0, SM_COLUMN_BLANK),
		[DURATION] = COL("duration_s", "Duration", 8, 0, SM_COLUMN_BLANK),
		[PROCESS] = COL("argv", "Process", 0, 0, SM_COLUMN_LAST),
	};

	begin(format, forkstat, SM_ARRAY_SIZE(forkstat));
	for (unsigned int i = UID; i <= GLYPH; i++)
		sm_table_show(&out, i, extra);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * out_rig: rows go into a memory file and come back as one string; makers of values.
 */
#ifndef OUT_RIG_H
#define OUT_RIG_H

#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "out.h"
#include "text.h"
#include "unit.h"

#define T0 UINT64_C(1795266359123456789) /* 2026-11-21T13:05:59Z */

static struct sm_sink sink;
static struct sm_out out;
static int file;
static char text[8192];

static inline void begin(enum sm_face face, const struct sm_col *cols, unsigned int n)
{
	setenv("TZ", "UTC0", 1);
	tzset();
	file = memfd_create("out", MFD_CLOEXEC);
	ck_assert_int_ge(file, 0);
	ck_assert_int_eq(sm_sink_init(&sink, file, SM_SINK_DEFAULT_MAX), 0);
	sm_out_init(&out, face, cols, n, "event", &sink);
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

/* What the rows so far look like; then forgets them. */
static inline void expect(const char *want)
{
	ck_assert_str_eq(written(), want);
	ck_assert_int_eq(ftruncate(file, 0), 0);
	lseek(file, 0, SEEK_SET);
}

static inline void end(void)
{
	sm_out_fini(&out);
	sm_sink_close(&sink);
	close(file);
}

static inline struct sm_val none(void)
{
	return (struct sm_val){0};
}

static inline struct sm_val u64(uint64_t u)
{
	return (struct sm_val){.type = SM_VAL_U64, .u = u};
}

static inline struct sm_val str(const char *s)
{
	return (struct sm_val){.type = SM_VAL_STR, .s = {s, strlen(s)}};
}

static inline struct sm_val bytes(enum sm_val_type type, const char *p, size_t n)
{
	return (struct sm_val){.type = (uint8_t)type, .s = {p, n}};
}

static inline struct sm_val hostile(const char *s)
{
	return bytes(SM_VAL_TEXT, s, strlen(s));
}

static inline struct sm_val wall(uint64_t ns)
{
	return (struct sm_val){.type = SM_VAL_TIME, .u = ns};
}

static inline struct sm_val lasted(uint64_t ns)
{
	return (struct sm_val){.type = SM_VAL_DURATION, .u = ns};
}

#define ARGV(literal) bytes(SM_VAL_ARGV, (literal), sizeof(literal) - 1)
#define ROW(...)      ck_assert(sm_out_row(&out, (struct sm_val[]){__VA_ARGS__}))

#endif

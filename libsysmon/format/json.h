/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json: writes one JSON record per line (RFC 8259), for records other than table rows.
 *
 *	sm_json_open(&j, b, "summary");       {"type":"summary"
 *	sm_json_u64(&j, "rows", 3);           ,"rows":3
 *	sm_json_array(&j, "top"); sm_json_object(&j, NULL); ... sm_json_end(&j); sm_json_end(&j);
 *	sm_json_close(&j);                    }\n   (closes open objects and arrays)
 *
 * Keys are literals of the tool, written unescaped; inside an array the key is NULL.  A missing number
 * (NAN, infinity) is omitted with its key; in an array it is null.
 */
#ifndef SM_JSON_H
#define SM_JSON_H

#include "base/base.h"
#include "base/buf.h"

struct sm_json {
	struct sm_buf *b;
	uint32_t comma;    /* one bit per depth (at most 31): set if a member was written there */
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
void sm_json_str(struct sm_json *j, const char *key, const char *s);
void sm_json_time(struct sm_json *j, const char *key, uint64_t wall_ns); /* ISO 8601, UTC, .9Z */
void sm_json_object(struct sm_json *j, const char *key);
void sm_json_array(struct sm_json *j, const char *key);
void sm_json_end(struct sm_json *j);
void sm_json_close(struct sm_json *j);

#endif

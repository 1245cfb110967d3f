/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yaml: writes one YAML document with block mappings and lists, for versions 1.1 and 1.2.
 *
 *	sm_yaml_open(&y, b, 4, number);       ---              indentation of 4; number() writes a double
 *	sm_yaml_begin(&y, "zones");           zones:
 *	sm_yaml_word(&y, "- name", s);          - name: a      an item of a list is a mapping
 *	sm_yaml_number(&y, "c", 61.5);            c: 61.5
 *	sm_yaml_end(&y, "[]");                                 "[]" is written if nothing else was
 *
 * Keys are written unquoted.  A missing number (NAN, infinity) is omitted with its key.
 */
#ifndef SM_YAML_H
#define SM_YAML_H

#include <time.h>
#include "base/buf.h"

struct sm_yaml {
	struct sm_buf *b;
	void (*number)(struct sm_buf *b, double v);
	unsigned int step, depth;
	size_t key[8], body[8]; /* per depth: lengths of b before and after the key */
};

void sm_yaml_open(struct sm_yaml *y, struct sm_buf *b, unsigned int step, /* 2 or more */
	void (*number)(struct sm_buf *b, double v));
void sm_yaml_key(struct sm_yaml *y, const char *key); /* the caller appends the value and a newline */
void sm_yaml_u64(struct sm_yaml *y, const char *key, uint64_t v);
void sm_yaml_bool(struct sm_yaml *y, const char *key, bool v);
void sm_yaml_number(struct sm_yaml *y, const char *key, double v);
void sm_yaml_pair(struct sm_yaml *y, const char *key, double a, double b); /* [a, b] */
void sm_yaml_string(struct sm_yaml *y, const char *key, const char *s);    /* as sm_text_json() */
/* Writes a word without quotes, other text as a string in which bytes that are not text are \xNN. */
void sm_yaml_word(struct sm_yaml *y, const char *key, const char *s);
void sm_yaml_time(struct sm_yaml *y, const char *date, const char *clock, time_t t); /* local time */
void sm_yaml_begin(struct sm_yaml *y, const char *key); /* a mapping or list, at most 8 deep */
/* empty: the value without content, "[]" or "{}"; NULL: the key is removed then. */
void sm_yaml_end(struct sm_yaml *y, const char *empty);

#endif

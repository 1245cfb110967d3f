/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns: the description of a table's columns, and lists of columns that depend on the machine.
 *
 * A tool with fixed columns has a constant array of struct sm_column.  A tool that has a column for
 * each power domain, sensor or device fills a struct sm_columns at startup: sm_columns_add() copies
 * constant columns, sm_columns_label() makes one from a label.  Labels are read from sysfs and may
 * contain any byte.  The header is therefore sanitised and unique in its group, the key is [a-z0-9_]
 * and unique among all columns, and the JSON name is escaped and unique in its group.  A second "dram"
 * becomes "dram-2" (key dram_2_w).  The number of columns is not limited.  The functions return 0 or
 * -ENOMEM.  The list must not change once a table uses it.
 */
#ifndef SM_COLUMNS_H
#define SM_COLUMNS_H

#include "base/base.h"

/* Alignment of values and header.  AUTO: numbers right, text left; header and missing values left. */
enum sm_align { SM_ALIGN_AUTO, SM_ALIGN_LEFT, SM_ALIGN_RIGHT };

enum sm_column_flags {
	SM_COLUMN_LAST = 1,      /* takes the rest of the line, aligned left; its width is the minimum
	                            that sm_table_terminal() keeps for it */
	SM_COLUMN_BLANK = 2,     /* a missing value is empty in the human table, not "-" */
	SM_COLUMN_GLUED = 4,     /* no separator before the next column (symbols) */
	SM_COLUMN_HEAD_LEFT = 8, /* the header is aligned left although the values are aligned right */
	SM_COLUMN_INLINE = 16,   /* each row shows the header before the value: "fork 12.0/s" */
	SM_COLUMN_MARK = 32,     /* one extra display column for the value's suffix */
	SM_COLUMN_GROW = 64,     /* at the next header it becomes as wide as its widest value */
	SM_COLUMN_CUT = 128,     /* on a terminal, a left-aligned value is truncated at its width */
};

struct sm_column {
	const char *key;    /* snake_case with its unit: "duration_s"; NULL: not in CSV and JSON */
	const char *head;   /* header, sanitised; NULL: not in the human table */
	uint16_t width;     /* display columns */
	uint8_t align;      /* enum sm_align */
	uint8_t flags;      /* enum sm_column_flags */
	const char *help;   /* one line for the man page */
	const char *group;  /* JSON: the object that contains it: "cpu"; NULL: the record */
	const char *member; /* JSON: its name in that object, escaped; NULL: the key */
	const char *json;   /* JSON: type of the value (schema.h), after a '?' if it is missing in some rows;
	                       NULL: not in JSON */
	const char *unit;   /* human: printed after a number, including the space: " GHz"; or NULL */
	double scale;       /* human: factor for SM_VALUE_DOUBLE (1e-6: kHz as GHz); 0: 1 */
	uint8_t decimals;   /* human: decimals of SM_VALUE_DOUBLE */
	uint8_t machine_decimals; /* decimals in CSV and JSON */
	uint8_t priority;   /* on a narrow terminal the lowest is dropped first; 0: never dropped */
};

/* A set of columns of the first 64: bits first to last. */
#define SM_COLUMN_BITS(first, last) ((UINT64_C(2) << (last)) - (UINT64_C(1) << (first)))

struct sm_columns {
	struct sm_column *col;
	unsigned int n;
	/* private */
	unsigned int cap, ntexts, texts_cap;
	char **text;        /* strings owned by the list */
};

/* Copies n columns; the caller keeps ownership of their strings. */
int sm_columns_add(struct sm_columns *list, const struct sm_column *col, unsigned int n) SM_MUST;
/* Adds a column like *like, named after a label; its key ends with key_suffix ("_w").  The header of
 * *like, if any, is kept. */
int sm_columns_label(struct sm_columns *list, const struct sm_column *like, const char *label,
	const char *key_suffix) SM_MUST;
void sm_columns_fini(struct sm_columns *list);

#endif

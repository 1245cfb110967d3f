/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schema: the kinds of records that a tool writes as JSON lines, and their JSON Schema
 * (https://json-schema.org/draft/2020-12).
 *
 * TOOL/records.c defines sm_tool_records.  Rows of a table have the keys of its columns with a JSON type
 * (columns.h); a group of columns is an object whose keys, and which itself, are missing in some rows.  The
 * keys of other records, and further keys of rows, are a text:
 *
 *	KEY: TYPE, KEY?: TYPE, ...       KEY? is missing in some records
 *
 *	TYPE	int, num, bool
 *		str	text of the tool
 *		text	bytes of other processes; KEY_b64 may be added
 *		argv	list of such texts; KEY_b64 may be added
 *		time	string or number, depending on --timestamp
 *		a|b|c	one of these words; one word: |a
 *		{KEYS}	object; {*: TYPE} has any keys
 *		[TYPE]	array
 *		$NAME	a definition
 *
 * A description without '"' and '\\' may follow a type in parentheses: "seed: str (64 bits)".
 *
 * A record of the type "$NAME" is a definition.  All others have the key "type"; "header" has all keys of
 * sm_table_record_header().
 */
#ifndef SM_SCHEMA_H
#define SM_SCHEMA_H

#include "base/buf.h"
#include "format/columns.h"

struct sm_record {
	const char *type;                  /* NULL: the end of the list */
	const struct sm_column *columns;   /* or NULL */
	unsigned int n;                    /* number of columns */
	const char *keys;                  /* or NULL */
	uint64_t without;                  /* SM_COLUMN_BITS() that only other records of the table have */
};

extern const struct sm_record sm_tool_records[];

/* Appends the schema of a tool's records, with two spaces per level.  Returns 0, -ENOMEM, or -EINVAL: a text
 * is not as described; the buffer then contains only a line with the record, the text and the position. */
int sm_schema_print(struct sm_buf *b, const char *tool, const struct sm_record *records) SM_MUST;

#endif

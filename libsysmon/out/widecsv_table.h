/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * widecsv_table: the data of a wide CSV file, and the writing of its table.  Private to widecsv.
 */
#ifndef SM_WIDECSV_TABLE_H
#define SM_WIDECSV_TABLE_H

#include "base/buf.h"
#include "base/map.h"
#include "out/endfile.h"
#include "out/widecsv.h"

/* The spool contains this head and the values of each sample. */
struct sm_widecsv_head {
	uint64_t t_ns, wall_ns;
	uint64_t n;            /* values */
	double weight;         /* weight in the mean */
	uint64_t rest;         /* nonzero: shorter than the others, excluded from minimum and maximum */
};

struct sm_widecsv_value {
	uint32_t column;
	double v;
} __attribute__((packed));

struct sm_widecsv_column {
	uint64_t amount;
	size_t text[2];        /* offsets of its fields in texts */
};

struct sm_widecsv {
	struct sm_widecsv_want want;
	struct sm_endfile file;
	int spool;
	uint64_t spool_bytes;  /* size of the complete samples */
	uint64_t start_ns;
	struct sm_map columns; /* key -> index + 1 */
	struct sm_widecsv_column *column;
	uint32_t n;
	size_t cap;
	bool others;           /* "(others)" has values, and this amount */
	uint64_t others_amount;
	struct sm_buf texts[2]; /* names and second names of all columns, a comma before each */
	struct sm_buf record;  /* values of the current sample */
	struct sm_widecsv_head head;
	int err;
};

/* Writes the table of the complete samples in the spool of ctx, a struct sm_widecsv, to fd.  Returns 0
 * or -errno. */
int sm_widecsv_write(void *ctx, int fd) SM_MUST;

#endif

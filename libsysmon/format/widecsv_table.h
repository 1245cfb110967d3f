/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * widecsv_table: the data of a wide CSV file, its columns, and the writing of its table.  Private to widecsv.
 */
#ifndef SM_WIDECSV_TABLE_H
#define SM_WIDECSV_TABLE_H

#include "base/buf.h"
#include "base/map.h"
#include "format/endfile.h"
#include "format/widecsv.h"

/* The spool contains this head and the values of each sample. */
struct sm_widecsv_head {
	uint64_t t_ns, wall_ns;
	uint64_t n;            /* values */
	double weight;         /* weight in the mean */
	uint64_t rest;         /* nonzero: shorter than the others, excluded from minimum and maximum */
};

struct sm_widecsv_value {
	uint32_t id;           /* ID of the task, or SM_WIDECSV_OTHERS */
	double v;
} __attribute__((packed));

struct sm_widecsv_column {
	uint64_t key;          /* key in the map; 0: the place is free */
	uint64_t amount;
	uint64_t sample;       /* number of the last sample with a value */
	struct sm_widecsv_task task; /* tgid -1: no task, or several exited tasks */
	bool shared;           /* the column of exited tasks with these names */
	uint32_t id;           /* ID in the spool; of a free place: the next free place + 1 */
	char *name;            /* n bytes, a NUL and the second name; allocated */
	size_t n;
};

struct sm_widecsv {
	struct sm_widecsv_want want;
	struct sm_endfile file;
	int spool;
	int places;            /* file with the place of each ID: array of uint32_t */
	uint64_t spool_bytes;  /* size of the complete samples */
	uint64_t start_ns, samples;
	struct sm_map columns; /* key -> place + 1 */
	struct sm_widecsv_column *column;
	uint32_t n;            /* places, including free ones */
	uint32_t free;         /* first free place + 1, or 0 */
	uint32_t ids;          /* IDs given */
	size_t cap;
	bool crowded;          /* looking for exited tasks makes no room in this sample */
	bool others;           /* "(others)" has values, and this amount */
	uint64_t others_amount;
	struct sm_buf record;  /* values of the current sample */
	struct sm_widecsv_head head;
	int err;
};

static inline const char *sm_widecsv_second(const struct sm_widecsv_column *c)
{
	return c->name + c->n + 1;
}

/* Moves the columns of exited tasks to those that they share.  all: checks all tasks; otherwise those without
 * a value for 1, 2, 4, 8 ... samples. */
void sm_widecsv_share(struct sm_widecsv *w, bool all);
void sm_widecsv_free_columns(struct sm_widecsv *w);
/* Writes n bytes at an offset of an unnamed file.  Returns 0 or -errno. */
int sm_widecsv_save(int fd, const void *p, size_t n, uint64_t at) SM_MUST;

/* Writes the table of the complete samples in the spool of ctx, a struct sm_widecsv, to fd.  Returns 0
 * or -errno. */
int sm_widecsv_write(void *ctx, int fd) SM_MUST;

#endif

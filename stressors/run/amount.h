/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * amount: values of options.
 *
 * A number has an optional suffix k m g t (2^10 to 2^40, either case) or a suffix of units.h.  A size may
 * also end in b, have a fraction ("1.5g"), be a percentage of free memory, or be the name of a cache, L1 to
 * L3.  A percentage or a cache has a value only when all options are known, so a size is parsed first and
 * resolved later.  Values are parsed whole.
 */
#ifndef STRESSORS_RUN_AMOUNT_H
#define STRESSORS_RUN_AMOUNT_H

#include "base/buf.h"
#include "base/root.h"

#define AMOUNT_CACHES 3

struct amount {
	enum amount_kind { AMOUNT_NUMBER, AMOUNT_PERCENT, AMOUNT_CACHE } kind;
	uint64_t n; /* number, hundredths of a percent, or level of the cache */
};

struct amount_base {
	uint64_t free;                      /* bytes to which percentages refer; 0: unknown */
	uint64_t cache[AMOUNT_CACHES];      /* bytes; 0: unknown */
};

/* Both return 0; -EINVAL: not such a value; -ERANGE: it does not fit. */
int amount_count(const char *s, uint64_t *n) SM_MUST;
int amount_size(const char *s, struct amount *a) SM_MUST;

/* Reads the sizes of the caches of the first CPU. */
void amount_caches(struct amount_base *b, const struct sm_root *root);
/* Converts an amount to a number.  -ENODATA: the amount to which it refers is unknown. */
int amount_resolve(const struct amount *a, const struct amount_base *b, uint64_t *n) SM_MUST;

/* Both append a value in the syntax of the parsers, in the largest unit that needs no fraction: "64M",
 * "1500ms". */
void amount_put_size(struct sm_buf *b, uint64_t bytes);
void amount_put_time(struct sm_buf *b, uint64_t ns);

#endif

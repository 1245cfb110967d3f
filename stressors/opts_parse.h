/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts_parse: parses numbers, times and sizes of options, and checks their limits.
 *
 * max 0: no upper limit.  Each function returns 0, or -errno with the reason in *why.
 */
#ifndef STRESSORS_OPTS_PARSE_H
#define STRESSORS_OPTS_PARSE_H

#include "run/amount.h"

int opts_parse_count(const char *arg, uint64_t min, uint64_t max, uint64_t *v, struct sm_buf *why)
	SM_MUST;
/* Takes a number of instances; a negative one is PICK_ONLINE, as in stress-ng. */
int opts_parse_instances(const char *arg, unsigned int *n, struct sm_buf *why) SM_MUST;
/* unit: the unit of a bare number; NULL: seconds. */
int opts_parse_time(const char *arg, const char *unit, uint64_t min, uint64_t max, uint64_t *v,
	struct sm_buf *why) SM_MUST;
int opts_parse_size(const char *arg, uint64_t min, uint64_t max, struct amount *v, struct sm_buf *why)
	SM_MUST;

#endif

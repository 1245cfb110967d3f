/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conduit: a pipe through which data goes to /dev/null or, now and then, back to memory, where it is compared
 * with the sent data.
 */
#ifndef STRESSORS_SPLICE_CONDUIT_H
#define STRESSORS_SPLICE_CONDUIT_H

#include "../run/stress.h"

/* Ops from one comparison to the next. */
#define CONDUIT_EVERY 64

struct conduit {
	int pipe[2];
	int null;
	size_t holds;     /* capacity of the pipe, in bytes */
	char *pattern;    /* `holds` random bytes, at the start of a page */
	char *got;
	uint64_t compared; /* calls of conduit_compare() */
	uint64_t bytes;    /* bytes that went through */
};

/* Returns 0, or the value that setup must return. */
int conduit_set_up(struct stress *s, struct conduit *c) SM_MUST;
/* Creates a file in memory that consists of copies of the pattern.  Returns its descriptor, or -1 as
 * above. */
int conduit_file(struct stress *s, const struct conduit *c, uint64_t bytes) SM_MUST;

/* Judges the result of a call that transfers data.  Returns 0 if it is a number of bytes, else the value that
 * run must return. */
int conduit_judge(struct stress *s, ssize_t n, const char *call) SM_MUST;
/* Moves all n bytes of the pipe to /dev/null. */
int conduit_drain(struct stress *s, struct conduit *c, size_t n) SM_MUST;
/* Reads all n bytes of the pipe and compares them with the start of the pattern. */
int conduit_compare(struct stress *s, struct conduit *c, size_t n) SM_MUST;

/* Returns the rate, in 10^6 bytes per second. */
double conduit_rate(const struct stress *s, const struct conduit *c) SM_MUST;

#endif

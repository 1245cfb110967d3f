/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conduit: a pipe through which data goes to /dev/null or, now and then, back to memory, where it is compared
 * with what was sent.
 */
#ifndef STRESSORS_SPLICE_CONDUIT_H
#define STRESSORS_SPLICE_CONDUIT_H

#include "../run/stress.h"

/* Ops from one that is compared to the next. */
#define CONDUIT_EVERY 64

struct conduit {
	int pipe[2];
	int null;
	size_t holds;     /* bytes of the pipe */
	char *pattern;    /* random bytes, as many, at the begin of a page */
	char *got;
	uint64_t compared; /* calls of conduit_compare() */
	uint64_t bytes;    /* that went through */
};

/* 0, or what setup is to return. */
int conduit_set_up(struct stress *s, struct conduit *c) SM_MUST;
/* A file of memory, which has the pattern again and again.  Its descriptor, or -1 as above. */
int conduit_file(struct stress *s, const struct conduit *c, uint64_t bytes) SM_MUST;

/* Judges the result of a call that was to bring data: 0 if it is a number of bytes, else what run is to
 * return. */
int conduit_judge(struct stress *s, ssize_t n, const char *call) SM_MUST;
/* All n bytes that the pipe has go to /dev/null. */
int conduit_drain(struct stress *s, struct conduit *c, size_t n) SM_MUST;
/* All n bytes that the pipe has are read and compared with the begin of the pattern. */
int conduit_compare(struct stress *s, struct conduit *c, size_t n) SM_MUST;

/* The rate, in 10^6 bytes per second. */
double conduit_rate(const struct stress *s, const struct conduit *c) SM_MUST;

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turns: two processes or threads that pass numbers to each other, several at once, by turns.
 *
 * One side puts numbers, the other takes them, and then puts as many.  Each number is the successor of the
 * last, and the last one of a turn is marked, so that each side knows the number to expect and when it is its
 * turn.  A side that has done its ops passes a single number, which does not count as an op, until the other
 * one has also done its ops.
 */
#ifndef STRESSORS_TURNS_TURNS_H
#define STRESSORS_TURNS_TURNS_H

#include "../run/team.h"

#define TURNS_SIDES 2u

/* A way to pass numbers; ctx is the stressor's own.  Both return -errno if they fail. */
struct turns_way {
	const char *put_name, *take_name; /* "mq_send" */
	/* number: 1 to INT32_MAX. */
	int (*put)(void *ctx, unsigned int from, uint32_t number);
	/* -EINTR: a signal has come instead of a number. */
	int (*take)(void *ctx, unsigned int to, uint32_t *number);
	/* Numbers of one turn: they can be put without waiting. */
	unsigned int at_once;
	enum team_kind kind;
};

/* The metrics of the stressors. */
extern const struct stressor_metric turns_metrics[];

/* Counts an op for each number that was put, and sets the metrics.  Returns the value that run must
 * return. */
int turns_run(struct stress *s, const struct turns_way *way, void *ctx) SM_MUST;

#endif

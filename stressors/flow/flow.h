/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flow: messages that one process sends and another one checks.
 *
 * Both processes have the same pattern of random bytes.  Message N is a piece of it: the size and the place
 * follow from N, so that a byte that is changed, lost, doubled or out of its order is found without a header.
 *
 * The partner of an instance (stress_partner()) is one of the two processes.  The report is in memory that
 * both share.
 */
#ifndef STRESSORS_FLOW_FLOW_H
#define STRESSORS_FLOW_FLOW_H

#include "../run/stress.h"

struct flow_message {
	char *data;
	size_t bytes;
};

struct flow_report {
	_Atomic uint64_t messages; /* that were checked */
	_Atomic uint32_t wrong;    /* 1: a message differs, and the next three are set */
	uint64_t number, place;
	size_t bytes;              /* that arrived */
	_Atomic int error;         /* errno of the partner; 0: none */
};

struct flow {
	char *pattern;
	char *got;                 /* room for one byte more than the largest message has */
	size_t least, most;        /* bytes of a message */
	uint64_t random;           /* what the pattern is made from */
	struct flow_report *report;
	pid_t partner;             /* 0: there is none */
};

/* The memory; 0, or what setup is to return. */
int flow_set_up(struct stress *s, struct flow *f, size_t least, size_t most) SM_MUST;

struct flow_message flow_message(const struct flow *f, uint64_t number) SM_MUST;
/* Damages the third message if that is wanted (--spoil), for the process that sends, after the other one has
 * its own pattern. */
void flow_spoil(const struct stress *s, const struct flow *f);
/* Compares what arrived with the message, and counts it.  False: it differs, which the report has. */
bool flow_check(struct flow *f, uint64_t number, const char *got, size_t bytes) SM_MUST;
/* Reads message `number` from a socket and checks it.  1; 0: there are no more; -errno; -EBADMSG: the report
 * tells that it is wrong. */
int flow_receive(struct flow *f, uint64_t number, int fd, bool stream) SM_MUST;

/* Starts the partner, which ends when the function returns: 0 or -errno.  0, or what run is to return. */
int flow_start(struct stress *s, struct flow *f, int (*function)(struct stress *s, void *data),
	void *data) SM_MUST;
/* True if the partner has ended, which it did by itself. */
bool flow_has_ended(struct flow *f) SM_MUST;
/* Waits for the end of the partner, which is killed first if `kills`, and judges: a message that is wrong, an
 * error of the partner, the error of the instance (-errno, 0: none) in the call that is named.  0, or what
 * run is to return. */
int flow_end(struct stress *s, struct flow *f, bool kills, int error, const char *call) SM_MUST;

#endif

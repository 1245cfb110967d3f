/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flow: messages that one process sends and another one checks.
 *
 * Both processes have equal copies of a pattern of random bytes.  Message N is a piece of it: the size and
 * the place follow from N, so that a byte that is changed, lost, duplicated or out of order is found without
 * a header.
 *
 * One of the two processes is the partner of an instance (stress_partner()).  The report is in memory that
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
	_Atomic uint64_t messages; /* messages that were checked */
	_Atomic uint32_t wrong;    /* 1: a message differs, and the next three are set */
	uint64_t number, place;
	size_t bytes;              /* bytes that arrived */
	_Atomic int error;         /* errno of the partner, or 0 */
};

struct flow {
	char *pattern;
	char *got;                 /* room for one byte more than the largest message has */
	size_t least, most;        /* bytes of a message */
	uint64_t random;           /* key of the sizes and places */
	struct flow_report *report;
	pid_t partner;             /* 0: not running */
};

/* Allocates the memory.  Returns 0, or the value that setup must return. */
int flow_set_up(struct stress *s, struct flow *f, size_t least, size_t most) SM_MUST;

struct flow_message flow_message(const struct flow *f, uint64_t number) SM_MUST;
/* Damages the third message with --spoil.  The process that sends calls it, when the other one has its own
 * pattern. */
void flow_spoil(const struct stress *s, const struct flow *f);
/* Compares the bytes that arrived with the message, and counts it.  False: they differ, as the report
 * shows. */
bool flow_check(struct flow *f, uint64_t number, const char *got, size_t bytes) SM_MUST;
/* Reads message `number` from a socket and checks it.  Returns 1; 0 at the end of the stream; -EBADMSG if the
 * message is wrong, as the report shows; other -errno. */
int flow_receive(struct flow *f, uint64_t number, int fd, bool stream) SM_MUST;

/* Starts the partner, which exits when the function returns 0 or -errno.  Returns 0, or the value that run
 * must return. */
int flow_start(struct stress *s, struct flow *f, int (*function)(struct stress *s, void *data),
	void *data) SM_MUST;
/* Returns true if the partner has ended by itself. */
bool flow_has_ended(struct flow *f) SM_MUST;
/* Waits for the end of the partner, after killing it if `kills`, and sets the result from a wrong message, an
 * error of the partner, or the error (-errno or 0) of the instance in `call`.  Returns 0, or the value that
 * run must return. */
int flow_end(struct stress *s, struct flow *f, bool kills, int error, const char *call) SM_MUST;

#endif

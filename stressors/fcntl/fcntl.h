/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fcntl: the parts of the stressor fcntl, by the kind of object to which their commands apply.
 *
 * Each part leaves the descriptors of struct fcntl_state as it found them.
 */
#ifndef STRESSORS_FCNTL_H
#define STRESSORS_FCNTL_H

#include "run/parts.h"

#define FCNTL_BYTES 1000 /* of the file: an append stays in its block */

struct fcntl_state {
	struct parts parts;
	int a, b;           /* two open file descriptions of one file, for reading and writing */
	int pipe[2];        /* empty, in blocking mode */
	uint64_t random;
	char *page;         /* zero */
	size_t page_bytes;
};

static inline struct fcntl_state *fcntl_state(const struct parts *p)
{
	return p->s->data;
}

/* Return the result of a command without an argument, or with a number as argument; -errno. */
int fcntl_get(int fd, int command) SM_MUST;
int fcntl_set(int fd, int command, int value) SM_MUST;

/* descriptor.c: flags and copies */
int fcntl_dupfd(struct parts *p);
int fcntl_dupfd_cloexec(struct parts *p);
int fcntl_dupfd_query(struct parts *p);
int fcntl_created_query(struct parts *p);
int fcntl_setfd(struct parts *p);
int fcntl_append(struct parts *p);
int fcntl_nonblock(struct parts *p);

/* lock.c */
int fcntl_setlk(struct parts *p);
int fcntl_setlkw(struct parts *p);
int fcntl_getlk(struct parts *p);
int fcntl_ofd_setlk(struct parts *p);
int fcntl_ofd_setlkw(struct parts *p);
int fcntl_ofd_shared(struct parts *p);

/* signal.c: the commands that send signals, which stay blocked */
int fcntl_block_signals(void) SM_MUST;
int fcntl_setown(struct parts *p);
int fcntl_setown_ex(struct parts *p);
int fcntl_owner_uids(struct parts *p);
int fcntl_setsig(struct parts *p);
int fcntl_lease(struct parts *p);
int fcntl_notify(struct parts *p);

/* memory.c: pipes, seals and hints */
int fcntl_pipe_size(struct parts *p);
int fcntl_seals(struct parts *p);
int fcntl_seal_future_write(struct parts *p);
int fcntl_seal_exec(struct parts *p);
int fcntl_rw_hint(struct parts *p);
int fcntl_file_rw_hint(struct parts *p);

#endif

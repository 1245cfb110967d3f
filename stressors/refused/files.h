/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files: descriptors that calls with bad arguments get.
 *
 * All except the devices are private objects of the process: the effects of a call on them end with it.  All
 * are non-blocking (O_NONBLOCK).  A pseudoterminal is not the controlling terminal of any process.
 */
#ifndef STRESSORS_REFUSED_FILES_H
#define STRESSORS_REFUSED_FILES_H

#include "run/stress.h"

enum files_kind {
	FILES_PIPE_READ,
	FILES_PIPE_WRITE,
	FILES_SOCKET,   /* one of a pair, AF_UNIX, SOCK_STREAM */
	FILES_PEER,     /* the other one */
	FILES_EVENT,
	FILES_TIMER,
	FILES_SIGNAL,
	FILES_EPOLL,
	FILES_MEMORY,   /* memfd_create(2): a regular file of one page */
	FILES_INOTIFY,
	FILES_PTY,      /* the master */
	FILES_TERMINAL, /* its terminal */
	FILES_NULL,     /* a call could change the owner and mode of a device, which has no other state */
	FILES_ZERO,
	FILES_FULL,
	FILES_KINDS,
};
/* Kinds below it are private to the instance, and are opened and closed quickly. */
#define FILES_QUICK FILES_INOTIFY

extern const char *const files_names[FILES_KINDS];

struct files {
	int fd[FILES_KINDS]; /* -1: not available here */
};

/* Opens the first n kinds.  -1: stress_lacks() was called. */
int files_open(struct stress *s, struct files *f, unsigned int n) SM_MUST;

#endif

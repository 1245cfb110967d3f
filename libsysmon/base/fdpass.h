/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fdpass: messages with descriptors over a socket of type SOCK_SEQPACKET (SCM_RIGHTS, unix(7)).
 *
 * Received descriptors are closed at exec.  Calls are repeated after EINTR.  No signal is sent if the other
 * end is closed.
 */
#ifndef SM_FDPASS_H
#define SM_FDPASS_H

#include "base/base.h"

#define SM_FDPASS_MAX 253 /* SCM_MAX_FD of the kernel: descriptors per message */

/* Sends n bytes with nfds descriptors.  flags: MSG_DONTWAIT, or 0.  -EPIPE: the other end is closed;
 * -EAGAIN. */
int sm_fdpass_send(int sock, const void *p, size_t n, const int *fd, size_t nfds, int flags) SM_MUST;
/* Receives a message of exactly n bytes.  Returns the number of descriptors, or -errno.  -EPIPE: the other
 * end is closed, or the message has another length; -EMFILE: the message was received, but this process
 * cannot have that many descriptors, so all of them were closed; -EAGAIN. */
ssize_t sm_fdpass_receive(int sock, void *p, size_t n, int fd[SM_FDPASS_MAX], int flags) SM_MUST;

#endif

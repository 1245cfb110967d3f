/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cnproc: the kernel's process events connector (drivers/connector/cn_proc.c,
 * include/uapi/linux/cn_proc.h), a netlink multicast of fork, exec, exit, ... events.
 *
 * A datagram consists of nlmsghdr (16 bytes), cn_msg (20) and proc_event (40).  Its stamp is
 * CLOCK_MONOTONIC of the initial time namespace and is converted to this process's time namespace.  Each
 * queued event is charged about 832 bytes of receive buffer.  Only datagrams from the kernel (nl_pid 0)
 * with the connector's ID are accepted.
 *
 * Losses: the socket is put into NETLINK_NO_ENOBUFS (no "congested" state), and the kernel counts the
 * datagrams that it dropped for this socket in SO_MEMINFO.  The number is exact, even with filters.
 *
 * Requires the initial user, PID and network namespaces; before Linux 6.6 also CAP_NET_ADMIN.  In another
 * namespace the kernel does not acknowledge LISTEN.  Before Linux 6.6 an IGNORE of any program can switch the
 * events off for all programs; sm_cnproc_check() detects this.
 */
#ifndef SM_CNPROC_H
#define SM_CNPROC_H

#include "base/base.h"
#include "events/cnevent.h"

struct sm_proc_event {
	uint64_t time_ns; /* time of the event, CLOCK_MONOTONIC of this time namespace */
	uint32_t what;    /* enum sm_proc_what */
	uint32_t cpu;
	pid_t pid, tgid;  /* the task; fork: the child */
	pid_t ppid, ptgid; /* fork: parent; exit, coredump: parent if the kernel sent it, otherwise 0;
	                      ptrace: the tracer, 0 at detach */
	uint32_t rid, eid; /* uid, gid: real and effective ID */
	uint32_t exit_code, exit_signal; /* exit: wait status (wait(2)); signal for the parent */
	union {
		char comm[SM_TASK_COMM_LEN]; /* comm: the new name, NUL-terminated */
		void *data;                  /* data of an event that a tool adds */
	};
};

struct sm_cnproc {
	int fd;
	size_t rcvbuf_bytes;  /* granted by the kernel */
	uint64_t received;    /* events returned since listen */
	uint32_t lost_base;   /* drop counter at listen */
	uint32_t lost_seen;   /* last value of the drop counter: 32 bits, may wrap */
	uint64_t lost;        /* events lost between listen and the last sm_cnproc_update_lost() */
	uint32_t ack;         /* random number that identifies this socket's acknowledgement */
	uint64_t asked_ns;    /* time at which LISTEN was sent, CLOCK_MONOTONIC */
	int64_t clock_offset_ns; /* CLOCK_MONOTONIC of this time namespace minus the kernel's */
	int filter_fd;        /* BPF program that filters instead (cnring.h), or -1 */
	uint32_t mask;        /* kinds of sm_cnproc_filter(); 0: no filter */
	uint64_t check_ns;    /* time at which sm_cnproc_check() is due, CLOCK_MONOTONIC; UINT64_MAX: never */
	uint64_t checked;     /* value of received at the last check */
	unsigned int missed;  /* successive check events that did not arrive */
	bool checking;        /* the check event must still be discarded */
	bool acked, listening;
	struct sm_cnproc_rx *rx; /* receive vectors */
};

#define SM_CNPROC_INIT { .fd = -1, .filter_fd = -1 }
#define SM_CNPROC_EVENT_CHARGE 832u /* bytes of receive buffer per event, Linux 6.18 */

/* Opens and binds the socket and sets its buffer (0: the default).  -EPERM: no CAP_NET_ADMIN. */
int sm_cnproc_open(struct sm_cnproc *c, size_t rcvbuf_bytes) SM_MUST;
/* Takes over any datagram fd; tests pass one end of a socketpair. */
int sm_cnproc_adopt(struct sm_cnproc *c, int fd) SM_MUST;
/* Asks for all events and waits for the acknowledgement; earlier events are discarded.  -ECONNREFUSED: not
 * the initial network namespace; -ETIMEDOUT: no acknowledgement (not the initial user or PID namespace, or
 * no CONFIG_PROC_EVENTS); -EPERM. */
int sm_cnproc_listen(struct sm_cnproc *c, int timeout_ms) SM_MUST;
/* Restricts further events to these kinds, with a socket filter and with the event mask of Linux 6.6. */
int sm_cnproc_filter(struct sm_cnproc *c, uint32_t mask) SM_MUST;
/* Reads up to max events without blocking.  Returns their number (0: the queue is empty) or -errno.
 * Malformed and foreign datagrams are skipped.  The order is that of the socket, which is causal for each
 * task. */
ssize_t sm_cnproc_read(struct sm_cnproc *c, struct sm_proc_event *ev, size_t max) SM_MUST;
/* Updates c->lost from the drop counter; returns the number of events lost since the last call. */
int64_t sm_cnproc_update_lost(struct sm_cnproc *c) SM_MUST;
/* Checks after a drain whether events still arrive.  After a minute without an event, this process generates
 * one by setting its comm to the current value; sm_cnproc_read() does not return this event.  -ENOTCONN: five
 * successive check events did not arrive. */
int sm_cnproc_check(struct sm_cnproc *c, uint64_t now_ns) SM_MUST;
/* Sends IGNORE, because before Linux 6.6 close(2) does not decrement the listener count, and closes. */
void sm_cnproc_close(struct sm_cnproc *c);

/* Parses a datagram.  -EBADMSG: not a process event.  For an acknowledgement, ev->what is SM_PROC_NONE and
 * *ack_out is its number, otherwise 0. */
int sm_cnproc_parse(const void *msg, size_t len, struct sm_proc_event *ev, uint32_t *ack_out)
	SM_MUST;
/* Parses a struct proc_event.  -EBADMSG: an unknown kind, or too short for its kind. */
int sm_cnproc_parse_event(const void *event, size_t len, struct sm_proc_event *ev) SM_MUST;

#endif

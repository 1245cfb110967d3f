/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cnproc: the kernel's process events connector (drivers/connector/cn_proc.c,
 * include/uapi/linux/cn_proc.h), a netlink multicast of fork, exec, exit, ... events.
 *
 * One datagram = nlmsghdr 16 + cn_msg 20 + proc_event 40 bytes.  The kernel's stamp is its own
 * CLOCK_MONOTONIC; it is converted to that of this time namespace.  Each queued event is charged
 * about 832 bytes of receive buffer.
 * Before Linux 6.6 an IGNORE of any program can switch the events off for all; sm_cnproc_check()
 * finds out.
 * Losses: the socket is put into NETLINK_NO_ENOBUFS (no "congested" state) and the kernel
 * counts what it dropped for this socket in SO_MEMINFO: an exact number, also when filters
 * are on.  Only datagrams from the kernel (nl_pid 0) with the connector's id are taken.
 * Needs the initial user and pid namespace and the initial network namespace; before
 * Linux 6.6 also CAP_NET_ADMIN.  In another namespace the kernel does not acknowledge LISTEN.
 */
#ifndef SM_CNPROC_H
#define SM_CNPROC_H

#include "base/base.h"
#include "kernel/cnevent.h"

struct sm_proc_event {
	uint64_t time_ns; /* CLOCK_MONOTONIC of this time namespace, when it happened */
	uint32_t what;    /* enum sm_proc_what */
	uint32_t cpu;
	pid_t pid, tgid;  /* the task it is about; for a fork: the child */
	pid_t ppid, ptgid; /* fork: parent; exit, coredump: parent if the kernel sent it, else 0;
	                      ptrace: the tracer, 0 at detach */
	uint32_t rid, eid; /* uid, gid: real and effective id */
	uint32_t exit_code, exit_signal; /* exit: wait status (wait(2)); signal for the parent */
	union {
		char comm[SM_TASK_COMM_LEN]; /* comm: the new name, NUL-terminated */
		void *data;                  /* of events that a tool adds */
	};
};

struct sm_cnproc {
	int fd;
	size_t rcvbuf_bytes;  /* what the kernel granted */
	uint64_t received;    /* events handed out since listen */
	uint32_t lost_base;   /* drops counter at listen */
	uint32_t lost_seen;   /* its last value: 32 bits, may wrap */
	uint64_t lost;        /* events lost since listen, as of the last sm_cnproc_update_lost() */
	uint32_t ack;         /* random: identifies this socket's acknowledgement */
	uint64_t asked_ns;    /* CLOCK_MONOTONIC when LISTEN was sent */
	int64_t clock_offset_ns; /* CLOCK_MONOTONIC of this time namespace less the kernel's */
	int filter_fd;        /* the program that filters instead (cnring.h), or -1 */
	uint32_t mask;        /* of sm_cnproc_filter(); 0: no filter */
	uint64_t check_ns;    /* CLOCK_MONOTONIC, when sm_cnproc_check() is due; UINT64_MAX: never */
	uint64_t checked;     /* received, at the last check */
	unsigned int missed;  /* its events in a row that did not arrive */
	bool checking;        /* its event is still to be discarded */
	bool acked, listening;
	struct sm_cnproc_rx *rx; /* receive vectors */
};

#define SM_CNPROC_INIT { .fd = -1, .filter_fd = -1 }
#define SM_CNPROC_EVENT_CHARGE 832u /* bytes of receive buffer per event, Linux 6.18 */

/* Socket, buffer (SO_RCVBUFFORCE, else SO_RCVBUF; 0 keeps the default), bind.  -EPERM: no CAP_NET_ADMIN. */
int sm_cnproc_open(struct sm_cnproc *c, size_t rcvbuf_bytes) SM_MUST;
/* Takes over any datagram fd: tests hand in one end of a socketpair. */
int sm_cnproc_adopt(struct sm_cnproc *c, int fd) SM_MUST;
/* Asks for all events and waits for the acknowledgement; earlier events are discarded.
 * -ECONNREFUSED: not the
 * initial network namespace; -ETIMEDOUT: no acknowledgement (user or pid namespace, or no
 * CONFIG_PROC_EVENTS); -EPERM. */
int sm_cnproc_listen(struct sm_cnproc *c, int timeout_ms) SM_MUST;
/* Only these kinds from now on: socket BPF (any kernel) and the event mask (6.6+). */
int sm_cnproc_filter(struct sm_cnproc *c, uint32_t mask) SM_MUST;
/* Up to max events without blocking; 0 = the queue is empty; -errno.  Malformed and foreign
 * datagrams are skipped.  Order is the socket's, which is causal for each task. */
ssize_t sm_cnproc_read(struct sm_cnproc *c, struct sm_proc_event *ev, size_t max) SM_MUST;
/* Reads the drop counter into c->lost; returns how many were lost since the last call. */
int64_t sm_cnproc_update_lost(struct sm_cnproc *c) SM_MUST;
/* After a drain: do events still arrive?  When there were none for a minute, this process makes one
 * (it sets its comm to what that is), which sm_cnproc_read() does not return.  -ENOTCONN: five of
 * these in a row did not arrive. */
int sm_cnproc_check(struct sm_cnproc *c, uint64_t now_ns) SM_MUST;
/* Sends IGNORE (before 6.6 the listener count is not dropped by close) and closes. */
void sm_cnproc_close(struct sm_cnproc *c);

/* One datagram.  0; -EBADMSG when it is not a process event (ack: what = NONE and
 * *ack_out holds the acknowledgement number, else 0). */
int sm_cnproc_parse(const void *msg, size_t len, struct sm_proc_event *ev, uint32_t *ack_out)
	SM_MUST;
/* One struct proc_event.  0; -EBADMSG: no known kind, or too short for it. */
int sm_cnproc_parse_event(const void *event, size_t len, struct sm_proc_event *ev) SM_MUST;

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procpid: the files of /proc/PID (Documentation/filesystems/proc.rst, proc(5)).
 *
 * A task sets its comm freely: it may hold blanks, ')' and newlines, so stat is
 * parsed from its *last* ')'.  PF_KTHREAD in the flags field identifies a kernel thread,
 * not an empty command line (a zombie has one too).  Since Linux 4.18 the comm of a
 * workqueue thread in stat can be longer than SM_TASK_COMM_LEN: up to 64 bytes.
 * Reads need no privilege, except under hidepid (then -ENOENT or -EPERM).  A process that
 * has exited gives -ENOENT, also between open and read; malformed text gives -EBADMSG.
 */
#ifndef SM_PROCPID_H
#define SM_PROCPID_H

#include "base/base.h"
#include "kernel/root.h"

#define SM_PIDSTAT_COMM_MAX 64
#define SM_PF_EXITING       0x00000004u /* include/linux/sched.h */
#define SM_PF_KTHREAD       0x00200000u

struct sm_pidstat {
	pid_t pid;
	char comm[SM_PIDSTAT_COMM_MAX + 1]; /* NUL-terminated, cut off when longer */
	size_t comm_len;         /* comm may hold NUL-free bytes of any kind */
	char state;              /* R S D Z T t X I */
	pid_t ppid, pgrp, session; /* pgrp, session: -1 when the task is being reaped */
	int tty_nr;              /* encoded dev_t, 0 = none */
	uint32_t flags;          /* PF_* */
	uint64_t minflt, majflt; /* page faults, of all threads, those that have exited included */
	uint64_t utime_ticks, stime_ticks;   /* USER_HZ, threads included */
	int64_t cutime_ticks, cstime_ticks;  /* reaped children */
	int64_t num_threads;
	uint64_t start_ticks;    /* since boot, CLOCK_BOOTTIME, USER_HZ */
	int processor;           /* field 39 */
};

struct sm_pidcred { /* from /proc/PID/status */
	pid_t tgid, ppid;
	uid_t ruid, euid;
	gid_t rgid, egid;
};

int sm_procpid_parse_stat(const char *s, size_t n, struct sm_pidstat *out) SM_MUST;
int sm_procpid_parse_cred(const char *s, size_t n, struct sm_pidcred *out) SM_MUST;

int sm_procpid_read_stat(const struct sm_root *r, pid_t pid, struct sm_pidstat *out) SM_MUST;
/* Does the live /proc have the pids of a pid namespace of its own?  Then a task that the kernel names by its
 * pid is alive without an entry, and an entry of that number is another task.  Only the initial namespace
 * has kernel threads, kthreadd as 2. */
bool sm_procpid_foreign(const struct sm_root *r);
/* The number of this process in that /proc; -errno. */
pid_t sm_procpid_self(const struct sm_root *r);
/* Has the leader ended by pthread_exit(3), and do other threads go on?  Its files then show a zombie without
 * arguments, memory and (in version 1) cgroup; those of a living thread show the process. */
bool sm_procpid_leader_ended(const struct sm_pidstat *st);
/* The stat of a living thread of a process, whose TID is out->pid: of one that runs, or else of one that
 * waits for a device, or else of the first.  -ENOENT: all are ending. */
int sm_procpid_living_thread(const struct sm_root *r, pid_t pid, struct sm_pidstat *out) SM_MUST;
int sm_procpid_read_cred(const struct sm_root *r, pid_t pid, struct sm_pidcred *out) SM_MUST;
/* NUL-separated arguments as in memory, at most cap bytes (no NUL is added); 0 for a
 * kernel thread or a zombie; == cap means there may be more. */
ssize_t sm_procpid_read_cmdline(const struct sm_root *r, pid_t pid, char *buf, size_t cap) SM_MUST;
/* Up to cap bytes of /proc/PID/name. */
ssize_t sm_procpid_read_file(const struct sm_root *r, pid_t pid, const char *name, char *buf,
	size_t cap) SM_MUST;
/* The pids of all kernel threads but kthreadd, whose children they are, a blank after each
 * (/proc/PID/task/TID/children).  -ENOENT: not in this pid namespace, or no CONFIG_PROC_CHILDREN. */
ssize_t sm_procpid_read_kthreads(const struct sm_root *r, char *buf, size_t cap) SM_MUST;
/* Without the trailing newline, up to cap - 1 bytes, NUL added; returns the length. */
ssize_t sm_procpid_read_comm(const struct sm_root *r, pid_t pid, char *buf, size_t cap) SM_MUST;

/* The files of one thread: /proc/PID/task/TID/stat, cmdline; with tid 0 those of the process. */
int sm_procpid_read_thread_stat(const struct sm_root *r, pid_t pid, pid_t tid,
	struct sm_pidstat *out) SM_MUST;
ssize_t sm_procpid_read_thread_cmdline(const struct sm_root *r, pid_t pid, pid_t tid, char *buf,
	size_t cap) SM_MUST;
/* /proc/PID/schedstat (of the leader alone), or /proc/PID/task/TID/schedstat with tid > 0
 * (Documentation/scheduler/sched-stats.rst): time on a CPU and time that it waited for one, ns.
 * A kernel without the figures writes zeros: -ENODATA when both are 0. */
int sm_procpid_read_schedstat(const struct sm_root *r, pid_t pid, pid_t tid, uint64_t *run_ns,
	uint64_t *wait_ns) SM_MUST;

/* Calls fn for each numeric entry of /proc, in directory order, until fn returns nonzero
 * (which is then returned).  getdents64 through a 32 KiB buffer on the stack. */
int sm_procpid_scan(const struct sm_root *r, int (*fn)(void *ctx, pid_t pid), void *ctx) SM_MUST;
/* The same for /proc/PID/task. */
int sm_procpid_scan_threads(const struct sm_root *r, pid_t pid, int (*fn)(void *ctx, pid_t tid), void *ctx)
	SM_MUST;
/* /proc/sys/kernel/pid_max, 32768 when unreadable or above the kernel's limit of 4194304. */
uint32_t sm_procpid_max(const struct sm_root *r);

#endif

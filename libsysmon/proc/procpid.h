/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procpid: the files of /proc/PID (Documentation/filesystems/proc.rst, proc(5)).
 *
 * A task may set its comm to any bytes, including spaces, ')' and newlines, so stat is parsed from its *last*
 * ')'.  PF_KTHREAD in the flags field identifies a kernel thread; an empty command line does not, because a
 * zombie's is also empty.  Since Linux 4.18 the comm of a workqueue thread in stat can be longer than
 * SM_TASK_COMM_LEN: up to 64 bytes.  Reading requires no privileges, except with hidepid (then -ENOENT or
 * -EPERM).  -ENOENT: the process has exited, before open or between open and read; -EBADMSG: malformed text.
 */
#ifndef SM_PROCPID_H
#define SM_PROCPID_H

#include "base/base.h"
#include "base/root.h"

#define SM_PIDSTAT_COMM_MAX 64
#define SM_PF_EXITING       0x00000004u /* include/linux/sched.h */
#define SM_PF_WQ_WORKER     0x00000020u /* kernel thread of a workqueue */
#define SM_PF_FORKNOEXEC    0x00000040u /* has not executed a program since it was forked */
#define SM_PF_KTHREAD       0x00200000u

struct sm_pidstat {
	pid_t pid;
	char comm[SM_PIDSTAT_COMM_MAX + 1]; /* NUL-terminated, truncated if longer */
	size_t comm_len;         /* of comm, which may contain any bytes except NUL */
	char state;              /* R S D Z T t X I */
	pid_t ppid, pgrp, session; /* pgrp, session: -1 while the task is being reaped */
	int tty_nr;              /* encoded dev_t; 0: no terminal */
	uint32_t flags;          /* PF_* */
	uint64_t minflt, majflt; /* page faults of all threads, including exited threads */
	uint64_t utime_ticks, stime_ticks;   /* all threads, USER_HZ */
	int64_t cutime_ticks, cstime_ticks;  /* reaped children */
	int64_t num_threads;
	uint64_t start_ticks;    /* start time, CLOCK_BOOTTIME, USER_HZ */
	int processor;           /* field 39 */
};

struct sm_pidcred { /* from /proc/PID/status */
	pid_t tgid, ppid;
	uid_t ruid, euid;
	gid_t rgid, egid;
};

int sm_procpid_parse_stat(const char *s, size_t n, struct sm_pidstat *out) SM_MUST;
int sm_procpid_parse_cred(const char *s, size_t n, struct sm_pidcred *out) SM_MUST;

/* Returns the system part of cpu_ns, which stat divides in the ratio of ticks. */
uint64_t sm_procpid_system_ns(uint64_t cpu_ns, uint64_t utime_ns, uint64_t stime_ns);

int sm_procpid_read_stat(const struct sm_root *r, pid_t pid, struct sm_pidstat *out) SM_MUST;
/* True if the live /proc shows the PIDs of a PID namespace other than the initial one.  A PID from the kernel
 * then may lack an entry although the task is alive, and an entry with this number is another task.  Only the
 * initial namespace has kernel threads, with kthreadd as 2. */
bool sm_procpid_foreign(const struct sm_root *r);
/* Returns the PID of this process in root's /proc, or -errno. */
pid_t sm_procpid_self(const struct sm_root *r);
/* True if the leader has exited with pthread_exit(3) while other threads continue.  The leader's files then
 * show a zombie without arguments, memory and (in version 1) cgroup; the files of a living thread show the
 * process. */
bool sm_procpid_leader_ended(const struct sm_pidstat *st);
/* Reads the stat of a living thread of a process; out->pid is its TID.  A running thread is preferred, then a
 * thread that waits for a device, then the first.  -ENOENT: all threads are exiting. */
int sm_procpid_living_thread(const struct sm_root *r, pid_t pid, struct sm_pidstat *out) SM_MUST;
int sm_procpid_read_cred(const struct sm_root *r, pid_t pid, struct sm_pidcred *out) SM_MUST;
/* Reads the arguments, separated by NULs as in memory, at most cap bytes; a NUL is not added.  Returns the
 * length; 0: a kernel thread or a zombie; cap: there may be more. */
ssize_t sm_procpid_read_cmdline(const struct sm_root *r, pid_t pid, char *buf, size_t cap) SM_MUST;
/* Reads up to cap bytes of /proc/PID/name. */
ssize_t sm_procpid_read_file(const struct sm_root *r, pid_t pid, const char *name, char *buf,
	size_t cap) SM_MUST;
/* Reads the PIDs of all kernel threads except kthreadd, each followed by a space, from
 * /proc/PID/task/TID/children of kthreadd.  -ENOENT: not in this PID namespace, or no
 * CONFIG_PROC_CHILDREN. */
ssize_t sm_procpid_read_kthreads(const struct sm_root *r, char *buf, size_t cap) SM_MUST;
/* True if no task has this PID or TID.  Needs no permission, and hidepid does not matter. */
bool sm_procpid_is_gone(pid_t pid);
/* Reads comm without its newline, up to cap - 1 bytes, and adds a NUL; returns the length. */
ssize_t sm_procpid_read_comm(const struct sm_root *r, pid_t pid, char *buf, size_t cap) SM_MUST;

/* Read a file of one thread, /proc/PID/task/TID/stat or cmdline; with tid 0, of the process. */
int sm_procpid_read_thread_stat(const struct sm_root *r, pid_t pid, pid_t tid,
	struct sm_pidstat *out) SM_MUST;
ssize_t sm_procpid_read_thread_cmdline(const struct sm_root *r, pid_t pid, pid_t tid, char *buf,
	size_t cap) SM_MUST;
/* Reads /proc/PID/schedstat (only of the leader), or with tid > 0 /proc/PID/task/TID/schedstat
 * (Documentation/scheduler/sched-stats.rst): time on a CPU and time waiting for a CPU, ns.  -ENODATA: both
 * are 0, as in a kernel that does not measure them. */
int sm_procpid_read_schedstat(const struct sm_root *r, pid_t pid, pid_t tid, uint64_t *run_ns,
	uint64_t *wait_ns) SM_MUST;

/* Calls fn for each numeric entry of /proc, in directory order, until fn returns nonzero, which is then
 * returned.  Uses 32 KiB of stack. */
int sm_procpid_scan(const struct sm_root *r, int (*fn)(void *ctx, pid_t pid), void *ctx) SM_MUST;
/* Like sm_procpid_scan(), for /proc/PID/task. */
int sm_procpid_scan_threads(const struct sm_root *r, pid_t pid, int (*fn)(void *ctx, pid_t tid), void *ctx)
	SM_MUST;
/* Returns /proc/sys/kernel/pid_max, or 32768 if it is unreadable or above the kernel's limit of 4194304. */
uint32_t sm_procpid_max(const struct sm_root *r);

#endif

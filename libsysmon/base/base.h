/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * base: the few shapes that every module shares.
 *
 * Conventions of the whole library: functions return 0, a count, or -errno, and hand
 * values back through pointers; a value that is absent is -ENOENT or -ENODATA, never a
 * magic number.  Units are in the names: _ns _ticks _bytes _khz _uw ...
 */
#ifndef SM_BASE_H
#define SM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __bpf__ /* a program for the kernel (kernel/bpf_kern.h) that shares a structure with its reader */
typedef int pid_t;
#else
#include <sys/types.h>
#endif

#define SM_MUST            __attribute__((warn_unused_result))
#define SM_PRINTF(f, a)    __attribute__((format(printf, f, a)))
#define SM_CLEANUP(fn)     __attribute__((cleanup(fn)))
#define SM_LIKELY(x)       __builtin_expect(!!(x), 1)
#define SM_UNLIKELY(x)     __builtin_expect(!!(x), 0)
#define SM_ARRAY_SIZE(a)   (sizeof(a) / sizeof((a)[0]))
#define SM_NSEC_PER_SEC    UINT64_C(1000000000)
#define SM_NSEC_PER_MSEC   UINT64_C(1000000)

/* TASK_COMM_LEN of include/linux/sched.h, terminating NUL included. */
#define SM_TASK_COMM_LEN 16

/* Borrowed bytes; not NUL-terminated, may hold any byte. */
struct sm_str {
	const char *p;
	size_t n;
};

#define SM_STR(literal) ((struct sm_str){ (literal), sizeof(literal) - 1 })

/* Scope guards: SM_CLOSE_FD int fd = open(...); closes the fd on every way out. */
void sm_base_close_fd(int *fd);
#define SM_CLOSE_FD SM_CLEANUP(sm_base_close_fd)

/* Closes the descriptors first to last, for a child that keeps none of its parent's.  Where the kernel
 * cannot close a range (before Linux 5.9), those up to 65535. */
void sm_base_close_range(unsigned int first, unsigned int last);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * base: types and macros that every module uses.
 *
 * Conventions of the library: a function returns 0, a count, or -errno, and stores its
 * results through pointers.  A missing value is reported as -ENOENT or -ENODATA, never as
 * a magic number.  Names contain the unit: _ns _ticks _bytes _khz _uw ...
 */
#ifndef SM_BASE_H
#define SM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __bpf__ /* a program for the kernel (bpf/bpf_kern.h) that shares a structure with its reader */
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

/* TASK_COMM_LEN of include/linux/sched.h, including the terminating NUL. */
#define SM_TASK_COMM_LEN 16

/* Borrowed bytes: any values, without a terminating NUL. */
struct sm_str {
	const char *p;
	size_t n;
};

#define SM_STR(literal) ((struct sm_str){ (literal), sizeof(literal) - 1 })

/* Scope guard: SM_CLOSE_FD int fd = open(...); closes the descriptor when fd goes out of scope. */
void sm_base_close_fd(int *fd);
#define SM_CLOSE_FD SM_CLEANUP(sm_base_close_fd)

/* Closes the descriptors first to last, in a child that must not inherit them.  If the kernel lacks
 * close_range(2) (before Linux 5.9), descriptors above 65535 stay open. */
void sm_base_close_range(unsigned int first, unsigned int last);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * syscall_rig: takes the place of syscall(2) of the C library in the whole test program, which gets each call
 * before the kernel.
 */
#ifndef SYSCALL_RIG_H
#define SYSCALL_RIG_H

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Defined by the test.  Returns the errno with which the call fails, or 0: the kernel gets it. */
static int syscall_called(long nr, const long a[6]);

static inline long syscall_real(long nr, const long a[6])
{
	static long (*next)(long, ...);

	if (!next)
		next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	return next(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* As in the C library, more arguments are read than a caller may have passed. */
__attribute__((no_sanitize_address)) long syscall(long nr, ...)
{
	long a[6];
	va_list ap;

	va_start(ap, nr);
	for (size_t i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	errno = syscall_called(nr, a);
	return errno ? -1 : syscall_real(nr, a);
}

#endif

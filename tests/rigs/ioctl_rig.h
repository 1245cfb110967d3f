/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ioctl_rig: takes the place of ioctl(2) in the whole test program, which gets each call before the kernel.
 */
#ifndef IOCTL_RIG_H
#define IOCTL_RIG_H

#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Defined by the test. */
static void ioctl_called(int fd, unsigned int request, const void *arg);

#ifdef __GLIBC__
typedef unsigned long request_type;
#else
typedef int request_type;
#endif

int ioctl(int fd, request_type request, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	ioctl_called(fd, (unsigned int)request, arg);
	return (int)syscall(SYS_ioctl, fd, request, arg);
}

#endif

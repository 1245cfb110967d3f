/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gate_rig: runs a function while the sampler reads, just before it opens a certain file.
 */
#ifndef GATE_RIG_H
#define GATE_RIG_H

#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Runs when the sampler reads process 15, after a (10) and before b and c. */
static void (*between)(void);
static char gate_at[24] = "15/stat";

/* Replaces openat(2) in the whole program. */
int gate(int dirfd, const char *path, int flags, ...) __asm__("openat");
int gate64(int dirfd, const char *path, int flags, ...) __asm__("openat64")
	__attribute__((alias("openat")));

int gate(int dirfd, const char *path, int flags, ...)
{
	static char dir[24];
	/* Below a prepared root each name of a path is opened by itself. */
	bool here = strcmp(path, gate_at) == 0 ||
		    (strcmp(path, strchr(gate_at, '/') + 1) == 0 && *dir &&
			    strncmp(gate_at, dir, strcspn(gate_at, "/")) == 0);
	void (*now)(void) = here ? between : NULL;
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	snprintf(dir, sizeof(dir), "%s", path);
	if (now) {
		between = NULL;
		now();
	}
	return (int)syscall(SYS_openat, dirfd, path, flags, mode);
}

#endif

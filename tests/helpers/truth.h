/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * truth: the record of a load generator, for comparison with a tool's rows.  Lines of fields
 * separated by tabs:
 *
 *	load PID PPID NAME		the generator; NAME is its command line
 *	file PATH			the program that its children exec
 *	KIND PID PPID TID STATUS NAME	a process or thread, in order of creation
 *	cpu USER_US SYS_US WALL_US	of the generator and all its children
 *
 * STATUS is the raw status of wait(2), NAME the expected name in the exit row.  In NAME one
 * blank separates arguments; bytes outside 0x21..0x7e and the backslash are \xNN.
 */
#ifndef TRUTH_H
#define TRUTH_H

#include <stdio.h>
#include <string.h>

enum kind {
	K_EXEC, /* forked, ran a program, ended */
	K_FORK, /* forked, ended */
	K_VFORK,
	K_THREAD, /* a thread of its parent */
	K_GEN,	  /* a generator process of the load */
	K_UID,	  /* changed its uid; the following likewise, each one event of its own */
	K_GID,
	K_SID,
	K_COMM,
	K_PTRACE, /* was attached and detached */
	K_CORE,	  /* died by SIGABRT */
	K_KINDS
};

static inline const char *kind_name(enum kind k)
{
	static const char *const name[K_KINDS] = {"exec", "fork", "vfork", "thread",
		"gen", "uid", "gid", "sid", "comm", "ptrace", "core"};

	return k < K_KINDS ? name[k] : "?";
}

static inline void truth_puts(FILE *f, const char *s)
{
	for (; *s; s++) {
		if (*s > 0x20 && *s < 0x7f && *s != '\\')
			putc(*s, f);
		else
			fprintf(f, "\\x%02x", (unsigned int)(unsigned char)*s);
	}
}

static inline void truth_argv(FILE *f, char *const *argv)
{
	for (int i = 0; argv[i]; i++) {
		if (i)
			putc(' ', f);
		truth_puts(f, argv[i]);
	}
}

#endif

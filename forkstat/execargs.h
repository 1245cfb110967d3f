/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * execargs: finds the arguments in the initial stack of a new program.
 *
 * The kernel's ELF loader leaves at the stack pointer (create_elf_tables() in
 * fs/binfmt_elf.c; the System V ABI calls it the initial process stack): argc, argv[],
 * NULL, envp[], NULL, the auxiliary vector, a gap of random size, then the strings, arguments
 * first, one after the other.  The dump starts at the stack pointer and may end early.
 */
#ifndef FORKSTAT_EXECARGS_H
#define FORKSTAT_EXECARGS_H

#include "base/base.h"

struct execargs {
	const char *args;    /* in the dump: argc strings, a NUL after each; NULL = not in it */
	size_t len;          /* bytes of args, NULs included */
	uint64_t argc;
	size_t expect_len;   /* bytes of all arguments, from the pointers; 0 = unknown */
	bool truncated;      /* args has only the first strings */
};

/* sp: value of the stack pointer; wide: 64-bit program.  Returns 0, or -ENODATA if the dump lacks the
 * pointers or they are inconsistent. */
int execargs_parse(const unsigned char *dump, size_t n, uint64_t sp, bool wide,
	struct execargs *out) SM_MUST;

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * execargs: the arguments in a new program's initial stack.
 *
 * What the kernel's ELF loader leaves at the stack pointer (create_elf_tables() in
 * fs/binfmt_elf.c; the System V ABI calls it the initial process stack): argc, argv[],
 * NULL, envp[], NULL, auxiliary vector, a gap of random size, then the strings, arguments
 * first, one after the other.  The dump starts at the stack pointer and may end early.
 */
#ifndef FORKSTAT_EXECARGS_H
#define FORKSTAT_EXECARGS_H

#include "base/base.h"

struct execargs {
	const char *args;    /* in the dump: argc strings, a NUL after each; NULL = not there */
	size_t len;          /* their bytes, NULs included */
	uint64_t argc;
	size_t expect_len;   /* bytes of all arguments by the pointers alone; 0 = not known */
	bool truncated;      /* args holds the first ones only */
};

/* sp: the stack pointer's value; wide: 64-bit program.  -ENODATA when not even the pointers
 * are in the dump or they make no sense. */
int execargs_parse(const unsigned char *dump, size_t n, uint64_t sp, bool wide,
	struct execargs *out) SM_MUST;

#endif

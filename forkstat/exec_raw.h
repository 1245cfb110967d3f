/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exec_raw: what the programs of execbpf.h and execfail.h write. */
#ifndef FORKSTAT_EXEC_RAW_H
#define FORKSTAT_EXEC_RAW_H

#include "base/base.h"

/* The most that the ring holds of one exec. */
#define EXECBPF_FILE_MAX   4096u
#define EXECBPF_ARGS_MAX   16384u

/* file_len bytes of file name and args_len of arguments follow. */
struct execbpf_raw {
	uint64_t time_ns;
	uint64_t expect_len;
	char comm[SM_TASK_COMM_LEN];
	uint32_t pid;
	uint32_t file_len; /* with the NUL, when it is not cut */
	uint32_t args_len; /* 0: they could not be read */
	uint32_t reserved;
};

#define EXECFAIL_FILE_MAX 4096u

/* file_len bytes of file name with its NUL follow, none if it could not be read. */
struct execfail_raw {
	uint64_t time_ns;
	uint32_t tid, pid;
	int32_t ret;
	uint32_t file_len;
};

/* Where struct pt_regs (arch/ARCH/include/asm/ptrace.h) has the number of the system call and a word with a
 * bit that tells 32-bit programs from others; and for each exec call where its file name is. */
struct execfail_registers {
	uint32_t number_at, mode_at, mode_bit;
	struct execfail_call {
		uint32_t mode, number;
		uint32_t file_at; /* 0: no such call */
	} call[4];
};

#endif

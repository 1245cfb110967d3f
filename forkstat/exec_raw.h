/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exec_raw: what the programs of execbpf.h and execfail.h write. */
#ifndef FORKSTAT_EXEC_RAW_H
#define FORKSTAT_EXEC_RAW_H

#include "base/base.h"
#include "kernel/cgroup_key.h"

/* The most that the ring holds of one exec. */
#define EXECBPF_FILE_MAX 4096u
#define EXECBPF_ARGS_MAX 16384u
#define EXECBPF_ENV_MAX  4096u
/* The environment is searched up to this number of strings; of a longer one each 4 kB count as one. */
#define EXECBPF_ENV_STRINGS 512u
#define EXECBPF_NAME_WORDS  8u /* of 8 bytes */

/* A record of the ring is one of these or a struct sm_cgroup_raw. */
#define EXECBPF_EXEC  UINT32_C(1)
#define EXECBPF_MOVED UINT32_C(2)
#define EXECBPF_BORN  UINT32_C(3)

enum execbpf_env { EXECBPF_ENV_UNKNOWN, EXECBPF_ENV_NOT_SET, EXECBPF_ENV_SET };

/* env_len bytes of the variable, file_len of file name and args_len of arguments follow. */
struct execbpf_raw {
	uint32_t kind; /* EXECBPF_EXEC */
	uint32_t pid;
	uint64_t time_ns;
	uint64_t expect_len;
	char comm[SM_TASK_COMM_LEN];
	uint32_t file_len; /* with the NUL, when it is not cut */
	uint32_t args_len; /* 0: they could not be read */
	uint64_t cgroup;   /* cgroup_key.h */
	uint32_t loginuid;
	uint8_t has_loginuid, env; /* env: enum execbpf_env */
	uint16_t env_len; /* "NAME=value", with the NUL, when it is not cut */
};

/* EXECBPF_MOVED: a task joined a group; EXECBPF_BORN: a task is in it when it begins. */
struct execbpf_group_raw {
	uint32_t kind;
	uint32_t pid; /* of a task that is born its own, otherwise the process */
	uint64_t time_ns;
	uint64_t cgroup;
};

/* What the program notes of a task beside its name. */
struct execbpf_facts {
	struct sm_cgroup_order order; /* n = 0: the group is not wanted */
	/* "NAME=" and the bits of these words that are in it; all 0: no variable is wanted.  Of a longer
	 * name the beginning is compared. */
	uint64_t env_name[EXECBPF_NAME_WORDS], env_mask[EXECBPF_NAME_WORDS];
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exec_raw: the records that the BPF programs of execbpf.h and execfail.h write. */
#ifndef FORKSTAT_EXEC_RAW_H
#define FORKSTAT_EXEC_RAW_H

#include "base/base.h"
#include "bpf/cgroup_key.h"

/* Longest file name, arguments and variable in a record, in bytes. */
#define EXECBPF_FILE_MAX 4096u
#define EXECBPF_ARGS_MAX 16384u
#define EXECBPF_ENV_MAX  4096u
/* Number of strings of the environment that are searched; a string above 4 kB counts once per 4 kB. */
#define EXECBPF_ENV_STRINGS 512u
#define EXECBPF_NAME_WORDS  8u /* of 8 bytes */

/* A record of the ring is one of these or a struct sm_cgroup_raw. */
#define EXECBPF_EXEC  UINT32_C(1)
#define EXECBPF_MOVED UINT32_C(2)
#define EXECBPF_BORN  UINT32_C(3)

enum execbpf_env { EXECBPF_ENV_UNKNOWN, EXECBPF_ENV_NOT_SET, EXECBPF_ENV_SET };

/* Followed by env_len bytes of the variable, file_len bytes of the file name and args_len bytes of the
 * arguments. */
struct execbpf_raw {
	uint32_t kind; /* EXECBPF_EXEC */
	uint32_t pid;
	uint64_t time_ns;
	uint64_t expect_len;
	char comm[SM_TASK_COMM_LEN];
	uint32_t file_len; /* includes the NUL, unless truncated */
	uint32_t args_len; /* 0 if the arguments could not be read */
	uint64_t cgroup;   /* cgroup_key.h */
	uint32_t loginuid;
	uint8_t has_loginuid, env; /* env: enum execbpf_env */
	uint16_t env_len; /* "NAME=value"; includes the NUL, unless truncated */
};

/* EXECBPF_MOVED: a process joined a cgroup; EXECBPF_BORN: a new task starts in a cgroup. */
struct execbpf_group_raw {
	uint32_t kind;
	uint32_t pid; /* BORN: the task; MOVED: the process */
	uint64_t time_ns;
	uint64_t cgroup;
};

/* Selects the data that the program records in addition to the name. */
struct execbpf_facts {
	struct sm_cgroup_order order; /* n = 0: the cgroup is not recorded */
	/* "NAME=" and a mask of its bits; all 0: no variable is recorded.  If the name is longer, only its
	 * beginning is compared. */
	uint64_t env_name[EXECBPF_NAME_WORDS], env_mask[EXECBPF_NAME_WORDS];
};

#define EXECFAIL_FILE_MAX 4096u

/* Followed by file_len bytes of the file name including its NUL; 0 if it could not be read. */
struct execfail_raw {
	uint64_t time_ns;
	uint32_t tid, pid;
	int32_t ret;
	uint32_t file_len;
};

/* Offsets in struct pt_regs (arch/ARCH/include/asm/ptrace.h): the system call number, a word whose mode_bit
 * distinguishes 32-bit programs from others, and for each exec call its file name. */
struct execfail_registers {
	uint32_t number_at, mode_at, mode_bit;
	struct execfail_call {
		uint32_t mode, number;
		uint32_t file_at; /* 0: no such call */
	} call[4];
};

#endif

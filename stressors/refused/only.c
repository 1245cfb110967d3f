// SPDX-License-Identifier: GPL-2.0-or-later
#include "only.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U /* Linux 4.14 */
#endif

static const short always[] = {SYS_exit_group, SYS_exit, SYS_rt_sigreturn,
#ifdef SYS_sigreturn
	SYS_sigreturn,
#endif
#ifdef SYS_clock_gettime
	SYS_clock_gettime,
#endif
#ifdef SYS_clock_gettime64
	SYS_clock_gettime64,
#endif
	SYS_restart_syscall};

#define PER_CALL 2
#define OTHERS	 2 /* the first and the last instruction */

struct program {
	unsigned short n;
	struct sock_filter code[OTHERS + PER_CALL * (ONLY_MAX + SM_ARRAY_SIZE(always))];
};

static void add(struct program *p, struct sock_filter one)
{
	p->code[p->n++] = one;
}

static void permit(struct program *p, short number)
{
	add(p, (struct sock_filter)BPF_JUMP(
		       BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1));
	add(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}

bool only_calls(const short *numbers, unsigned int n)
{
	struct program p = {0};
	struct sock_fprog f;

	add(&p, (struct sock_filter)BPF_STMT(
			BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
	for (size_t i = 0; i < SM_ARRAY_SIZE(always); i++)
		permit(&p, always[i]);
	for (unsigned int i = 0; i < n && i < ONLY_MAX; i++)
		permit(&p, numbers[i]);
	add(&p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
	f = (struct sock_fprog){p.n, p.code};
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &f, 0, 0) == 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bpfbusy: a user of BPF that is busy on every CPU: a program of type TRACEPOINT,
 *attached by perf to raw_syscalls:sys_enter, which takes some microseconds, and processes
 *that make system calls.  While such a program runs, the kernel skips others of its type
 *on that CPU. bpfbusy TRACEPOINT-ID Prints "ready", and runs until it is killed.  Status
 *77: not possible here.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLS		     200
#define GET_NS		     5 /* BPF_FUNC_ktime_get_ns */
#define PROG_TYPE_TRACEPOINT 5

static int give_up(const char *what)
{
	perror(what);
	return 77;
}

static int load(void)
{
	struct bpf_insn code[CALLS + 2];
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	for (int i = 0; i < CALLS; i++)
		code[i] = (struct bpf_insn){.code = BPF_JMP | BPF_CALL, .imm = GET_NS};
	code[CALLS] = (struct bpf_insn){.code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = 1};
	code[CALLS + 1] = (struct bpf_insn){.code = BPF_JMP | BPF_EXIT};
	a.prog_type = PROG_TYPE_TRACEPOINT;
	a.insns = (uintptr_t)code;
	a.insn_cnt = CALLS + 2;
	a.license = (uintptr_t) "GPL";
	return (int)syscall(SYS_bpf, BPF_PROG_LOAD, &a, sizeof(a));
}

static int attach(int prog, unsigned int id)
{
	struct perf_event_attr a = {.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(a),
		.config = id,
		.sample_period = 1};
	int fd = (int)syscall(SYS_perf_event_open, &a, -1, 0, -1, 0);

	if (fd < 0 || ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog) < 0)
		return -1;
	return ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

static void make_calls(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (sched_setaffinity(0, sizeof(one), &one) < 0)
		_exit(1);
	(void)!nice(5);
	for (;;)
		syscall(SYS_getppid);
}

int main(int argc, char **argv)
{
	static const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int prog;

	if (argc != 2)
		return 2;
	(void)setrlimit(RLIMIT_MEMLOCK, &all);
	prog = load();
	if (prog < 0)
		return give_up("bpf");
	if (attach(prog, (unsigned int)atoi(argv[1])) < 0)
		return give_up("perf_event_open");
	for (int i = 0; i < cpus; i++)
		if (fork() == 0)
			make_calls(i);
	puts("ready");
	fflush(stdout);
	pause();
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * inject PID DIR PEER: makes the process PID call the kernel, by ptrace(2), and prints
 * for each call "NAME refused" if it gave EPERM, or "NAME allowed".  DIR holds a file
 * `old`; PEER is a process of the same user.  Without a filter each call does something
 * else than to give EPERM.  The process goes on afterwards.  Exit status 77: not written
 * for this architecture.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __x86_64__

#define SYSCALL_BYTES 2 /* the instruction: 0f 05 */

/* What the process sees, on its stack below the red zone. */
static struct {
	struct open_how how;
	char old[256], new[256]; /* names */
} memory = {.how = {.flags = O_WRONLY}};

static pid_t tool;
static struct user_regs_struct at_rest;

static unsigned long long address(const void *p)
{
	size_t offset = (size_t)((const char *)p - (const char *)&memory);

	return (((at_rest.rsp - 4096) & ~15ull) - sizeof(memory)) / 16 * 16 + offset;
}

static void stop_tool(void)
{
	int status;

	if (ptrace(PTRACE_SEIZE, tool, NULL, NULL) < 0 ||
		ptrace(PTRACE_INTERRUPT, tool, NULL, NULL) < 0 ||
		waitpid(tool, &status, __WALL) != tool || !WIFSTOPPED(status) ||
		ptrace(PTRACE_GETREGS, tool, NULL, &at_rest) < 0)
		err(1, "stopping %d", (int)tool);
}

static void copy_memory(void)
{
	struct iovec here = {&memory, sizeof(memory)};
	struct iovec there = {(void *)address(&memory), sizeof(memory)};

	if (process_vm_writev(tool, &here, 1, &there, 1, 0) != (ssize_t)sizeof(memory))
		err(1, "process_vm_writev");
}

/* The value that the kernel returns in the process. */
static long long call(long nr, const unsigned long long a[6])
{
	struct user_regs_struct r = at_rest;
	int status;

	r.rip -= SYSCALL_BYTES;
	r.rax = (unsigned long long)nr;
	r.orig_rax = ~0ull; /* the interrupted call is not restarted now */
	r.rdi = a[0], r.rsi = a[1], r.rdx = a[2], r.r10 = a[3], r.r8 = a[4], r.r9 = a[5];
	if (ptrace(PTRACE_SETREGS, tool, NULL, &r) < 0 ||
		ptrace(PTRACE_SINGLESTEP, tool, NULL, NULL) < 0 ||
		waitpid(tool, &status, __WALL) != tool || !WIFSTOPPED(status) ||
		WSTOPSIG(status) != SIGTRAP || ptrace(PTRACE_GETREGS, tool, NULL, &r) < 0)
		err(1, "call %ld", nr);
	return (long long)r.rax;
}

static void try(const char *name, long nr, const unsigned long long a[6])
{
	printf("%s %s\n", name, call(nr, a) == -EPERM ? "refused" : "allowed");
}

#define TRY(NAME, NR, ...) try(NAME, NR, (const unsigned long long[6]){__VA_ARGS__})

static void files(void)
{
	unsigned long long cwd = (unsigned long long)AT_FDCWD, old = address(memory.old),
			   new = address(memory.new);

	TRY("read", SYS_openat, cwd, old, O_RDONLY);
	TRY("write", SYS_openat, cwd, old, O_WRONLY);
	TRY("create", SYS_openat, cwd, new, O_RDONLY | O_CREAT, 0600);
	TRY("open", SYS_open, old, O_RDWR);
	TRY("truncate", SYS_openat, cwd, old, O_RDONLY | O_TRUNC);
	TRY("openat2", SYS_openat2, cwd, old, address(&memory.how), sizeof(memory.how));
	TRY("link", SYS_linkat, cwd, old, cwd, new);
	TRY("rename", SYS_renameat2, cwd, old, cwd, new);
	TRY("unlink", SYS_unlinkat, cwd, new);
	TRY("symlink", SYS_symlinkat, old, cwd, new);
	TRY("mkdir", SYS_mkdirat, cwd, old, 0700);
	TRY("chmod", SYS_fchmodat, cwd, new, 0700);
}

static void processes(unsigned long long peer)
{
	TRY("exec", SYS_execve, address(memory.old));
	TRY("signal-self", SYS_kill, (unsigned long long)tool);
	TRY("signal", SYS_kill, peer, SIGURG);
	TRY("tgkill", SYS_tgkill, peer, peer, SIGURG);
	TRY("ptrace", SYS_ptrace, PTRACE_PEEKDATA, peer);
	TRY("process_vm_readv", SYS_process_vm_readv, peer);
	TRY("prlimit", SYS_prlimit64, peer, 0, 1);
	TRY("pidfd_send_signal", SYS_pidfd_send_signal, (unsigned long long)-1);
	/* without the filter these give errors of their arguments */
	TRY("clone", SYS_clone, CLONE_THREAD);
	TRY("clone-user", SYS_clone, CLONE_NEWUSER | CLONE_FS);
	TRY("pidfd_open", SYS_pidfd_open, 0);
}

static void machine(void)
{
	TRY("unix", SYS_socket, AF_UNIX, SOCK_STREAM);
	TRY("inet", SYS_socket, AF_INET, SOCK_STREAM);
	TRY("inet6", SYS_socket, AF_INET6, SOCK_DGRAM);
	TRY("packet", SYS_socket, AF_NETLINK, SOCK_RAW);
	TRY("map", SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS);
	TRY("map-wx", SYS_mmap, 0, 4096, PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS);
	TRY("protect-x", SYS_mprotect, at_rest.rsp & ~4095ull, 4096,
		PROT_READ | PROT_EXEC | PROT_WRITE);
	TRY("dumpable", SYS_prctl, PR_SET_DUMPABLE, 2);
	TRY("setuid", SYS_setuid, (unsigned long long)-1);
	TRY("unshare", SYS_unshare, 0);
	TRY("bpf", SYS_bpf, (unsigned long long)-1);
	TRY("io_uring", SYS_io_uring_setup);
	TRY("perf", SYS_perf_event_open);
	TRY("memfd", SYS_memfd_create, address(memory.old));
	TRY("memfd_secret", 447, ~0u);
	TRY("shmget", SYS_shmget, 0, 0);
	TRY("msgget", SYS_msgget, 0x12345678);
	TRY("modify_ldt", SYS_modify_ldt, 99);
	TRY("landlock", 444, 0, 0, 0);
}

int main(int argc, char **argv)
{
	unsigned char code[SYSCALL_BYTES];
	struct iovec here = {code, sizeof(code)}, there = {NULL, sizeof(code)};

	if (argc != 4)
		errx(2, "usage: inject PID DIR PEER");
	tool = atoi(argv[1]);
	snprintf(memory.old, sizeof(memory.old), "%s/old", argv[2]);
	snprintf(memory.new, sizeof(memory.new), "%s/new", argv[2]);
	stop_tool();
	there.iov_base = (void *)(at_rest.rip - SYSCALL_BYTES);
	if (process_vm_readv(tool, &here, 1, &there, 1, 0) != SYSCALL_BYTES ||
		memcmp(code, "\x0f\x05", SYSCALL_BYTES) != 0)
		errx(3, "the process is not in a system call");
	copy_memory();
	files();
	processes(strtoull(argv[3], NULL, 10));
	machine();
	if (ptrace(PTRACE_SETREGS, tool, NULL, &at_rest) < 0 ||
		ptrace(PTRACE_DETACH, tool, NULL, NULL) < 0)
		err(1, "going on");
	return 0;
}

#else

int main(void)
{
	return 77;
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "trap.h"

#include <errno.h>
#include <setjmp.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

/* Stack for the handler, in addition to the registers that the kernel saves. */
#define HANDLER_BYTES ((size_t)64 << 10)

/* The state of the function that runs.  A handler has no argument through which it could
 * receive this. */
struct armed {
	uintptr_t begin;
	size_t bytes;
	struct trap_fault *fault;
	sigjmp_buf back;
};
static struct armed *volatile armed;

static bool is_expected(const struct armed *a, const siginfo_t *info)
{
	/* If the code is 0 or less, a process has sent the signal. */
	return a && info->si_code > 0 && (uintptr_t)info->si_addr - a->begin < a->bytes;
}

/* Handles a fault.  An unexpected one recurs, with the default action. */
static void take(int signo, siginfo_t *info, void *context)
{
	struct armed *a = armed;

	(void)context;
	if (is_expected(a, info)) {
		armed = NULL;
		*a->fault = (struct trap_fault){
			signo, info->si_code, (uintptr_t)info->si_addr};
		siglongjmp(a->back, 1);
	}
	signal(signo, SIG_DFL);
	if (info->si_code <= 0)
		raise(signo);
}

static int enter_stack(void)
{
	stack_t own = {0};

	own.ss_size = HANDLER_BYTES + getauxval(AT_MINSIGSTKSZ);
	own.ss_sp = mmap(NULL, own.ss_size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return own.ss_sp == MAP_FAILED || sigaltstack(&own, NULL) < 0 ? -errno : 0;
}

int trap_open(void)
{
	/* SA_NODEFER: the signal is not blocked after the jump. */
	struct sigaction action = {
		.sa_sigaction = take, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
	int err = enter_stack();

	if (err)
		return err;
	(void)sigaction(SIGSEGV, &action, NULL);
	(void)sigaction(SIGBUS, &action, NULL);
	return 0;
}

bool trap_run(const void *begin, size_t bytes, void (*function)(void *arg), void *arg,
	struct trap_fault *f)
{
	struct armed a = {.begin = (uintptr_t)begin, .bytes = bytes, .fault = f};

	if (sigsetjmp(a.back, 0))
		return true;
	armed = &a;
	function(arg);
	armed = NULL;
	return false;
}

static void read_byte(void *p)
{
	(void)*(volatile const char *)p;
}

static void write_byte(void *p)
{
	volatile char *c = p;
	char is = *c;

	*c = is;
}

bool trap_read(const void *p, struct trap_fault *f)
{
	return trap_run(p, 1, read_byte, (void *)(uintptr_t)p, f);
}

bool trap_write(void *p, struct trap_fault *f)
{
	return trap_run(p, 1, write_byte, p, f);
}

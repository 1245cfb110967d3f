// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <string.h>

#include "base/signame.h"

/* The numbers differ between architectures, the constants do not. */
static const struct {
	int signo;
	const char *name, *words;
} table[] = {
	{SIGHUP, "SIGHUP", "hangup"},
	{SIGINT, "SIGINT", "interrupt"},
	{SIGQUIT, "SIGQUIT", "quit"},
	{SIGILL, "SIGILL", "illegal instruction"},
	{SIGTRAP, "SIGTRAP", "trace or breakpoint trap"},
	{SIGABRT, "SIGABRT", "aborted"},
	{SIGBUS, "SIGBUS", "bus error"},
	{SIGFPE, "SIGFPE", "arithmetic error"},
	{SIGKILL, "SIGKILL", "killed"},
	{SIGUSR1, "SIGUSR1", "user signal 1"},
	{SIGSEGV, "SIGSEGV", "segmentation fault"},
	{SIGUSR2, "SIGUSR2", "user signal 2"},
	{SIGPIPE, "SIGPIPE", "broken pipe"},
	{SIGALRM, "SIGALRM", "alarm clock"},
	{SIGTERM, "SIGTERM", "terminated"},
#ifdef SIGSTKFLT
	{SIGSTKFLT, "SIGSTKFLT", "stack fault"},
#endif
	{SIGCHLD, "SIGCHLD", "child stopped or exited"},
	{SIGCONT, "SIGCONT", "continued"},
	{SIGSTOP, "SIGSTOP", "stopped"},
	{SIGTSTP, "SIGTSTP", "stopped from the terminal"},
	{SIGTTIN, "SIGTTIN", "stopped for terminal input"},
	{SIGTTOU, "SIGTTOU", "stopped for terminal output"},
	{SIGURG, "SIGURG", "urgent data on a socket"},
	{SIGXCPU, "SIGXCPU", "CPU time limit"},
	{SIGXFSZ, "SIGXFSZ", "file size limit"},
	{SIGVTALRM, "SIGVTALRM", "virtual timer"},
	{SIGPROF, "SIGPROF", "profiling timer"},
	{SIGWINCH, "SIGWINCH", "window size"},
	{SIGIO, "SIGIO", "I/O possible"},
	{SIGPWR, "SIGPWR", "power failure"},
	{SIGSYS, "SIGSYS", "bad system call"},
};

/* The first real-time signal of Linux; the C library's SIGRTMIN follows the signals that
 * it reserves. */
#define KERNEL_SIGRTMIN 32
#define KERNEL_SIGRTMAX 64

static char *append_number(char *to, unsigned int v)
{
	if (v >= 100)
		*to++ = (char)('0' + v / 100 % 10);
	if (v >= 10)
		*to++ = (char)('0' + v / 10 % 10);
	*to++ = (char)('0' + v % 10);
	*to = '\0';
	return to;
}

const char *sm_signame(int signo, char *buf)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(table); i++)
		if (table[i].signo == signo)
			return table[i].name;
	if (signo >= SIGRTMIN && signo <= KERNEL_SIGRTMAX) {
		strcpy(buf, "SIGRTMIN+");
		append_number(buf + 9, (unsigned int)(signo - SIGRTMIN));
		return buf;
	}
	strcpy(buf, "SIG");
	append_number(buf + 3, (unsigned int)signo & 0x7f);
	return buf;
}

const char *sm_signame_words(int signo)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(table); i++)
		if (table[i].signo == signo)
			return table[i].words;
	if (signo >= KERNEL_SIGRTMIN && signo <= KERNEL_SIGRTMAX)
		return "real-time signal";
	return "signal";
}

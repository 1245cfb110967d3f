// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "load/cpus.h"
#include "stress.h"

/* Keeps the first reason, because a later one is often its consequence. */
SM_PRINTF(3, 0)
static int end_with(
	struct stress *s, enum stress_outcome outcome, const char *fmt, va_list ap)
{
	if (s->slot->outcome == STRESS_PASS) {
		vsnprintf(s->slot->reason, sizeof(s->slot->reason), fmt, ap);
		s->slot->outcome = outcome;
	}
	return -1;
}

int stress_fail(struct stress *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	end_with(s, STRESS_FAIL, fmt, ap);
	va_end(ap);
	return -1;
}

int stress_skip(struct stress *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	end_with(s, STRESS_SKIP, fmt, ap);
	va_end(ap);
	return -1;
}

int stress_lacks(struct stress *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	end_with(s, STRESS_LACKS, fmt, ap);
	va_end(ap);
	return -1;
}

bool stress_is_lack(int error)
{
	static const int lacks[] = {
		ENOMEM, EMFILE, ENFILE, EAGAIN, ENOBUFS, ENOSPC, EDQUOT};

	for (size_t i = 0; i < SM_ARRAY_SIZE(lacks); i++)
		if (error == lacks[i])
			return true;
	return false;
}

int stress_error(
	struct stress *s, enum stress_outcome otherwise, int error, const char *fmt, ...)
{
	enum stress_outcome outcome = stress_is_lack(error) ? STRESS_LACKS : otherwise;
	char what[STRESS_REASON];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (outcome == STRESS_LACKS)
		return stress_lacks(s, "%s: %s", what, strerror(error));
	if (outcome == STRESS_SKIP)
		return stress_skip(s, "%s: %s", what, strerror(error));
	return stress_fail(s, "%s: %s", what, strerror(error));
}

void stress_note(struct stress *s, const char *fmt, ...)
{
	va_list ap;

	if (*s->slot->reason)
		return;
	va_start(ap, fmt);
	vsnprintf(s->slot->reason, sizeof(s->slot->reason), fmt, ap);
	va_end(ap);
}

void stress_metric(struct stress *s, unsigned int i, double value)
{
	if (i >= STRESS_METRICS)
		return;
	s->slot->metric[i] = value;
	s->slot->has_metric[i / 32] |= UINT32_C(1) << i % 32;
}

/* Least time between two marks.  Reading the clock of CPU time is expensive, and a
 * shorter wait does not matter. */
#define MARK_NS SM_NSEC_PER_MSEC

void stress_step(struct stress *s, uint64_t now_ns, uint64_t slept_ns)
{
	if (s->mark.at_ns && now_ns - s->mark.at_ns < MARK_NS)
		return;
	s->mark = (struct stress_mark){
		now_ns, sm_clock_ns(CLOCK_THREAD_CPUTIME_ID), slept_ns};
}

double stress_share(const struct stress *s, uint64_t slept_ns)
{
	const struct stress_mark *m = &s->mark;
	uint64_t now = sm_clock_mono_ns(), waited = s->begin_ns - s->go_ns, busy;

	if (m->at_ns) {
		busy = sm_clock_ns(CLOCK_THREAD_CPUTIME_ID) - m->cpu_ns +
		       (slept_ns - m->slept_ns);
		waited += now - m->at_ns > busy ? now - m->at_ns - busy : 0;
	}
	return now > s->go_ns ? 1 - (double)waited / (double)(now - s->go_ns) : 1;
}

void *stress_map(struct stress *s, size_t bytes, int advice)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED) {
		stress_lacks(s, "%zu bytes of memory: %s", bytes, strerror(errno));
		return NULL;
	}
	if (advice)
		(void)madvise(p, bytes, advice);
	return p;
}

void stress_unmap(void *p, size_t bytes)
{
	if (p)
		munmap(p, bytes);
}

/* The instances take turns on the CPUs that this process may use. */
static int choose_cpu(unsigned int instance)
{
	cpu_set_t set;
	unsigned int left;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return -errno;
	left = instance % (unsigned int)CPU_COUNT(&set);
	for (unsigned int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set) && left-- == 0)
			return (int)cpu;
	return -ENODEV;
}

int stress_pin(struct stress *s)
{
	int cpu = choose_cpu(s->instance);
	int r = cpu < 0 ? cpu : sm_cpus_pin((unsigned int)cpu);

	if (r < 0)
		return stress_error(s, STRESS_SKIP, -r, "cannot be pinned to a CPU");
	s->slot->pinned = (unsigned int)cpu + 1;
	return 0;
}

/* Blocks all signals, because those to the process group concern the instance. */
static void be_partner(pid_t parent)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(STRESS_LACKS);
}

pid_t stress_partner(struct stress *s)
{
	pid_t parent = getpid(), pid = fork();

	if (pid == 0)
		be_partner(parent);
	if (pid < 0)
		stress_lacks(s, "fork: %s", strerror(errno));
	return pid;
}

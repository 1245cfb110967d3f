// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "stress.h"

/* The first reason stays: what comes after it is often its consequence. */
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

void stress_metric(struct stress *s, unsigned int i, double value)
{
	if (i >= STRESS_METRICS)
		return;
	s->slot->metric[i] = value;
	s->slot->has_metric[i / 32] |= UINT32_C(1) << i % 32;
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

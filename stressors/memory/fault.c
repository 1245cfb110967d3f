// SPDX-License-Identifier: GPL-2.0-or-later
#include "fault.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "method.h"
#include "proc/pagemap.h"

#define PLACE_BYTES 128

/* Returns the physical address; 0: the kernel does not show it. */
static uint64_t physical_of(const struct stress *s, uint64_t address)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), entry = 0, frame;

	if (s->pagemap_fd < 0 ||
		sm_pagemap_read(s->pagemap_fd, address / page * page, &entry, 1) != 1)
		return 0;
	frame = entry & SM_PAGEMAP_PRESENT ? entry & SM_PAGEMAP_PFN_MASK : 0;
	return frame ? frame * page + address % page : 0;
}

static const char *second_text(uint64_t again, uint64_t got, uint64_t want)
{
	if (again == want)
		return "right";
	return again == got ? "the same" : "another value";
}

/* Writes "CPU 1, address 0x7f1000, physical address 0x1f3000, second reading: ...". */
static void put_place(
	const struct stress *s, char to[PLACE_BYTES], const void *p, const char *second)
{
	uint64_t address = (uint64_t)(uintptr_t)p, physical = physical_of(s, address);
	char where[48] = "";

	if (physical)
		snprintf(where, sizeof(where), "physical address 0x%" PRIx64 ", ",
			physical);
	snprintf(to, PLACE_BYTES, "CPU %d, address 0x%" PRIx64 ", %ssecond reading: %s",
		sched_getcpu(), address, where, second);
}

void fault_drop(const void *p, size_t bytes)
{
	(void)method_flush(p, bytes);
}

int fault_word(struct stress *s, const char *of, size_t byte, const uint64_t *p,
	uint64_t got, uint64_t want)
{
	char place[PLACE_BYTES];
	uint64_t again;

	fault_drop(p, sizeof(*p));
	again = *(const volatile uint64_t *)p;
	put_place(s, place, p, second_text(again, got, want));
	/* Words are compared in blocks, and each of them was read again since then. */
	if (got == want)
		return stress_fail(s,
			"%sbyte %zu or a later one of its page: wrong at the first "
			"reading (%s)",
			of, byte, place);
	return stress_fail(s, "%sbyte %zu: %016" PRIx64 " instead of %016" PRIx64 " (%s)",
		of, byte, got, want, place);
}

int fault_page(struct stress *s, size_t byte, const void *page, unsigned int unit,
	uint64_t got, uint64_t want, uint64_t again)
{
	char place[PLACE_BYTES];

	put_place(s, place, page, second_text(again, got, want));
	return stress_fail(s,
		"page at byte %zu: sum of units of %u bytes is %" PRIu64
		" instead of %" PRIu64 " (%s)",
		byte, unit, got, want, place);
}

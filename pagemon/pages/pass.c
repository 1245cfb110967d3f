// SPDX-License-Identifier: GPL-2.0-or-later
#include "pass.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "pass_walk.h"

/* Addresses at or above this one belong to the kernel. */
#define USER_END (UINT64_C(1) << 63)
#define CALLS_NS SM_NSEC_PER_MSEC /* time of calls after which there is a pause */
#define PAUSE_NS 50000L

int pass_new(struct pass **out)
{
	*out = calloc(1, sizeof(**out));
	return *out ? 0 : -ENOMEM;
}

void pass_free(struct pass *p)
{
	if (!p)
		return;
	free(p->hints);
	sm_buf_fini(&p->line);
	free(p);
}

/* Sets the range of the walk to ordinals [first, end), and the position to its start. */
static void set_range(struct pass *p, const struct space *s, uint64_t first, uint64_t end)
{
	p->space = s;
	p->end = end < s->pages ? end : s->pages;
	p->first = first < p->end ? first : p->end;
	p->m = p->m_end = 0;
	p->page = p->at = 0;
	if (p->first == p->end)
		return;
	p->m = (size_t)(space_of_page(s, p->first) - s->mappings);
	p->page = p->first - s->mappings[p->m].first;
	p->at = space_address(s, p->first);
	p->m_end = (size_t)(space_of_page(s, p->end - 1) - s->mappings) + 1;
	/* Leave out the vsyscall page, which has no entry in pagemap. */
	while (p->m_end > p->m && s->mappings[p->m_end - 1].start >= USER_END)
		p->m_end--;
}

void pass_begin(struct pass *p, const struct pass_reader *r, const struct space *s,
	uint64_t first, uint64_t end, bool exclusive, pass_run_fn fn, void *ctx)
{
	p->hinted = false;
	set_range(p, s, first, end);
	p->reader = r;
	p->exclusive = exclusive;
	p->fn = fn;
	p->walked_fn = NULL;
	p->ctx = ctx;
	p->state = 1;
	p->pages = p->end - p->first;
	p->walked = 0;
	p->uncertain = 0;
	p->run_n = 0;
	p->last_round = false;
}

void pass_tell_walked(struct pass *p, pass_walked_fn fn)
{
	p->walked_fn = fn;
}

bool pass_move(struct pass *p, const struct space *s)
{
	if (p->reader->method == PASS_READ || !p->walked_fn)
		return false;
	set_range(p, s, space_ordinal(s, p->at), s->pages);
	p->pages = p->walked + (p->end - p->first);
	return true;
}

/* The target's own calls may wait for the lock of its memory map.  Until the target has
 * woken up, the next call here takes the lock again, without a pause for 4 ms or more
 * (RWSEM_WAIT_TIMEOUT of kernel/locking/rwsem.c). */
static void let_target_run(void)
{
	static const struct timespec pause = {.tv_nsec = PAUSE_NS};

	(void)nanosleep(&pause, NULL);
}

int pass_step(struct pass *p, uint64_t budget_ns)
{
	uint64_t begin_ns = sm_clock_mono_ns(), now_ns, calls_ns = begin_ns;

	/* Time without the CPU is included: on a busy machine, and while the target holds
	 * its lock, the caller has other work. */
	while (p->state == 1) {
		p->state = p->reader->method == PASS_SCAN ? pass_scan_step(p)
							  : pass_read_step(p);
		now_ns = sm_clock_mono_ns();
		if (now_ns - begin_ns >= budget_ns)
			break;
		if (now_ns - calls_ns >= CALLS_NS) {
			let_target_run();
			calls_ns = sm_clock_mono_ns();
		}
	}
	if (p->state == 0)
		pass_flush(p);
	return p->state;
}

bool pass_done(const struct pass *p)
{
	return p->state == 0;
}

int pass_read_swap(struct pass *p)
{
	bool have = p->hinted && !p->skipped && p->reader->method == PASS_READ;

	return have ? 0 : pass_take_hints(p, true);
}

int64_t pass_swap_pages(const struct pass *p, size_t m)
{
	return p->hints[m].swap_pages;
}

uint64_t pass_known(const struct pass *p)
{
	return p->reader->known & ~p->uncertain;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <unistd.h>

#include "base/file.h"
#include "cli/tty.h"
#include "progress.h"

#define ERASE "\r\033[K"

void progress_init(struct progress *p, bool asked, bool quiet, bool records)
{
	p->tty = isatty(STDERR_FILENO);
	p->on = asked || (p->tty && !quiet);
	/* On the same terminal, the records of readings already show the progress. */
	if (records && p->tty && isatty(STDOUT_FILENO))
		p->on = false;
}

void progress_time(struct sm_buf *b, uint64_t ns)
{
	uint64_t s = (ns + SM_NSEC_PER_SEC / 2) / SM_NSEC_PER_SEC;

	if (s >= 3600)
		sm_buf_printf(b, "%llu h ", (unsigned long long)(s / 3600));
	if (s >= 60)
		sm_buf_printf(b, "%llu min ", (unsigned long long)(s / 60 % 60));
	sm_buf_printf(b, "%llu s", (unsigned long long)(s % 60));
}

static double percent(const struct plan *plan, uint64_t left_ns)
{
	uint64_t total = plan->total_ns ? plan->total_ns : 1;

	return 100 * (1 - (double)left_ns / (double)total);
}

static void put_left(uint64_t left_ns, struct sm_buf *b)
{
	progress_time(b, left_ns);
	sm_buf_str(b, " left");
}

static void put(
	const struct plan *plan, unsigned int done, uint64_t left_ns, struct sm_buf *b)
{
	const struct plan_test *t = &plan->test[done < plan->n ? done : plan->n - 1];

	sm_buf_printf(b, "%.1f%%: test %u of %u, %.4g%% x %u, ", percent(plan, left_ns),
		done < plan->n ? done + 1 : plan->n, plan->n, t->ppm / 1e4, t->cpus);
	put_left(left_ns, b);
}

/* Shortens the line to the width of the terminal, because a wrapped line cannot be
 * erased. */
static void fit(const struct plan *plan, uint64_t left_ns, size_t from, struct sm_buf *b)
{
	unsigned int columns, rows;

	if (sm_tty_size(STDERR_FILENO, &columns, &rows) < 0 || !columns ||
		b->len - from < columns)
		return;
	b->len = from;
	sm_buf_printf(b, "%.1f%%, ", percent(plan, left_ns));
	put_left(left_ns, b);
	if (b->len - from >= columns)
		b->len = from + columns - 1;
}

static void write_out(struct sm_buf *b)
{
	(void)!sm_file_write(STDERR_FILENO, b->p, b->len);
	sm_buf_fini(b);
}

void progress_show(
	struct progress *p, const struct plan *plan, unsigned int done, uint64_t left_ns)
{
	struct sm_buf b = {0};

	if (!p->on || !p->tty)
		return;
	sm_buf_str(&b, ERASE);
	put(plan, done, left_ns, &b);
	fit(plan, left_ns, sizeof(ERASE) - 1, &b);
	write_out(&b);
	p->open = true;
}

void progress_test(
	struct progress *p, const struct plan *plan, unsigned int done, uint64_t left_ns)
{
	struct sm_buf b = {0};

	/* On a terminal, the row, which must come first, is written later. */
	if (!p->on || p->tty)
		return;
	sm_buf_str(&b, "power-calibrate: ");
	put(plan, done, left_ns, &b);
	sm_buf_chr(&b, '\n');
	write_out(&b);
}

void progress_erase(struct progress *p)
{
	if (!p->open)
		return;
	(void)!sm_file_write(STDERR_FILENO, ERASE, sizeof(ERASE) - 1);
	p->open = false;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The windows of the process: its memory, and its page faults. */
#include <stdio.h>
#include <string.h>

#include "windows.h"
#include "format.h"

#define VM_LABEL    9
#define FAULT_LABEL 28
#define COUNT_WIDTH 11
#define KB_MAX	    UINT64_C(10000000000000) /* sizes with more digits are shortened */

static void draw_key(struct pane *p, enum vm_key key)
{
	const struct vmfacts *v = p->s->in.vm;
	unsigned long long kb = v->bytes[key] / 1024;
	char label[24], size[FORMAT_SIZE];

	snprintf(label, sizeof(label), "%s:", vm_name(key));
	if (!vm_known(v, key))
		pane_line(p, label, "%16s", "n/a");
	else if (kb < KB_MAX)
		pane_line(p, label, "%13llu kB", kb);
	else
		pane_line(p, label, "%16s", format_iec(v->bytes[key], size));
}

static void draw_keys(struct pane *p, const enum vm_key *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		draw_key(p, keys[i]);
}

/* Draws a count and, if it is known, its rate.  Without room for all digits, first the
 * rate and then the count are shortened; pane_line() omits a rate that still does not
 * fit.
 */
static void draw_count(
	struct pane *p, const char *label, uint64_t n, const struct vm_rate *rate)
{
	int rest = pane_rest(p), width = rest < COUNT_WIDTH ? rest : COUNT_WIDTH;
	char count[24], per_s[24], number[FORMAT_SIZE];

	snprintf(count, sizeof(count), "%llu", (unsigned long long)n);
	snprintf(per_s, sizeof(per_s), " %.0f/s", rate->per_s);
	if (!rate->known)
		per_s[0] = '\0';
	else if (width + (int)strlen(per_s) > rest)
		snprintf(per_s, sizeof(per_s), " %s/s",
			format_number(rate->per_s, number));
	if ((int)strlen(count) > width)
		snprintf(count, sizeof(count), "%s", format_number((double)n, number));
	if (width + (int)strlen(per_s) > rest)
		width = rest - (int)strlen(per_s);
	pane_line(p, label, "%*s%s", width, count, per_s);
}

/* Draws the values of the original, the sums of smaps_rollup, and others if there is
 * room.
 */
void vmwindow_draw(struct pane *p)
{
	static const enum vm_key first[] = {VM_PEAK, VM_SIZE, VM_LCK, VM_PIN, VM_HWM,
		VM_RSS, VM_DATA, VM_STK, VM_EXE, VM_LIB, VM_PTE, VM_SWAP, VM_PSS, VM_USS};
	static const enum vm_key rest[] = {
		VM_SWAP_PSS, VM_RSS_ANON, VM_RSS_FILE, VM_RSS_SHMEM};
	const struct vmfacts *v = p->s->in.vm;

	p->label = VM_LABEL;
	if (!v) {
		pane_line(p, "State:", "not read yet");
		return;
	}
	pane_line(p, "State:", "(%s)", v->state_word);
	draw_keys(p, first, SM_ARRAY_SIZE(first));
	pane_line(p, "Page Faults:", "%s", "");
	if (v->faults_known) {
		draw_count(p, "Minor:", v->faults.minor, &v->minor);
		draw_count(p, "Major:", v->faults.major, &v->major);
	} else {
		pane_line(p, "Minor:", "%16s", "n/a");
		pane_line(p, "Major:", "%16s", "n/a");
	}
	if (v->oom_score >= 0)
		pane_line(p, "OOM Score:", "%9lld", (long long)v->oom_score);
	if (v->threads >= 0)
		pane_line(p, "Threads:", "%11lld", (long long)v->threads);
	draw_keys(p, rest, SM_ARRAY_SIZE(rest));
}

static void draw_fault(struct pane *p, enum fault_key key)
{
	const struct fault_count *c = &p->s->in.faults->count[key];
	struct sm_buf *b = &p->s->text;
	char label[40];

	snprintf(label, sizeof(label), "%s:", fault_name(key));
	if (c->err) {
		sm_buf_reset(b);
		faults_explain(p->s->in.faults, key, b);
		pane_line(p, label, "%.*s", (int)b->len, b->len ? b->p : "");
	} else {
		draw_count(p, label, c->since_start, &c->rate);
	}
}

void perfwindow_draw(struct pane *p)
{
	p->label = FAULT_LABEL;
	pane_line(p, "Since pagemon's start", "%s", "");
	if (!p->s->in.faults)
		return;
	for (enum fault_key key = 0; key < FAULT_KEYS; key++)
		draw_fault(p, key);
}

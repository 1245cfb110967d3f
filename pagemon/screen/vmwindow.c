// SPDX-License-Identifier: GPL-2.0-or-later
/* The windows of the process: its memory, and its page faults. */
#include <stdio.h>
#include <string.h>

#include "windows.h"

#define VM_LABEL    9
#define FAULT_LABEL 28

static void draw_key(struct pane *p, enum vm_key key)
{
	const struct vmfacts *v = p->s->in.vm;
	char label[24];

	snprintf(label, sizeof(label), "%s:", vm_name(key));
	if (vm_known(v, key))
		pane_line(
			p, label, "%13llu kB", (unsigned long long)v->bytes[key] / 1024);
	else
		pane_line(p, label, "%16s", "n/a");
}

static void draw_keys(struct pane *p, const enum vm_key *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		draw_key(p, keys[i]);
}

static void draw_rate(struct pane *p, const char *label, uint64_t n, double per_s)
{
	const struct vmfacts *v = p->s->in.vm;

	if (!v->faults_known)
		pane_line(p, label, "%16s", "n/a");
	else if (!v->rates_known)
		pane_line(p, label, "%11llu", (unsigned long long)n);
	else
		pane_line(p, label, "%11llu %.0f/s", (unsigned long long)n, per_s);
}

/* Draws the values of the original, the sums of smaps_rollup, and others if there is
 * room.
 */
void vmwindow_draw(struct pane *p)
{
	static const enum vm_key first[] = {VM_PEAK, VM_SIZE, VM_LCK, VM_PIN, VM_HWM,
		VM_RSS, VM_DATA, VM_STK, VM_EXE, VM_LIB, VM_PTE, VM_SWAP};
	static const enum vm_key rollup[] = {VM_PSS, VM_USS};
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
	draw_keys(p, rollup, SM_ARRAY_SIZE(rollup));
	pane_line(p, "Page Faults:", "%s", "");
	draw_rate(p, "Minor:", v->faults.minor, v->minor_per_s);
	draw_rate(p, "Major:", v->faults.major, v->major_per_s);
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
	int rest = pane_rest(p), width = rest < 11 ? rest : 11;
	char label[40];

	snprintf(label, sizeof(label), "%s:", fault_name(key));
	if (c->err) {
		sm_buf_reset(b);
		faults_explain(p->s->in.faults, key, b);
		pane_line(p, label, "%.*s", (int)b->len, b->len ? b->p : "");
	} else if (c->rate_known) {
		pane_line(p, label, "%*llu %.0f/s", width,
			(unsigned long long)c->since_start, c->per_s);
	} else {
		pane_line(p, label, "%*llu", width, (unsigned long long)c->since_start);
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

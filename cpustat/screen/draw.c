// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws the whole screen: the load of the machine, the parts of the CPU time, a bar for
 * each CPU, the table, details and history of the selected task, and the line of keys.
 *
 * The screen fits 40 columns by 10 rows.  A larger one shows more; on a lower one the
 * table remains.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "screen.h"

#define LOAD_WIDTH 26 /* columns of three load averages */

/* --- the load of the machine ------------------------------------------------------ */

static void mode_items(struct screen *s, struct sm_items *l)
{
	static const char *const groups[] = {"", "comm", "user", "cgroup", "parent"};
	const struct opts *o = s->opts;

	if (o->threads)
		sm_items_add(l, SM_TUI_ACCENT, "threads");
	if (o->group != GROUP_NONE)
		sm_items_add(l, SM_TUI_ACCENT, "by %s", groups[o->group]);
	sm_filter_items(&s->base.filter, s->users, l);
	sm_items_count(l, SM_TUI_ACCENT, o->pids.n, o->pids.n == 1 ? "pid" : "pids");
	if (o->cgroup)
		sm_items_text(l, SM_TUI_ACCENT, "cgroup",
			(struct sm_str){o->cgroup, strlen(o->cgroup)});
	if (o->all_cpus)
		sm_items_add(l, SM_TUI_ACCENT, "%% of all CPUs");
}

/* Shows the CPU use and the capacity, which indicates the unit. */
static void busy_item(const struct screen *s, struct sm_items *l)
{
	double busy = screen_busy_pct(s), all = 100.0 * s->sample.online;

	if (busy >= 0)
		sm_items_add(l, sm_tui_load_style(100 * busy / all),
			"CPU %.1f%% of %.0f%%", busy * screen_scale(s),
			all * screen_scale(s));
	else
		sm_items_add(l, SM_TUI_NORMAL, "CPU --");
}

static void load_item(const struct screen *s, struct sm_items *l)
{
	const uint32_t *load = s->sample.load.centi;

	if (!s->sample.has_load)
		return;
	if (l->limit - l->at < LOAD_WIDTH)
		sm_items_add(l, SM_TUI_NORMAL, "load %.2f", load[0] / 100.0);
	else
		sm_items_add(l, SM_TUI_NORMAL, "load %.2f %.2f %.2f", load[0] / 100.0,
			load[1] / 100.0, load[2] / 100.0);
}

static void uptime_item(const struct screen *s, struct sm_items *l)
{
	unsigned long long min = s->sample.uptime_ns / SM_NSEC_PER_SEC / 60;

	if (min >= 24 * 60)
		sm_items_add(l, SM_TUI_NORMAL, "up %llud %02llu:%02llu", min / 60 / 24,
			min / 60 % 24, min % 60);
	else if (s->sample.uptime_ns)
		sm_items_add(l, SM_TUI_NORMAL, "up %02llu:%02llu", min / 60, min % 60);
}

/* modes: show threads, group and filters, because draw_accounts() does not. */
static void draw_load(struct screen *s, int row, bool modes)
{
	const struct sample *p = &s->sample;
	struct sm_items l =
		sm_screen_status(&s->base, row, p->wall_ns, p->partial ? p->dt_ns : 0);

	if (s->since_start)
		sm_items_add(&l, SM_TUI_ACCENT, "since start");
	busy_item(s, &l);
	if (modes)
		mode_items(s, &l);
	load_item(s, &l);
	uptime_item(s, &l);
	sm_items_add(&l, SM_TUI_NORMAL, "%llu task%s", (unsigned long long)p->processes,
		p->processes == 1 ? "" : "s");
	if (s->cpus.known)
		sm_items_add(&l, SM_TUI_NORMAL, "%llu running, %llu blocked",
			(unsigned long long)s->cpus.running,
			(unsigned long long)s->cpus.blocked);
	sm_screen_interval(&s->base, &l);
}

/* --- the parts of the CPU time ---------------------------------------------------- */

/* Adds a name and its value, or "-" for an unknown value. */
static void value_item(struct sm_items *l, enum sm_tui_style style, const char *before,
	double v, int decimals, const char *after)
{
	if (isnan(v))
		sm_items_add(l, style, "%s-%s", before, *after == '%' ? "" : after);
	else
		sm_items_add(l, style, "%s%.*f%s", before, decimals, v, after);
}

/* Draws the parts of the CPU time, which are also the legend of the bars. */
static void draw_parts(struct screen *s, int row)
{
	struct sm_items l = sm_items_begin(&s->base.tui, row);
	const struct cpus *c = &s->cpus;
	double scale = screen_scale(s);

	if (!c->rates)
		return;
	for (int k = 0; k < SM_ITEMS_PARTS; k++) {
		const struct sm_items_part *part = &cpus_parts[k];
		char letter[] = {part->letter, '=', '\0'}, name[32];

		snprintf(name, sizeof(name), "%s%s ", s->base.tui.color ? "" : letter,
			part->name);
		value_item(&l, part->style, name, c->part_pct[k] * scale, 1, "%");
	}
	value_item(&l, SM_TUI_NORMAL, "idle ", c->idle_pct * scale, 1, "%");
	value_item(&l, SM_TUI_NORMAL, "", c->ctxt, 0, " ctxt/s");
	value_item(&l, SM_TUI_NORMAL, "", c->intr, 0, " irq/s");
}

/* Shows a time in the unit of the table's rows. */
static void time_item(
	const struct screen *s, struct sm_items *l, const char *name, double ns)
{
	double dt = (double)s->sample.dt_ns;
	double pct = dt > 0 ? 100 * ns / dt * screen_scale(s) : 0;

	if (pct >= 0.05)
		sm_items_add(l, SM_TUI_NORMAL, "%s %.1f%%", name, pct);
}

static void draw_accounts(struct screen *s, int row)
{
	struct sm_items l = sm_items_begin(&s->base.tui, row);
	const struct sample *p = &s->sample;

	mode_items(s, &l);
	time_item(s, &l, "tasks", (double)p->tasks_ns);
	time_item(s, &l, "exited", (double)p->exited_ns);
	if (p->machine) {
		time_item(s, &l, "irq", (double)p->irq_ns);
		time_item(s, &l, "softirq", (double)p->softirq_ns);
		time_item(s, &l, "unaccounted", (double)p->unaccounted_ns);
	}
	if (p->counted) {
		sm_items_count(&l, SM_TUI_NORMAL, p->created, "created");
		sm_items_count(&l, SM_TUI_NORMAL, p->exited, "exited");
	}
	sm_items_count(&l, SM_TUI_WARN, p->unreadable, "unreadable");
	time_item(s, &l, "cpustat", (double)p->self_ns);
}

/* --- the selected task ------------------------------------------------------------ */

static void identity_items(struct screen *s, struct sm_items *l, const struct row *r)
{
	if (r->pid)
		sm_items_add(l, SM_TUI_BOLD, "pid %d", r->pid);
	if (r->tgid && r->tgid != r->pid)
		sm_items_add(l, SM_TUI_NORMAL, "of process %d", r->tgid);
	if (r->ppid)
		sm_items_add(l, SM_TUI_NORMAL, "parent %d", r->ppid);
	if (r->flags & ROW_HAS_UID)
		sm_items_add(l, SM_TUI_NORMAL, "uid %u", r->uid);
	if (r->state)
		sm_items_add(l, SM_TUI_NORMAL, "state %c", r->state);
	if (r->cpu >= 0)
		sm_items_add(l, SM_TUI_NORMAL, "on CPU %d", r->cpu);
	if (r->members > 1)
		sm_items_add(l, SM_TUI_NORMAL, "%u tasks", r->members);
	if (r->total_ns)
		sm_items_add(l, SM_TUI_NORMAL, "time %s", table_cpu_time(s, r->total_ns));
	if (r->flags & ROW_NEW)
		sm_items_add(l, SM_TUI_ACCENT, "new");
}

static void share_item(struct screen *s, struct sm_items *l, const char *name,
	const struct row *r, uint64_t ns)
{
	sm_items_add(
		l, SM_TUI_NORMAL, "%s %.3f%%", name, percent(r, ns) * screen_scale(s));
}

static void share_items(struct screen *s, struct sm_items *l, const struct row *r)
{
	share_item(s, l, "CPU", r, r->used_ns);
	share_item(s, l, "user", r, r->usr_ns);
	share_item(s, l, "system", r, r->sys_ns);
	if (r->flags & ROW_HAS_WAIT)
		share_item(s, l, "wait", r, r->wait_ns);
}

static struct sm_value command(struct screen *s, const struct row *r)
{
	struct sm_value v = sm_items_pooled(r->cmd, SM_VALUE_ARGV);

	return v.type ? v : view_name_value(view_name_form(s->opts), r, &s->scratch);
}

void draw_details(void *screen, size_t i, int row, int lines)
{
	struct screen *s = screen;
	struct sm_items l = sm_items_begin(&s->base.tui, row);
	const struct row *r = &s->rows[i];

	identity_items(s, &l, r);
	sm_items_line(&s->base.tui, row + 1, "command", command(s, r), &s->text);
	if (lines < 4)
		return;
	sm_items_line(&s->base.tui, row + 2, "cgroup",
		sm_items_pooled(r->cgroup, SM_VALUE_TEXT), &s->text);
	l = sm_items_begin(&s->base.tui, row + 3);
	share_items(s, &l, r);
}

/* --- the whole screen ------------------------------------------------------------- */

void draw_screen(void *screen)
{
	struct screen *s = screen;
	const struct sm_items_bars bars = {cpus_parts, s->cpus.bar, s->cpus.n, "CPUs"};
	int rows = s->base.tui.rows, top = 0;
	bool accounts = rows >= 14;

	if (rows >= 3)
		draw_load(s, top++, !accounts);
	if (rows >= 12)
		draw_parts(s, top++);
	if (accounts)
		draw_accounts(s, top++);
	if (rows >= 7 && !s->no_bars)
		top += sm_items_bars(&s->base.tui, top, rows / 3, &bars);
	sm_screen_draw_samples(&s->base, top, SM_STR("all CPUs"), "%", screen_scale(s));
}

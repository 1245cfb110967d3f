// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "columns.h"
#include "wakevalues.h"

static double share(uint64_t n, uint64_t all)
{
	return all ? 100.0 * (double)n / (double)all : 0;
}

double wakevalues_mean_s(uint64_t slept_ns, uint64_t wakeups)
{
	return (double)slept_ns / 1e9 / (double)wakeups;
}

static void put_counts(const struct opts *o, const struct wake_span *r,
	const struct event *w, bool human, struct sm_value *val)
{
	uint64_t n = w->now.starts;

	val[C_DT] = sm_value_duration(r->dt_ns);
	val[C_WOKEN] = sm_value_u64(n);
	val[C_WOKEN_RATE] = sm_value_double(values_per_second(n, r->dt_ns));
	if (human && o->cumulative)
		val[C_WOKEN_RATE] = sm_value_u64(w->total.starts);
	val[C_SHARE] = sm_value_double(share(n, r->all));
	val[C_SLEPT] = sm_value_duration(w->slept_ns);
	val[C_SLEPT_MEAN] = sm_value_double(wakevalues_mean_s(w->slept_ns, n));
}

struct sm_value wakevalues_name(
	unsigned int form, const struct event *w, struct values_text *text)
{
	if (event_has_sender(w->kind) && w->tid == 0)
		return sm_value_str("(interrupt)");
	if (!event_has_task(w))
		return (struct sm_value){0};
	return values_name(form, w, text);
}

/* "24 virtio0-input.0": the number may be all that is known. */
static struct sm_value device_of(const struct event *w, struct wakevalues_text *text)
{
	int n = 0;

	if (w->kind == SM_WAKE_IRQ)
		n = snprintf(text->what, sizeof(text->what), "%llu %s",
			(unsigned long long)w->irq, w->device);
	else if (w->device[0])
		n = snprintf(text->what, sizeof(text->what), "%s", w->device);
	else if (w->irq)
		n = snprintf(text->what, sizeof(text->what), "0x%llx",
			(unsigned long long)w->irq);
	while (n > 0 && text->what[n - 1] == ' ')
		n--;
	return n ? sm_value_text(text->what, (size_t)n) : (struct sm_value){0};
}

static bool has_device(uint32_t cause)
{
	return cause == SM_WAKE_IRQ || cause == SM_WAKE_VECTOR || cause == SM_WAKE_CLOCK;
}

static void put_device(const struct event *w, bool human, struct wakevalues_text *text,
	struct sm_value *val)
{
	if (!has_device(w->kind))
		return;
	if (human) {
		val[C_WHAT] = device_of(w, text);
		return;
	}
	if (w->kind == SM_WAKE_IRQ)
		val[C_IRQ] = sm_value_u64(w->irq);
	if (w->device[0])
		val[C_DEVICE] = sm_value_text(w->device, strlen(w->device));
}

void wakevalues_row(const struct opts *o, const struct wake_span *r,
	const struct event *w, bool human, struct wakevalues_text *text,
	struct sm_value *val)
{
	memset(val, 0, C_N * sizeof(*val));
	val[C_TIME] = sm_value_time(r->wall_ns);
	val[C_MONO] = sm_value_u64(r->t_ns);
	put_counts(o, r, w, human, val);
	if (event_has_task(w) || w->tid == 0)
		values_task(w, val);
	if (!event_has_task(w))
		val[C_KTHREAD] = (struct sm_value){0};
	val[C_MEMBERS] = sm_value_u64(w->members);
	val[C_TASK] = wakevalues_name(values_form(o), w, &text->values);
	if (w->kind != EVENT_SEVERAL)
		val[C_CAUSE] = sm_value_str(event_cause_name(w->kind));
	val[C_FUNC] = val[C_WHAT] = values_func(w, &text->values);
	put_device(w, human, text, val);
}

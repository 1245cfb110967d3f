// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "columns.h"
#include "proc/taskname.h"
#include "values.h"

struct span values_span(const struct sample *s)
{
	return (struct span){s->t_ns, s->wall_ns, s->dt_ns, s->woken.all.sum.wakeups};
}

double values_per_second(uint64_t n, uint64_t dt_ns)
{
	return dt_ns ? (double)n * 1e9 / (double)dt_ns : 0;
}

double values_mean_sleep_s(uint64_t slept_ns, uint64_t wakeups)
{
	return (double)slept_ns / 1e9 / (double)wakeups;
}

unsigned int values_form(const struct opts *o)
{
	return (o->full_command ? SM_TASKNAME_FULL : 0u) |
	       (o->short_name ? SM_TASKNAME_SHORT : 0u) |
	       (o->strip_path ? SM_TASKNAME_STRIP : 0u);
}

/* --- the task ------------------------------------------------------------- */

static struct sm_value text_of(struct sm_str s)
{
	return s.n ? sm_value_text(s.p, s.n) : sm_value_str("?");
}

struct sm_value values_name(
	unsigned int form, const struct event *e, struct values_text *text)
{
	struct sm_str s;

	if (!event_has_task(e) && event_has_sender(e->kind))
		return sm_value_str("(interrupt)");
	if (!event_has_task(e) || (e->flags & EVENT_GROUP && !e->comm.n))
		return (struct sm_value){0};
	if (e->flags & EVENT_INTERRUPT)
		return text_of(e->comm);
	if (e->flags & EVENT_KTHREAD && e->comm.n < SM_TASK_COMM_LEN)
		return text_of(sm_taskname_kthread(e->comm, text->brackets));
	if (!(form & (SM_TASKNAME_FULL | SM_TASKNAME_SHORT)) || !e->cmd || !e->cmd->len)
		return text_of(e->comm);
	s = sm_taskname_command(sm_strpool_str(e->cmd), form);
	if (form & SM_TASKNAME_FULL)
		return sm_value_bytes(SM_VALUE_ARGV, s.p, s.n);
	return text_of(s);
}

static void put_names(const struct event *e, struct sm_value *val)
{
	if (e->comm.n)
		val[C_COMM] = sm_value_text(e->comm.p, e->comm.n);
	if (e->cgroup)
		val[C_CGROUP] = sm_value_text(e->cgroup->s, e->cgroup->len);
	if (e->cmd) {
		val[C_ARGV] = sm_value_bytes(SM_VALUE_ARGV, e->cmd->s, e->cmd->len);
		val[C_COMMAND] = val[C_ARGV];
	}
}

static void put_task(const struct event *e, struct sm_value *val)
{
	if (e->tid >= 0)
		val[C_PID] = sm_value_u64((uint64_t)e->tid);
	if (e->tgid >= 0)
		val[C_TGID] = sm_value_u64((uint64_t)e->tgid);
	if (e->flags & EVENT_HAS_UID)
		val[C_UID] = sm_value_u64(e->uid);
	val[C_CPU_PCT] = sm_value_double((double)e->cpu_pct);
	if (e->flags & EVENT_HAS_PRIO) {
		val[C_PR] = sm_value_u64(e->rtprio);
		val[C_NI] = sm_value_number(SM_VALUE_I64, 0);
		val[C_NI].i = e->nice;
	}
	if (event_has_task(e))
		val[C_KTHREAD] = sm_value_bool(e->flags & EVENT_KTHREAD);
	put_names(e, val);
}

/* --- timers --------------------------------------------------------------- */

static void put_counts(
	const struct event *e, uint64_t dt_ns, bool cumulative, struct sm_value *val)
{
	val[C_RATE] = cumulative
			      ? sm_value_u64(e->total.starts)
			      : sm_value_double(values_per_second(e->now.starts, dt_ns));
	val[C_STARTS] = sm_value_u64(e->now.starts);
	val[C_EXPIRIES] = sm_value_u64(e->now.expiries);
	val[C_IDLE] = sm_value_u64(e->now.idle);
	val[C_WAKE_RATE] = sm_value_double(values_per_second(e->now.expiries, dt_ns));
	val[C_IDLE_RATE] = sm_value_double(values_per_second(e->now.idle, dt_ns));
}

static struct sm_value kind_of(const struct event *e, bool human)
{
	static const char *const letter[] = {"H", "W", "D"};
	static const char *const word[] = {"hrtimer", "wheel", "deferrable"};

	if (!e->func || e->kind >= SM_ARRAY_SIZE(word))
		return (struct sm_value){0};
	return sm_value_str(human ? letter[e->kind] : word[e->kind]);
}

struct sm_value values_func(const struct event *e, struct values_text *text)
{
	const char *mark = e->flags & EVENT_WORK ? EVENT_WORK_PREFIX : "";

	if (!e->func)
		return (struct sm_value){0};
	if (e->func_name[0])
		snprintf(text->func, sizeof(text->func), "%s%s", mark, e->func_name);
	else
		snprintf(text->func, sizeof(text->func), "%s0x%llx", mark,
			(unsigned long long)e->func);
	return sm_value_str(text->func);
}

static void put_func(
	const struct event *e, bool human, struct values_text *text, struct sm_value *val)
{
	val[C_FUNC] = val[C_WHAT] = values_func(e, text);
	if (human || !(e->flags & EVENT_WORK))
		return;
	val[C_WORK] = sm_value_str(text->func + strlen(EVENT_WORK_PREFIX));
	val[C_FUNC] = sm_value_str(SM_TIMER_WORK_CALLBACK);
}

static struct sm_value timer_id_of(const struct event *e, struct values_text *text)
{
	if (!e->timer_id)
		return (struct sm_value){0};
	snprintf(text->timer, sizeof(text->timer), "%08x", (unsigned int)e->timer_id);
	return sm_value_str(text->timer);
}

/* --- wakeups -------------------------------------------------------------- */

static double share(uint64_t n, uint64_t all)
{
	return all ? 100.0 * (double)n / (double)all : 0;
}

static void put_wakeups(const struct event *e, const struct span *span, bool cumulative,
	struct sm_value *val)
{
	uint64_t n = e->now.starts;

	val[C_WOKEN] = sm_value_u64(n);
	val[C_WOKEN_RATE] = cumulative
				    ? sm_value_u64(e->total.starts)
				    : sm_value_double(values_per_second(n, span->dt_ns));
	val[C_SHARE] = sm_value_double(share(n, span->wakeups));
	val[C_SLEPT] = sm_value_duration(e->slept_ns);
	val[C_SLEPT_MEAN] = sm_value_double(values_mean_sleep_s(e->slept_ns, n));
	if (e->kind != EVENT_SEVERAL)
		val[C_CAUSE] = sm_value_str(event_cause_name(e->kind));
}

/* The task that ran first; in machine formats, its comm and kind. */
static void put_woke(
	const struct event *e, bool human, struct values_text *text, struct sm_value *val)
{
	bool kthread = e->woke == SM_WAKE_WOKE_KTHREAD;
	struct sm_str comm = {e->woke_comm, strnlen(e->woke_comm, SM_TASK_COMM_LEN - 1)};

	if (e->woke == SM_WAKE_WOKE_OTHERS)
		comm = SM_STR("(others)");
	else if (e->woke && !human)
		val[C_WOKE_KTHREAD] = sm_value_bool(kthread);
	if (human && kthread)
		comm = sm_taskname_kthread(comm, text->woke);
	if (e->woke)
		val[C_WOKE] = text_of(comm);
}

/* "24 virtio0-input.0": the number may be all that is known. */
static struct sm_value device_of(const struct event *e, struct values_text *text)
{
	int n = 0;

	if (e->kind == SM_WAKE_IRQ)
		n = snprintf(
			text->device, sizeof(text->device), "%u %s", e->irq, e->device);
	else if (e->device[0])
		n = snprintf(text->device, sizeof(text->device), "%s", e->device);
	else if (e->irq)
		n = snprintf(text->device, sizeof(text->device), "0x%x", e->irq);
	while (n > 0 && text->device[n - 1] == ' ')
		n--;
	return n ? sm_value_text(text->device, (size_t)n) : (struct sm_value){0};
}

static bool has_device(const struct event *e)
{
	return e->kind == SM_WAKE_IRQ || e->kind == SM_WAKE_VECTOR ||
	       e->kind == SM_WAKE_CLOCK;
}

static void put_device(
	const struct event *e, bool human, struct values_text *text, struct sm_value *val)
{
	if (human) {
		val[C_WHAT] = device_of(e, text);
		return;
	}
	if (e->kind == SM_WAKE_IRQ)
		val[C_IRQ] = sm_value_u64(e->irq);
	if (e->device[0])
		val[C_DEVICE] = sm_value_text(e->device, strlen(e->device));
}

/* --- all columns ---------------------------------------------------------- */

static void put_span(const struct span *span, struct sm_value *val)
{
	val[C_TIME] = sm_value_time(span->wall_ns);
	val[C_MONO] = sm_value_u64(span->t_ns);
	val[C_DT] = sm_value_duration(span->dt_ns);
}

void values_empty(const struct span *span, struct sm_value *val)
{
	static const uint8_t counts[] = {
		C_STARTS, C_EXPIRIES, C_IDLE, C_WOKEN, C_MEMBERS};
	static const uint8_t rates[] = {C_RATE, C_WAKE_RATE, C_IDLE_RATE, C_WOKEN_RATE};

	memset(val, 0, C_N * sizeof(*val));
	put_span(span, val);
	for (size_t i = 0; i < SM_ARRAY_SIZE(counts); i++)
		val[counts[i]] = sm_value_u64(0);
	for (size_t i = 0; i < SM_ARRAY_SIZE(rates); i++)
		val[rates[i]] = sm_value_double(0);
}

void values_row(const struct opts *o, const struct span *span, const struct event *e,
	bool human, struct values_text *text, struct sm_value *val)
{
	bool cumulative = human && o->cumulative;

	memset(val, 0, C_N * sizeof(*val));
	put_span(span, val);
	val[C_MEMBERS] = sm_value_u64(e->members);
	if (human && e->tid < 0 && e->tgid > 0) /* threads of a process together */
		val[C_PID] = sm_value_u64((uint64_t)e->tgid);
	val[C_TASK] = values_name(values_form(o), e, text);
	put_func(e, human, text, val);
	if (event_has_task(e) || e->tid == 0)
		put_task(e, val);
	if (e->type == EVENT_WAKEUP) {
		put_wakeups(e, span, cumulative, val);
		put_woke(e, human, text, val);
		if (has_device(e))
			put_device(e, human, text, val);
		return;
	}
	put_counts(e, span->dt_ns, cumulative, val);
	val[C_KIND] = kind_of(e, human);
	val[C_TIMER] = timer_id_of(e, text);
}

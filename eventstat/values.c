// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "columns.h"
#include "kernel/taskname.h"
#include "values.h"

double values_per_second(uint64_t n, uint64_t dt_ns)
{
	return dt_ns ? (double)n * 1e9 / (double)dt_ns : 0;
}

unsigned int values_form(const struct opts *o)
{
	return (o->full_command ? SM_TASKNAME_FULL : 0u) |
	       (o->short_name ? SM_TASKNAME_SHORT : 0u) |
	       (o->strip_path ? SM_TASKNAME_STRIP : 0u);
}

static struct sm_value text_of(struct sm_str s)
{
	return s.n ? sm_value_text(s.p, s.n) : sm_value_str("?");
}

struct sm_value values_name(
	unsigned int form, const struct event *e, struct values_text *text)
{
	struct sm_str s;

	if (e->flags & EVENT_GROUP && !e->comm.n)
		return (struct sm_value){0};
	if (e->flags & EVENT_KTHREAD && e->comm.n < SM_TASK_COMM_LEN)
		return text_of(sm_taskname_kthread(e->comm, text->brackets));
	if (!(form & (SM_TASKNAME_FULL | SM_TASKNAME_SHORT)) || !e->cmd || !e->cmd->len)
		return text_of(e->comm);
	s = sm_taskname_command((struct sm_str){e->cmd->s, e->cmd->len}, form);
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

void values_task(const struct event *e, struct sm_value *val)
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
	val[C_MEMBERS] = sm_value_u64(e->members);
	val[C_KTHREAD] = sm_value_bool(e->flags & EVENT_KTHREAD);
	put_names(e, val);
}

static void put_counts(const struct event *e, uint64_t dt_ns, struct sm_value *val)
{
	val[C_DT] = sm_value_duration(dt_ns);
	val[C_RATE] = sm_value_double(values_per_second(e->now.starts, dt_ns));
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
	if (!e->func)
		return (struct sm_value){0};
	if (e->func_name[0])
		return sm_value_str(e->func_name);
	snprintf(text->address, sizeof(text->address), "0x%llx",
		(unsigned long long)e->func);
	return sm_value_str(text->address);
}

static struct sm_value timer_id_of(const struct event *e, struct values_text *text)
{
	if (!e->timer_id)
		return (struct sm_value){0};
	snprintf(text->timer, sizeof(text->timer), "%08x", (unsigned int)e->timer_id);
	return sm_value_str(text->timer);
}

void values_row(const struct opts *o, const struct sample *s, const struct event *e,
	bool human, struct values_text *text, struct sm_value *val)
{
	memset(val, 0, C_N * sizeof(*val));
	val[C_TIME] = sm_value_time(s->wall_ns);
	val[C_MONO] = sm_value_u64(s->t_ns);
	put_counts(e, s->dt_ns, val);
	values_task(e, val);
	val[C_TASK] = values_name(values_form(o), e, text);
	val[C_KIND] = kind_of(e, human);
	val[C_TIMER] = timer_id_of(e, text);
	val[C_FUNC] = values_func(e, text);
	if (human && o->cumulative)
		val[C_RATE] = sm_value_u64(e->total.starts);
}

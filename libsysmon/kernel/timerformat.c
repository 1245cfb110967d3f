// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "kernel/timerformat.h"

#define CLONE_FLAG_THREAD 0x10000u /* CLONE_THREAD of include/uapi/linux/sched.h */

enum { TYPE, CURRENT, TIMER, FUNC, FLAGS, TASK, COMM };

struct shape {
	struct sm_timerformat_name name;
	const char *field[SM_TIMERFORMAT_FIELDS];
};

#define EVERY [TYPE] = "common_type", [CURRENT] = "common_pid"

/* Flags of a started timer are since Linux 4.3, and without them none is deferrable. */
static const struct shape shapes[SM_TIMERFORMAT_EVENTS] = {
	[SM_TIMER_HR_START] = {{"timer", "hrtimer_start"},
		{EVERY, [TIMER] = "hrtimer", [FUNC] = "function"}},
	[SM_TIMER_HR_EXPIRE] = {{"timer", "hrtimer_expire_entry"},
		{EVERY, [TIMER] = "hrtimer", [FUNC] = "function"}},
	[SM_TIMER_WHEEL_START] = {{"timer", "timer_start"},
		{EVERY, [TIMER] = "timer", [FUNC] = "function", [FLAGS] = "flags"}},
	[SM_TIMER_WHEEL_EXPIRE] = {{"timer", "timer_expire_entry"},
		{EVERY, [TIMER] = "timer", [FUNC] = "function"}},
	[SM_TIMER_TASK_NEW] = {{"task", "task_newtask"},
		{EVERY, [TASK] = "pid", [COMM] = "comm", [FLAGS] = "clone_flags"}},
	[SM_TIMER_TASK_NAME] = {{"task", "task_rename"},
		{EVERY, [TASK] = "pid", [COMM] = "newcomm"}},
	[SM_TIMER_TASK_EXIT] = {{"sched", "sched_process_exit"}, {EVERY, [TASK] = "pid"}},
};

struct sm_timerformat_name sm_timerformat_name(enum sm_timer_event_type type)
{
	return shapes[type].name;
}

/* --- formats ----------------------------------------------------------------------- */

static bool is_usable(int field, const struct sm_tracefs_field *at)
{
	if (at->data_loc)
		return false;
	if (field == COMM)
		return at->size == SM_TASK_COMM_LEN;
	return at->size == 2 || at->size == 4 || at->size == 8;
}

static bool is_optional(int field)
{
	return field == FLAGS || field == TASK;
}

static int take_field(
	struct sm_timerformat *f, int i, const struct sm_tracefs_named *found)
{
	f->field[i] = found->at;
	if (!found->name || is_usable(i, &found->at))
		return 0;
	return found->at.size == 0 && is_optional(i) ? 0 : -EBADMSG;
}

static int read_format(struct sm_timerformat *f, const struct sm_root *root,
	int tracefs_fd, const struct shape *s)
{
	struct sm_tracefs_named found[SM_TIMERFORMAT_FIELDS] = {0};
	int err = sm_tracefs_event_id(
		root, tracefs_fd, s->name.system, s->name.event, &f->id);

	for (int i = 0; i < SM_TIMERFORMAT_FIELDS; i++)
		found[i].name = s->field[i];
	if (!err)
		err = sm_tracefs_fields(root, tracefs_fd, s->name.system, s->name.event,
			found, SM_TIMERFORMAT_FIELDS);
	for (int i = 0; i < SM_TIMERFORMAT_FIELDS && !err; i++)
		err = take_field(f, i, &found[i]);
	return err;
}

int sm_timerformat_read(
	struct sm_timerformats *f, const struct sm_root *root, int tracefs_fd)
{
	*f = (struct sm_timerformats){0};
	for (int i = 0; i < SM_TIMERFORMAT_EVENTS; i++) {
		int err = read_format(&f->of[i], root, tracefs_fd, &shapes[i]);

		if (err && i < SM_TIMER_EVENTS)
			return err;
		if (err)
			f->of[i] = (struct sm_timerformat){0};
	}
	return 0;
}

/* --- records ----------------------------------------------------------------------- */

static bool is_inside(const struct sm_timerformat *f, size_t n)
{
	for (int i = 0; i < SM_TIMERFORMAT_FIELDS; i++) {
		const struct sm_tracefs_field *at = &f->field[i];

		if (at->size && (at->offset > n || at->size > n - at->offset))
			return false;
	}
	return true;
}

/* 0 for a field that is not there. */
static uint64_t number(
	const struct sm_timerformat *f, int field, const unsigned char *raw)
{
	const struct sm_tracefs_field *at = &f->field[field];
	uint64_t u64;
	uint32_t u32;
	uint16_t u16;

	switch (at->size) {
	case sizeof(u64):
		memcpy(&u64, raw + at->offset, sizeof(u64));
		return u64;
	case sizeof(u32):
		memcpy(&u32, raw + at->offset, sizeof(u32));
		return u32;
	case sizeof(u16):
		memcpy(&u16, raw + at->offset, sizeof(u16));
		return u16;
	default:
		return 0;
	}
}

static void decode_timer(const struct sm_timerformat *f, const unsigned char *raw,
	struct sm_timer_event *e)
{
	e->timer = number(f, TIMER, raw);
	e->func = number(f, FUNC, raw);
	e->tid = (pid_t)number(f, CURRENT, raw);
	e->wheel_flags = (uint32_t)number(f, FLAGS, raw);
}

static void decode_task(const struct sm_timerformat *f, const unsigned char *raw,
	struct sm_timer_event *e)
{
	pid_t current = (pid_t)number(f, CURRENT, raw);

	e->tid = f->field[TASK].size ? (pid_t)number(f, TASK, raw) : current;
	if (e->type == SM_TIMER_TASK_NEW) {
		e->parent = current;
		e->tgid = number(f, FLAGS, raw) & CLONE_FLAG_THREAD ? 0 : e->tid;
	}
	if (f->field[COMM].size)
		memcpy(e->comm, raw + f->field[COMM].offset, sizeof(e->comm));
}

static int type_of(const struct sm_timerformats *f, const void *raw, size_t n)
{
	for (int i = 0; i < SM_TIMERFORMAT_EVENTS; i++) {
		const struct sm_tracefs_field *type = &f->of[i].field[TYPE];

		if (f->of[i].id && type->offset <= n && type->size <= n - type->offset &&
			number(&f->of[i], TYPE, raw) == f->of[i].id)
			return i;
	}
	return -ENOENT;
}

int sm_timerformat_decode(const struct sm_timerformats *f, const void *raw, size_t n,
	struct sm_timer_event *e)
{
	int type = type_of(f, raw, n);

	if (type < 0)
		return type;
	if (!is_inside(&f->of[type], n))
		return -EBADMSG;
	*e = (struct sm_timer_event){.type = (enum sm_timer_event_type)type};
	if (type < SM_TIMER_EVENTS)
		decode_timer(&f->of[type], raw, e);
	else
		decode_task(&f->of[type], raw, e);
	return 0;
}

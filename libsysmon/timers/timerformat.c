// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "timers/timerformat.h"

enum { TYPE, CONTEXT, CURRENT, TIMER, FUNC, FLAGS };

/* Bits of common_flags: TRACE_FLAG_HARDIRQ, TRACE_FLAG_SOFTIRQ and TRACE_FLAG_NMI of
 * include/linux/trace_events.h, set while an interrupt is served */
#define SERVED (0x08 | 0x10 | 0x40)

struct shape {
	const char *event;
	const char *field[SM_TIMERFORMAT_FIELDS];
};

#define EVERY [TYPE] = "common_type", [CONTEXT] = "common_flags", [CURRENT] = "common_pid"

/* Flags of a started timer exist since Linux 4.3; without them all are not deferrable. */
static const struct shape shapes[SM_TIMER_EVENTS] = {
	[SM_TIMER_HR_START] = {"hrtimer_start",
		{EVERY, [TIMER] = "hrtimer", [FUNC] = "function"}},
	[SM_TIMER_HR_EXPIRE] = {"hrtimer_expire_entry",
		{EVERY, [TIMER] = "hrtimer", [FUNC] = "function"}},
	[SM_TIMER_WHEEL_START] = {"timer_start",
		{EVERY, [TIMER] = "timer", [FUNC] = "function", [FLAGS] = "flags"}},
	[SM_TIMER_WHEEL_EXPIRE] = {"timer_expire_entry",
		{EVERY, [TIMER] = "timer", [FUNC] = "function"}},
};

/* --- formats ----------------------------------------------------------------------- */

static bool is_usable(const struct sm_tracefs_field *at)
{
	return !at->data_loc &&
	       (at->size == 1 || at->size == 2 || at->size == 4 || at->size == 8);
}

static int take_field(
	struct sm_timerformat *f, int i, const struct sm_tracefs_named *found)
{
	f->field[i] = found->at;
	if (!found->name || is_usable(&found->at))
		return 0;
	return found->at.size == 0 && i == FLAGS ? 0 : -EBADMSG;
}

static int read_format(struct sm_timerformat *f, const struct sm_root *root,
	int tracefs_fd, const struct shape *s)
{
	struct sm_tracefs_named found[SM_TIMERFORMAT_FIELDS] = {0};
	int err = sm_tracefs_event_id(root, tracefs_fd, "timer", s->event, &f->id);

	for (int i = 0; i < SM_TIMERFORMAT_FIELDS; i++)
		found[i].name = s->field[i];
	if (!err)
		err = sm_tracefs_fields(root, tracefs_fd, "timer", s->event, found,
			SM_TIMERFORMAT_FIELDS);
	for (int i = 0; i < SM_TIMERFORMAT_FIELDS && !err; i++)
		err = take_field(f, i, &found[i]);
	return err;
}

int sm_timerformat_read(
	struct sm_timerformats *f, const struct sm_root *root, int tracefs_fd)
{
	int err = 0;

	*f = (struct sm_timerformats){0};
	for (int i = 0; i < SM_TIMER_EVENTS && !err; i++)
		err = read_format(&f->of[i], root, tracefs_fd, &shapes[i]);
	return err;
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

/* Returns the value of a field, or 0 if it is missing. */
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
	case 1:
		return raw[at->offset];
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
	e->interrupt = number(f, CONTEXT, raw) & SERVED;
	e->wheel_flags = (uint32_t)number(f, FLAGS, raw);
}

static int type_of(const struct sm_timerformats *f, const void *raw, size_t n)
{
	for (int i = 0; i < SM_TIMER_EVENTS; i++) {
		const struct sm_tracefs_field *type = &f->of[i].field[TYPE];

		if (type->offset <= n && type->size <= n - type->offset &&
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
	decode_timer(&f->of[type], raw, e);
	return 0;
}

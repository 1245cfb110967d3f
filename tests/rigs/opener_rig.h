/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opener_rig: an opener with two targets, each a child of the test.
 */
#ifndef OPENER_RIG_H
#define OPENER_RIG_H

#include <poll.h>

#include "target/opener.h"
#include "target_rig.h"

static struct opener o;
static struct target t, u;
static struct child c, d;

static inline void setup(void)
{
	target_rig_open();
	o = (struct opener)OPENER_INIT;
	t = u = (struct target)TARGET_INIT;
}

static inline void teardown(void)
{
	opener_end(&o);
	target_close(&t);
	target_close(&u);
	target_rig_close();
}

static inline void exec_when_told(void)
{
	child_say("", 1);
	child_wait();
	child_exec_cat();
}

static inline void open_two(void (*first)(void))
{
	struct target *const both[] = {&t, &u};
	char b;

	child_start(&c, first);
	child_start(&d, exec_when_told);
	child_hear(&c, &b, 1);
	child_hear(&d, &b, 1);
	ck_assert_int_eq(target_open(&t, &live, c.pid, TARGET_USE_MEM), 0);
	ck_assert_int_eq(target_open(&u, &live, d.pid, TARGET_NO_MEM), 0);
	ck_assert_int_eq(opener_start(&o, &live, both, 2, 0), 0);
}

static inline void end_two(void)
{
	child_end(&c);
	child_end(&d);
}

static inline void wait_readable(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	ck_assert_int_eq(poll(&p, 1, -1), 1);
}

/* Waits for the answer to a request. */
static inline void answered(const struct target *x)
{
	while (x->asked) {
		wait_readable(o.fd);
		ck_assert_int_eq(opener_receive(&o), 0);
	}
}

/* Waits for the counts that were asked for. */
static inline void take_counts(struct perf_counts *counts)
{
	while (opener_events(&o, counts) == -EAGAIN)
		wait_readable(o.fd);
}

static inline bool has_text(int fd)
{
	char b;

	return pread(fd, &b, 1, 0) == 1;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpustat_threads_rig: a process of two threads on a recorded machine. */
#ifndef CPUSTAT_THREADS_RIG_H
#define CPUSTAT_THREADS_RIG_H

#include "cpustat_rig.h"

static struct fake p, t1, t2;

static inline void threads_rig_open(void)
{
	rig_open();
	sampler = (struct sampler){0};
	opts.threads = true;
	fake_machine(0, 0, 0, 0);
	p = (struct fake){.pid = 10, .comm = "proc", .ppid = 1, .utime = 500, .start = 99, .threads = 2};
	t1 = (struct fake){.pid = 10, .comm = "proc", .ppid = 1, .utime = 300, .start = 99};
	t2 = (struct fake){.pid = 11, .comm = "second", .ppid = 1, .utime = 200, .start = 99};
}

/* Writes their files. */
static inline void threads(void)
{
	p.utime = t1.utime + t2.utime;
	p.stime = t1.stime + t2.stime;
	fake(&p);
	fake_thread(10, &t1, (t1.utime + t1.stime) * TICK, 0);
	fake_thread(10, &t2, (t2.utime + t2.stime) * TICK, 0);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procpid_rig: the recorded machines and the live one.
 */
#ifndef PROCPID_RIG_H
#define PROCPID_RIG_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proc/procpid.h"
#include "unit.h"

static struct sm_root small, evil, live;

static inline void open_roots(void)
{
	ck_assert_int_eq(sm_root_open(&small, "tests/fixtures/small"), 0);
	ck_assert_int_eq(sm_root_open(&evil, "tests/fixtures/evil"), 0);
	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
}

static inline void close_roots(void)
{
	sm_root_close(&small);
	sm_root_close(&evil);
	sm_root_close(&live);
}

#endif

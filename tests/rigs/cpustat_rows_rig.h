/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows_rig: a list of made-up rows and what cpustat's rows.h makes of it.
 */
#ifndef CPUSTAT_ROWS_RIG_H
#define CPUSTAT_ROWS_RIG_H

#include <string.h>

#include "cpustat/rows/rows.h"
#include "cpustat/rows/select.h"
#include "unit.h"

#define MS  SM_NSEC_PER_MSEC
#define SEC SM_NSEC_PER_SEC

static struct opts o;
static struct sm_ids users;
static struct sm_strpool *names;
static struct rows r;
static struct row list[64], *rows;
static size_t n_list;

static inline void setup(void)
{
	memset(&o, 0, sizeof(o));
	n_list = 0;
	ck_assert_int_eq(sm_ids_init(&users), 0);
	ck_assert_int_eq(sm_strpool_new(&names, 1 << 20), 0);
	ck_assert_int_eq(rows_init(&r, &o, &users, names), 0);
}

static inline void teardown(void)
{
	rows_fini(&r);
	sm_strpool_free(names);
	sm_ids_fini(&users);
}

static inline const struct sm_poolstr *keep(const char *s, size_t n)
{
	return sm_strpool_get(names, s, n, 0);
}

static inline struct row *put(int kind, pid_t pid, const char *comm, uint64_t used_ms)
{
	struct row *row = &list[n_list++];

	ck_assert_uint_le(n_list, SM_ARRAY_SIZE(list));
	*row = (struct row){.kind = (uint8_t)kind,
		.state = 'S',
		.pid = pid,
		.tgid = pid,
		.ppid = 1,
		.used_ns = used_ms * MS,
		.sys_ns = used_ms * MS,
		.dt_ns = SEC,
		.total_ns = 2 * used_ms * MS,
		.members = 1,
		.comm = {comm, strlen(comm)}};
	return row;
}

static inline struct row *task(pid_t pid, const char *comm, uint64_t used_ms)
{
	return put(ROW_PROCESS, pid, comm, used_ms);
}

static inline size_t arrange(void)
{
	size_t m = select_rows(&o, list, n_list);

	rows = list;
	return rows_arrange(&r, &rows, m, n_list, SEC);
}

/* Sees that the rows are exactly these: pids for tasks, "pid:name" in general. */
static inline void expect(size_t n, const char *want)
{
	struct sm_buf b = {0};

	for (size_t i = 0; i < n; i++) {
		sm_buf_printf(&b, "%s%d:", i ? " " : "", (int)rows[i].pid);
		sm_buf_add(&b, rows[i].comm.p, rows[i].comm.n);
	}
	sm_buf_chr(&b, '\0');
	ck_assert_str_eq(b.p, want);
	sm_buf_fini(&b);
}

static inline void some_tasks(void)
{
	task(30, "c", 10)->wait_ns = 7 * MS;
	task(20, "b", 30)->wait_ns = 8 * MS;
	task(40, "a", 20)->wait_ns = 9 * MS;
	list[0].usr_ns = 3;
	list[1].usr_ns = 1;
	list[2].usr_ns = 2;
	list[0].sys_ns = 1;
	list[1].sys_ns = 2;
	list[2].sys_ns = 3;
	list[0].total_ns = 2;
	list[1].total_ns = 1;
	list[2].total_ns = 3;
}

static inline TCase *with(const char *name)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, setup, teardown);
	return tc;
}

#endif

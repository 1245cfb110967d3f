/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cs_view_rig: one view of cpustat with all three faces into temporary files, and a sample of
 * one second at a known time.
 */
#ifndef CS_VIEW_RIG_H
#define CS_VIEW_RIG_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cpustat/view.h"
#include "unit.h"
#include "faces_rig.h"

#define WALL UINT64_C(1795266359123456789) /* 2026-11-21T13:05:59Z */
#define MONO UINT64_C(5000000000)
#define PCT  UINT64_C(10000000) /* one percent of the sample */
#define HEADING "  %CPU   %USR   %SYS   PID S  CPU    Time Task"

static struct cs_opts o;
static struct view v;
static struct cs_sample sample;
static struct rows rows;
static struct sm_intern *names;
static char dir[64], human_path[80], json_path[80], csv_path[80], content_of[16384];
static bool opened;

static inline void setup(void)
{
	setenv("TZ", "UTC0", 1);
	tzset();
	strcpy(dir, "/tmp/sysmon-view-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(human_path, sizeof(human_path), "%s/human", dir);
	snprintf(json_path, sizeof(json_path), "%s/json", dir);
	snprintf(csv_path, sizeof(csv_path), "%s/csv", dir);
	/* Also where tests share a process (valgrind runs them without fork). */
	memset(&sample, 0, sizeof(sample));
	memset(&rows, 0, sizeof(rows));
	opened = false;
	o = cs_opts_default;
	o.output = human_path;
	o.json.file = json_path;
	o.csv.file = csv_path;
	sample.t_ns = MONO;
	sample.wall_ns = WALL;
	sample.dt_ns = SM_NSEC_PER_SEC;
	sample.capacity_cpus = 2;
	ck_assert_int_eq(sm_intern_new(&names, 1u << 20), 0);
}

static inline void begin_with(uint32_t pid_max)
{
	const char *what;

	ck_assert_int_eq(view_open(&v, &o, pid_max, &what), 0);
	opened = true;
}

static inline void begin(void)
{
	begin_with(32768);
	ck_assert_uint_eq(v.faces.n, 3);
}

static inline void teardown(void)
{
	if (opened)
		view_close(&v);
	sm_intern_free(names);
	unlink(human_path);
	unlink(json_path);
	unlink(csv_path);
	ck_assert_int_eq(rmdir(dir), 0);
}

static inline const char *content(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	ck_assert_int_eq(faces_flush(&v.faces), 0);
	ck_assert_int_ge(fd, 0);
	n = read(fd, content_of, sizeof(content_of) - 1);
	ck_assert_int_ge(n, 0);
	content_of[n] = '\0';
	close(fd);
	return content_of;
}

static inline bool has(const char *path, const char *what)
{
	return strstr(content(path), what) != NULL;
}

/* "a\0b": two arguments; each ends in a NUL, as in /proc. */
#define CMD(literal) sm_intern_get(names, literal, sizeof(literal), 0)

/* The row of the specification:
 * " 25.24  24.27   0.97  1579 R    0  12.76s ./floor32". */
static inline struct cs_row floor32(void)
{
	return (struct cs_row){
		.kind = CS_PROCESS,
		.flags = CS_HAS_UID,
		.state = 'R',
		.pid = 1579,
		.tgid = 1579,
		.ppid = 1,
		.uid = 1000,
		.used_ns = 252400000,
		.usr_ns = 242700000,
		.sys_ns = 9700000,
		.dt_ns = SM_NSEC_PER_SEC,
		.total_ns = UINT64_C(12760000000),
		.members = 1,
		.comm = SM_STR("floor32"),
		.cmd = CMD("./floor32\0-b"),
	};
}

static inline struct cs_row residual(enum cs_kind kind)
{
	return (struct cs_row){.kind = (uint8_t)kind,
		.cpu = -1,
		.used_ns = 2 * PCT,
		.sys_ns = 2 * PCT,
		.total_ns = 2 * PCT,
		.dt_ns = SM_NSEC_PER_SEC,
		.members = 1};
}

static inline void show(const struct cs_row *r, size_t n)
{
	rows.matched = n;
	view_sample(&v, &sample, &rows, r, n, NULL);
}

static inline void show_one(struct cs_row r)
{
	show(&r, 1);
}

#endif

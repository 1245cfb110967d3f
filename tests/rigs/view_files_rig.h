/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_files_rig: the table, the JSON lines and the CSV of a view in temporary files.  The tool's
 * outputs rig is included before it.
 */
#ifndef VIEW_FILES_RIG_H
#define VIEW_FILES_RIG_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/app_opts.h"
#include "outputs_rig.h"
#include "unit.h"

#define WALL UINT64_C(1795266359123456789) /* 2026-11-21T13:05:59Z */
#define MONO UINT64_C(5000000000)

static char view_dir[UNIT_DIR], human_path[80], json_path[80], csv_path[80], content_of[65536];

/* The options say that all three are written, in UTC. */
static inline void files_open(struct sm_app_opts *app)
{
	setenv("TZ", "UTC0", 1);
	tzset();
	unit_mkdtemp(view_dir);
	snprintf(human_path, sizeof(human_path), "%s/human", view_dir);
	snprintf(json_path, sizeof(json_path), "%s/json", view_dir);
	snprintf(csv_path, sizeof(csv_path), "%s/csv", view_dir);
	app->output = human_path;
	app->json.file = json_path;
	app->csv.file = csv_path;
}

static inline void files_close(void)
{
	unlink(human_path);
	unlink(json_path);
	unlink(csv_path);
	ck_assert_int_eq(rmdir(view_dir), 0);
}

static inline const char *content(const char *path)
{
	ck_assert_int_eq(outputs_flush(&view_outputs), 0);
	return unit_slurp(path, content_of, sizeof(content_of));
}

static inline bool has(const char *path, const char *what)
{
	return strstr(content(path), what) != NULL;
}

#endif

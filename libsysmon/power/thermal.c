// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "power/thermal.h"
#include "proc/sysfs.h"

#define CLASS	 "class/thermal"
#define PREFIX	 "thermal_zone"
#define PATH_CAP 64u
#define MC_MIN	 (-273150) /* THERMAL_TEMP_INVALID of linux/thermal.h is -274000 */
#define MC_MAX	 1000000

/* ---- finding zones ---- */

static int add_zone(void *ctx, const char *name)
{
	struct sm_thermal *t = ctx;
	unsigned int number;
	int err;

	if (!sm_sysfs_number(name, PREFIX, &number))
		return 0;
	err = sm_array_reserve(&t->zone, &t->cap, t->n + 1, sizeof(*t->zone));
	if (err < 0)
		return err;
	t->zone[t->n++] = (struct sm_thermal_zone){
		.number = number, .error = -ENODATA, .file = SM_FILE_INIT};
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const struct sm_thermal_zone *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static void open_zone(struct sm_thermal_zone *z, struct sm_at sys)
{
	char path[PATH_CAP];
	int err;

	snprintf(path, sizeof(path), CLASS "/" PREFIX "%u/type", z->number);
	if (!sm_sysfs_text(sys, path, z->type, sizeof(z->type)))
		snprintf(z->type, sizeof(z->type), PREFIX "%u", z->number);
	snprintf(path, sizeof(path), CLASS "/" PREFIX "%u/temp", z->number);
	err = sm_file_open(&z->file, sys, path);
	if (err < 0)
		z->error = err;
}

static int find_zones(struct sm_thermal *t, struct sm_at sys)
{
	static const struct sm_sysfs_labels labels =
		SM_SYSFS_LABELS(struct sm_thermal_zone, type);
	int err = sm_sysfs_each(sys, CLASS, add_zone, t);

	if (err < 0)
		return err;
	if (t->n == 0)
		return -ENOENT;
	qsort(t->zone, t->n, sizeof(*t->zone), by_number);
	for (unsigned int i = 0; i < t->n; i++)
		open_zone(&t->zone[i], sys);
	sm_sysfs_labels(t->zone, t->n, &labels);
	return 0;
}

int sm_thermal_open(struct sm_thermal *t, const struct sm_root *root)
{
	int err;

	*t = (struct sm_thermal){0};
	err = find_zones(t, root->sys);
	if (err < 0)
		sm_thermal_close(t);
	return err;
}

/* ---- reading zones ---- */

/* If the zone could not be opened, error keeps the reason. */
static void read_zone(struct sm_thermal_zone *z)
{
	int64_t mc;

	if (z->file.fd < 0)
		return;
	z->error = sm_sysfs_read_i64(z->file.fd, &mc);
	if (z->error == 0 && (mc < MC_MIN || mc > MC_MAX))
		z->error = -ERANGE;
	if (z->error == 0)
		z->temp_mc = mc;
}

int sm_thermal_read(struct sm_thermal *t)
{
	int good = 0;

	for (unsigned int i = 0; i < t->n; i++) {
		read_zone(&t->zone[i]);
		good += t->zone[i].error == 0;
	}
	return good;
}

void sm_thermal_close(struct sm_thermal *t)
{
	for (unsigned int i = 0; i < t->n; i++)
		sm_file_close(&t->zone[i].file);
	free(t->zone);
	*t = (struct sm_thermal){0};
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "attr.h"
#include "thermal.h"

#define CLASS	    "class/thermal"
#define PREFIX	    "thermal_zone"
#define PATH_CAP    64u
#define MC_MIN	    (-273150) /* THERMAL_TEMP_INVALID of linux/thermal.h is -274000 */
#define MC_MAX	    1000000
#define ZONES_FIRST 16u

/* ---- finding them ---- */

/* Room for one more, at powers of two. */
static int grow(struct sm_thermal *t)
{
	unsigned int cap = t->n ? t->n * 2 : ZONES_FIRST;
	void *p;

	if (t->n && (t->n < ZONES_FIRST || (t->n & (t->n - 1))))
		return 0;
	p = realloc(t->zone, cap * sizeof(*t->zone));
	if (!p)
		return -ENOMEM;
	t->zone = p;
	return 0;
}

static int add_zone(void *ctx, const char *name)
{
	struct sm_thermal *t = ctx;
	unsigned int number;
	int err;

	if (!sm_attr_number(name, PREFIX, &number))
		return 0;
	err = grow(t);
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

static void open_zone(struct sm_thermal_zone *z, int sys_fd)
{
	char path[PATH_CAP];
	int err;

	snprintf(path, sizeof(path), CLASS "/" PREFIX "%u/type", z->number);
	if (!sm_attr_text(sys_fd, path, z->type, sizeof(z->type)))
		snprintf(z->type, sizeof(z->type), PREFIX "%u", z->number);
	snprintf(path, sizeof(path), CLASS "/" PREFIX "%u/temp", z->number);
	err = sm_file_open(&z->file, sys_fd, path);
	if (err < 0)
		z->error = err;
}

static int label_zones(struct sm_thermal *t)
{
	struct sm_attr_label *l = calloc(t->n, sizeof(*l));

	if (!l)
		return -ENOMEM;
	for (unsigned int i = 0; i < t->n; i++) {
		struct sm_thermal_zone *z = &t->zone[i];

		l[i] = (struct sm_attr_label){
			z->type, z->number, z->label, sizeof(z->label)};
	}
	sm_attr_labels(l, t->n);
	free(l);
	return 0;
}

static int find_zones(struct sm_thermal *t, int sys_fd)
{
	int err = sm_attr_each(sys_fd, CLASS, add_zone, t);

	if (err < 0)
		return err;
	if (t->n == 0)
		return -ENOENT;
	qsort(t->zone, t->n, sizeof(*t->zone), by_number);
	for (unsigned int i = 0; i < t->n; i++)
		open_zone(&t->zone[i], sys_fd);
	return label_zones(t);
}

int sm_thermal_open(struct sm_thermal *t, const struct sm_root *root)
{
	int err;

	*t = (struct sm_thermal){0};
	err = find_zones(t, root->sys_fd);
	if (err < 0)
		sm_thermal_close(t);
	return err;
}

/* ---- reading them ---- */

/* Where it could not be opened, the reason stays. */
static void read_zone(struct sm_thermal_zone *z)
{
	int64_t mc;

	if (z->file.fd < 0)
		return;
	z->error = sm_attr_read_i64(z->file.fd, &mc);
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

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "power/rapl.h"
#include "proc/sysfs.h"

#define CLASS	    "class/powercap"
#define PATH_CAP    384u
#define CONSTRAINTS 8 /* the kernel has up to three */
#define CAP_FACTOR  4
/* TPMI: 18 bits of 1/8 W; larger values are invalid. */
#define CONSTRAINT_MAX_UW UINT64_C(40000000000)
#define UNLIMITED_UW	  UINT64_C(4095000000)
#define GAP_MIN_NS	  (10 * SM_NSEC_PER_MSEC)
#define GAP_MAX_NS	  (3600 * SM_NSEC_PER_SEC)
#define REOPEN_NS	  (10 * SM_NSEC_PER_SEC)
#define NSEC_PER_SEC_D	  1e9 /* uJ x this / uW = ns */

/* ---- opening ---- */

static int open_file(const struct sm_rapl *r, const char *id, const char *file)
{
	char path[PATH_CAP];

	snprintf(path, sizeof(path), CLASS "/%s/%s", id, file);
	return sm_at_open(r->root->sys, path, 0);
}

static uint64_t read_number(const struct sm_rapl *r, const char *id, const char *file)
{
	char path[PATH_CAP];
	uint64_t v;

	snprintf(path, sizeof(path), CLASS "/%s/%s", id, file);
	return sm_file_read_u64(r->root->sys, path, &v) < 0 ? 0 : v;
}

static uint64_t highest_constraint(
	const struct sm_rapl *r, const char *id, const char *what)
{
	char file[48];
	uint64_t max = 0;

	for (int i = 0; i < CONSTRAINTS; i++) {
		uint64_t v;

		snprintf(file, sizeof(file), "constraint_%d_%s", i, what);
		v = read_number(r, id, file);
		if (v > max && v <= CONSTRAINT_MAX_UW)
			max = v;
	}
	return max;
}

/*
 * cap_uw prefers max_power_uw, since a power_limit_uw of 4095 W means no limit.  limit_uw
 * uses the higher of the two: on a laptop the limit of the second constraint exceeds the
 * maximum of the first.
 */
static void read_limits(const struct sm_rapl *r, struct sm_rapl_counter *c)
{
	uint64_t max = highest_constraint(r, c->id, "max_power_uw");
	uint64_t set = highest_constraint(r, c->id, "power_limit_uw");

	c->range_uj = read_number(r, c->id, "max_energy_range_uj");
	c->cap_uw = (max ? max : set) * CAP_FACTOR;
	if (c->cap_uw < SM_RAPL_CAP_MIN_UW)
		c->cap_uw = SM_RAPL_CAP_MIN_UW;
	if (set >= UNLIMITED_UW)
		set = 0;
	c->limit_uw = (max > set ? max : set) * CAP_FACTOR;
}

/* Sets name, "" if it cannot be read.  Names of firmware can end in spaces. */
static void read_name(const struct sm_rapl *r, const char *id, char *name, size_t cap)
{
	char path[PATH_CAP];
	size_t n;

	snprintf(path, sizeof(path), CLASS "/%s/name", id);
	(void)!sm_sysfs_text(r->root->sys, path, name, cap);
	for (n = strlen(name); n > 0 && (name[n - 1] == ' ' || name[n - 1] == '\t'); n--)
		name[n - 1] = '\0';
}

static int stop(void *ctx, const char *name)
{
	(void)ctx;
	(void)name;
	return 1;
}

/* Container runtimes cover the folder of the zones; the links of the class then lead
 * nowhere. */
static bool leads_nowhere(const struct sm_rapl *r, const char *id)
{
	char path[PATH_CAP];

	snprintf(path, sizeof(path), CLASS "/%s", id);
	return sm_sysfs_each(r->root->sys, path, stop, NULL) == -ENOENT;
}

/* Adds a zone.  The control type itself and zones with only power_uw lack energy_uj. */
static int add_entry(void *ctx, const char *id)
{
	struct sm_rapl *r = ctx;
	char name[SM_RAPL_NAME_MAX];
	struct sm_rapl_counter *c;
	int fd, err;

	if (strlen(id) >= SM_RAPL_NAME_MAX)
		return 0;
	fd = open_file(r, id, "energy_uj");
	if (fd == -ENOENT || fd == -ENOTDIR) {
		r->hidden = r->hidden || leads_nowhere(r, id);
		return 0;
	}
	read_name(r, id, name, sizeof(name));
	err = sm_rapl_zones_add(&r->zones, id, name);
	if (err < 0) {
		sm_base_close_fd(&fd);
		return err;
	}
	c = &r->zones.at[r->zones.n - 1].counter;
	c->fd = fd < 0 ? -1 : fd;
	c->error = fd < 0 ? fd : 0;
	read_limits(r, c);
	return 0;
}

static void mark_unopened(struct sm_rapl_zones *zs)
{
	for (unsigned int i = 0; i < zs->n; i++)
		if (zs->at[i].counter.fd < 0 && zs->at[i].role.why == SM_RAPL_COUNTED)
			sm_rapl_zones_mark(
				zs, i, SM_RAPL_UNREADABLE, zs->at[i].role.partner);
}

int sm_rapl_open(struct sm_rapl *r, const struct sm_root *root, enum sm_rapl_total rule)
{
	int err;

	*r = (struct sm_rapl){.root = root, .zones.rule = rule};
	err = sm_sysfs_each(root->sys, CLASS, add_entry, r);
	if (!err && !r->zones.n)
		err = r->hidden ? -ENXIO : -ENOENT;
	if (err < 0) {
		sm_rapl_close(r);
		return err;
	}
	sm_rapl_zones_arrange(&r->zones);
	sm_rapl_zones_settle(&r->zones);
	mark_unopened(&r->zones);
	return 0;
}

void sm_rapl_close(struct sm_rapl *r)
{
	for (unsigned int i = 0; i < r->zones.n; i++)
		sm_base_close_fd(&r->zones.at[i].counter.fd);
	free(r->zones.at);
	*r = (struct sm_rapl){0};
}

/* ---- zones that were removed ---- */

void sm_rapl_allow_reopen(struct sm_rapl *r)
{
	r->reopen = true;
}

/* Reopens a zone, unless it cannot be opened or has another name. */
static void reopen(const struct sm_rapl *r, struct sm_rapl_counter *c)
{
	char name[SM_RAPL_NAME_MAX];
	int fd = open_file(r, c->id, "energy_uj");

	if (fd < 0)
		return;
	read_name(r, c->id, name, sizeof(name));
	if (strcmp(name, c->name) != 0) {
		sm_base_close_fd(&fd);
		return;
	}
	c->fd = fd;
	sm_rapl_counter_forget(c);
	read_limits(r, c);
}

/* Runs at most every REOPEN_NS, and reads the clock only if a zone was removed. */
static void reopen_removed(struct sm_rapl *r)
{
	uint64_t now_ns = 0;

	for (unsigned int i = 0; r->reopen && i < r->zones.n; i++) {
		struct sm_rapl_zone *z = &r->zones.at[i];

		if (z->counter.fd >= 0 || z->role.skip ||
			!sm_rapl_counter_removed(&z->counter))
			continue;
		now_ns = now_ns ? now_ns : sm_clock_mono_ns();
		if (now_ns < r->reopen_ns)
			return;
		reopen(r, &z->counter);
	}
	if (now_ns)
		r->reopen_ns = now_ns + REOPEN_NS;
}

/* ---- reading ---- */

/* Returns the number of values. */
static int read_zone(struct sm_rapl_zone *z)
{
	uint64_t at_ns = 0, uj = 0;
	int err = sm_sysfs_read_timely(z->counter.fd, &uj, &at_ns);

	if (err < 0) {
		sm_rapl_counter_fail(&z->counter, err);
		if (sm_rapl_counter_removed(&z->counter))
			sm_base_close_fd(&z->counter.fd);
		return 0;
	}
	z->counter.error = 0;
	sm_rapl_counter_feed(&z->counter, &z->sums, uj, at_ns);
	return 1;
}

static bool counted_value(const struct sm_rapl_zones *zs)
{
	for (unsigned int i = 0; i < zs->n; i++)
		if (zs->at[i].role.why == SM_RAPL_COUNTED && zs->at[i].counter.error == 0)
			return true;
	return false;
}

/* A zone whose first reading fails is marked unreadable until it has a value; if all
 * zones fail, the source as a whole has failed. */
static void mark_readable(struct sm_rapl *r)
{
	bool first = r->readings == 1 && counted_value(&r->zones);

	for (unsigned int i = 0; i < r->zones.n; i++) {
		const struct sm_rapl_role *role = &r->zones.at[i].role;
		int error = r->zones.at[i].counter.error;

		if (role->why == SM_RAPL_UNREADABLE && error == 0)
			sm_rapl_zones_mark(&r->zones, i, SM_RAPL_COUNTED, role->partner);
		else if (first && role->why == SM_RAPL_COUNTED && error < 0)
			sm_rapl_zones_mark(
				&r->zones, i, SM_RAPL_UNREADABLE, role->partner);
	}
}

static bool all_removed(const struct sm_rapl_zones *zs)
{
	for (unsigned int i = 0; i < zs->n; i++)
		if (zs->at[i].role.why == SM_RAPL_COUNTED &&
			!sm_rapl_counter_removed(&zs->at[i].counter))
			return false;
	return zs->counted > 0;
}

int sm_rapl_read(struct sm_rapl *r)
{
	int got = 0;

	reopen_removed(r);
	for (unsigned int i = 0; i < r->zones.n; i++)
		if (r->zones.at[i].counter.fd >= 0 && !r->zones.at[i].role.skip)
			got += read_zone(&r->zones.at[i]);
	r->readings++;
	sm_rapl_zones_settle(&r->zones);
	mark_readable(r);
	return all_removed(&r->zones) ? -ENODEV : got;
}

/* ---- selection, and the longest interval ---- */

static bool of_total(const struct sm_rapl_role *role)
{
	return role->why == SM_RAPL_COUNTED || role->why == SM_RAPL_UNREADABLE;
}

void sm_rapl_only_total(struct sm_rapl *r)
{
	for (unsigned int i = 0; i < r->zones.n; i++) {
		struct sm_rapl_role *role = &r->zones.at[i].role;
		const struct sm_rapl_role *lead =
			role->partner < 0 ? role : &r->zones.at[role->partner].role;

		role->skip = !of_total(lead) && !of_total(role);
	}
}

void sm_rapl_rebase(struct sm_rapl *r)
{
	for (unsigned int i = 0; i < r->zones.n; i++)
		sm_rapl_counter_forget(&r->zones.at[i].counter);
}

uint64_t sm_rapl_gap_ns(const struct sm_rapl *r)
{
	double min_ns = (double)GAP_MAX_NS;

	for (unsigned int i = 0; i < r->zones.n; i++) {
		const struct sm_rapl_counter *c = &r->zones.at[i].counter;
		double ns = (double)c->range_uj / 2 * NSEC_PER_SEC_D / (double)c->cap_uw;

		if (c->fd >= 0 && !r->zones.at[i].role.skip && c->range_uj > 0 &&
			ns < min_ns)
			min_ns = ns;
	}
	return min_ns < (double)GAP_MIN_NS ? GAP_MIN_NS : (uint64_t)min_ns;
}

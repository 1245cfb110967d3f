// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "power/battery.h"
#include "power/battery_level.h"
#include "proc/sysfs.h"

#define CLASS	 "class/power_supply"
#define LEGACY	 "acpi/battery"
#define PATH_CAP 320u /* fits every name */
#define TEXT_CAP 4096u

#define HOT_SLOTS     16u
#define READ_EVERY_NS SM_NSEC_PER_SEC
/* A reading may be this early, so that one late reading does not delay the next. */
#define READ_SLACK_NS (20 * SM_NSEC_PER_MSEC)
#define SCAN_EVERY_NS (10 * SM_NSEC_PER_SEC)

/* ---- files ---- */

/* Files of sysfs and procfs fail once their device is removed.  Files of a prepared root
 * may be replaced or unlinked while open: the descriptor keeps the old content. */
static bool is_replaceable(int fd)
{
	struct statfs st;

	return fstatfs(fd, &st) == 0 && st.f_type != SYSFS_MAGIC &&
	       st.f_type != PROC_SUPER_MAGIC;
}

static bool was_replaced(int fd)
{
	struct stat st;

	return fstat(fd, &st) < 0 || st.st_nlink == 0;
}

static int open_text(
	struct sm_file *f, bool *replaceable, struct sm_at at, const char *path)
{
	int err = sm_file_open(f, at, path);

	*replaceable = err == 0 && is_replaceable(f->fd);
	return err;
}

/* Reads a file.  Only the descriptor is closed: the buffer is reused after a reopen. */
static ssize_t read_text(
	struct sm_file *f, bool *replaceable, struct sm_at at, const char *path)
{
	struct sm_file fresh;
	ssize_t n;

	if (f->fd >= 0 && *replaceable && was_replaced(f->fd))
		sm_base_close_fd(&f->fd);
	if (f->fd < 0) {
		int err = open_text(&fresh, replaceable, at, path);

		if (err < 0)
			return err;
		f->fd = fresh.fd;
	}
	n = sm_file_read(f);
	if (n == -ENODEV || n == -ENOENT)
		sm_base_close_fd(&f->fd);
	return n;
}

static void supply_path(char *path, const char *name, const char *attribute)
{
	snprintf(path, PATH_CAP, CLASS "/%s/%s", name, attribute);
}

/* ---- reading ---- */

static ssize_t read_battery_text(const struct sm_root *root, struct sm_battery *t)
{
	char path[PATH_CAP];

	if (t->legacy) {
		snprintf(path, sizeof(path), LEGACY "/%s/state", t->name);
		return read_text(&t->file, &t->replaceable, root->proc, path);
	}
	supply_path(path, t->name, "uevent");
	return read_text(&t->file, &t->replaceable, root->sys, path);
}

/* The kernel's interface defines a negative current as a discharge. */
static void correct_status(const struct sm_batteries *b, struct sm_battery *t)
{
	t->mislabelled = t->status != SM_BATTERY_CHARGING &&
			 t->status != SM_BATTERY_DISCHARGING && t->has_rate &&
			 t->rate_negative && !sm_battery_on_mains(b);
	if (t->mislabelled)
		t->status = SM_BATTERY_DISCHARGING;
}

/* If the text cannot be read, all values are absent. */
static void read_battery(struct sm_batteries *b, struct sm_battery *t, uint64_t now_ns)
{
	ssize_t n = read_battery_text(b->root, t);
	struct sm_str s = n > 0 ? (struct sm_str){t->file.buf, (size_t)n} : SM_STR("");
	int err = t->legacy ? sm_battery_text_legacy(t, s.p, s.n)
			    : sm_battery_text_uevent(t, s.p, s.n);

	t->error = n < 0 ? (int)n : err;
	if (t->error < 0)
		t->present = false;
	correct_status(b, t);
	sm_battery_level_update(t, now_ns);
}

static void read_supply(const struct sm_root *root, struct sm_supply *s)
{
	struct sm_battery t = {0};
	char path[PATH_CAP];
	ssize_t n;

	supply_path(path, s->name, "uevent");
	n = read_text(&s->file, &s->replaceable, root->sys, path);
	s->online = n > 0 && sm_battery_text_uevent(&t, s->file.buf, (size_t)n) == 0 &&
		    t.online;
}

/* ---- finding batteries ---- */

struct scan {
	struct sm_batteries *b;
	uint64_t now_ns; /* 0 at the opening: the level starts with the first reading */
	int error;	 /* error of the first supply that could not be read */
};

static struct sm_battery *battery_named(const struct sm_batteries *b, const char *name)
{
	for (unsigned int i = 0; i < b->n; i++)
		if (strcmp(b->battery[i].name, name) == 0)
			return &b->battery[i];
	return NULL;
}

static struct sm_supply *supply_named(const struct sm_batteries *b, const char *name)
{
	for (unsigned int i = 0; i < b->nsupplies; i++)
		if (strcmp(b->supply[i].name, name) == 0)
			return &b->supply[i];
	return NULL;
}

static int reserve_batteries(struct sm_batteries *b, unsigned int cap)
{
	struct sm_battery *t = realloc(b->battery, cap * sizeof(*t));

	if (!t)
		return -ENOMEM;
	b->battery = t;
	b->cap = cap;
	return 0;
}

/* Finds a free slot or adds one.  -ENOSPC: once open, the array must not move. */
static int battery_slot(struct sm_batteries *b, struct sm_battery **slot)
{
	*slot = battery_named(b, "");
	if (*slot)
		return 0;
	if (b->n == b->cap && b->opened)
		return -ENOSPC;
	if (b->n == b->cap && reserve_batteries(b, b->n + HOT_SLOTS) < 0)
		return -ENOMEM;
	*slot = &b->battery[b->n++];
	return 0;
}

static struct sm_supply *supply_slot(struct sm_batteries *b)
{
	struct sm_supply *s = supply_named(b, "");

	if (s)
		return s;
	s = realloc(b->supply, (b->nsupplies + 1) * sizeof(*s));
	if (!s)
		return NULL;
	b->supply = s;
	return &s[b->nsupplies++];
}

static int keep_battery(struct scan *c, const struct sm_battery *found)
{
	struct sm_battery *t;
	int err = battery_slot(c->b, &t);

	if (err < 0)
		return err;
	*t = *found;
	t->listed = true;
	if (c->now_ns)
		correct_status(c->b, t);
	if (!t->system) /* a read would wake a peripheral's radio */
		sm_file_close(&t->file);
	else if (c->now_ns)
		sm_battery_level_update(t, c->now_ns);
	return 0;
}

static int keep_supply(struct scan *c, const struct sm_battery *found)
{
	struct sm_supply *s = supply_slot(c->b);

	if (!s)
		return -ENOMEM;
	*s = (struct sm_supply){.online = found->online,
		.listed = true,
		.replaceable = found->replaceable,
		.file = found->file};
	memcpy(s->name, found->name, sizeof(s->name));
	return 0;
}

/* Takes ownership of found's file. */
static int keep(struct scan *c, struct sm_battery *found)
{
	int err = 0;

	if (found->type == SM_BATTERY_TYPE_BATTERY)
		err = keep_battery(c, found);
	else if (found->type == SM_BATTERY_TYPE_MAINS && !found->peripheral)
		err = keep_supply(c, found);
	else
		sm_file_close(&found->file);
	if (err < 0)
		sm_file_close(&found->file);
	c->b->left_out += err == -ENOSPC;
	return err == -ENOSPC ? 0 : err;
}

/* Before Linux 5.8 the type is only in its own file; uevent, read later, overrides it. */
static void read_property(
	struct sm_battery *t, struct sm_at sys, const char *file, const char *key)
{
	char path[PATH_CAP], text[32], uevent[80];
	int n, ignored;

	supply_path(path, t->name, file);
	if (!sm_sysfs_text(sys, path, text, sizeof(text)))
		return;
	n = snprintf(uevent, sizeof(uevent), "POWER_SUPPLY_%s=%s\n", key, text);
	ignored = sm_battery_text_uevent(t, uevent, (size_t)n);
	(void)ignored;
}

static bool set_name(struct sm_battery *t, const char *name)
{
	size_t n = strlen(name);

	*t = (struct sm_battery){.file = SM_FILE_INIT};
	if (n >= sizeof(t->name))
		return false;
	memcpy(t->name, name, n);
	return true;
}

static void fail(struct scan *c, struct sm_battery *found, int err)
{
	if (c->error == 0)
		c->error = err;
	sm_file_close(&found->file);
}

static int see_supply(void *ctx, const char *name)
{
	struct sm_battery *known = battery_named(((struct scan *)ctx)->b, name);
	struct sm_supply *supply = supply_named(((struct scan *)ctx)->b, name);
	const struct sm_root *root = ((struct scan *)ctx)->b->root;
	struct sm_battery found;
	ssize_t n;

	if (known && !known->legacy)
		known->listed = true;
	if (supply)
		supply->listed = true;
	if ((known && !known->legacy) || supply || !set_name(&found, name))
		return 0;
	read_property(&found, root->sys, "type", "TYPE");
	read_property(&found, root->sys, "scope", "SCOPE");
	n = read_battery_text(root, &found);
	if (n < 0) {
		fail(ctx, &found, (int)n);
		return 0;
	}
	found.error = sm_battery_text_uevent(&found, found.file.buf, (size_t)n);
	return keep(ctx, &found);
}

static int see_legacy(void *ctx, const char *name)
{
	struct scan *c = ctx;
	struct sm_battery found;
	char path[PATH_CAP], text[TEXT_CAP];
	ssize_t n;
	int err;

	if (battery_named(c->b, name) || !set_name(&found, name))
		return 0;
	found.legacy = true;
	snprintf(path, sizeof(path), LEGACY "/%s/info", name);
	n = sm_file_slurp(c->b->root->proc, path, text, sizeof(text));
	err = n > 0 ? sm_battery_text_legacy(&found, text, (size_t)n) : 0;
	n = read_battery_text(c->b->root, &found);
	if (n >= 0)
		err = sm_battery_text_legacy(&found, found.file.buf, (size_t)n);
	if (n < 0 || err < 0) {
		fail(c, &found, n < 0 ? (int)n : err);
		return 0;
	}
	return keep(c, &found);
}

static unsigned int count(const struct sm_batteries *b, bool legacy)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < b->n; i++)
		n += b->battery[i].system && b->battery[i].legacy == legacy;
	return n;
}

/* Drops supplies that are no longer listed.  A system battery keeps its index. */
static void drop_unlisted(struct sm_batteries *b)
{
	for (unsigned int i = 0; i < b->n; i++) {
		struct sm_battery *t = &b->battery[i];

		if (!t->listed && !t->system)
			t->name[0] = '\0';
		t->listed = false;
	}
	for (unsigned int i = 0; i < b->nsupplies; i++) {
		struct sm_supply *s = &b->supply[i];

		if (!s->listed) {
			sm_file_close(&s->file);
			*s = (struct sm_supply){.file = SM_FILE_INIT};
		}
		s->listed = false;
	}
}

/* Drops batteries of /proc/acpi, which the class also lists. */
static void drop_legacy(struct sm_batteries *b)
{
	for (unsigned int i = 0; i < b->n; i++) {
		struct sm_battery *t = &b->battery[i];

		if (!t->legacy)
			continue;
		sm_file_close(&t->file);
		*t = (struct sm_battery){.file = SM_FILE_INIT};
	}
}

static int scan(struct sm_batteries *b, uint64_t now_ns)
{
	struct scan c = {.b = b, .now_ns = now_ns};
	int err;

	b->left_out = 0;
	err = sm_sysfs_each(b->root->sys, CLASS, see_supply, &c);
	if (err == 0)
		drop_unlisted(b);
	if (err == -ENOMEM)
		return err;
	if (count(b, false))
		drop_legacy(b);
	else
		err = sm_sysfs_each(b->root->proc, LEGACY, see_legacy, &c);
	return err == -ENOMEM ? err : c.error;
}

static int by_name(const void *a, const void *b)
{
	const struct sm_battery *x = a, *y = b;

	return strverscmp(x->name, y->name);
}

int sm_battery_open(struct sm_batteries *b, const struct sm_root *root)
{
	int err;

	*b = (struct sm_batteries){.root = root, .every_ns = READ_EVERY_NS};
	err = scan(b, 0);
	if (b->n && err != -ENOMEM)
		err = reserve_batteries(b, b->n + HOT_SLOTS);
	/* Directories are not sorted; after this, indices are fixed. */
	if (b->n)
		qsort(b->battery, b->n, sizeof(*b->battery), by_name);
	for (unsigned int i = 0; i < b->n; i++)
		correct_status(b, &b->battery[i]);
	b->opened = b->n && err == 0;
	if (b->opened)
		return 0;
	sm_battery_close(b);
	return err < 0 ? err : -ENOENT;
}

/* ---- the reading ---- */

static bool is_due(const struct sm_batteries *b, uint64_t now_ns)
{
	return !b->has_read || now_ns + READ_SLACK_NS >= b->due_ns;
}

/* Counts from the last due time, not from the reading, so that slack does not add up. */
static void set_due(struct sm_batteries *b, uint64_t now_ns)
{
	uint64_t min_ns = now_ns + b->every_ns - READ_SLACK_NS;

	b->due_ns += b->every_ns;
	if (!b->has_read || b->due_ns < min_ns)
		b->due_ns = now_ns + b->every_ns;
	if (!b->has_read)
		b->scan_ns = now_ns;
	b->has_read = true;
	b->read_ns = now_ns;
}

/* Returns whether a battery that could be read before has failed. */
static bool read_all(struct sm_batteries *b, uint64_t now_ns)
{
	bool lost = false;

	for (unsigned int i = 0; i < b->nsupplies; i++)
		if (b->supply[i].name[0])
			read_supply(b->root, &b->supply[i]);
	for (unsigned int i = 0; i < b->n; i++) {
		struct sm_battery *t = &b->battery[i];
		bool fine = t->error == 0;

		if (!t->system)
			continue;
		read_battery(b, t, now_ns);
		lost |= fine && t->error < 0;
	}
	return lost;
}

int sm_battery_read(struct sm_batteries *b, uint64_t now_ns)
{
	bool lost;

	if (!is_due(b, now_ns))
		return 0;
	set_due(b, now_ns);
	lost = read_all(b, now_ns);
	if (lost || now_ns - b->scan_ns >= SCAN_EVERY_NS) {
		int err = scan(b, now_ns);

		b->scan_ns = now_ns;
		if (err == -ENOMEM)
			return err;
	}
	return 1;
}

bool sm_battery_discharges(const struct sm_battery *t)
{
	return t->system && t->present && t->error == 0 &&
	       t->status == SM_BATTERY_DISCHARGING;
}

static bool gauge_discharges(const struct sm_batteries *b)
{
	for (unsigned int i = 0; i < b->n; i++)
		if (b->battery[i].is_gauge && sm_battery_discharges(&b->battery[i]))
			return true;
	return false;
}

bool sm_battery_feeds(const struct sm_batteries *b, const struct sm_battery *t)
{
	return sm_battery_discharges(t) && (t->is_gauge || !gauge_discharges(b));
}

bool sm_battery_by_design(const struct sm_battery *t)
{
	if (!t->voltage_is_design)
		return false;
	return t->has_rate ? t->rate_of_current
			   : t->has_level && t->level_from != SM_BATTERY_ENERGY;
}

bool sm_battery_has_figure(const struct sm_battery *t)
{
	return t->has_rate || t->has_energy ||
	       ((t->has_charge || t->has_counter) && t->has_voltage);
}

void sm_battery_why_not(const struct sm_battery *t, struct sm_buf *b)
{
	if (t->odd)
		sm_buf_printf(b, "reports an implausible %s (%llu %s)", t->odd,
			(unsigned long long)t->odd_value, t->odd_unit);
	else if (t->above_full)
		sm_buf_str(b, "reports a level above its capacity, and no rate");
	else if (t->has_charge || t->has_counter)
		sm_buf_str(b, "reports a charge, but no rate and no voltage");
	else
		sm_buf_str(b, "reports neither rate nor level");
}

unsigned int sm_battery_discharging(const struct sm_batteries *b)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < b->n; i++)
		n += sm_battery_discharges(&b->battery[i]);
	return n;
}

bool sm_battery_on_mains(const struct sm_batteries *b)
{
	for (unsigned int i = 0; i < b->nsupplies; i++)
		if (b->supply[i].online)
			return true;
	return false;
}

void sm_battery_close(struct sm_batteries *b)
{
	for (unsigned int i = 0; i < b->n; i++)
		sm_file_close(&b->battery[i].file);
	for (unsigned int i = 0; i < b->nsupplies; i++)
		sm_file_close(&b->supply[i].file);
	free(b->battery);
	free(b->supply);
	*b = (struct sm_batteries){0};
}

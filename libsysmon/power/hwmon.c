// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/parse.h"
#include "kernel/sysfs.h"
#include "power/hwmon.h"

#define CLASS		 "class/hwmon"
#define PATH_CAP	 128u
#define DIR_CAP		 64u
#define UW_MAX		 UINT64_C(1000000000000) /* 1 MW; ACPI's "unknown" is 4.3 MW */
#define COUNTER_UW_MAX	 UINT64_C(100000000000)	 /* 100 kW; more is a restart */
#define COUNTER_UJ_SLACK UINT64_C(1000000)	 /* energy of a single update */

/* ---- attributes ---- */

/* Splits power12_average into "power", the channel and "_average". */
static bool split_name(
	const char *name, const char *kind, const char *suffix, unsigned int *channel)
{
	struct sm_str s = {name, strlen(name)};
	char head[24];

	if (s.n <= strlen(suffix) || s.n - strlen(suffix) >= sizeof(head) ||
		strcmp(name + s.n - strlen(suffix), suffix) != 0)
		return false;
	snprintf(head, sizeof(head), "%.*s", (int)(s.n - strlen(suffix)), name);
	return sm_sysfs_number(head, kind, channel);
}

struct scan {
	struct sm_hwmon *h;
	struct sm_at sys;
	unsigned int number; /* hwmonN */
	char dir[DIR_CAP];
	char chip[SM_HWMON_NAME_MAX];
};

static struct sm_hwmon_sensor *find(
	const struct scan *c, unsigned int channel, bool energy)
{
	for (unsigned int i = 0; i < c->h->n; i++) {
		struct sm_hwmon_sensor *s = &c->h->sensor[i];

		if (s->number == c->number && s->channel == channel &&
			s->energy == energy)
			return s;
	}
	return NULL;
}

static int add_channel(struct scan *c, unsigned int channel, bool energy)
{
	int err;

	if (find(c, channel, energy))
		return 0;
	err = sm_array_reserve(
		&c->h->sensor, &c->h->cap, c->h->n + 1, sizeof(*c->h->sensor));
	if (err < 0)
		return err;
	c->h->sensor[c->h->n] = (struct sm_hwmon_sensor){.number = c->number,
		.channel = channel,
		.energy = energy,
		.error = -ENODATA,
		.file = SM_FILE_INIT,
		.suspend = SM_FILE_INIT};
	memcpy(c->h->sensor[c->h->n].chip, c->chip, sizeof(c->chip));
	c->h->n++;
	return 0;
}

static int see_attribute(void *ctx, const char *name)
{
	unsigned int channel;

	if (split_name(name, "power", "_average", &channel) ||
		split_name(name, "power", "_input", &channel))
		return add_channel(ctx, channel, false);
	if (split_name(name, "energy", "_input", &channel))
		return add_channel(ctx, channel, true);
	return 0;
}

/* ---- one sensor ---- */

static bool is_system(const struct sm_hwmon_sensor *s)
{
	static const struct {
		const char *chip, *label;
	} known[] = {
		{"ibmpowernv", "System"},
		{"macsmc_hwmon", "Total System Power"},
		{"corsairpsu", "power total"},
	};

	if (strcmp(s->chip, "power_meter") == 0)
		return true;
	for (size_t i = 0; i < SM_ARRAY_SIZE(known); i++)
		if (strcmp(s->chip, known[i].chip) == 0 &&
			strcmp(s->base, known[i].label) == 0)
			return true;
	return false;
}

static bool is_suspended(const struct sm_hwmon_sensor *s)
{
	static const char word[] = "suspended";
	char text[sizeof(word)];

	return s->suspend.fd >= 0 &&
	       pread(s->suspend.fd, text, sizeof(text), 0) == (ssize_t)sizeof(text) &&
	       memcmp(text, word, sizeof(word) - 1) == 0;
}

static int read_value(const struct sm_hwmon_sensor *s, uint64_t *v)
{
	int err = is_suspended(s) ? -EAGAIN : sm_sysfs_read_u64(s->file.fd, v);

	if (err < 0)
		return err;
	return !s->energy && *v > UW_MAX ? -ERANGE : 0;
}

static int open_attribute(
	struct sm_hwmon_sensor *s, const struct scan *c, const char *suffix)
{
	char path[PATH_CAP];
	uint64_t v;
	int err;

	snprintf(s->attribute, sizeof(s->attribute), "%s%u%s",
		s->energy ? "energy" : "power", s->channel, suffix);
	snprintf(path, sizeof(path), "%s/%s", c->dir, s->attribute);
	sm_file_close(&s->file);
	err = sm_file_open(&s->file, c->sys, path);
	return err < 0 ? err : read_value(s, &v);
}

/* Opens the average; if it has no value, the input; if that is missing, the average. */
static void open_sensor(struct sm_hwmon_sensor *s, const struct scan *c)
{
	if (s->energy) {
		s->error = open_attribute(s, c, "_input");
		return;
	}
	s->error = open_attribute(s, c, "_average");
	if (s->error == 0)
		return;
	s->error = open_attribute(s, c, "_input");
	if (s->error == -ENOENT)
		s->error = open_attribute(s, c, "_average");
}

static void describe_sensor(struct sm_hwmon_sensor *s, const struct scan *c)
{
	const char *kind = s->energy ? "energy" : "power";
	char path[PATH_CAP];

	snprintf(path, sizeof(path), "%s/%s%u_label", c->dir, kind, s->channel);
	s->has_label = sm_sysfs_text(c->sys, path, s->base, SM_HWMON_NAME_MAX);
	if (!s->has_label)
		snprintf(s->base, sizeof(s->base), "%s-%s%u", s->chip, kind, s->channel);
	snprintf(path, sizeof(path), "%s/power%u_average_interval", c->dir, s->channel);
	if (s->energy || sm_file_read_u64(c->sys, path, &s->interval_ms) < 0)
		s->interval_ms = 0;
	snprintf(path, sizeof(path), CLASS "/hwmon%u/device/power/runtime_status",
		c->number);
	if (sm_hwmon_is_gpu(s))
		(void)!sm_file_open(&s->suspend, c->sys, path);
}

/* ---- scopes ---- */

/* Returns whether the label is the stem with or without a number ("pin", "pin2"). */
static bool is_numbered(const char *label, const char *stem)
{
	size_t n = strlen(stem);

	return strncmp(label, stem, n) == 0 &&
	       label[n + strspn(label + n, "0123456789")] == '\0';
}

/* A driver can report both the energy and the power of a channel. */
static bool same_channel(const struct sm_hwmon_sensor *a, const struct sm_hwmon_sensor *b)
{
	return a->channel == b->channel && a->energy != b->energy &&
	       (strcmp(a->base, b->base) == 0 || (!a->has_label && !b->has_label));
}

/* Sensors with this label get the scope; all others of the chip are inside them. */
static bool select_label(struct sm_hwmon_sensor *s, unsigned int n, const char *stem,
	enum sm_hwmon_scope scope)
{
	bool any = false;

	for (unsigned int i = 0; i < n; i++)
		any = any || is_numbered(s[i].base, stem);
	for (unsigned int i = 0; any && i < n; i++)
		if (s[i].scope == SM_HWMON_UNKNOWN)
			s[i].scope =
				is_numbered(s[i].base, stem) ? scope : SM_HWMON_INSIDE;
	return any;
}

/* If a channel has energy and power, the energy is used, which is more exact. */
static unsigned int drop_second(struct sm_hwmon_sensor *s, unsigned int n)
{
	unsigned int left = n;

	for (unsigned int i = 0; i < n; i++)
		for (unsigned int k = 0; k < n; k++)
			if (s[k].energy && same_channel(&s[i], &s[k])) {
				s[s[k].error ? k : i].scope = SM_HWMON_INSIDE;
				left--;
			}
	return left;
}

/* Sets the scopes of the n sensors of one chip. */
static void set_scopes(struct sm_hwmon_sensor *s, unsigned int n)
{
	static const struct {
		const char *stem;
		enum sm_hwmon_scope scope;
	} rules[] = {{"pin", SM_HWMON_SUPPLY}, {"Esocket", SM_HWMON_DEVICE},
		{"card", SM_HWMON_DEVICE}, {"pkg", SM_HWMON_DEVICE}};
	bool system = false, part = n && strncmp(s->chip, "i915_gt", 7) == 0;
	bool only;

	for (unsigned int i = 0; i < n; i++) {
		s[i].scope = is_system(&s[i]) ? SM_HWMON_SYSTEM : SM_HWMON_UNKNOWN;
		system |= s[i].scope == SM_HWMON_SYSTEM;
	}
	only = drop_second(s, n) == 1;
	for (unsigned int i = 0; i < n; i++)
		if (s[i].scope == SM_HWMON_UNKNOWN && (system || part || only))
			s[i].scope = system || part ? SM_HWMON_INSIDE : SM_HWMON_DEVICE;
	for (size_t i = 0; i < SM_ARRAY_SIZE(rules); i++)
		if (select_label(s, n, rules[i].stem, rules[i].scope))
			return;
}

/* Only sensors of one scope are added up: a power supply also feeds the cards. */
static void count_widest(struct sm_hwmon *h)
{
	enum sm_hwmon_scope widest = SM_HWMON_DEVICE;

	for (unsigned int i = 0; i < h->n; i++)
		if (h->sensor[i].scope < widest)
			widest = h->sensor[i].scope;
	for (unsigned int i = 0; i < h->n; i++)
		h->sensor[i].counted = h->sensor[i].scope == widest;
}

/* ---- the chips ---- */

/* Finds the directory that contains the chip's name, and with it the attributes. */
static bool find_dir(struct scan *c, const char *below)
{
	char path[PATH_CAP];

	snprintf(c->dir, sizeof(c->dir), CLASS "/hwmon%u%s", c->number, below);
	snprintf(path, sizeof(path), "%s/name", c->dir);
	return sm_sysfs_text(c->sys, path, c->chip, sizeof(c->chip));
}

/* Since Linux 6.9, each battery is also a hwmon chip. */
static bool of_power_supply(const struct scan *c)
{
	char path[PATH_CAP], type[32];

	snprintf(path, sizeof(path), "class/power_supply/%s/type", c->chip);
	return sm_sysfs_text(c->sys, path, type, sizeof(type));
}

static int see_chip(void *ctx, const char *name)
{
	struct scan *c = ctx;
	unsigned int first = c->h->n;
	int err;

	if (!sm_sysfs_number(name, "hwmon", &c->number))
		return 0;
	if (!find_dir(c, "") && !find_dir(c, "/device") && !find_dir(c, ""))
		snprintf(c->chip, sizeof(c->chip), "hwmon%u", c->number);
	if (of_power_supply(c))
		return 0;
	err = sm_sysfs_each(c->sys, c->dir, see_attribute, c);
	for (unsigned int i = first; i < c->h->n; i++) {
		describe_sensor(&c->h->sensor[i], c);
		open_sensor(&c->h->sensor[i], c);
	}
	if (c->h->n > first)
		set_scopes(&c->h->sensor[first], c->h->n - first);
	return err == -ENOMEM ? err : 0; /* a removed chip is not an error */
}

static int by_place(const void *a, const void *b)
{
	const struct sm_hwmon_sensor *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->energy != y->energy)
		return x->energy ? 1 : -1;
	return (x->channel > y->channel) - (x->channel < y->channel);
}

int sm_hwmon_open(struct sm_hwmon *h, const struct sm_root *root)
{
	static const struct sm_sysfs_labels labels =
		SM_SYSFS_LABELS(struct sm_hwmon_sensor, base);
	struct scan c = {.h = h, .sys = root->sys};
	int err;

	*h = (struct sm_hwmon){0};
	err = sm_sysfs_each(root->sys, CLASS, see_chip, &c);
	if (err == 0 && h->n == 0)
		err = -ENOENT;
	if (err < 0) {
		sm_hwmon_close(h);
		return err;
	}
	qsort(h->sensor, h->n, sizeof(*h->sensor), by_place);
	sm_sysfs_labels(h->sensor, h->n, &labels);
	count_widest(h);
	return 0;
}

/* ---- reading ---- */

static bool plausible(uint64_t uj, uint64_t ns)
{
	double max_uj = (double)ns / (double)SM_NSEC_PER_SEC * (double)COUNTER_UW_MAX;

	return (double)uj <= max_uj + (double)COUNTER_UJ_SLACK;
}

void sm_hwmon_count(struct sm_hwmon_sensor *s, uint64_t uj, uint64_t now_ns)
{
	uint64_t more = uj - s->value, ns = now_ns - s->read_ns;

	if (s->has_base && plausible(more, ns)) {
		s->energy_uj += more;
		s->covered_ns += ns;
	} else if (s->has_base) {
		s->rebased++;
	}
	s->has_base = true;
	s->value = uj;
	s->read_ns = now_ns;
}

static void read_sensor(struct sm_hwmon_sensor *s)
{
	uint64_t v, at_ns;

	if (s->file.fd < 0)
		return;
	s->error = s->energy ? sm_sysfs_read_timely(s->file.fd, &v, &at_ns)
			     : read_value(s, &v);
	if (s->error < 0)
		return;
	if (s->energy)
		sm_hwmon_count(s, v, at_ns);
	else {
		s->value = v;
		s->read_ns = sm_clock_mono_ns();
	}
}

int sm_hwmon_read(struct sm_hwmon *h)
{
	int good = 0;

	for (unsigned int i = 0; i < h->n; i++) {
		read_sensor(&h->sensor[i]);
		good += h->sensor[i].error == 0;
	}
	return good;
}

bool sm_hwmon_is_gpu(const struct sm_hwmon_sensor *s)
{
	static const char *const chips[] = {"amdgpu", "i915", "xe", "nouveau", "radeon"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(chips); i++)
		if (strcmp(s->chip, chips[i]) == 0)
			return true;
	return false;
}

bool sm_hwmon_is_system(const struct sm_hwmon *h)
{
	for (unsigned int i = 0; i < h->n; i++)
		if (h->sensor[i].scope == SM_HWMON_SYSTEM)
			return true;
	return false;
}

void sm_hwmon_close(struct sm_hwmon *h)
{
	for (unsigned int i = 0; i < h->n; i++) {
		sm_file_close(&h->sensor[i].file);
		sm_file_close(&h->sensor[i].suspend);
	}
	free(h->sensor);
	*h = (struct sm_hwmon){0};
}

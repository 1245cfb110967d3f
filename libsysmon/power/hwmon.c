// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/parse.h"
#include "power/hwmon.h"
#include "power/hwmon_rules.h"
#include "proc/sysfs.h"

#define CLASS	 "class/hwmon"
#define PATH_CAP 128u
#define DIR_CAP	 64u
/* More is a restart: 100 kW.  The limits of a chip are not bounds: power*_max and _crit
 * are thresholds of alarms; _cap and _rated_max hold for the mean power of a time that
 * only the firmware knows. */
#define COUNTER_UW_MAX	 UINT64_C(100000000000)
#define COUNTER_UJ_SLACK UINT64_C(1000000) /* energy of a single update */
/* A counter that stands still while its channel draws power is replaced after this time
 * and energy; the largest unit of a counter is 1 J. */
#define STILL_NS  SM_NSEC_PER_SEC
#define STILL_UJ  2e6
#define RAILS	  3u		    /* channels of an INA3221 */
#define SLOW_MS	  100u		    /* a shorter average counts as instantaneous */
#define MILLI_MAX UINT64_C(1000000) /* 1 kV, 1 kA */

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
		.partner = -1,
		.error = -ENODATA,
		.file = SM_FILE_INIT,
		.current = SM_FILE_INIT,
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

/* The rails of a chip without power sensors. */
static int see_voltage(void *ctx, const char *name)
{
	struct scan *c = ctx;
	unsigned int channel;
	int err;

	if (!split_name(name, "in", "_input", &channel) || channel < 1 || channel > RAILS)
		return 0;
	err = add_channel(c, channel, false);
	if (!err)
		find(c, channel, false)->product = true;
	return err;
}

/* ---- one sensor ---- */

static bool is_suspended(const struct sm_hwmon_sensor *s)
{
	static const char word[] = "suspended";
	char text[sizeof(word)];

	return s->suspend.fd >= 0 &&
	       pread(s->suspend.fd, text, sizeof(text), 0) == (ssize_t)sizeof(text) &&
	       memcmp(text, word, sizeof(word) - 1) == 0;
}

static int read_product(const struct sm_hwmon_sensor *s, uint64_t *uw)
{
	uint64_t mv;
	int64_t ma;
	int err = sm_sysfs_read_u64(s->file.fd, &mv);

	if (!err)
		err = sm_sysfs_read_i64(s->current.fd, &ma);
	if (err)
		return err;
	/* The offset of the amplifier can be negative without a load. */
	if (ma < 0)
		ma = 0;
	if (mv > MILLI_MAX || (uint64_t)ma > MILLI_MAX)
		return -ERANGE;
	*uw = mv * (uint64_t)ma;
	return 0;
}

/* Returns -ENODATA or -ERANGE if the power cannot be true. */
static int check_power(struct sm_hwmon_sensor *s, uint64_t uw)
{
	s->zero = uw == 0 && s->scope <= SM_HWMON_SUPPLY;
	s->zeros += s->zero;
	if (s->zero)
		return -ENODATA;
	if (uw <= SM_HWMON_UW_MAX)
		return 0;
	s->excesses++;
	s->excess_uw = uw;
	return -ERANGE;
}

static int read_value(struct sm_hwmon_sensor *s, uint64_t *v)
{
	int err;

	s->zero = false;
	if (is_suspended(s))
		return -EAGAIN;
	err = s->product ? read_product(s, v) : sm_sysfs_read_u64(s->file.fd, v);
	if (err || s->energy)
		return err;
	return check_power(s, *v);
}

static int open_file(struct sm_file *f, const struct scan *c, const char *attribute)
{
	char path[PATH_CAP];

	snprintf(path, sizeof(path), "%s/%s", c->dir, attribute);
	sm_file_close(f);
	return sm_file_open(f, c->sys, path);
}

static int open_attribute(
	struct sm_hwmon_sensor *s, const struct scan *c, const char *suffix)
{
	int err;

	snprintf(s->attribute, sizeof(s->attribute), "%s%u%s",
		s->energy ? "energy" : "power", s->channel, suffix);
	err = open_file(&s->file, c, s->attribute);
	return err < 0 ? err : read_value(s, &s->value);
}

static int open_product(struct sm_hwmon_sensor *s, const struct scan *c)
{
	char name[32];
	int err;

	snprintf(name, sizeof(name), "in%u_input", s->channel);
	err = open_file(&s->file, c, name);
	snprintf(name, sizeof(name), "curr%u_input", s->channel);
	if (!err)
		err = open_file(&s->current, c, name);
	snprintf(s->attribute, sizeof(s->attribute), "in%u * curr%u", s->channel,
		s->channel);
	return err < 0 ? err : read_value(s, &s->value);
}

/* Opens the average; if it has no value, the input; if that is missing, the average. */
static void open_sensor(struct sm_hwmon_sensor *s, const struct scan *c)
{
	if (s->energy) {
		s->error = open_attribute(s, c, "_input");
		return;
	}
	if (s->product) {
		s->error = open_product(s, c);
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
	const char *kind = s->product ? "in" : s->energy ? "energy" : "power";
	char path[PATH_CAP];

	snprintf(path, sizeof(path), "%s/%s%u_label", c->dir, kind, s->channel);
	s->has_label = sm_sysfs_text(c->sys, path, s->base, SM_HWMON_NAME_MAX);
	if (!s->has_label)
		snprintf(s->base, sizeof(s->base), "%s-%s%u", s->chip, kind, s->channel);
	snprintf(path, sizeof(path), CLASS "/hwmon%u/device/power/runtime_status",
		c->number);
	if (sm_hwmon_is_gpu(s))
		(void)!sm_file_open(&s->suspend, c->sys, path);
}

/* Chips whose update interval is the time over which they average (ina2xx.rst,
 * ina3221.rst). */
static bool averages_updates(const struct scan *c)
{
	static const char *const chips[] = {
		"ina226", "ina230", "ina231", "ina260", "ina3221"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(chips); i++)
		if (strcmp(c->chip, chips[i]) == 0)
			return true;
	return false;
}

static uint64_t interval_ms(const struct scan *c, const char *file)
{
	char path[PATH_CAP];
	uint64_t ms;

	snprintf(path, sizeof(path), "%s/%s", c->dir, file);
	return sm_file_read_u64(c->sys, path, &ms) < 0 ? 0 : ms;
}

/* An input is instantaneous even if the chip can average, except if it averages slowly.
 */
static void read_interval(struct sm_hwmon_sensor *s, const struct scan *c)
{
	char average[sizeof(s->attribute)], interval[64];

	snprintf(average, sizeof(average), "power%u_average", s->channel);
	snprintf(interval, sizeof(interval), "%s_interval", average);
	s->interval_ms = 0;
	if (strcmp(s->attribute, average) == 0)
		s->interval_ms = interval_ms(c, interval);
	else if (!s->energy && averages_updates(c))
		s->interval_ms = interval_ms(c, "update_interval");
	if (strcmp(s->attribute, average) != 0 && s->interval_ms < SLOW_MS)
		s->interval_ms = 0;
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

/* Returns 1 if the device of the chip belongs to the class power_supply, 0 if it belongs
 * to another subsystem, -1 if the subsystem is unknown. */
static int in_power_supply(const struct scan *c)
{
	static const char class[] = "/power_supply";
	char path[PATH_CAP], to[256];
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), CLASS "/hwmon%u/device", c->number);
	fd = sm_at_open(c->sys, path, O_PATH | O_DIRECTORY);
	if (fd >= 0)
		n = readlinkat(fd, "subsystem", to, sizeof(to));
	sm_base_close_fd(&fd);
	if (n < (ssize_t)sizeof(class) - 1)
		return n < 0 ? -1 : 0;
	return memcmp(to + n - (sizeof(class) - 1), class, sizeof(class) - 1) == 0;
}

/* Since Linux 5.2, each power supply is also a hwmon chip; only power supplies have a
 * type. */
static bool of_power_supply(const struct scan *c)
{
	char path[PATH_CAP], type[32];
	int known = in_power_supply(c);

	if (known >= 0)
		return known;
	snprintf(path, sizeof(path), CLASS "/hwmon%u/device/type", c->number);
	return sm_sysfs_text(c->sys, path, type, sizeof(type));
}

/* The first reading does not belong to the run. */
static void check_first(struct sm_hwmon_sensor *s)
{
	if (!s->error && !s->energy)
		s->error = check_power(s, s->value);
	s->zeros = s->excesses = 0;
}

static void open_chip(const struct scan *c, unsigned int first)
{
	struct sm_hwmon_sensor *s = c->h->sensor + first;
	unsigned int n = c->h->n - first;

	for (unsigned int i = 0; i < n; i++) {
		describe_sensor(&s[i], c);
		s[i].scope = sm_hwmon_first_scope(&s[i]);
		open_sensor(&s[i], c);
		read_interval(&s[i], c);
	}
	sm_hwmon_set_scopes(s, n);
	for (unsigned int i = 0; i < n; i++)
		check_first(&s[i]);
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
	if (!err && c->h->n == first && strcmp(c->chip, "ina3221") == 0)
		err = sm_sysfs_each(c->sys, c->dir, see_voltage, c);
	if (c->h->n > first)
		open_chip(c, first);
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

static void pair(struct sm_hwmon *h)
{
	for (unsigned int i = 0; i < h->n; i++)
		for (unsigned int k = 0; k < h->n; k++)
			if (h->sensor[i].number == h->sensor[k].number &&
				sm_hwmon_same_channel(&h->sensor[i], &h->sensor[k]))
				h->sensor[i].partner = (int)k;
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
	pair(h);
	sm_hwmon_count_widest(h);
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

/* Returns the sensor that measures the power of the counter's channel, or NULL.
 */
static struct sm_hwmon_sensor *live_partner(
	struct sm_hwmon *h, const struct sm_hwmon_sensor *s)
{
	struct sm_hwmon_sensor *p = s->partner >= 0 ? &h->sensor[s->partner] : NULL;

	return p && !p->error && p->value ? p : NULL;
}

/* The power sensor takes the place of the counter. */
static void replace(struct sm_hwmon_sensor *s, struct sm_hwmon_sensor *power)
{
	power->scope = s->scope;
	power->counted = s->counted;
	s->scope = SM_HWMON_STILL;
	s->counted = false;
}

/* Returns whether a counter that has not advanced should have; then its time is covered
 * by its next advance. */
static bool stands_still(struct sm_hwmon *h, struct sm_hwmon_sensor *s, uint64_t now_ns)
{
	struct sm_hwmon_sensor *power = live_partner(h, s);
	double seconds = (double)(now_ns - s->read_ns) / (double)SM_NSEC_PER_SEC;

	if (power && s->scope < SM_HWMON_INSIDE && now_ns - s->read_ns >= STILL_NS &&
		(double)power->value * seconds >= STILL_UJ)
		replace(s, power);
	if (!power && s->scope > SM_HWMON_SUPPLY)
		return false;
	s->stood++;
	return true;
}

static void read_sensor(struct sm_hwmon *h, struct sm_hwmon_sensor *s)
{
	uint64_t v = 0, at_ns = 0;

	if (s->file.fd < 0)
		return;
	s->error = s->energy ? sm_sysfs_read_timely(s->file.fd, &v, &at_ns)
			     : read_value(s, &v);
	if (s->error < 0)
		return;
	if (!s->energy) {
		s->value = v;
		s->read_ns = sm_clock_mono_ns();
	} else if (!s->has_base || v != s->value || !stands_still(h, s, at_ns)) {
		sm_hwmon_count(s, v, at_ns);
	}
}

int sm_hwmon_read(struct sm_hwmon *h)
{
	int good = 0;

	for (unsigned int i = 0; i < h->n; i++) {
		read_sensor(h, &h->sensor[i]);
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

void sm_hwmon_reason(const struct sm_hwmon_sensor *s, struct sm_buf *b)
{
	if (s->zero)
		sm_buf_str(b, "reads 0 W");
	else if (s->error == -ERANGE && s->excess_uw)
		sm_buf_printf(b, "reads %.0f W, which is above the limit of %.0f W",
			(double)s->excess_uw * 1e-6, (double)SM_HWMON_UW_MAX * 1e-6);
	else
		sm_buf_str(b, strerror(-s->error));
}

void sm_hwmon_close(struct sm_hwmon *h)
{
	for (unsigned int i = 0; i < h->n; i++) {
		sm_file_close(&h->sensor[i].file);
		sm_file_close(&h->sensor[i].current);
		sm_file_close(&h->sensor[i].suspend);
	}
	free(h->sensor);
	*h = (struct sm_hwmon){0};
}

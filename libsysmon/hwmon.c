// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "clock.h"
#include "hwmon.h"
#include "parse.h"

#define CLASS	      "class/hwmon"
#define PATH_CAP      128u
#define DIR_CAP	      64u
#define SENSORS_FIRST 8u
#define UW_MAX	      UINT64_C(1000000000000) /* 1 MW; ACPI's "unknown" is 4.3 MW */
#define COUNTER_UW_MAX \
	UINT64_C(100000000000)		   /* 100 kW: more is no counter that went on */
#define COUNTER_UJ_SLACK UINT64_C(1000000) /* ... beside what one update brings */

/* ---- which attributes ---- */

/* "power", CHANNEL, "_average" of power12_average. */
static bool split_name(
	const char *name, const char *kind, const char *suffix, unsigned int *channel)
{
	struct sm_str s = {name, strlen(name)};
	char head[24];

	if (s.n <= strlen(suffix) || s.n - strlen(suffix) >= sizeof(head) ||
		strcmp(name + s.n - strlen(suffix), suffix) != 0)
		return false;
	snprintf(head, sizeof(head), "%.*s", (int)(s.n - strlen(suffix)), name);
	return sm_attr_number(head, kind, channel);
}

struct scan {
	struct sm_hwmon *h;
	int sys_fd;
	unsigned int number; /* of hwmonN */
	char dir[DIR_CAP];
	char chip[SM_HWMON_NAME_MAX];
};

/* Room for one more, at powers of two. */
static int grow(struct sm_hwmon *h)
{
	unsigned int cap = h->n ? h->n * 2 : SENSORS_FIRST;
	void *p;

	if (h->n && (h->n < SENSORS_FIRST || (h->n & (h->n - 1))))
		return 0;
	p = realloc(h->sensor, cap * sizeof(*h->sensor));
	if (!p)
		return -ENOMEM;
	h->sensor = p;
	return 0;
}

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
	err = grow(c->h);
	if (err < 0)
		return err;
	c->h->sensor[c->h->n] = (struct sm_hwmon_sensor){.number = c->number,
		.channel = channel,
		.energy = energy,
		.error = -ENODATA,
		.file = SM_FILE_INIT};
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

static int read_value(const struct sm_hwmon_sensor *s, uint64_t *v)
{
	int err = sm_attr_read_u64(s->file.fd, v);

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
	err = sm_file_open(&s->file, c->sys_fd, path);
	return err < 0 ? err : read_value(s, &v);
}

/* The input where it gives a value and the average does not; else the one that there is.
 */
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
	if (!sm_attr_text(c->sys_fd, path, s->base, SM_HWMON_NAME_MAX))
		snprintf(s->base, sizeof(s->base), "%s-%s%u", s->chip, kind, s->channel);
	snprintf(path, sizeof(path), "%s/power%u_average_interval", c->dir, s->channel);
	if (s->energy || sm_file_read_u64(c->sys_fd, path, &s->interval_ms) < 0)
		s->interval_ms = 0;
	s->system = is_system(s);
}

/* ---- the chips ---- */

/* Where the chip's name is, its attributes are. */
static bool find_dir(struct scan *c, const char *below)
{
	char path[PATH_CAP];

	snprintf(c->dir, sizeof(c->dir), CLASS "/hwmon%u%s", c->number, below);
	snprintf(path, sizeof(path), "%s/name", c->dir);
	return sm_attr_text(c->sys_fd, path, c->chip, sizeof(c->chip));
}

static int see_chip(void *ctx, const char *name)
{
	struct scan *c = ctx;
	unsigned int first = c->h->n;
	int err;

	if (!sm_attr_number(name, "hwmon", &c->number))
		return 0;
	if (!find_dir(c, "") && !find_dir(c, "/device") && !find_dir(c, ""))
		snprintf(c->chip, sizeof(c->chip), "hwmon%u", c->number);
	err = sm_attr_each(c->sys_fd, c->dir, see_attribute, c);
	for (unsigned int i = first; i < c->h->n; i++) {
		describe_sensor(&c->h->sensor[i], c);
		open_sensor(&c->h->sensor[i], c);
	}
	return err == -ENOMEM ? err : 0; /* a chip that goes away takes only itself */
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

static int label_sensors(struct sm_hwmon *h)
{
	struct sm_attr_label *l = calloc(h->n, sizeof(*l));

	if (!l)
		return -ENOMEM;
	for (unsigned int i = 0; i < h->n; i++) {
		struct sm_hwmon_sensor *s = &h->sensor[i];

		l[i] = (struct sm_attr_label){
			s->base, s->number, s->label, sizeof(s->label)};
	}
	sm_attr_labels(l, h->n);
	free(l);
	return 0;
}

int sm_hwmon_open(struct sm_hwmon *h, const struct sm_root *root)
{
	struct scan c = {.h = h, .sys_fd = root->sys_fd};
	int err;

	*h = (struct sm_hwmon){0};
	err = sm_attr_each(root->sys_fd, CLASS, see_chip, &c);
	if (err == 0 && h->n == 0)
		err = -ENOENT;
	if (err == 0) {
		qsort(h->sensor, h->n, sizeof(*h->sensor), by_place);
		err = label_sensors(h);
	}
	if (err < 0)
		sm_hwmon_close(h);
	return err;
}

/* ---- reading ---- */

/* At most what 100 kW bring in that time. */
static bool plausible(uint64_t uj, uint64_t ns)
{
	double most = (double)ns / (double)SM_NSEC_PER_SEC * (double)COUNTER_UW_MAX;

	return (double)uj <= most + (double)COUNTER_UJ_SLACK;
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
	uint64_t v;

	if (s->file.fd < 0)
		return;
	s->error = read_value(s, &v);
	if (s->error < 0)
		return;
	if (s->energy) {
		sm_hwmon_count(s, v, sm_mono_ns());
		return;
	}
	s->value = v;
	s->read_ns = sm_mono_ns();
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

void sm_hwmon_close(struct sm_hwmon *h)
{
	for (unsigned int i = 0; i < h->n; i++)
		sm_file_close(&h->sensor[i].file);
	free(h->sensor);
	*h = (struct sm_hwmon){0};
}

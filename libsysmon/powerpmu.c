// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "file.h"
#include "num.h"
#include "parse.h"
#include "perf.h"
#include "powerpmu.h"

#define PMU	     "bus/event_source/devices/power"
#define TEXT_CAP     4097u /* a sysfs attribute is at most a page */
#define DIGITS_MAX   18	   /* of a number that fits 64 bits whatever they are */
#define EXPONENT_MAX 300
#define PLACE_MAX    65535 /* of packages and dies */

static const struct {
	enum sm_rapl_kind kind;
	const char *event, *label;
} events[] = {
	{SM_RAPL_PACKAGE, "energy-pkg", "pkg"},
	{SM_RAPL_CORE, "energy-cores", "core"},
	{SM_RAPL_UNCORE, "energy-gpu", "uncore"},
	{SM_RAPL_DRAM, "energy-ram", "dram"},
	{SM_RAPL_PSYS, "energy-psys", "psys"},
};

/* ---- numbers ---- */

static const char *without_newline(const char *s, size_t n)
{
	return n > 0 && s[n - 1] == '\n' ? s + n - 1 : s + n;
}

struct decimal {
	uint64_t digits;
	int ndigits, exponent;
	bool any;
};

/* Digits beyond those that a double can hold are only counted. */
static const char *take_digits(
	struct decimal *d, const char *p, const char *end, bool fraction)
{
	for (; p < end && sm_isdigit(*p); p++) {
		d->any = true;
		if (d->ndigits < DIGITS_MAX) {
			d->digits = d->digits * 10 + (uint64_t)(*p - '0');
			d->ndigits += d->digits > 0;
			d->exponent -= fraction;
		} else {
			d->exponent += !fraction;
		}
	}
	return p;
}

static bool take_exponent(struct decimal *d, const char **p, const char *end)
{
	const char *s = *p;
	int64_t e;

	if (s == end || (*s != 'e' && *s != 'E'))
		return true;
	s++;
	if (end - s > 1 && *s == '+' && sm_isdigit(s[1]))
		s++;
	if (!sm_parse_i64(&s, end, &e) || e < -EXPONENT_MAX || e > EXPONENT_MAX)
		return false;
	d->exponent += (int)e;
	*p = s;
	return true;
}

int sm_powerpmu_parse_scale(const char *s, size_t n, double *out)
{
	const char *end = without_newline(s, n), *p;
	struct decimal d = {0};
	double v;

	p = take_digits(&d, s, end, false);
	if (p < end && *p == '.')
		p = take_digits(&d, p + 1, end, true);
	if (!d.any || !take_exponent(&d, &p, end) || p != end)
		return -EINVAL;
	v = d.exponent < 0 ? (double)d.digits / pow(10, -d.exponent)
			   : (double)d.digits * pow(10, d.exponent);
	if (!isnormal(v))
		return -EINVAL;
	*out = v;
	return 0;
}

static int hex_digit(char c)
{
	if (sm_isdigit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int sm_powerpmu_parse_event(const char *s, size_t n, uint64_t *out)
{
	const char *end = without_newline(s, n), *p = s + strlen("event=0x");
	uint64_t v = 0;

	if (!sm_str_starts((struct sm_str){s, n}, "event=0x") || p >= end || end - p > 16)
		return -EINVAL;
	for (; p < end; p++) {
		int digit = hex_digit(*p);

		if (digit < 0)
			return -EINVAL;
		v = v << 4 | (uint64_t)digit;
	}
	*out = v;
	return 0;
}

/* ---- sysfs ---- */

static ssize_t slurp(const struct sm_root *root, const char *event, const char *what,
	char *buf, size_t cap)
{
	char path[128];

	snprintf(path, sizeof(path), PMU "/events/%s%s", event, what);
	return sm_file_slurp(root->sys_fd, path, buf, cap);
}

/* The event's number and scale, if it is there and counts joules. */
static int read_event(
	const struct sm_root *root, const char *event, uint64_t *config, double *scale)
{
	char text[128];
	ssize_t n = slurp(root, event, "", text, sizeof(text));

	if (n < 0)
		return (int)n;
	if (sm_powerpmu_parse_event(text, (size_t)n, config) < 0)
		return -EINVAL;
	n = slurp(root, event, ".unit", text, sizeof(text));
	if (n >= 0 && strcmp(text, "Joules\n") != 0 && strcmp(text, "Joules") != 0)
		return -EINVAL;
	n = slurp(root, event, ".scale", text, sizeof(text));
	return n < 0 ? (int)n : sm_powerpmu_parse_scale(text, (size_t)n, scale);
}

static int topology(const struct sm_root *root, unsigned int cpu, const char *what)
{
	char path[96];
	uint64_t v;

	snprintf(path, sizeof(path), "devices/system/cpu/cpu%u/topology/%s", cpu, what);
	if (sm_file_read_u64(root->sys_fd, path, &v) < 0 || v > PLACE_MAX)
		return -1;
	return (int)v;
}

/* Where a CPU of the mask is. */
struct place {
	int cpu, package, die;
};

struct mask {
	const struct sm_root *root;
	struct place *place;
	unsigned int n, cap;
	bool failed;
};

static void add_place(void *ctx, unsigned int cpu)
{
	struct mask *m = ctx;
	struct place *p;
	int package;

	if (m->failed)
		return;
	if (m->n == m->cap) {
		unsigned int cap = m->cap ? m->cap * 2 : 4;

		p = realloc(m->place, cap * sizeof(*p));
		if (!p) {
			m->failed = true;
			return;
		}
		m->place = p;
		m->cap = cap;
	}
	package = topology(m->root, cpu, "physical_package_id");
	m->place[m->n] = (struct place){.cpu = (int)cpu,
		.package = package < 0 ? (int)m->n : package,
		.die = topology(m->root, cpu, "die_id")};
	m->n++;
}

static int compare_places(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	if (a->package != b->package)
		return a->package < b->package ? -1 : 1;
	if (a->die != b->die)
		return a->die < b->die ? -1 : 1;
	return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

/* A die is worth mentioning where its package has several. */
static void drop_single_dies(struct mask *m)
{
	for (unsigned int i = 0; i < m->n; i++) {
		bool above = i > 0 && m->place[i - 1].package == m->place[i].package;
		bool below =
			i + 1 < m->n && m->place[i + 1].package == m->place[i].package;

		if (!above && !below)
			m->place[i].die = -1;
	}
}

static int read_mask(struct mask *m)
{
	char text[TEXT_CAP];
	ssize_t n = sm_file_slurp(m->root->sys_fd, PMU "/cpumask", text, sizeof(text));
	int ret;

	if (n < 0)
		return (int)n;
	ret = sm_num_cpulist(text, (size_t)n, add_place, m);
	if (ret < 0)
		return -EBADMSG;
	if (m->failed)
		return -ENOMEM;
	if (m->n == 0)
		return -ENOENT;
	qsort(m->place, m->n, sizeof(*m->place), compare_places);
	drop_single_dies(m);
	return 0;
}

/* ---- events ---- */

static bool is_counted(enum sm_rapl_kind kind, enum sm_rapl_total rule)
{
	if (rule == SM_RAPL_TOTAL_PSYS)
		return kind == SM_RAPL_PSYS;
	return kind == SM_RAPL_PACKAGE ||
	       (kind == SM_RAPL_DRAM && rule == SM_RAPL_TOTAL_PKG_DRAM);
}

static void make_label(struct sm_powerpmu_domain *d, const char *stem, bool one)
{
	if (one && d->kind != SM_RAPL_PACKAGE)
		snprintf(d->label, sizeof(d->label), "%s", stem);
	else if (d->die < 0)
		snprintf(d->label, sizeof(d->label), "%s-%d", stem, d->package);
	else
		snprintf(
			d->label, sizeof(d->label), "%s-%d.%d", stem, d->package, d->die);
}

static void open_domain(
	struct sm_powerpmu *p, uint64_t config, struct sm_powerpmu_domain *d)
{
	struct perf_event_attr attr = {.type = p->type, .config = config};
	int fd = sm_perf_event_open(&attr, -1, d->cpu, -1, 0);

	d->fd = fd < 0 ? -1 : fd;
	d->error = fd < 0 ? fd : 0;
}

static void open_event(struct sm_powerpmu *p, const struct mask *m, size_t e,
	uint64_t config, enum sm_rapl_total rule)
{
	for (unsigned int i = 0; i < m->n; i++) {
		struct sm_powerpmu_domain *d = &p->domain[p->n++];

		*d = (struct sm_powerpmu_domain){.kind = events[e].kind,
			.cpu = m->place[i].cpu,
			.package = m->place[i].package,
			.die = m->place[i].die,
			.counted = is_counted(events[e].kind, rule)};
		make_label(d, events[e].label, m->n == 1);
		open_domain(p, config, d);
		p->counted += d->counted;
	}
}

static int open_events(
	struct sm_powerpmu *p, const struct mask *m, enum sm_rapl_total rule)
{
	p->domain = calloc(m->n * SM_ARRAY_SIZE(events), sizeof(*p->domain));
	if (!p->domain)
		return -ENOMEM;
	for (size_t e = 0; e < SM_ARRAY_SIZE(events); e++) {
		uint64_t config;

		if (read_event(m->root, events[e].event, &config,
			    &p->scale[events[e].kind]) == 0)
			open_event(p, m, e, config, rule);
	}
	return 0;
}

/* 0 when one is open, else why the first one is not. */
static int outcome(const struct sm_powerpmu *p)
{
	for (unsigned int i = 0; i < p->n; i++)
		if (p->domain[i].fd >= 0)
			return 0;
	return p->n ? p->domain[0].error : -ENOENT;
}

int sm_powerpmu_open(
	struct sm_powerpmu *p, const struct sm_root *root, enum sm_rapl_total rule)
{
	struct mask m = {.root = root};
	uint64_t type;
	int err;

	*p = (struct sm_powerpmu){0};
	err = sm_file_read_u64(root->sys_fd, PMU "/type", &type);
	if (err < 0)
		return err;
	if (type > UINT32_MAX)
		return -EINVAL;
	p->type = (uint32_t)type;
	err = read_mask(&m);
	if (err == 0)
		err = open_events(p, &m, rule);
	if (err == 0)
		err = outcome(p);
	free(m.place);
	if (err < 0)
		sm_powerpmu_close(p);
	return err;
}

static int read_count(int fd, uint64_t *count)
{
	ssize_t n;

	do
		n = read(fd, count, sizeof(*count));
	while (n < 0 && errno == EINTR);
	/* end of file: the event is in an error state (perf_event_open(2)) */
	return n < 0 ? -errno : n == sizeof(*count) ? 0 : -ENODATA;
}

int sm_powerpmu_read(struct sm_powerpmu *p)
{
	uint64_t before = sm_mono_ns(), after, count = 0;
	unsigned int lost = 0;
	int got = 0;

	for (unsigned int i = 0; i < p->n; i++) {
		struct sm_powerpmu_domain *d = &p->domain[i];

		if (d->fd >= 0) {
			d->error = read_count(d->fd, &count);
			after = sm_mono_ns();
			if (d->error == 0) {
				d->count = count;
				d->joules = (double)count * p->scale[d->kind];
				d->read_ns = before + (after - before) / 2;
				got++;
			}
			before = after;
		}
		lost += d->counted && d->error < 0;
	}
	return p->counted && lost == p->counted ? -ENODEV : got;
}

void sm_powerpmu_close(struct sm_powerpmu *p)
{
	for (unsigned int i = 0; i < p->n; i++)
		sm_close_fd(&p->domain[i].fd);
	free(p->domain);
	*p = (struct sm_powerpmu){0};
}

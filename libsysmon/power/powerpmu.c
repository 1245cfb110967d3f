// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/units.h"
#include "proc/cpulist.h"
#include "base/parse.h"
#include "events/perf.h"
#include "power/powerpmu.h"

#define PMU	     "bus/event_source/devices/power"
#define TEXT_CAP     4097u /* a sysfs attribute is at most a page */
#define DIGITS_MAX   18	   /* always fit 64 bits */
#define EXPONENT_MAX 300
#define PLACE_MAX    65535		    /* largest number of a package or die */
#define UPDATE_NS    (3 * SM_NSEC_PER_MSEC) /* updates of two counters */
#define MOVED_MIN_UJ 50000		    /* minimum step to compare counters */
#define APART	     10 /* times the tolerance: not a mirror after all */

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
	for (; p < end && sm_parse_is_digit(*p); p++) {
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
	if (end - s > 1 && *s == '+' && sm_parse_is_digit(s[1]))
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
	if (sm_parse_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int sm_powerpmu_parse_event(const char *s, size_t n, uint64_t *out)
{
	const char *end = without_newline(s, n), *p = s + strlen("event=0x");
	uint64_t v = 0;

	if (!sm_parse_starts((struct sm_str){s, n}, "event=0x") || p >= end ||
		end - p > 16)
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
	return sm_file_slurp(root->sys, path, buf, cap);
}

/* Reads the event's number and scale, if it exists and counts joules. */
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
	if (sm_file_read_u64(root->sys, path, &v) < 0 || v > PLACE_MAX)
		return -1;
	return (int)v;
}

/* Package and die of a CPU of the mask. */
struct place {
	int cpu, package, die;
};

struct mask {
	const struct sm_root *root;
	struct place *place;
	unsigned int n;
	size_t cap;
	bool failed;
};

static void add_place(void *ctx, unsigned int cpu)
{
	struct mask *m = ctx;
	int package;

	if (m->failed ||
		sm_array_reserve(&m->place, &m->cap, m->n + 1, sizeof(*m->place)) < 0) {
		m->failed = true;
		return;
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
		return a->package - b->package;
	return a->die != b->die ? a->die - b->die : a->cpu - b->cpu;
}

/* A label includes the die only if its package has several dies. */
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
	ssize_t n = sm_file_slurp(m->root->sys, PMU "/cpumask", text, sizeof(text));

	if (n < 0)
		return (int)n;
	if (sm_cpulist_parse(text, (size_t)n, add_place, m) < 0)
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

	d->counter.fd = fd < 0 ? -1 : fd;
	d->counter.error = fd < 0 ? fd : 0;
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
			.asked = is_counted(events[e].kind, rule),
			.counter.cap_uw = SM_RAPL_CAP_MIN_UW,
			.counter.can_rest = events[e].kind == SM_RAPL_CORE ||
					    events[e].kind == SM_RAPL_UNCORE};
		make_label(d, events[e].label, m->n == 1);
		d->counted = d->asked;
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

/* Returns 0 if any event is open, otherwise the error of the first. */
static int first_error(const struct sm_powerpmu *p)
{
	for (unsigned int i = 0; i < p->n; i++)
		if (p->domain[i].counter.fd >= 0)
			return 0;
	return p->n ? p->domain[0].counter.error : -ENOENT;
}

int sm_powerpmu_open(
	struct sm_powerpmu *p, const struct sm_root *root, enum sm_rapl_total rule)
{
	struct mask m = {.root = root};
	uint64_t type;
	int err;

	*p = (struct sm_powerpmu){0};
	err = sm_file_read_u64(root->sys, PMU "/type", &type);
	if (err < 0)
		return err;
	if (type > UINT32_MAX)
		return -EINVAL;
	p->type = (uint32_t)type;
	err = read_mask(&m);
	if (err == 0)
		err = open_events(p, &m, rule);
	if (err == 0)
		err = first_error(p);
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

/* ---- mirrors ---- */

static bool may_mirror(
	const struct sm_powerpmu_domain *a, const struct sm_powerpmu_domain *b)
{
	return a->asked && b->asked && !a->mirror && a->kind == b->kind &&
	       a->package == b->package && a->die != b->die && !a->counter.error &&
	       !b->counter.error && a->counter.before.ns && b->counter.before.ns;
}

static double apart(uint64_t a, uint64_t b)
{
	return (double)(a > b ? a - b : b - a);
}

/* Returns the difference of the counters as a multiple of the difference that an update
 * and the time between the two readings explain; negative: they have hardly advanced. */
static double difference(const struct sm_rapl_counter *a, const struct sm_rapl_counter *b)
{
	uint64_t step = a->raw.uj - a->before.uj, other = b->raw.uj - b->before.uj;
	double ns = UPDATE_NS + apart(a->raw.ns, b->raw.ns) +
		    apart(a->before.ns, b->before.ns);
	double explained = (double)step / (double)(a->raw.ns - a->before.ns) * ns;

	if (a->raw.uj < a->before.uj + MOVED_MIN_UJ)
		return -1;
	return fmax(apart(a->raw.uj, b->raw.uj), apart(step, other)) / explained;
}

/* True for psys and dram of some processors. */
static bool never_moved(const struct sm_powerpmu_domain *d)
{
	return d->sums.still && !d->sums.energy_uj;
}

static void find_mirrors(struct sm_powerpmu *p)
{
	p->counted = 0;
	for (unsigned int i = 0; i < p->n; i++) {
		struct sm_powerpmu_domain *b = &p->domain[i];
		bool mirror = false;

		for (unsigned int k = 0; k < i && !mirror; k++) {
			const struct sm_powerpmu_domain *a = &p->domain[k];
			double d = may_mirror(a, b) ? difference(&a->counter, &b->counter)
						    : INFINITY;

			mirror = d < 0 ? b->mirror : d <= (b->mirror ? APART : 1);
		}
		if (!b->counter.error)
			b->mirror = mirror;
		b->counted = b->asked && !b->mirror && !never_moved(b);
		p->counted += b->counted;
	}
}

/* Reads the counter of a domain; its time is the middle of the reading. */
static void read_domain(const struct sm_powerpmu *p, struct sm_powerpmu_domain *d)
{
	uint64_t before = sm_clock_mono_ns(), count = 0;
	double uj;
	int err = read_count(d->counter.fd, &count);

	if (err) {
		sm_rapl_counter_fail(&d->counter, err);
		return;
	}
	d->counter.error = 0;
	uj = (double)count * p->scale[d->kind] * 1e6;
	sm_rapl_counter_feed(&d->counter, &d->sums, uj < 0x1p63 ? (uint64_t)uj : 0,
		before + (sm_clock_mono_ns() - before) / 2);
}

int sm_powerpmu_read(struct sm_powerpmu *p)
{
	unsigned int lost = 0;
	int got = 0;

	for (unsigned int i = 0; i < p->n; i++) {
		struct sm_powerpmu_domain *d = &p->domain[i];

		if (d->counter.fd >= 0)
			read_domain(p, d);
		got += d->counter.fd >= 0 && !d->counter.error;
		lost += d->counted && d->counter.error < 0;
	}
	find_mirrors(p);
	return p->counted && lost == p->counted ? -ENODEV : got;
}

void sm_powerpmu_rebase(struct sm_powerpmu *p)
{
	for (unsigned int i = 0; i < p->n; i++)
		sm_rapl_counter_forget(&p->domain[i].counter);
}

void sm_powerpmu_close(struct sm_powerpmu *p)
{
	for (unsigned int i = 0; i < p->n; i++)
		sm_base_close_fd(&p->domain[i].counter.fd);
	free(p->domain);
	*p = (struct sm_powerpmu){0};
}

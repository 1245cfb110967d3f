// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/parse.h"
#include "power/rapl_zones.h"

#define NUMBER_MAX     65535 /* largest number of a package or die */
#define MIRROR_UJ      UINT64_C(1000000)
#define MOVED_MIN_UJ   UINT64_C(50000) /* minimum step to compare counters */
#define MOVED_SLACK_UJ UINT64_C(10000)
#define MOVED_PART     (1.0 / 16) /* largest relative difference of equal steps */
#define DEAD_SPAN_NS   (50 * SM_NSEC_PER_MSEC) /* counters advance every millisecond */
#define STALE_MAX      5u

/* ---- names ---- */

static bool number(const char **p, int *out)
{
	uint64_t v;

	if (!sm_parse_u64(p, *p + strlen(*p), &v) || v > NUMBER_MAX)
		return false;
	*out = (int)v;
	return true;
}

static bool skip_prefix(const char **p, const char *prefix)
{
	size_t n = strlen(prefix);

	if (strncmp(*p, prefix, n) != 0)
		return false;
	*p += n;
	return true;
}

/* Parses package-N and package-N-die-M. */
static bool package_name(const char *name, int *package, int *die)
{
	return skip_prefix(&name, "package-") && number(&name, package) &&
	       (!*name || (skip_prefix(&name, "-die-") && number(&name, die) && !*name));
}

/* Parses psys, and psys-N for packages after the first. */
static bool psys_name(const char *name, int *package)
{
	return skip_prefix(&name, "psys") &&
	       (!*name || (*name++ == '-' && number(&name, package) && !*name));
}

static void name_kind(struct sm_rapl_zone *z)
{
	static const struct {
		const char *name;
		enum sm_rapl_kind kind;
	} plain[] = {
		{"core", SM_RAPL_CORE},
		{"uncore", SM_RAPL_UNCORE},
		{"dram", SM_RAPL_DRAM},
	};
	int package = -1, die = -1;

	z->role.kind = SM_RAPL_OTHER;
	for (size_t i = 0; i < SM_ARRAY_SIZE(plain); i++)
		if (strcmp(z->counter.name, plain[i].name) == 0)
			z->role.kind = plain[i].kind;
	if (package_name(z->counter.name, &package, &die))
		z->role.kind = SM_RAPL_PACKAGE;
	else if (psys_name(z->counter.name, &package))
		z->role.kind = SM_RAPL_PSYS;
	else
		return;
	z->role.package = package;
	z->role.die = die;
}

static size_t type_len(const char *id)
{
	return strcspn(id, ":");
}

static bool same_type(const struct sm_rapl_zone *a, const struct sm_rapl_zone *b)
{
	size_t n = type_len(a->counter.id);

	return n == type_len(b->counter.id) &&
	       memcmp(a->counter.id, b->counter.id, n) == 0;
}

int sm_rapl_zones_add(struct sm_rapl_zones *zs, const char *id, const char *name)
{
	struct sm_rapl_zone *z;
	int err;

	if (strlen(id) >= sizeof(z->counter.id))
		return -ENAMETOOLONG;
	err = sm_array_reserve(&zs->at, &zs->cap, zs->n + 1, sizeof(*zs->at));
	if (err)
		return err;
	z = &zs->at[zs->n++];
	*z = (struct sm_rapl_zone){
		.role = {.package = -1, .die = -1, .parent = -1, .partner = -1},
		.counter = {.fd = -1, .cap_uw = SM_RAPL_CAP_MIN_UW}};
	snprintf(z->counter.id, sizeof(z->counter.id), "%s", id);
	snprintf(z->counter.name, sizeof(z->counter.name), "%s", name);
	name_kind(z);
	return 0;
}

/* ---- parents ---- */

/* Returns the nearest zone that encloses z: the id of a child consists of its parent's
 * id, a colon and a number. */
static int find_around(const struct sm_rapl_zones *zs, const struct sm_rapl_zone *z)
{
	size_t n = strlen(z->counter.id);

	while (n > 0) {
		while (n > 0 && z->counter.id[--n] != ':')
			;
		for (unsigned int i = 0; n > 0 && i < zs->n; i++)
			if (strncmp(zs->at[i].counter.id, z->counter.id, n) == 0 &&
				!zs->at[i].counter.id[n])
				return (int)i;
	}
	return -1;
}

/* Zones in a package get its package and die numbers. */
static void inherit(struct sm_rapl_zones *zs, struct sm_rapl_zone *z)
{
	const struct sm_rapl_zone *up = z;
	int i;

	if (z->role.kind == SM_RAPL_PACKAGE || z->role.kind == SM_RAPL_PSYS)
		return;
	while ((i = find_around(zs, up)) >= 0) {
		up = &zs->at[i];
		if (up->role.kind == SM_RAPL_PACKAGE)
			break;
	}
	if (up != z && up->role.kind == SM_RAPL_PACKAGE) {
		z->role.package = up->role.package;
		z->role.die = up->role.die;
	}
}

/* Sorts zones of the CPU's own registers before their duplicates. */
static int preference(const struct sm_rapl_zone *z)
{
	return !sm_parse_eq(
		(struct sm_str){z->counter.id, type_len(z->counter.id)}, "intel-rapl");
}

static int compare(const void *pa, const void *pb)
{
	const struct sm_rapl_zone *a = pa, *b = pb;
	int c = SM_COMPARE(a->role.kind, b->role.kind);

	if (c == 0)
		c = SM_COMPARE(a->role.package, b->role.package);
	if (c == 0)
		c = SM_COMPARE(a->role.die, b->role.die);
	if (c == 0)
		c = SM_COMPARE(preference(a), preference(b));
	return c ? c : strverscmp(a->counter.id, b->counter.id);
}

static bool same_place(const struct sm_rapl_zone *a, const struct sm_rapl_zone *b)
{
	if (a->role.kind != b->role.kind || a->role.package != b->role.package ||
		a->role.die != b->role.die)
		return false;
	return a->role.kind == SM_RAPL_PSYS ||
	       (a->role.kind != SM_RAPL_OTHER && a->role.package >= 0);
}

/* Duplicate zones are adjacent in the order. */
static void find_original(struct sm_rapl_zones *zs, unsigned int i)
{
	struct sm_rapl_zone *z = &zs->at[i];

	for (unsigned int k = i; k-- > 0 && same_place(&zs->at[k], z);)
		if (zs->at[k].role.partner < 0 && !same_type(&zs->at[k], z))
			z->role.partner = (int)k;
}

/* ---- labels ---- */

static bool one_package(const struct sm_rapl_zones *zs)
{
	const struct sm_rapl_zone *first = zs->at;

	for (unsigned int i = 0; i < zs->n && zs->at[i].role.kind == SM_RAPL_PACKAGE; i++)
		if (!same_place(first, &zs->at[i]))
			return false;
	return true;
}

static void plain_label(struct sm_rapl_zone *z, bool numbered)
{
	static const char *const stem[] = {[SM_RAPL_PACKAGE] = "pkg",
		[SM_RAPL_CORE] = "core",
		[SM_RAPL_UNCORE] = "uncore",
		[SM_RAPL_DRAM] = "dram",
		[SM_RAPL_PSYS] = "psys"};
	char at[32] = "";

	if (z->role.kind == SM_RAPL_OTHER) {
		snprintf(z->role.label, sizeof(z->role.label), "%s",
			*z->counter.name ? z->counter.name : z->counter.id);
		return;
	}
	if (numbered && z->role.package >= 0 && z->role.die >= 0)
		snprintf(at, sizeof(at), "-%d.%d", z->role.package, z->role.die);
	else if (numbered && z->role.package >= 0)
		snprintf(at, sizeof(at), "-%d", z->role.package);
	snprintf(z->role.label, sizeof(z->role.label), "%s%s%s", stem[z->role.kind], at,
		z->role.partner >= 0 ? "-duplicate" : "");
}

static bool taken(const struct sm_rapl_zones *zs, unsigned int i)
{
	for (unsigned int k = 0; k < i; k++)
		if (strcmp(zs->at[k].role.label, zs->at[i].role.label) == 0)
			return true;
	return false;
}

static void make_label(struct sm_rapl_zones *zs, unsigned int i, bool one)
{
	struct sm_rapl_zone *z = &zs->at[i];
	char plain[101];

	plain_label(z,
		!one || z->role.kind == SM_RAPL_PACKAGE || z->role.kind == SM_RAPL_PSYS);
	if (!taken(zs, i))
		return;
	snprintf(plain, sizeof(plain), "%.100s", z->role.label);
	snprintf(z->role.label, sizeof(z->role.label), "%s@%s", plain, z->counter.id);
	for (unsigned int k = 2; taken(zs, i); k++) /* a hostile name */
		snprintf(z->role.label, sizeof(z->role.label), "%s#%u", plain, k);
}

/* ---- the total ---- */

static enum sm_rapl_why by_rule(
	const struct sm_rapl_zones *zs, const struct sm_rapl_zone *z, bool packages)
{
	if (z->role.partner >= 0)
		return SM_RAPL_DUPLICATE;
	if (z->role.kind == SM_RAPL_PSYS)
		return zs->rule == SM_RAPL_TOTAL_PSYS ? SM_RAPL_COUNTED
						      : SM_RAPL_NOT_ASKED;
	if (z->role.kind == SM_RAPL_DRAM)
		return zs->rule == SM_RAPL_TOTAL_PKG_DRAM ? SM_RAPL_COUNTED
							  : SM_RAPL_NOT_ASKED;
	if (z->role.kind != SM_RAPL_PACKAGE && z->role.parent >= 0)
		return SM_RAPL_INSIDE;
	if (zs->rule == SM_RAPL_TOTAL_PSYS)
		return SM_RAPL_NOT_ASKED;
	if (z->role.kind == SM_RAPL_PACKAGE || !packages)
		return SM_RAPL_COUNTED;
	return z->role.kind == SM_RAPL_OTHER ? SM_RAPL_NOT_ASKED : SM_RAPL_INSIDE;
}

static void count_zones(struct sm_rapl_zones *zs)
{
	zs->counted = 0;
	for (unsigned int i = 0; i < zs->n; i++)
		zs->counted += zs->at[i].role.why == SM_RAPL_COUNTED;
}

void sm_rapl_zones_mark(
	struct sm_rapl_zones *zs, unsigned int i, enum sm_rapl_why why, int partner)
{
	zs->at[i].role.why = (uint8_t)why;
	zs->at[i].role.partner = partner;
	count_zones(zs);
}

void sm_rapl_zones_arrange(struct sm_rapl_zones *zs)
{
	bool one, packages;

	if (zs->n == 0)
		return;
	for (unsigned int i = 0; i < zs->n; i++)
		inherit(zs, &zs->at[i]);
	qsort(zs->at, zs->n, sizeof(*zs->at), compare);
	packages = zs->at[0].role.kind == SM_RAPL_PACKAGE;
	one = one_package(zs);
	for (unsigned int i = 0; i < zs->n; i++) {
		zs->at[i].role.parent = find_around(zs, &zs->at[i]);
		find_original(zs, i);
		make_label(zs, i, one);
	}
	for (unsigned int i = 0; i < zs->n; i++) {
		struct sm_rapl_zone *z = &zs->at[i];

		z->role.why = (uint8_t)by_rule(zs, z, packages);
		z->counter.can_rest =
			z->role.kind == SM_RAPL_CORE || z->role.kind == SM_RAPL_UNCORE;
	}
	count_zones(zs);
}

/* ---- duplicates and mirrors ---- */

/* Zone a takes over the counter of b, which has just been read. */
static void exchange(
	struct sm_rapl_zones *zs, struct sm_rapl_zone *a, struct sm_rapl_zone *b)
{
	struct sm_rapl_counter counter = a->counter;

	a->counter = b->counter;
	b->counter = counter;
	a->role.stale = b->role.stale = 0;
	if (b->counter.error < 0 || b->counter.held > 0)
		b->counter.has_base = false;
	b->counter.held = 0;
	zs->exchanged++;
}

/* Returns whether the counter had not advanced for a while at the last reading. */
static bool has_stood(const struct sm_rapl_counter *c)
{
	return c->has_base && c->error == 0 && c->raw.ns == c->seen_ns &&
	       c->seen_ns - c->base.ns >= DEAD_SPAN_NS;
}

/* Returns whether z's counter is dead: it does not advance while the duplicate's does.
 * One reading suffices if it has never advanced. */
static bool stands_still(struct sm_rapl_zone *z, const struct sm_rapl_zone *duplicate)
{
	if (z->counter.added.uj > 0)
		z->role.stale = 0;
	if (!has_stood(&z->counter) || duplicate->counter.added.uj == 0)
		return false;
	return z->sums.energy_uj == 0 || ++z->role.stale >= STALE_MAX;
}

/* Returns whether the time that the duplicate's reading added begins after the time that
 * z has covered.  Lead zones are read first. */
static bool continues(const struct sm_rapl_zone *z, const struct sm_rapl_zone *duplicate)
{
	const struct sm_rapl_counter *c = &duplicate->counter;

	return c->added.ns > 0 && c->base.ns - c->added.ns >= z->counter.base.ns;
}

/* Moves the energy that z's new counter has added in this reading from other to z. */
static void move_added(struct sm_rapl_zone *z, struct sm_rapl_zone *other)
{
	struct sm_rapl_reading d = z->counter.added;

	z->sums.energy_uj += d.uj;
	z->sums.covered_ns += d.ns;
	other->sums.energy_uj -= d.uj;
	other->sums.covered_ns -= d.ns;
}

/* z failed: its duplicate continues where z ended, so that time is not covered twice. */
static void replace_failed(
	struct sm_rapl_zones *zs, struct sm_rapl_zone *z, struct sm_rapl_zone *other)
{
	bool follows = z->counter.base.ns > 0 && continues(z, other);

	if (!follows && z->counter.base.ns > 0 && !sm_rapl_counter_removed(&z->counter))
		return;
	exchange(zs, z, other);
	if (follows)
		move_added(z, other);
}

static void watch_pair(
	struct sm_rapl_zones *zs, struct sm_rapl_zone *z, struct sm_rapl_zone *other)
{
	if (other->counter.error < 0 || other->counter.fd < 0 || other->counter.held > 0)
		return;
	if (z->counter.error < 0) {
		replace_failed(zs, z, other);
		return;
	}
	if (other->role.why != SM_RAPL_DUPLICATE || !stands_still(z, other))
		return;
	exchange(zs, z, other);
	if (z->sums.energy_uj > 0)
		return;
	/* z never advanced: it gets the sums of the other counter since the opening. */
	z->sums.energy_uj = other->sums.energy_uj;
	if (z->sums.covered_ns < other->sums.covered_ns)
		z->sums.covered_ns = other->sums.covered_ns;
	/* The other zone's new counter added nothing in this reading. */
	other->sums.energy_uj -= z->counter.added.uj;
	other->sums.covered_ns -= z->counter.added.ns;
}

/* Returns the distance modulo the counter's range, if this is known. */
static uint64_t distance(const struct sm_rapl_counter *c, uint64_t a, uint64_t b)
{
	uint64_t d = a > b ? a - b : b - a;

	return d <= c->range_uj && c->range_uj - d + 1 < d ? c->range_uj - d + 1 : d;
}

static double between(uint64_t a_ns, uint64_t b_ns)
{
	return (double)(a_ns > b_ns ? a_ns - b_ns : b_ns - a_ns);
}

/* Returns the part of a step that the time between the two readings explains. */
static double skew(const struct sm_rapl_counter *a, const struct sm_rapl_counter *b)
{
	if (a->raw.ns <= a->before.ns)
		return 0;
	return (between(a->raw.ns, b->raw.ns) + between(a->before.ns, b->before.ns)) /
	       (double)(a->raw.ns - a->before.ns);
}

/* Result of comparing the last two readings of two counters. */
enum likeness { LIKE_UNKNOWN, LIKE_DIFFERENT, LIKE_EQUAL };

/* Compares the steps of two counters.  Different counters that started at 0 together are
 * close at first, but their steps differ.  This is not visible if the readings are far
 * apart or the steps are too small. */
static enum likeness moves(
	const struct sm_rapl_counter *a, const struct sm_rapl_counter *b, double skewed)
{
	uint64_t of_a = distance(a, a->raw.uj, a->before.uj);
	uint64_t of_b = distance(b, b->raw.uj, b->before.uj);
	uint64_t more = of_a > of_b ? of_a - of_b : of_b - of_a;

	if (skewed > MOVED_PART)
		return LIKE_UNKNOWN;
	if ((double)more > (double)of_a * (MOVED_PART + skewed) + MOVED_SLACK_UJ)
		return LIKE_DIFFERENT;
	return of_a >= MOVED_MIN_UJ ? LIKE_EQUAL : LIKE_UNKNOWN;
}

/* Returns whether the time between the readings cannot explain the difference. */
static bool differ(const struct sm_rapl_counter *a, const struct sm_rapl_counter *b)
{
	uint64_t ns =
		a->raw.ns > b->raw.ns ? a->raw.ns - b->raw.ns : b->raw.ns - a->raw.ns;

	return (double)distance(a, a->raw.uj, b->raw.uj) >
	       (double)MIRROR_UJ + sm_rapl_counter_most_uj(a, ns);
}

/* Returns whether both readings agree to 1 J plus the energy between their times. */
static bool equal_twice(
	const struct sm_rapl_counter *a, const struct sm_rapl_counter *b, double skewed)
{
	double most_uj =
		(double)MIRROR_UJ + (double)distance(a, a->raw.uj, a->before.uj) * skewed;

	return (double)distance(a, a->raw.uj, b->raw.uj) <= most_uj &&
	       (double)distance(a, a->before.uj, b->before.uj) <= most_uj;
}

static enum likeness compare_counters(
	const struct sm_rapl_counter *a, const struct sm_rapl_counter *b)
{
	enum likeness like;

	if (differ(a, b))
		return LIKE_DIFFERENT;
	if (!a->before.ns || !b->before.ns)
		return LIKE_UNKNOWN;
	like = moves(a, b, skew(a, b));
	if (like == LIKE_EQUAL && !equal_twice(a, b, skew(a, b)))
		return LIKE_DIFFERENT;
	return like;
}

/* Returns whether these are two dies of one package, both included in the total. */
static bool may_mirror(const struct sm_rapl_role *a, const struct sm_rapl_role *b)
{
	return a->why == SM_RAPL_COUNTED && b->why == SM_RAPL_COUNTED &&
	       a->kind == b->kind && a->package == b->package && a->die != b->die &&
	       !b->apart;
}

static enum likeness compare_dies(
	const struct sm_rapl_zone *a, const struct sm_rapl_zone *b)
{
	if (!may_mirror(&a->role, &b->role) || !same_type(a, b) || a->counter.error < 0 ||
		b->counter.error < 0)
		return LIKE_DIFFERENT;
	return compare_counters(&a->counter, &b->counter);
}

static void check_mirror(struct sm_rapl_zones *zs, unsigned int i)
{
	struct sm_rapl_zone *z = &zs->at[i], *lead = &zs->at[z->role.partner];

	z->role.apart = z->counter.error == 0 && lead->counter.error == 0 &&
			differ(&lead->counter, &z->counter);
	if (z->role.apart)
		sm_rapl_zones_mark(zs, i, SM_RAPL_COUNTED, -1);
}

static void find_mirror(struct sm_rapl_zones *zs, unsigned int i)
{
	for (unsigned int k = 0; k < i; k++)
		if (compare_dies(&zs->at[k], &zs->at[i]) == LIKE_EQUAL) {
			sm_rapl_zones_mark(zs, i, SM_RAPL_MIRROR, (int)k);
			return;
		}
}

/* Marks dies whose counters were equal at the last two readings as one counter. */
static void find_mirrors(struct sm_rapl_zones *zs)
{
	for (unsigned int i = 1; i < zs->n; i++) {
		if (zs->at[i].role.why == SM_RAPL_MIRROR)
			check_mirror(zs, i);
		else if (zs->at[i].role.die >= 0)
			find_mirror(zs, i);
	}
}

bool sm_rapl_zones_unsure(const struct sm_rapl_zones *zs)
{
	for (unsigned int i = 1; i < zs->n; i++)
		for (unsigned int k = 0; k < i && zs->at[i].role.die >= 0; k++)
			if (compare_dies(&zs->at[k], &zs->at[i]) == LIKE_UNKNOWN)
				return true;
	return false;
}

static void find_still(struct sm_rapl_zones *zs, unsigned int i)
{
	const struct sm_rapl_zone *z = &zs->at[i];

	if (z->role.why == SM_RAPL_STILL && z->sums.energy_uj > 0)
		sm_rapl_zones_mark(zs, i, SM_RAPL_COUNTED, z->role.partner);
	else if (z->role.why == SM_RAPL_COUNTED && z->sums.energy_uj == 0 &&
		 has_stood(&z->counter))
		sm_rapl_zones_mark(zs, i, SM_RAPL_STILL, z->role.partner);
}

void sm_rapl_zones_settle(struct sm_rapl_zones *zs)
{
	for (unsigned int i = 0; i < zs->n; i++)
		if (zs->at[i].role.partner >= 0)
			watch_pair(zs, &zs->at[zs->at[i].role.partner], &zs->at[i]);
	find_mirrors(zs);
	for (unsigned int i = 0; i < zs->n; i++)
		find_still(zs, i);
}

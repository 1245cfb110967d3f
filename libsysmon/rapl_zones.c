// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rapl: which zones there are, what they are called and which of them make the total.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "parse.h"
#include "rapl.h"
#include "rapl_zones.h"

#define CLASS	    "class/powercap"
#define PATH_CAP    384u
#define NUMBER_MAX  65535 /* of packages and dies */
#define CONSTRAINTS 8	  /* the kernel's most are three */
#define CONSTRAINT_MAX_UW                                             \
	UINT64_C(40000000000) /* TPMI: 18 bits of 1/8 W; more is junk \
			       */
#define CAP_MIN_UW UINT64_C(2000000000)
#define CAP_FACTOR 4

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

/* package-N, package-N-die-M */
static bool package_name(const char *name, int *package, int *die)
{
	return skip_prefix(&name, "package-") && number(&name, package) &&
	       (!*name || (skip_prefix(&name, "-die-") && number(&name, die) && !*name));
}

/* psys; psys-N of packages after the first */
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

	z->kind = SM_RAPL_OTHER;
	for (size_t i = 0; i < SM_ARRAY_SIZE(plain); i++)
		if (strcmp(z->name, plain[i].name) == 0)
			z->kind = plain[i].kind;
	if (package_name(z->name, &package, &die))
		z->kind = SM_RAPL_PACKAGE;
	else if (psys_name(z->name, &package))
		z->kind = SM_RAPL_PSYS;
	else
		return;
	z->package = package;
	z->die = die;
}

static size_t type_len(const char *id)
{
	return strcspn(id, ":");
}

bool sm_rapl_same_type(const struct sm_rapl_zone *a, const struct sm_rapl_zone *b)
{
	size_t n = type_len(a->id);

	return n == type_len(b->id) && memcmp(a->id, b->id, n) == 0;
}

int sm_rapl_add(struct sm_rapl *r, const char *id, const char *name)
{
	struct sm_rapl_zone *z;

	if (strlen(id) >= sizeof(z->id))
		return -ENAMETOOLONG;
	if (r->n == r->cap) {
		unsigned int cap = r->cap ? r->cap * 2 : 8;

		z = realloc(r->zone, cap * sizeof(*z));
		if (!z)
			return -ENOMEM;
		r->zone = z;
		r->cap = cap;
	}
	z = &r->zone[r->n++];
	*z = (struct sm_rapl_zone){.fd = -1,
		.package = -1,
		.die = -1,
		.parent = -1,
		.partner = -1,
		.cap_uw = CAP_MIN_UW};
	snprintf(z->id, sizeof(z->id), "%s", id);
	snprintf(z->name, sizeof(z->name), "%s", name);
	name_kind(z);
	return 0;
}

/* ---- who lies in whom ---- */

/*
 * The nearest zone around z, by id: powercap names a zone after the one that it is in,
 * with a colon and a number.
 */
static int find_around(const struct sm_rapl *r, const struct sm_rapl_zone *z)
{
	size_t n = strlen(z->id);

	while (n > 0) {
		while (n > 0 && z->id[--n] != ':')
			;
		for (unsigned int i = 0; n > 0 && i < r->n; i++)
			if (strncmp(r->zone[i].id, z->id, n) == 0 && !r->zone[i].id[n])
				return (int)i;
	}
	return -1;
}

/* The number of the package goes down from it to the zones in it. */
static void inherit(struct sm_rapl *r, struct sm_rapl_zone *z)
{
	const struct sm_rapl_zone *up = z;
	int i;

	if (z->kind == SM_RAPL_PACKAGE || z->kind == SM_RAPL_PSYS)
		return;
	while ((i = find_around(r, up)) >= 0) {
		up = &r->zone[i];
		if (up->kind == SM_RAPL_PACKAGE)
			break;
	}
	if (up != z && up->kind == SM_RAPL_PACKAGE) {
		z->package = up->package;
		z->die = up->die;
	}
}

static int sign(int a, int b)
{
	return (a > b) - (a < b);
}

/* Of the control types that show the same thing the CPU's own registers come first. */
static int preference(const struct sm_rapl_zone *z)
{
	return sm_str_eq((struct sm_str){z->id, type_len(z->id)}, "intel-rapl") ? 0 : 1;
}

static int compare(const void *pa, const void *pb)
{
	const struct sm_rapl_zone *a = pa, *b = pb;
	int c = sign((int)a->kind, (int)b->kind);

	if (c == 0)
		c = sign(a->package, b->package);
	if (c == 0)
		c = sign(a->die, b->die);
	if (c == 0)
		c = sign(preference(a), preference(b));
	return c ? c : strverscmp(a->id, b->id);
}

static bool same_place(const struct sm_rapl_zone *a, const struct sm_rapl_zone *b)
{
	if (a->kind != b->kind || a->package != b->package || a->die != b->die)
		return false;
	return a->kind == SM_RAPL_PSYS || (a->kind != SM_RAPL_OTHER && a->package >= 0);
}

/* The same package in another control type.  The order has put twins together. */
static void find_twin(struct sm_rapl *r, unsigned int i)
{
	struct sm_rapl_zone *z = &r->zone[i];

	for (unsigned int k = i; k-- > 0 && same_place(&r->zone[k], z);)
		if (r->zone[k].partner < 0 && !sm_rapl_same_type(&r->zone[k], z))
			z->partner = (int)k;
}

/* ---- labels ---- */

static bool one_package(const struct sm_rapl *r)
{
	const struct sm_rapl_zone *first = r->zone;

	for (unsigned int i = 0; i < r->n && r->zone[i].kind == SM_RAPL_PACKAGE; i++)
		if (!same_place(first, &r->zone[i]))
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

	if (z->kind == SM_RAPL_OTHER) {
		snprintf(z->label, sizeof(z->label), "%s", *z->name ? z->name : z->id);
		return;
	}
	if (numbered && z->package >= 0 && z->die >= 0)
		snprintf(at, sizeof(at), "-%d.%d", z->package, z->die);
	else if (numbered && z->package >= 0)
		snprintf(at, sizeof(at), "-%d", z->package);
	snprintf(z->label, sizeof(z->label), "%s%s%s", stem[z->kind], at,
		z->partner >= 0 ? "-twin" : "");
}

static bool taken(const struct sm_rapl *r, unsigned int i)
{
	for (unsigned int k = 0; k < i; k++)
		if (strcmp(r->zone[k].label, r->zone[i].label) == 0)
			return true;
	return false;
}

static void make_label(struct sm_rapl *r, unsigned int i, bool one)
{
	struct sm_rapl_zone *z = &r->zone[i];
	char plain[101];

	plain_label(z, !one || z->kind == SM_RAPL_PACKAGE || z->kind == SM_RAPL_PSYS);
	if (!taken(r, i))
		return;
	snprintf(plain, sizeof(plain), "%.100s", z->label);
	snprintf(z->label, sizeof(z->label), "%s@%s", plain, z->id);
	for (unsigned int k = 2; taken(r, i); k++) /* a name that looks like that */
		snprintf(z->label, sizeof(z->label), "%s#%u", plain, k);
}

/* ---- the total ---- */

static enum sm_rapl_why by_rule(
	const struct sm_rapl *r, const struct sm_rapl_zone *z, bool packages)
{
	if (z->partner >= 0)
		return SM_RAPL_TWIN;
	if (z->kind == SM_RAPL_PSYS)
		return r->rule == SM_RAPL_TOTAL_PSYS ? SM_RAPL_COUNTED
						     : SM_RAPL_NOT_ASKED;
	if (z->kind == SM_RAPL_DRAM)
		return r->rule == SM_RAPL_TOTAL_PKG_DRAM ? SM_RAPL_COUNTED
							 : SM_RAPL_NOT_ASKED;
	if (z->kind != SM_RAPL_PACKAGE && z->parent >= 0)
		return SM_RAPL_INSIDE;
	if (r->rule == SM_RAPL_TOTAL_PSYS)
		return SM_RAPL_NOT_ASKED;
	if (z->kind == SM_RAPL_PACKAGE || !packages)
		return SM_RAPL_COUNTED;
	return z->kind == SM_RAPL_OTHER ? SM_RAPL_NOT_ASKED : SM_RAPL_INSIDE;
}

static void count_zones(struct sm_rapl *r)
{
	r->counted = 0;
	for (unsigned int i = 0; i < r->n; i++)
		r->counted += r->zone[i].why == SM_RAPL_COUNTED;
}

void sm_rapl_mark(struct sm_rapl *r, unsigned int i, enum sm_rapl_why why, int partner)
{
	r->zone[i].why = (uint8_t)why;
	r->zone[i].partner = partner;
	count_zones(r);
}

void sm_rapl_arrange(struct sm_rapl *r)
{
	bool one, packages;

	if (r->n == 0)
		return;
	for (unsigned int i = 0; i < r->n; i++)
		inherit(r, &r->zone[i]);
	qsort(r->zone, r->n, sizeof(*r->zone), compare);
	packages = r->zone[0].kind == SM_RAPL_PACKAGE;
	one = one_package(r);
	for (unsigned int i = 0; i < r->n; i++) {
		r->zone[i].parent = find_around(r, &r->zone[i]);
		find_twin(r, i);
		make_label(r, i, one);
	}
	for (unsigned int i = 0; i < r->n; i++)
		r->zone[i].why = (uint8_t)by_rule(r, &r->zone[i], packages);
	count_zones(r);
}

/* ---- sysfs ---- */

static int open_file(const struct sm_rapl *r, const char *id, const char *file)
{
	char path[PATH_CAP];
	int fd;

	snprintf(path, sizeof(path), CLASS "/%s/%s", id, file);
	fd = openat(r->root->sys_fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

static uint64_t read_number(const struct sm_rapl *r, const char *id, const char *file)
{
	char path[PATH_CAP];
	uint64_t v;

	snprintf(path, sizeof(path), CLASS "/%s/%s", id, file);
	return sm_file_read_u64(r->root->sys_fd, path, &v) < 0 ? 0 : v;
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
 * The limit that is set says less than the most that may be set: 4095 W is "no limit".
 * What is only doubted may be either: the most of a laptop's first constraint is less
 * than the limit of its second one.
 */
static void read_limits(const struct sm_rapl *r, struct sm_rapl_zone *z)
{
	uint64_t may = highest_constraint(r, z->id, "max_power_uw");
	uint64_t set = highest_constraint(r, z->id, "power_limit_uw");
	uint64_t most = may ? may : set;

	z->range_uj = read_number(r, z->id, "max_energy_range_uj");
	z->cap_uw = most * CAP_FACTOR > CAP_MIN_UW ? most * CAP_FACTOR : CAP_MIN_UW;
	z->limit_uw = (may > set ? may : set) * CAP_FACTOR;
}

static void read_name(const struct sm_rapl *r, const char *id, char *name, size_t cap)
{
	char path[PATH_CAP];

	snprintf(path, sizeof(path), CLASS "/%s/name", id);
	if (sm_file_slurp(r->root->sys_fd, path, name, cap) < 0)
		*name = '\0';
	name[strcspn(name, "\n")] = '\0';
}

/* The control type itself and zones that tell only power have no energy_uj. */
static int add_entry(struct sm_rapl *r, const char *id)
{
	char name[SM_RAPL_NAME_MAX];
	struct sm_rapl_zone *z;
	int fd, err;

	if (id[0] == '.' || strlen(id) >= SM_RAPL_NAME_MAX)
		return 0;
	fd = open_file(r, id, "energy_uj");
	if (fd == -ENOENT || fd == -ENOTDIR)
		return 0;
	read_name(r, id, name, sizeof(name));
	err = sm_rapl_add(r, id, name);
	if (err < 0) {
		sm_close_fd(&fd);
		return err;
	}
	z = &r->zone[r->n - 1];
	z->fd = fd < 0 ? -1 : fd;
	z->error = fd < 0 ? fd : 0;
	read_limits(r, z);
	return 0;
}

void sm_rapl_reopen_zone(const struct sm_rapl *r, struct sm_rapl_zone *z)
{
	char name[SM_RAPL_NAME_MAX];
	int fd = open_file(r, z->id, "energy_uj");

	if (fd < 0)
		return;
	read_name(r, z->id, name, sizeof(name));
	if (strcmp(name, z->name) != 0) {
		sm_close_fd(&fd);
		return;
	}
	z->fd = fd;
	z->has_base = false;
	z->held = 0;
	z->raw_ns = z->before_ns = 0;
	read_limits(r, z);
}

static int open_class(const struct sm_root *root, DIR **dir)
{
	int fd;

	if (root->sys_fd < 0)
		return -ENOENT;
	fd = openat(root->sys_fd, CLASS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	*dir = fdopendir(fd);
	if (!*dir) {
		close(fd);
		return -ENOMEM;
	}
	return 0;
}

static int find_zones(struct sm_rapl *r)
{
	struct dirent *e;
	DIR *dir = NULL;
	int err = open_class(r->root, &dir);

	if (err < 0 || !dir)
		return err < 0 ? err : -ENOENT;
	while (err == 0 && (e = readdir(dir)) != NULL)
		err = add_entry(r, e->d_name);
	closedir(dir);
	return err < 0 ? err : r->n ? 0 : -ENOENT;
}

static void mark_unreadable(struct sm_rapl *r)
{
	for (unsigned int i = 0; i < r->n; i++)
		if (r->zone[i].fd < 0 && r->zone[i].why == SM_RAPL_COUNTED)
			r->zone[i].why = SM_RAPL_UNREADABLE;
	count_zones(r);
}

int sm_rapl_open(struct sm_rapl *r, const struct sm_root *root, enum sm_rapl_total rule)
{
	int err;

	*r = (struct sm_rapl){.root = root, .rule = rule};
	err = find_zones(r);
	if (err < 0) {
		sm_rapl_close(r);
		return err;
	}
	sm_rapl_arrange(r);
	sm_rapl_settle(r);
	mark_unreadable(r);
	return 0;
}

void sm_rapl_close(struct sm_rapl *r)
{
	for (unsigned int i = 0; i < r->n; i++)
		sm_close_fd(&r->zone[i].fd);
	free(r->zone);
	*r = (struct sm_rapl){0};
}

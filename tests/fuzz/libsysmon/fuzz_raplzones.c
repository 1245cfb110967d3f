// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_raplzones: ids and names of zones, one a line with a tab between.  Labels are
 * unique, parents contain their zones, and the total has each domain of a control type
 * once and no zone that is part of another zone in the total.
 */
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "power/rapl.h"

#define ZONES_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void copy(char *to, struct sm_str s)
{
	size_t n = s.n < SM_RAPL_NAME_MAX - 1 ? s.n : SM_RAPL_NAME_MAX - 1;

	memcpy(to, s.p, n);
	to[n] = '\0';
}

/* A directory has each name once. */
static bool known(const struct sm_rapl *r, const char *id)
{
	for (unsigned int i = 0; i < r->zones.n; i++)
		if (strcmp(r->zones.at[i].counter.id, id) == 0)
			return true;
	return false;
}

static void add_line(struct sm_rapl *r, struct sm_str line)
{
	char id[SM_RAPL_NAME_MAX], name[SM_RAPL_NAME_MAX] = "";
	const char *tab = memchr(line.p, '\t', line.n);
	size_t n = tab ? (size_t)(tab - line.p) : line.n;

	copy(id, (struct sm_str){line.p, n});
	if (tab)
		copy(name, (struct sm_str){tab + 1, line.n - n - 1});
	if (id[0] && !known(r, id))
		require(sm_rapl_zones_add(&r->zones, id, name) == 0);
}

static void check_parent(const struct sm_rapl *r, const struct sm_rapl_zone *z)
{
	const struct sm_rapl_zone *up;
	size_t n;

	require(z->role.parent >= -1 && z->role.parent < (int)r->zones.n);
	if (z->role.parent < 0)
		return;
	up = &r->zones.at[z->role.parent];
	n = strlen(up->counter.id);
	require(up != z && strncmp(up->counter.id, z->counter.id, n) == 0 &&
		z->counter.id[n] == ':');
	require(z->role.why != SM_RAPL_COUNTED || z->role.kind == SM_RAPL_PACKAGE ||
		z->role.kind == SM_RAPL_DRAM || z->role.kind == SM_RAPL_PSYS);
}

static void check_partner(const struct sm_rapl *r, const struct sm_rapl_zone *z)
{
	const struct sm_rapl_zone *lead;

	require((z->role.partner >= 0) == (z->role.why == SM_RAPL_DUPLICATE));
	if (z->role.partner < 0)
		return;
	require(z->role.partner < (int)r->zones.n);
	lead = &r->zones.at[z->role.partner];
	require(lead < z && lead->role.partner < 0 && lead->role.kind == z->role.kind);
	require(lead->role.package == z->role.package && lead->role.die == z->role.die);
	require(strcspn(lead->counter.id, ":") != strcspn(z->counter.id, ":") ||
		strncmp(lead->counter.id, z->counter.id, strcspn(z->counter.id, ":")) !=
			0);
}

static void check_zone(const struct sm_rapl *r, unsigned int i)
{
	const struct sm_rapl_zone *z = &r->zones.at[i];

	require(z->role.label[0] && z->role.kind <= SM_RAPL_OTHER &&
		z->role.why != SM_RAPL_MIRROR);
	check_parent(r, z);
	check_partner(r, z);
	for (unsigned int k = 0; k < i; k++) {
		require(strcmp(r->zones.at[k].role.label, z->role.label) != 0);
		require(r->zones.at[k].role.kind <= z->role.kind);
	}
	if (z->role.why != SM_RAPL_COUNTED)
		return;
	require((z->role.kind == SM_RAPL_PSYS) == (r->zones.rule == SM_RAPL_TOTAL_PSYS));
	require(z->role.kind != SM_RAPL_DRAM || r->zones.rule == SM_RAPL_TOTAL_PKG_DRAM);
	require(z->role.kind < SM_RAPL_CORE || z->role.kind == SM_RAPL_DRAM ||
		z->role.kind == SM_RAPL_PSYS ||
		r->zones.at[0].role.kind != SM_RAPL_PACKAGE);
}

static void arrange(const char *text, size_t size, enum sm_rapl_total rule)
{
	struct sm_rapl r = {.zones.rule = rule};
	const char *p = text;
	unsigned int counted = 0;
	struct sm_str line;

	while (r.zones.n < ZONES_MAX && sm_parse_line(&p, text + size, &line))
		add_line(&r, line);
	sm_rapl_zones_arrange(&r.zones);
	for (unsigned int i = 0; i < r.zones.n; i++) {
		check_zone(&r, i);
		counted += r.zones.at[i].role.why == SM_RAPL_COUNTED;
		require(r.zones.at[i].role.why != SM_RAPL_MIRROR);
	}
	require(counted == r.zones.counted);
	sm_rapl_close(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;

	arrange(text, size, SM_RAPL_TOTAL_PKG_DRAM);
	arrange(text, size, SM_RAPL_TOTAL_PKG);
	arrange(text, size, SM_RAPL_TOTAL_PSYS);
	return 0;
}

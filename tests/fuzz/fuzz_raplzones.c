// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_raplzones: ids and names of zones, one a line with a tab between.  Labels are
 * unique, parents are around their zones, the total has each place of a control type once
 * and nothing that lies in another zone of the total's packages.
 */
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "rapl.h"

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
	for (unsigned int i = 0; i < r->n; i++)
		if (strcmp(r->zone[i].id, id) == 0)
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
		require(sm_rapl_add(r, id, name) == 0);
}

static void check_parent(const struct sm_rapl *r, const struct sm_rapl_zone *z)
{
	const struct sm_rapl_zone *up;
	size_t n;

	require(z->parent >= -1 && z->parent < (int)r->n);
	if (z->parent < 0)
		return;
	up = &r->zone[z->parent];
	n = strlen(up->id);
	require(up != z && strncmp(up->id, z->id, n) == 0 && z->id[n] == ':');
	require(z->why != SM_RAPL_COUNTED || z->kind == SM_RAPL_PACKAGE ||
		z->kind == SM_RAPL_DRAM || z->kind == SM_RAPL_PSYS);
}

static void check_partner(const struct sm_rapl *r, const struct sm_rapl_zone *z)
{
	const struct sm_rapl_zone *lead;

	require((z->partner >= 0) == (z->why == SM_RAPL_TWIN));
	if (z->partner < 0)
		return;
	require(z->partner < (int)r->n);
	lead = &r->zone[z->partner];
	require(lead < z && lead->partner < 0 && lead->kind == z->kind);
	require(lead->package == z->package && lead->die == z->die);
	require(strcspn(lead->id, ":") != strcspn(z->id, ":") ||
		strncmp(lead->id, z->id, strcspn(z->id, ":")) != 0);
}

static void check_zone(const struct sm_rapl *r, unsigned int i)
{
	const struct sm_rapl_zone *z = &r->zone[i];

	require(z->label[0] && z->kind <= SM_RAPL_OTHER && z->why != SM_RAPL_MIRROR);
	check_parent(r, z);
	check_partner(r, z);
	for (unsigned int k = 0; k < i; k++) {
		require(strcmp(r->zone[k].label, z->label) != 0);
		require(r->zone[k].kind <= z->kind);
	}
	if (z->why != SM_RAPL_COUNTED)
		return;
	require((z->kind == SM_RAPL_PSYS) == (r->rule == SM_RAPL_TOTAL_PSYS));
	require(z->kind != SM_RAPL_DRAM || r->rule == SM_RAPL_TOTAL_PKG_DRAM);
	require(z->kind < SM_RAPL_CORE || z->kind == SM_RAPL_DRAM ||
		z->kind == SM_RAPL_PSYS || r->zone[0].kind != SM_RAPL_PACKAGE);
}

static void arrange(const char *text, size_t size, enum sm_rapl_total rule)
{
	struct sm_rapl r = {.rule = rule};
	const char *p = text;
	unsigned int counted = 0;
	struct sm_str line;

	while (r.n < ZONES_MAX && sm_parse_line(&p, text + size, &line))
		add_line(&r, line);
	sm_rapl_arrange(&r);
	for (unsigned int i = 0; i < r.n; i++) {
		check_zone(&r, i);
		counted += r.zone[i].why == SM_RAPL_COUNTED;
		require(r.zone[i].why != SM_RAPL_MIRROR);
	}
	require(counted == r.counted);
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

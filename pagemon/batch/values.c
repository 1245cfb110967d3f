// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "cli/app_rows.h"
#include "../columns.h"
#include "values.h"

static struct sm_value kb(const struct snapshot *s, uint64_t pages)
{
	return sm_value_u64(pages * (s->space.page_bytes / 1024));
}

static void put_if_known(
	const struct snapshot *s, uint64_t category, uint64_t pages, struct sm_value *val)
{
	if (s->known & category)
		*val = kb(s, pages);
}

static void put_counts(
	const struct snapshot *s, const struct counts *c, struct sm_value *val)
{
	val[C_PRESENT] = kb(s, c->present);
	put_if_known(s, SM_PAGE_SWAPPED, c->swapped, &val[C_SWAP]);
	if (!c->hidden)
		val[C_OTHER] = kb(s, c->other);
	val[C_FILE] = kb(s, c->file);
	val[C_ANON] = kb(s, c->present - c->file);
	put_if_known(s, SM_PAGE_ZERO, c->zero, &val[C_ZERO]);
	put_if_known(s, SM_PAGE_HUGE, c->huge, &val[C_HUGE]);
	put_if_known(s, SM_PAGE_GUARD, c->guard, &val[C_GUARD]);
	put_if_known(s, SM_PAGE_SOFT_DIRTY, c->dirty, &val[C_DIRTY]);
	put_if_known(s, PAGE_EXCLUSIVE, c->exclusive, &val[C_EXCL]);
}

static void put_usage(const struct usage *u, struct sm_value *val)
{
	for (enum usage_key k = 0; k < USAGE_KEYS; k++)
		if (u->known >> k & 1)
			val[C_PSS + k] = sm_value_u64(u->kb[k]);
}

static void begin(const struct snapshot *s, uint64_t t_ns, struct sm_value *val)
{
	memset(val, 0, C_N * sizeof(*val));
	val[C_TIME] = sm_value_time(sm_app_rows_wall_ns(t_ns));
	val[C_MONO] = sm_value_u64(t_ns);
	val[C_PID] = sm_value_u64((uint64_t)s->target.pid);
	val[C_COMM] = sm_value_text(s->target.stat.comm, s->target.stat.comm_len);
}

void values_exited(
	const struct snapshot *s, uint64_t t_ns, uint64_t peak_kb, struct sm_value *val)
{
	begin(s, t_ns, val);
	val[C_PEAK] = sm_value_u64(peak_kb);
}

void values_process(
	const struct snapshot *s, const struct snapshot_totals *t, struct sm_value *val)
{
	begin(s, t->t_ns, val);
	val[C_MAPPINGS] = sm_value_u64(t->mappings);
	val[C_MAPPED] = kb(s, t->pages);
	put_counts(s, &t->counts, val);
	put_usage(&t->usage, val);
	if (t->faults_known) {
		val[C_MINFLT] = sm_value_u64(t->faults.minor);
		val[C_MAJFLT] = sm_value_u64(t->faults.major);
	}
}

/* --- mappings and runs ---------------------------------------------------------- */

static struct sm_value hex(char text[24], const char *prefix, uint64_t v)
{
	snprintf(text, 24, "%s%llx", prefix, (unsigned long long)v);
	return sm_value_str(text);
}

static void put_file(const struct mapping *m, uint64_t offset_bytes,
	struct values_text *text, struct sm_value *val)
{
	if (!m->inode)
		return;
	val[C_OFFSET] = hex(text->offset, "", offset_bytes);
	val[C_OFFSET_BYTES] = sm_value_u64(offset_bytes);
	snprintf(text->device, sizeof(text->device), "%02x:%02x", m->dev_major,
		m->dev_minor);
	val[C_DEVICE] = sm_value_str(text->device);
	val[C_INODE] = sm_value_u64(m->inode);
}

static void put_range(const struct snapshot *s, const struct mapping *m, uint64_t start,
	uint64_t end, struct values_text *text, struct sm_value *val)
{
	snprintf(text->range, sizeof(text->range), "%012llx-%012llx",
		(unsigned long long)start, (unsigned long long)end);
	val[C_RANGE] = sm_value_str(text->range);
	val[C_START] = hex(text->start, "0x", start);
	val[C_END] = hex(text->end, "0x", end);
	sm_maps_perms(m->perms, text->perms);
	val[C_PERMS] = sm_value_str(text->perms);
	put_file(m, m->offset_bytes + (start - m->start), text, val);
	val[C_MAPPED] = kb(s, (end - start) / s->space.page_bytes);
	if (m->name_len)
		val[C_NAME] = sm_value_text(m->name, m->name_len);
}

void values_mapping(const struct snapshot *s, size_t m, struct values_text *text,
	struct sm_value *val)
{
	const struct mapping *map = &s->space.mappings[m];

	begin(s, s->now.t_ns, val);
	put_range(s, map, map->start, map->end, text, val);
	put_counts(s, &s->each[m], val);
	if (s->smaps)
		put_usage(&s->usages.each[m], val);
}

/* Writes a state as words of the columns, such as "anon+excl". */
static void put_state(uint64_t categories, char *out, size_t size)
{
	static const struct {
		uint64_t category;
		const char *word;
	} words[] = {{SM_PAGE_SWAPPED, "swap"}, {SM_PAGE_MARKER, "marker"},
		{SM_PAGE_POISON, "poison"}, {SM_PAGE_OTHER, "other"},
		{SM_PAGE_GUARD, "guard"}, {SM_PAGE_FILE, "file"}, {SM_PAGE_ZERO, "zero"},
		{SM_PAGE_HUGE, "huge"}, {SM_PAGE_SOFT_DIRTY, "dirty"},
		{PAGE_EXCLUSIVE, "excl"}};
	size_t n = 0;

	out[0] = '\0';
	if ((categories & (SM_PAGE_PRESENT | SM_PAGE_FILE)) == SM_PAGE_PRESENT)
		n = (size_t)snprintf(out, size, "anon");
	for (size_t i = 0; i < SM_ARRAY_SIZE(words); i++)
		if (categories & words[i].category)
			n += (size_t)snprintf(
				out + n, size - n, "%s%s", n ? "+" : "", words[i].word);
}

void values_run(const struct snapshot *s, const struct page_run *run,
	struct values_text *text, struct sm_value *val)
{
	const struct mapping *map = &s->space.mappings[run->m];
	uint64_t start = map->start + run->first * s->space.page_bytes;

	begin(s, s->now.t_ns, val);
	put_range(s, map, start, start + run->n * s->space.page_bytes, text, val);
	put_state(run->categories, text->state, sizeof(text->state));
	val[C_STATE] = sm_value_str(text->state);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/text.h"
#include "list.h"
#include "power/source_open.h"

const struct sm_source_help list_help = {
	.tool = "power-calibrate", .option = "--source="};

static void put_domains(const struct sm_source *p, struct sm_buf *b)
{
	for (unsigned int i = 0; i < p->n; i++) {
		const char *label = p->domain[i].label;

		sm_buf_str(b, "    ");
		sm_text_human(b, label, strlen(label), SM_TEXT_UTF8);
		sm_buf_str(b, p->domain[i].counted ? ": added\n" : ": not added\n");
	}
}

/* Returns the kind of the source, or SM_SOURCE_NONE with the reasons in *why. */
static enum sm_source_kind put_kind(const struct sm_root *root,
	const struct sm_source_want *want, enum sm_source_kind kind, struct sm_buf *b,
	struct sm_buf *why)
{
	struct sm_source_want one = *want;
	enum sm_source_kind found = SM_SOURCE_NONE;
	struct sm_source p;

	one.kind = kind;
	if (sm_source_open(&p, root, &one, why) == 0) {
		found = p.kind;
		sm_buf_str(b, "  ");
		sm_source_describe(&p, b);
		sm_buf_chr(b, '\n');
		put_domains(&p, b);
	}
	sm_source_close(&p);
	return found;
}

/* Puts one kind after the reasons why sources cannot be used.  RAPL falls back to perf:
 * the reason then belongs to RAPL, and the source is perf. */
static enum sm_source_kind put_listed(const struct sm_root *root,
	const struct sm_source_want *want, enum sm_source_kind kind, struct sm_buf *b)
{
	struct sm_buf why = {0}, source = {0};
	enum sm_source_kind found = put_kind(root, want, kind, &source, &why);

	sm_buf_add(b, why.p, why.len);
	sm_buf_add(b, source.p, source.len);
	sm_buf_fini(&source);
	sm_buf_fini(&why);
	return found;
}

static void put_selected(const struct sm_root *root, const struct sm_source_want *want,
	unsigned int columns, struct sm_buf *b)
{
	struct sm_buf why = {0};

	if (put_kind(root, want, want->kind, b, &why) == SM_SOURCE_NONE) {
		sm_buf_str(b, "  none\n");
		sm_source_help(root, want->kind, &list_help, columns, b);
	}
	sm_buf_fini(&why);
}

void list_sources(const struct sm_root *root, const struct sm_source_want *want,
	unsigned int columns, struct sm_buf *b)
{
	sm_buf_str(b, "Power sources:\n");
	put_listed(root, want, SM_SOURCE_BATTERY, b);
	/* If RAPL fails, perf is listed in its place, or why perf fails. */
	if (put_listed(root, want, SM_SOURCE_RAPL, b) == SM_SOURCE_RAPL)
		put_listed(root, want, SM_SOURCE_PERF, b);
	put_listed(root, want, SM_SOURCE_HWMON, b);
	sm_buf_str(b, "Selected:\n");
	put_selected(root, want, columns, b);
}

void list_cpus(const struct sm_cpus *cpus, struct sm_buf *b)
{
	sm_buf_printf(b, "CPUs that can be loaded: %u\n", cpus->usable);
	for (unsigned int i = 0; i < cpus->n; i++) {
		enum sm_cpus_why why = sm_cpus_why(cpus, i);

		if (why != SM_CPUS_USABLE)
			sm_buf_printf(b, "  CPU %u %s\n", i, sm_cpus_reason(why));
	}
}

void list_types(const struct sm_topology_types *types, struct sm_buf *b)
{
	if (types->n < 2)
		return;
	sm_buf_str(b, "Types of CPUs (--by=type):\n");
	for (unsigned int i = 0; i < types->n; i++)
		sm_buf_printf(b, "  %s: %u CPU%s\n", types->name[i], types->cpus[i],
			types->cpus[i] == 1 ? "" : "s");
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/text.h"
#include "list.h"
#include "power/source_open.h"

static void put_domains(const struct sm_source *p, struct sm_buf *b)
{
	for (unsigned int i = 0; i < p->n; i++) {
		const char *label = p->domain[i].label;

		sm_buf_str(b, "    ");
		sm_text_human(b, label, strlen(label), SM_TEXT_UTF8);
		sm_buf_str(b, p->domain[i].counted ? ": added\n" : ": not added\n");
	}
}

static void put_kind(const struct sm_root *root, const struct sm_source_want *want,
	enum sm_source_kind kind, struct sm_buf *b)
{
	struct sm_source_want one = *want;
	struct sm_buf why = {0};
	struct sm_source p;
	int err;

	one.kind = kind;
	err = sm_source_open(&p, root, &one, &why);
	/* RAPL falls back to perf, which is listed separately. */
	if (!err && kind == SM_SOURCE_RAPL && want->kind != kind && p.kind != kind) {
		sm_buf_str(b, "  RAPL: no zones in powercap\n");
	} else if (!err) {
		sm_buf_str(b, "  ");
		sm_source_describe(&p, b);
		sm_buf_chr(b, '\n');
		put_domains(&p, b);
	} else {
		/* *why has an indented line with the reason for each source tried. */
		sm_buf_add(b, why.p, why.len);
		if (why.len && why.p[why.len - 1] != '\n')
			sm_buf_chr(b, '\n');
	}
	sm_source_close(&p);
	sm_buf_fini(&why);
}

void list_sources(
	const struct sm_root *root, const struct sm_source_want *want, struct sm_buf *b)
{
	static const enum sm_source_kind kinds[] = {
		SM_SOURCE_BATTERY, SM_SOURCE_RAPL, SM_SOURCE_PERF, SM_SOURCE_HWMON};

	sm_buf_str(b, "Power sources:\n");
	for (size_t i = 0; i < SM_ARRAY_SIZE(kinds); i++)
		put_kind(root, want, kinds[i], b);
	sm_buf_str(b, "Selected:\n");
	put_kind(root, want, want->kind, b);
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

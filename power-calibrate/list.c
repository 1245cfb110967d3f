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

/* Returns the error of the source; its reason is appended to *why. */
static int put_kind(const struct sm_root *root, const struct sm_source_want *want,
	enum sm_source_kind kind, struct sm_buf *b, struct sm_buf *why)
{
	struct sm_source_want one = *want;
	struct sm_source p;
	int err;

	one.kind = kind;
	err = sm_source_open(&p, root, &one, why);
	/* RAPL falls back to perf, which is listed separately. */
	if (!err && kind == SM_SOURCE_RAPL && want->kind != kind && p.kind != kind) {
		sm_buf_str(b, "  RAPL: no zones in powercap\n");
	} else if (!err) {
		sm_buf_str(b, "  ");
		sm_source_describe(&p, b);
		sm_buf_chr(b, '\n');
		put_domains(&p, b);
	}
	sm_source_close(&p);
	return err;
}

/* Puts indented lines with the reason for each source tried. */
static void put_why(const struct sm_buf *why, struct sm_buf *b)
{
	sm_buf_add(b, why->p, why->len);
	if (why->len && why->p[why->len - 1] != '\n')
		sm_buf_chr(b, '\n');
}

/* Puts one kind, or why it cannot be used. */
static int put_listed(const struct sm_root *root, const struct sm_source_want *want,
	enum sm_source_kind kind, struct sm_buf *b)
{
	struct sm_buf why = {0};
	int err = put_kind(root, want, kind, b, &why);

	if (err)
		put_why(&why, b);
	sm_buf_fini(&why);
	return err;
}

static void put_selected(
	const struct sm_root *root, const struct sm_source_want *want, struct sm_buf *b)
{
	struct sm_buf why = {0};

	if (put_kind(root, want, want->kind, b, &why)) {
		sm_buf_str(b, "  none\n");
		sm_source_help(root, want->kind, &list_help, b);
	}
	sm_buf_fini(&why);
}

void list_sources(
	const struct sm_root *root, const struct sm_source_want *want, struct sm_buf *b)
{
	sm_buf_str(b, "Power sources:\n");
	put_listed(root, want, SM_SOURCE_BATTERY, b);
	/* If RAPL fails, its reasons include the reason of perf. */
	if (!put_listed(root, want, SM_SOURCE_RAPL, b))
		put_listed(root, want, SM_SOURCE_PERF, b);
	put_listed(root, want, SM_SOURCE_HWMON, b);
	sm_buf_str(b, "Selected:\n");
	put_selected(root, want, b);
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

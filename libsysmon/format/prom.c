// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "format/prom.h"
#include "format/replace.h"

void sm_prom_init(
	struct sm_prom *p, const char *path, const char *tool, const char *version)
{
	*p = (struct sm_prom){.path = path, .tool = tool, .version = version};
}

void sm_prom_fini(struct sm_prom *p)
{
	sm_buf_fini(&p->b);
}

/* In HELP text, only backslash and newline are escaped. */
static void add_help(struct sm_buf *b, const char *help)
{
	for (; *help; help++) {
		if (*help == '\n')
			sm_buf_add(b, "\\n", 2);
		else if (*help == '\\')
			sm_buf_add(b, "\\\\", 2);
		else
			sm_buf_chr(b, *help);
	}
}

void sm_prom_family(
	struct sm_prom *p, const char *name, const char *type, const char *help)
{
	p->family = name;
	p->type = type;
	p->help = help;
	p->omitted = p->ended && strcmp(type, "gauge") == 0;
}

void sm_prom_result(struct sm_prom *p, const char *name, const char *help)
{
	sm_prom_family(p, name, "gauge", help);
	p->omitted = false;
}

void sm_prom_end(struct sm_prom *p)
{
	p->ended = true;
}

static void add_head(struct sm_prom *p)
{
	sm_buf_str(&p->b, "# HELP ");
	sm_buf_str(&p->b, p->family);
	sm_buf_chr(&p->b, ' ');
	add_help(&p->b, p->help);
	sm_buf_str(&p->b, "\n# TYPE ");
	sm_buf_str(&p->b, p->family);
	sm_buf_chr(&p->b, ' ');
	sm_buf_str(&p->b, p->type);
	sm_buf_chr(&p->b, '\n');
	p->help = NULL;
}

/* Appends a sample line up to its value. */
static void add_name(
	struct sm_prom *p, const char *suffix, const struct sm_prom_label *l, size_t nl)
{
	if (p->help)
		add_head(p);
	sm_buf_str(&p->b, p->family);
	if (suffix)
		sm_buf_str(&p->b, suffix);
	for (size_t i = 0; i < nl; i++) {
		sm_buf_chr(&p->b, i ? ',' : '{');
		sm_buf_str(&p->b, l[i].name);
		sm_buf_chr(&p->b, '=');
		sm_text_label(&p->b, l[i].value.p, l[i].value.n);
	}
	if (nl)
		sm_buf_chr(&p->b, '}');
	sm_buf_chr(&p->b, ' ');
}

void sm_prom_u64(struct sm_prom *p, const char *suffix, const struct sm_prom_label *l,
	size_t nl, uint64_t v)
{
	if (p->omitted)
		return;
	add_name(p, suffix, l, nl);
	sm_buf_u64(&p->b, v);
	sm_buf_chr(&p->b, '\n');
}

/* Appends the shortest text that reads back as v, with '.' in any locale. */
static void add_double(struct sm_buf *b, double v)
{
	char text[40];
	int precision = 15;

	do
		snprintf(text, sizeof(text), "%.*g", precision, v);
	while (strtod(text, NULL) != v && precision++ < 17);
	for (char *c = text; *c; c++) {
		if (!strchr("0123456789+-e", *c))
			*c = '.';
	}
	sm_buf_str(b, text);
}

void sm_prom_double(struct sm_prom *p, const char *suffix, const struct sm_prom_label *l,
	size_t nl, double v)
{
	if (p->omitted)
		return;
	add_name(p, suffix, l, nl);
	if (isnan(v))
		sm_buf_str(&p->b, "NaN");
	else if (isinf(v))
		sm_buf_str(&p->b, v > 0 ? "+Inf" : "-Inf");
	else
		add_double(&p->b, v);
	sm_buf_chr(&p->b, '\n');
}

void sm_prom_one(struct sm_prom *p, const char *name, const char *type, const char *help,
	uint64_t v)
{
	sm_prom_family(p, name, type, help);
	sm_prom_u64(p, NULL, NULL, 0, v);
}

void sm_prom_one_double(
	struct sm_prom *p, const char *name, const char *type, const char *help, double v)
{
	sm_prom_family(p, name, type, help);
	sm_prom_double(p, NULL, NULL, 0, v);
}

static int fill(void *ctx, int fd)
{
	const struct sm_buf *b = ctx;

	return sm_file_write(fd, b->p, b->len);
}

/* Builds the name of a family that each tool has. */
static const char *own_name(
	const struct sm_prom *p, const char *end, char name[static 80])
{
	snprintf(name, 80, "sysmon_%s_%s", p->tool, end);
	/* power-calibrate: the name of a metric cannot contain a hyphen. */
	for (char *c = name; *c; c++)
		*c = *c == '-' ? '_' : *c;
	return name;
}

/* A double represents a time of this century exactly to the microsecond, not further. */
static double unix_time(uint64_t ns)
{
	const uint64_t us = ns / 1000;

	return (double)us / 1e6;
}

static void add_own(struct sm_prom *p)
{
	const struct sm_prom_label version = {
		"version", {p->version, strlen(p->version)}};
	char name[80];

	sm_prom_family(p, own_name(p, "info", name), "gauge",
		"The program that wrote this file.");
	sm_prom_u64(p, NULL, &version, 1, 1);
	sm_prom_one_double(p, own_name(p, "last_sample_timestamp_seconds", name), "gauge",
		"Unix time of the last sample.", unix_time(p->sampled_ns));
}

int sm_prom_commit(struct sm_prom *p)
{
	int err;

	if (p->tool)
		add_own(p);
	err = sm_buf_error(&p->b);
	if (!err)
		err = sm_replace_file(p->path, 0666, fill, &p->b);
	sm_buf_reset(&p->b);
	p->family = NULL;
	return err;
}

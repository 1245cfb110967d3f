/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prom: Prometheus text format 0.0.4 for node_exporter's textfile collector.
 *
 * No timestamps, base units (seconds, bytes), a HELP and TYPE line per family, bounded
 * labels.  The file is replaced by replace.h, so a reader never sees a part of it; a new file has
 * mode 0666 less the umask.
 */
#ifndef SM_PROM_H
#define SM_PROM_H

#include "base/base.h"
#include "base/buf.h"

struct sm_prom {
	struct sm_buf b;
	const char *path;   /* borrowed */
	const char *family;
	const char *type, *help;    /* of its head; NULL: the head is written */
	const char *tool, *version; /* of sm_prom_init() */
};

struct sm_prom_label {
	const char *name;
	struct sm_str value; /* may be hostile: sanitised here */
};

/* Each file has the family sysmon_TOOL_info{version="VERSION"}; tool NULL: none. */
void sm_prom_init(struct sm_prom *p, const char *path, const char *tool, const char *version);
void sm_prom_fini(struct sm_prom *p);
/* type: "counter", "gauge", "histogram".  Its head precedes its first line; without a line it has
 * none. */
void sm_prom_family(struct sm_prom *p, const char *name, const char *type, const char *help);
void sm_prom_u64(struct sm_prom *p, const char *suffix, const struct sm_prom_label *l, size_t nl,
	uint64_t v);
void sm_prom_double(struct sm_prom *p, const char *suffix, const struct sm_prom_label *l, size_t nl,
	double v);
/* A family of one line without labels. */
void sm_prom_one(struct sm_prom *p, const char *name, const char *type, const char *help,
	uint64_t v);
void sm_prom_one_double(struct sm_prom *p, const char *name, const char *type, const char *help,
	double v);
/* Replaces the file, and empties the buffer.  -errno of sm_replace_file() leaves the old file. */
int sm_prom_commit(struct sm_prom *p) SM_MUST;

#endif

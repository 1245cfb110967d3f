/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prom: Prometheus text format 0.0.4 for node_exporter's textfile collector.
 *
 * No timestamps, base units (seconds, bytes), a HELP and TYPE line per family, bounded
 * labels.  The file is replaced by write-and-rename in its own directory, so a reader never
 * sees half of it; mode 0644.
 */
#ifndef SM_PROM_H
#define SM_PROM_H

#include "base.h"
#include "buf.h"

struct sm_prom {
	struct sm_buf b;
	const char *path;   /* borrowed */
	const char *family;
};

struct sm_prom_label {
	const char *name;
	struct sm_str value; /* may be hostile: sanitised here */
};

void sm_prom_init(struct sm_prom *p, const char *path);
void sm_prom_fini(struct sm_prom *p);
/* type: "counter", "gauge", "histogram". */
void sm_prom_family(struct sm_prom *p, const char *name, const char *type, const char *help);
void sm_prom_u64(struct sm_prom *p, const char *suffix, const struct sm_prom_label *l, size_t nl,
	uint64_t v);
void sm_prom_double(struct sm_prom *p, const char *suffix, const struct sm_prom_label *l, size_t nl,
	double v);
/* Writes path.tmp.PID and renames it; empties the buffer.  -errno leaves the old file; -ELOOP: it
 * is a symbolic link; -EOPNOTSUPP: it is something else that is no regular file. */
int sm_prom_commit(struct sm_prom *p) SM_MUST;

#endif

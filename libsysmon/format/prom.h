/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prom: Prometheus text format 0.0.4 for node_exporter's textfile collector.
 *
 * No timestamps, base units (seconds, bytes), a HELP and a TYPE line per family, bounded labels.  The
 * file is replaced with replace.h, so a reader never sees an incomplete file; a new file has mode 0666
 * minus the umask.
 *
 * A gauge describes the present, and the file is also read after the end of the run.  In the last file
 * of a run, the only gauges are therefore results of the run, which sm_prom_result() marks.
 */
#ifndef SM_PROM_H
#define SM_PROM_H

#include "base/base.h"
#include "base/buf.h"

struct sm_prom {
	struct sm_buf b;
	const char *path;   /* borrowed */
	const char *family;
	const char *type, *help;    /* of the family's head; NULL: the head is already written */
	const char *tool, *version; /* from sm_prom_init() */
	uint64_t sampled_ns; /* Unix time of the last sample, set by the caller */
	bool ended;          /* sm_prom_end() was called */
	bool omitted;        /* the lines of the family are not written */
};

struct sm_prom_label {
	const char *name;
	struct sm_str value; /* may be hostile: sanitised here */
};

/* Each file before the end contains the families sysmon_TOOL_info{version="VERSION"} and
 * sysmon_TOOL_last_sample_timestamp_seconds, the value of sampled_ns; tool NULL: not written. */
void sm_prom_init(struct sm_prom *p, const char *path, const char *tool, const char *version);
void sm_prom_fini(struct sm_prom *p);
/* Starts a family.  type: "counter", "gauge", "histogram".  Its head precedes its first line; a family
 * without lines has no head. */
void sm_prom_family(struct sm_prom *p, const char *name, const char *type, const char *help);
/* Starts a family of type gauge that is a result of the run and stays in the file after its end. */
void sm_prom_result(struct sm_prom *p, const char *name, const char *help);
/* The run has ended: the next file is the last one, without gauges. */
void sm_prom_end(struct sm_prom *p);
void sm_prom_u64(struct sm_prom *p, const char *suffix, const struct sm_prom_label *l, size_t nl,
	uint64_t v);
void sm_prom_double(struct sm_prom *p, const char *suffix, const struct sm_prom_label *l, size_t nl,
	double v);
/* Writes a family that consists of one line without labels. */
void sm_prom_one(struct sm_prom *p, const char *name, const char *type, const char *help,
	uint64_t v);
void sm_prom_one_double(struct sm_prom *p, const char *name, const char *type, const char *help,
	double v);
/* Replaces the file and empties the buffer.  Returns 0, or -errno of sm_replace_file(): the old file is
 * then unchanged. */
int sm_prom_commit(struct sm_prom *p) SM_MUST;

#endif

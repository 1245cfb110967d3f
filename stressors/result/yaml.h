/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yaml: the results as YAML with the keys of stress-ng (-Y).
 *
 * Sections: system-info, metrics (of the jobs that ran), perfstats, energy and thermal-zones (figures),
 * times, and "results" with the status and reason of all jobs, which stress-ng lacks.  Text other than a
 * single word is quoted, and bytes that are not text are shown as \xNN in it.  A metric's key is made from
 * its whole name and unit: "write64-mb-per-sec".  A key is unique in its mapping: a second one ends in -2.
 */
#ifndef STRESSORS_RESULT_YAML_H
#define STRESSORS_RESULT_YAML_H

#include "../opts.h"
#include "facts.h"

void yaml_put(const struct result *r, size_t n, const struct config *c, const struct facts *f,
	struct sm_buf *b);

#endif

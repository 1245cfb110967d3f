/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yaml_key: keys of YAML made of names and units.  For yaml.c.
 */
#ifndef STRESSORS_RESULT_YAML_KEY_H
#define STRESSORS_RESULT_YAML_KEY_H

#include "../stressor.h"
#include "base/buf.h"

/* Keys of one mapping, each ended by a NUL. */
struct yaml_keys {
	struct sm_buf b;
};

/* Appends the key of a metric: stress-ng's own, or one that is made from its name and unit.  method: the
 * value of the stressor's option of that name, or "". */
void yaml_key_metric(struct sm_buf *b, const char *stressor, const char *method,
	const struct stressor_metric *m);
/* Appends the name in lower case; other characters than letters and digits become `dash`, except at the
 * ends. */
void yaml_key_name(struct sm_buf *b, const char *name, char dash);
/* Makes the key unique that begins at b->p + at and ends the buffer. */
void yaml_keys_unique(struct yaml_keys *k, struct sm_buf *b, size_t at);
void yaml_keys_fini(struct yaml_keys *k);

#endif

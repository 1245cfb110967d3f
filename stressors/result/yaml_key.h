/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yaml_key: keys of YAML made of names and units.  For yaml.c.
 */
#ifndef STRESSORS_RESULT_YAML_KEY_H
#define STRESSORS_RESULT_YAML_KEY_H

#include "../stressor.h"
#include "base/buf.h"

/* Appends the key of a metric: stress-ng's own, or one that is made from its name and unit.  method: the
 * value of the stressor's option of that name, or "". */
void yaml_key_metric(struct sm_buf *b, const char *stressor, const char *method,
	const struct stressor_metric *m);
/* Appends the name in lower case; other characters than letters and digits become `dash`, except at the
 * ends. */
void yaml_key_name(struct sm_buf *b, const char *name, char dash);
/* keys: the keys of a mapping, each ended by a NUL.  Ends the key that begins at keys->p + at, and returns
 * it; a key that was there before has -2 at its end.  Valid until the next append, and "" without memory. */
const char *yaml_keys_end(struct sm_buf *keys, size_t at);
void yaml_keys_fini(struct sm_buf *keys, struct sm_buf *b); /* b receives the error */

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* The option that was probably meant by an unknown name. */
#include <string.h>

#include "base/distance.h"
#include "cli/opt.h"

static struct sm_str first_word(struct sm_str name)
{
	const char *end = memchr(name.p, '-', name.n);

	return (struct sm_str){name.p, end ? (size_t)(end - name.p) : 0};
}

/* Returns false if the first words differ in more than a third of their letters:
 * --no-madvise must not match --vm-madvise. */
static bool similar_word(struct sm_str a, struct sm_str b)
{
	struct sm_str word_a = first_word(a), word_b = first_word(b);

	return !word_a.n || !word_b.n || sm_distance(word_a, word_b) <= word_a.n / 3;
}

const struct sm_opt *sm_opt_nearest(const struct sm_opt_spec *s, struct sm_str name)
{
	const struct sm_opt *found = NULL;
	unsigned int nearest = (unsigned int)(name.n / 3) + 1;

	for (size_t i = 0; i < s->nopts; i++) {
		const struct sm_opt *o = &s->opts[i];
		struct sm_str own = {o->name, o->name ? strlen(o->name) : 0};
		unsigned int d;

		if (!o->name || o->hidden || !similar_word(name, own))
			continue;
		d = sm_distance(name, own);
		if (d >= nearest)
			continue;
		nearest = d;
		found = o;
	}
	return found;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "oneline.h"
#include "base/text.h"

static void figure(struct sm_buf *b, const struct sm_column *c, double x, int decimals)
{
	if (isfinite(x))
		sm_buf_double(b, c->scale != 0 ? x * c->scale : x, decimals);
	else
		sm_buf_chr(b, '-');
}

static void name(struct sm_buf *b, const struct sm_column *c, unsigned int flags)
{
	sm_text_human(b, c->head, strlen(c->head), flags);
	sm_buf_chr(b, ' ');
}

static void power(const struct columns *t, const struct sample *s,
	const struct stats *stats, bool brief, struct sm_buf *b)
{
	static const struct {
		enum stat_kind what;
		const char *word;
	} parts[] = {{STAT_MIN, " min, "}, {STAT_MAX, " max, "}, {STAT_AVERAGE, " mean"}};
	const struct sm_column *c = &t->list.col[V_WATTS];

	figure(b, c, s->v[V_WATTS], c->decimals);
	if (isfinite(s->v[V_WATTS]) && sample_mark(s))
		sm_buf_str(b, sample_mark(s));
	sm_buf_str(b, " now, ");
	for (unsigned int i = brief ? 2 : 0; i < SM_ARRAY_SIZE(parts); i++) {
		figure(b, c, stats_get(stats, V_WATTS, parts[i].what), c->decimals);
		sm_buf_str(b, parts[i].word);
	}
}

static void part(const struct columns *t, const struct sample *s,
	const struct stats *stats, unsigned int col, unsigned int flags, bool brief,
	struct sm_buf *b)
{
	const struct sm_column *c = &t->list.col[col];
	bool celsius = col - t->thermal0 < t->nthermal;
	int decimals = celsius ? 1 : c->decimals;

	sm_buf_str(b, " | ");
	name(b, c, flags);
	figure(b, c, s->v[col], decimals);
	sm_buf_str(b, celsius ? " C" : c->unit ? c->unit : "");
	if (brief)
		return;
	sm_buf_str(b, " (");
	figure(b, c, stats_get(stats, col, STAT_MIN), decimals);
	sm_buf_str(b, " to ");
	figure(b, c, stats_get(stats, col, STAT_MAX), decimals);
	sm_buf_chr(b, ')');
}

void oneline(const struct columns *t, const struct sample *s, const struct stats *stats,
	unsigned int flags, bool brief, struct sm_buf *b)
{
	name(b, &t->list.col[V_WATTS], flags);
	power(t, s, stats, brief, b);
	if (t->nfreq)
		part(t, s, stats, t->freq0, flags, brief, b);
	if (t->gpu)
		part(t, s, stats, t->gpu, flags, brief, b);
	for (unsigned int i = 0; i < t->nthermal; i++)
		part(t, s, stats, t->thermal0 + i, flags, brief, b);
}

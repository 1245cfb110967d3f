// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "minmax.h"
#include "text.h"

static void figure(struct sm_buf *b, const struct ps_col *c, double x, int decimals)
{
	if (isfinite(x))
		sm_buf_double(b, x * c->scale, decimals);
	else
		sm_buf_chr(b, '-');
}

static void name(struct sm_buf *b, const struct ps_col *c, unsigned int flags)
{
	sm_text_human(b, c->head, c->head_len, flags);
	sm_buf_chr(b, ' ');
}

/* The same as in the table. */
static void mark(const struct ps_sample *s, struct sm_buf *b)
{
	if (!isfinite(s->v[PS_WATTS]))
		return;
	if (s->kind == PS_ESTIMATE)
		sm_buf_chr(b, 'E');
	else if (s->incomplete)
		sm_buf_chr(b, '*');
}

static void power(const struct ps_table *t, const struct ps_sample *s,
	const struct ps_stats *stats, struct sm_buf *b)
{
	static const struct {
		enum ps_stat what;
		const char *word;
	} parts[] = {{PS_STAT_MIN, " min, "}, {PS_STAT_MAX, " max, "},
		{PS_STAT_AVERAGE, " mean"}};
	const struct ps_col *c = &t->col[PS_WATTS];

	figure(b, c, s->v[PS_WATTS], c->decimals);
	mark(s, b);
	sm_buf_str(b, " now, ");
	for (unsigned int i = 0; i < SM_ARRAY_SIZE(parts); i++) {
		figure(b, c, ps_stats_get(stats, PS_WATTS, parts[i].what), c->decimals);
		sm_buf_str(b, parts[i].word);
	}
}

/* " | acpitz 45.0 C (40.1-50.3)" */
static void part(const struct ps_table *t, const struct ps_sample *s,
	const struct ps_stats *stats, unsigned int col, unsigned int flags,
	struct sm_buf *b)
{
	const struct ps_col *c = &t->col[col];
	bool celsius = c->group == PS_G_THERMAL;
	int decimals = celsius ? 1 : c->decimals;

	sm_buf_str(b, " | ");
	name(b, c, flags);
	figure(b, c, s->v[col], decimals);
	sm_buf_str(b, celsius ? " C" : c->unit);
	sm_buf_str(b, " (");
	figure(b, c, ps_stats_get(stats, col, PS_STAT_MIN), decimals);
	sm_buf_str(b, " to ");
	figure(b, c, ps_stats_get(stats, col, PS_STAT_MAX), decimals);
	sm_buf_chr(b, ')');
}

void minmax_line(const struct ps_table *t, const struct ps_sample *s,
	const struct ps_stats *stats, unsigned int flags, struct sm_buf *b)
{
	name(b, &t->col[PS_WATTS], flags);
	power(t, s, stats, b);
	if (t->nfreq)
		part(t, s, stats, t->freq0, flags, b);
	if (t->gpu)
		part(t, s, stats, t->gpu, flags, b);
	for (unsigned int i = 0; i < t->nthermal; i++)
		part(t, s, stats, t->thermal0 + i, flags, b);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "section.h"

#include <errno.h>
#include <string.h>

#include "../list.h"
#include "../opts_state.h"
#include "mdoc.h"
#include "remarks.h"

/* The subsection of a stressor. */
struct part {
	struct sm_buf *b;
	const struct stressor *s;
	const struct stressor *model; /* describes equal options and metrics, or NULL */
	const char *remarks;
	size_t used;	 /* number of remarks that were printed */
	const char *bad; /* an option only some of whose choices have a remark, or NULL */
};

static struct sm_str str(const char *s)
{
	return (struct sm_str){s, strlen(s)};
}

static struct sm_str text_of(const struct sm_buf *b)
{
	return (struct sm_str){b->p, b->len};
}

/* ---- remarks ---- */

/* Finds the remark on a metric or option.  Returns false if there is none. */
static bool find(struct part *p, const char *kind, const char *name, struct sm_str *text)
{
	const char *at = p->remarks;
	struct remark r;

	while (remark_next(&at, &r)) {
		if (!remark_is(&r, kind, name))
			continue;
		p->used++;
		*text = r.text;
		return true;
	}
	return false;
}

static void put_paragraphs(struct part *p)
{
	const char *at = p->remarks;
	struct remark r;

	while (remark_next(&at, &r)) {
		if (r.key.n)
			continue;
		p->used++;
		sm_buf_str(p->b, ".Pp\n");
		mdoc_text(p->b, r.text, "");
	}
}

static bool all_used(const struct part *p)
{
	const char *at = p->remarks;
	struct remark r;
	size_t n = 0;

	while (remark_next(&at, &r))
		n++;
	return n == p->used;
}

/* ---- facts ---- */

static void put_fact(struct part *p, const char *tag, const char *text)
{
	sm_buf_printf(p->b, ".It %s\n", tag);
	mdoc_text(p->b, str(text), "");
}

static void put_classes(struct part *p)
{
	SM_CLEANUP(sm_buf_fini) struct sm_buf text = {0};

	opts_put_classes(&text, p->s);
	sm_buf_str(p->b, ".It Class\n");
	mdoc_text(p->b, text_of(&text), "");
}

/* Prints the metrics m[0] to m[n - 1], which have one unit and mean. */
static void put_group(struct part *p, const struct stressor_metric *m, size_t n)
{
	SM_CLEANUP(sm_buf_fini) struct sm_buf text = {0};
	struct mdoc_names names = {.b = p->b, .macro = "Va"};
	struct sm_str remark;

	sm_buf_str(p->b, ".It\n");
	for (size_t i = 0; i < n; i++)
		mdoc_name(&names, str(m[i].name));
	mdoc_names_end(&names, "");
	opts_put_metric_kind(&text, m);
	for (size_t i = 0; i < n; i++) {
		if (!find(p, "metric ", m[i].name, &remark))
			continue;
		sm_buf_str(&text, ": ");
		sm_buf_add(&text, remark.p, remark.n);
	}
	mdoc_text(p->b, text_of(&text), "");
}

static void put_metrics(struct part *p)
{
	const struct stressor_metric *m = p->s->metrics;

	if (!m)
		return;
	if (p->model) {
		sm_buf_printf(p->b, ".It Metrics\nsee\n.Sx %s\n", p->model->name);
		return;
	}
	sm_buf_str(p->b, ".It Metrics\n.Bl -dash -compact\n");
	for (size_t n = 1; m->name; n++) {
		if (!opts_metric_ends(&m[n - 1]))
			continue;
		put_group(p, m, n);
		m += n;
		n = 0;
	}
	sm_buf_str(p->b, ".El\n");
}

static void put_facts(struct part *p)
{
	sm_buf_printf(p->b, ".Ss %s\n", p->s->name);
	mdoc_sentence(p->b, str(p->s->does));
	sm_buf_str(p->b, ".Bl -tag -width \"Checked\" -compact\n");
	put_classes(p);
	put_fact(p, "One op", p->s->op);
	put_fact(p, "Checked", p->s->checks ? p->s->checks : "nothing can be");
	if (p->s->needs)
		put_fact(p, "Needs", p->s->needs);
	put_metrics(p);
	sm_buf_str(p->b, ".El\n");
}

/* ---- choices of an option ---- */

static bool has_choice(const struct stressor_opt *o, struct sm_str name)
{
	for (size_t i = 0; o->choices[i]; i++)
		if (strlen(o->choices[i]) == name.n &&
			memcmp(o->choices[i], name.p, name.n) == 0)
			return true;
	return false;
}

static size_t count_choices(const struct stressor_opt *o, size_t *widest)
{
	size_t n = 0;

	*widest = 0;
	for (; o->choices[n]; n++)
		if (strlen(o->choices[n]) > strlen(o->choices[*widest]))
			*widest = n;
	return n;
}

static size_t count_remarks(const struct part *p, const struct stressor_opt *o)
{
	const char *at = p->remarks;
	struct sm_str rest, choice;
	struct remark r;
	size_t n = 0;

	while (remark_next(&at, &r))
		if (remark_is_choice(&r, o->name, &rest))
			while (remark_choice(&rest, &choice))
				n += has_choice(o, choice);
	return n;
}

static void put_choices(struct part *p, const struct stressor_opt *o)
{
	const char *at = p->remarks;
	struct sm_str rest, choice;
	struct remark r;

	while (remark_next(&at, &r)) {
		struct mdoc_names names = {.b = p->b, .macro = "It Cm"};

		if (!remark_is_choice(&r, o->name, &rest))
			continue;
		while (remark_choice(&rest, &choice))
			mdoc_name(&names, choice);
		mdoc_names_end(&names, "");
		mdoc_text(p->b, r.text, "");
		p->used++;
	}
}

/* Prints the choices with their remarks, if they have any. */
static void put_choice_list(struct part *p, const struct stressor_opt *o)
{
	size_t widest, n = count_choices(o, &widest), remarks = count_remarks(p, o);

	if (!remarks)
		return;
	if (n != remarks)
		p->bad = o->name;
	sm_buf_printf(p->b, ".Bl -tag -width \"%s\" -compact\n", o->choices[widest]);
	put_choices(p, o);
	sm_buf_str(p->b, ".El\n");
}

static void put_choice_names(struct part *p, const struct stressor_opt *o)
{
	struct mdoc_names names = {.b = p->b, .macro = "Cm"};

	for (size_t i = 0; o->choices[i]; i++)
		mdoc_name(&names, str(o->choices[i]));
	mdoc_names_end(&names, ".");
}

/* ---- options ---- */

static void put_tag(struct part *p, const struct sm_opt *row)
{
	sm_buf_str(p->b, ".It ");
	if (row->letter)
		sm_buf_printf(p->b, "Fl %c , ", row->letter);
	sm_buf_printf(p->b, "Fl -%s", row->name);
	if (row->arg)
		sm_buf_printf(p->b, " Ns = Ns Ar %s", row->arg);
	sm_buf_chr(p->b, '\n');
}

/* Prints the text of an option with choices: "Select how children are created (default
 * fork)." */
static void put_choice(struct part *p, const struct stressor_opt *o)
{
	SM_CLEANUP(sm_buf_fini) struct sm_buf text = {0};
	bool listed = count_remarks(p, o) > 0;

	sm_buf_printf(&text, "%s (default ", o->help);
	opts_rows_put_value(&text, o, o->normal);
	sm_buf_str(&text, listed ? ")." : "):");
	mdoc_sentence(p->b, text_of(&text));
	if (!listed)
		put_choice_names(p, o);
}

static void put_option(
	struct part *p, const struct stressor_opt *o, const struct sm_opt *row)
{
	struct sm_str remark;

	put_tag(p, row);
	if (p->model) {
		sm_buf_printf(p->b, "See\n.Sx %s .\n", p->model->name);
		return;
	}
	if (o->choices)
		put_choice(p, o);
	else
		mdoc_sentence(p->b, str(row->help));
	if (find(p, "--", o->name, &remark))
		mdoc_text(p->b, remark, "");
	if (o->choices)
		put_choice_list(p, o);
}

/* rows: --NAME, --NAME-ops, then one row per option. */
static void put_options(struct part *p, const struct sm_opt *rows)
{
	const struct stressor_opt *o = p->s->opts;

	sm_buf_str(p->b, ".Pp\n.Bl -tag -width Ds -compact\n");
	put_tag(p, &rows[0]);
	put_tag(p, &rows[1]);
	for (size_t i = 0; o && o[i].name; i++)
		put_option(p, &o[i], &rows[i + 2]);
	sm_buf_str(p->b, ".El\n");
}

static int refuse(struct sm_buf *b, const struct part *p)
{
	sm_buf_reset(b);
	sm_buf_printf(b, "stressor_%s_man: ", p->s->name);
	if (p->bad)
		sm_buf_printf(b, "--%s: a choice without a remark, or twice\n", p->bad);
	else
		sm_buf_str(
			b, "a remark on something that is not in the tables, or twice\n");
	return -EINVAL;
}

/* Returns the rows of a stressor in the option table, which are consecutive. */
static const struct sm_opt *rows_of(const struct stressor *s)
{
	const struct sm_opt *o = sm_tool_spec()->opts;

	while (!o->name || strcmp(o->name, s->name) != 0)
		o++;
	return o;
}

/* Returns the first stressor that shares its options, metrics and remarks with
 * list_all[i], if it comes before that; otherwise NULL. */
static const struct stressor *model_of(size_t i)
{
	const struct stressor *s = list_all[i], *t;

	for (size_t k = 0; k < i; k++) {
		t = list_all[k];
		if (s->opts && s->opts == t->opts && s->metrics == t->metrics &&
			strcmp(remarks_all[i], remarks_all[k]) == 0)
			return t;
	}
	return NULL;
}

int sm_tool_man(struct sm_buf *b)
{
	for (size_t i = 0; list_all[i]; i++) {
		struct part p = {.b = b,
			.s = list_all[i],
			.model = model_of(i),
			.remarks = remarks_all[i]};

		put_facts(&p);
		if (!p.model)
			put_paragraphs(&p);
		put_options(&p, rows_of(p.s));
		if (p.bad || (!p.model && !all_used(&p)))
			return refuse(b, &p);
	}
	return sm_buf_error(b);
}

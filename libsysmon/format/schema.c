// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "format/schema.h"

/* Levels of types in each other: a limit of the recursion. */
#define LEVELS_MAX 16

struct printer {
	struct sm_buf *b;
	const char *tool;
	const struct sm_record *records;
	const char *text, *at; /* the keys or type that are read, and the position */
	const char *wrong;     /* the first position that is wrong, or NULL */
	unsigned int indent, level;
};

/* The object that is printed, and the list of its keys that are in all records. */
struct object {
	unsigned int n; /* of keys */
	struct sm_buf required;
};

static const struct simple {
	const char *name, *schema;
	bool bytes; /* KEY_b64 may be added */
} simple_types[] = {{"int", "{\"type\": \"integer\"}", false},
	{"num", "{\"type\": \"number\"}", false},
	{"bool", "{\"type\": \"boolean\"}", false},
	{"str", "{\"type\": \"string\"}", false},
	{"text", "{\"type\": \"string\"}", true},
	{"argv", "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}", true},
	{"time", "{\"$ref\": \"#/$defs/time\"}", false}};

/* --- the output --------------------------------------------------------------------- */

static void new_line(struct printer *p)
{
	sm_buf_chr(p->b, '\n');
	sm_buf_fill(p->b, ' ', 2 * (size_t)p->indent);
}

static void quote(struct sm_buf *b, struct sm_str s)
{
	sm_buf_chr(b, '"');
	sm_buf_add(b, s.p, s.n);
	sm_buf_chr(b, '"');
}

static void begin(struct printer *p)
{
	sm_buf_chr(p->b, '{');
	p->indent++;
	new_line(p);
	sm_buf_str(p->b, "\"type\": \"object\",");
	new_line(p);
	sm_buf_str(p->b, "\"properties\": {");
	p->indent++;
}

static void next_key(struct printer *p, struct object *o)
{
	if (o->n++)
		sm_buf_chr(p->b, ',');
	new_line(p);
}

static void key(struct printer *p, struct object *o, struct sm_str name, bool optional)
{
	next_key(p, o);
	quote(p->b, name);
	sm_buf_str(p->b, ": ");
	if (optional)
		return;
	if (o->required.len)
		sm_buf_str(&o->required, ", ");
	quote(&o->required, name);
}

static void end(struct printer *p, struct object *o)
{
	p->indent--;
	new_line(p);
	sm_buf_str(p->b, "},");
	if (o->required.len) {
		new_line(p);
		sm_buf_str(p->b, "\"required\": [");
		sm_buf_add(p->b, o->required.p, o->required.len);
		sm_buf_str(p->b, "],");
	}
	new_line(p);
	sm_buf_str(p->b, "\"additionalProperties\": false");
	p->indent--;
	new_line(p);
	sm_buf_chr(p->b, '}');
	if (o->required.err)
		sm_buf_fail(p->b, o->required.err);
	sm_buf_fini(&o->required);
}

/* --- types -------------------------------------------------------------------------- */

static void type(struct printer *p);

static void fail(struct printer *p, const char *at)
{
	if (!p->wrong)
		p->wrong = at;
}

static bool comes(struct printer *p, char c)
{
	p->at += strspn(p->at, " ");
	return *p->at == c;
}

static bool next(struct printer *p, char c)
{
	bool found = comes(p, c);

	p->at += found;
	return found;
}

static void expect(struct printer *p, char c)
{
	if (!next(p, c))
		fail(p, p->at);
}

static void expect_end(struct printer *p)
{
	if (!comes(p, '\0'))
		fail(p, p->at);
}

static struct sm_str word(struct printer *p)
{
	struct sm_str s;

	p->at += strspn(p->at, " ");
	s = (struct sm_str){
		p->at, strspn(p->at, "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+")};
	if (!s.n)
		fail(p, p->at);
	p->at += s.n;
	return s;
}

static bool is(struct sm_str s, const char *name)
{
	return strlen(name) == s.n && memcmp(name, s.p, s.n) == 0;
}

/* Returns the simple type at this position, which is kept; or NULL. */
static const struct simple *simple(const struct printer *p)
{
	struct printer ahead = *p;
	struct sm_str s = word(&ahead);

	if (comes(&ahead, '|'))
		return NULL;
	for (size_t i = 0; i < SM_ARRAY_SIZE(simple_types); i++)
		if (is(s, simple_types[i].name))
			return &simple_types[i];
	return NULL;
}

static void words(struct printer *p, struct sm_str first)
{
	sm_buf_str(p->b, "{\"enum\": [");
	quote(p->b, first);
	while (next(p, '|')) {
		sm_buf_str(p->b, ", ");
		quote(p->b, word(p));
	}
	sm_buf_str(p->b, "]}");
}

/* Adds a description to the type that was printed last. */
static void describe(struct printer *p)
{
	struct sm_str s = {p->at, strcspn(p->at, ")\"\\")};

	p->at += s.n;
	expect(p, ')');
	if (p->wrong || sm_buf_error(p->b))
		return;
	p->b->len--; /* '}' */
	sm_buf_str(p->b, ", \"description\": ");
	quote(p->b, s);
	sm_buf_chr(p->b, '}');
}

static void typed_key(
	struct printer *p, struct object *o, struct sm_str name, bool optional)
{
	const struct simple *s = simple(p);

	key(p, o, name, optional);
	type(p);
	if (next(p, '('))
		describe(p);
	if (!s || !s->bytes)
		return;
	next_key(p, o);
	sm_buf_printf(p->b, "\"%.*s_b64\": {\"type\": \"string\"}", (int)name.n, name.p);
}

/* Reads keys up to the end of the text or a '}'. */
static void members(struct printer *p, struct object *o)
{
	do {
		struct sm_str name = word(p);
		bool optional = next(p, '?');

		expect(p, ':');
		if (!p->wrong)
			typed_key(p, o, name, optional);
	} while (!p->wrong && next(p, ','));
}

static void braces(struct printer *p)
{
	struct object o = {0};

	if (next(p, '*')) {
		expect(p, ':');
		sm_buf_str(p->b, "{\"type\": \"object\", \"additionalProperties\": ");
		type(p);
		sm_buf_chr(p->b, '}');
	} else {
		begin(p);
		members(p, &o);
		end(p, &o);
	}
	expect(p, '}');
}

static void reference(struct printer *p)
{
	struct sm_str name = word(p);
	const struct sm_record *r = p->records;

	while (r->type && !(r->type[0] == '$' && is(name, r->type + 1)))
		r++;
	if (!r->type)
		fail(p, name.p);
	sm_buf_printf(p->b, "{\"$ref\": \"#/$defs/%.*s\"}", (int)name.n, name.p);
}

static void named(struct printer *p)
{
	const struct simple *s = simple(p);
	struct sm_str name = word(p);

	if (s)
		sm_buf_str(p->b, s->schema);
	else if (comes(p, '|'))
		words(p, name);
	else
		fail(p, name.p);
}

static void type(struct printer *p)
{
	if (++p->level > LEVELS_MAX) {
		fail(p, p->at);
	} else if (next(p, '{')) {
		braces(p);
	} else if (next(p, '[')) {
		sm_buf_str(p->b, "{\"type\": \"array\", \"items\": ");
		type(p);
		sm_buf_chr(p->b, '}');
		expect(p, ']');
	} else if (next(p, '$')) {
		reference(p);
	} else if (next(p, '|')) {
		words(p, word(p));
	} else {
		named(p);
	}
	p->level--;
}

/* --- records ------------------------------------------------------------------------ */

static void add_column(struct printer *p, struct object *o, const struct sm_column *c)
{
	const char *name = c->group && c->member ? c->member : c->key;
	bool optional = c->json[0] == '?';

	if (p->wrong)
		return;
	p->text = p->at = c->json + optional;
	typed_key(p, o, (struct sm_str){name, strlen(name)}, optional || c->group);
	expect_end(p);
}

static bool has_column(const struct sm_record *r, unsigned int i)
{
	const struct sm_column *c = &r->columns[i];

	return c->json && c->key && !(i < 64 && r->without >> i & 1);
}

static bool has_in_group(const struct sm_record *r, unsigned int i, const char *group)
{
	const char *own = r->columns[i].group;

	return has_column(r, i) && own && strcmp(own, group) == 0;
}

/* Adds the group of column i as an object, if i is the first of its columns. */
static void add_group(
	struct printer *p, struct object *o, const struct sm_record *r, unsigned int i)
{
	const char *name = r->columns[i].group;
	struct object group = {0};

	for (unsigned int k = 0; k < i; k++)
		if (has_in_group(r, k, name))
			return;
	key(p, o, (struct sm_str){name, strlen(name)}, true);
	begin(p);
	for (unsigned int k = i; k < r->n; k++)
		if (has_in_group(r, k, name))
			add_column(p, &group, &r->columns[k]);
	end(p, &group);
}

static void add_columns(struct printer *p, struct object *o, const struct sm_record *r)
{
	for (unsigned int i = 0; i < r->n; i++)
		if (!has_column(r, i))
			continue;
		else if (r->columns[i].group)
			add_group(p, o, r, i);
		else
			add_column(p, o, &r->columns[i]);
}

static void add_keys(struct printer *p, struct object *o, const char *keys)
{
	if (p->wrong)
		return;
	p->text = p->at = keys;
	members(p, o);
	expect_end(p);
}

static void add_word(
	struct printer *p, struct object *o, struct sm_str name, const char *value)
{
	key(p, o, name, false);
	sm_buf_printf(p->b, "{\"const\": \"%s\"}", value);
}

static void add_header(struct printer *p, struct object *o)
{
	add_word(p, o, SM_STR("tool"), p->tool);
	add_keys(p, o, "version: str");
	key(p, o, SM_STR("schema"), false);
	sm_buf_str(p->b, "{\"const\": 1}");
	add_keys(p, o, "boot_id?: str, start: str");
}

static bool is_definition(const struct sm_record *r)
{
	return r->type[0] == '$';
}

static void record(struct printer *p, const struct sm_record *r)
{
	struct object o = {0};

	sm_buf_printf(p->b, ",\n    \"%s\": ", r->type + is_definition(r));
	begin(p);
	if (!is_definition(r))
		add_word(p, &o, SM_STR("type"), r->type);
	if (strcmp(r->type, "header") == 0)
		add_header(p, &o);
	add_columns(p, &o, r);
	if (r->keys)
		add_keys(p, &o, r->keys);
	end(p, &o);
}

static void list_records(struct sm_buf *b, const struct sm_record *records)
{
	const char *separator = "";

	sm_buf_str(b, "  \"oneOf\": [");
	for (const struct sm_record *r = records; r->type; r++) {
		if (is_definition(r))
			continue;
		sm_buf_printf(
			b, "%s\n    {\"$ref\": \"#/$defs/%s\"}", separator, r->type);
		separator = ",";
	}
	sm_buf_str(b, "\n  ],\n");
}

int sm_schema_print(struct sm_buf *b, const char *tool, const struct sm_record *records)
{
	struct printer p = {.b = b, .tool = tool, .records = records, .indent = 2};

	sm_buf_printf(b,
		"{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
		"  \"title\": \"A record of %s --json: one line\",\n"
		"  \"description\": \"The keys are described in %s(5).\",\n",
		tool, tool);
	list_records(b, records);
	sm_buf_str(b,
		"  \"$defs\": {\n    \"time\": {\"description\": \"ISO 8601 in UTC; "
		"with --timestamp=epoch, mono or delta a number of seconds\", "
		"\"type\": [\"string\", \"number\"]}");
	for (const struct sm_record *r = records; r->type; r++) {
		record(&p, r);
		if (!p.wrong)
			continue;
		sm_buf_reset(b);
		sm_buf_printf(b, "%s: wrong at byte %zu of \"%s\"\n", r->type,
			(size_t)(p.wrong - p.text), p.text);
		return -EINVAL;
	}
	sm_buf_str(b, "\n  }\n}\n");
	return sm_buf_error(b);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "format/schema.h"

/* Levels of objects and arrays in each other. */
#define DEPTH_MAX 16

struct printer {
	struct sm_buf *b;
	const char *keys, *at; /* the text that is read, and the position in it */
	unsigned int depth;
	bool wrong;
};

/* Keys of an object: those that are not in all records are not in `required`. */
struct object {
	unsigned int n;
	struct sm_buf required;
};

static void type(struct printer *p);

/* --- the output --------------------------------------------------------------------- */

static void line(struct printer *p)
{
	sm_buf_chr(p->b, '\n');
	sm_buf_fill(p->b, ' ', 2 * (size_t)p->depth);
}

static void quote(struct sm_buf *b, struct sm_str s)
{
	sm_buf_chr(b, '"');
	sm_buf_add(b, s.p, s.n);
	sm_buf_chr(b, '"');
}

static void begin(struct printer *p)
{
	sm_buf_str(p->b, "{");
	p->depth++;
	line(p);
	sm_buf_str(p->b, "\"type\": \"object\",");
	line(p);
	sm_buf_str(p->b, "\"properties\": {");
	p->depth++;
}

static void key(struct printer *p, struct object *o, struct sm_str name, bool optional)
{
	if (o->n++)
		sm_buf_chr(p->b, ',');
	line(p);
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
	p->depth--;
	line(p);
	sm_buf_str(p->b, "},");
	if (o->required.len) {
		line(p);
		sm_buf_str(p->b, "\"required\": [");
		sm_buf_add(p->b, o->required.p, o->required.len);
		sm_buf_str(p->b, "],");
	}
	line(p);
	sm_buf_str(p->b, "\"additionalProperties\": false");
	p->depth--;
	line(p);
	sm_buf_chr(p->b, '}');
	if (o->required.err)
		sm_buf_fail(p->b, o->required.err);
	sm_buf_fini(&o->required);
}

/* --- types -------------------------------------------------------------------------- */

static bool next(struct printer *p, char c)
{
	while (*p->at == ' ')
		p->at++;
	if (*p->at != c)
		return false;
	p->at++;
	return true;
}

static void expect(struct printer *p, char c)
{
	p->wrong = p->wrong || !next(p, c);
}

static struct sm_str word(struct printer *p)
{
	struct sm_str s;

	while (*p->at == ' ')
		p->at++;
	s = (struct sm_str){
		p->at, strspn(p->at, "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")};
	p->wrong = p->wrong || !s.n;
	p->at += s.n;
	return s;
}

static const char *simple_type(struct sm_str s)
{
	static const struct {
		const char *name, *schema;
	} types[] = {{"int", "{\"type\": \"integer\"}"},
		{"num", "{\"type\": \"number\"}"}, {"bool", "{\"type\": \"boolean\"}"},
		{"str", "{\"type\": \"string\"}"}, {"text", "{\"type\": \"string\"}"},
		{"argv", "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}"},
		{"time", "{\"$ref\": \"#/$defs/time\"}"}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(types); i++)
		if (strlen(types[i].name) == s.n && memcmp(types[i].name, s.p, s.n) == 0)
			return types[i].schema;
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

/* Returns whether a value of the type at this position may be accompanied by KEY_b64. */
static bool may_be_bytes(const char *at)
{
	at += strspn(at, " ");
	return strncmp(at, "text", 4) == 0 || strncmp(at, "argv", 4) == 0;
}

static void typed(struct printer *p, struct object *o, struct sm_str name, bool optional)
{
	bool bytes = may_be_bytes(p->at);
	char b64[64];

	key(p, o, name, optional);
	type(p);
	if (!bytes || name.n + 5 > sizeof(b64))
		return;
	memcpy(b64, name.p, name.n);
	memcpy(b64 + name.n, "_b64", 4);
	key(p, o, (struct sm_str){b64, name.n + 4}, true);
	sm_buf_str(p->b, "{\"type\": \"string\"}");
}

/* Reads keys up to the end of the text or a '}'. */
static void members(struct printer *p, struct object *o)
{
	do {
		struct sm_str name = word(p);
		bool optional = next(p, '?');

		expect(p, ':');
		if (!p->wrong)
			typed(p, o, name, optional);
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

static void named(struct printer *p)
{
	struct sm_str name = word(p);
	const char *schema = *p->at == '|' ? NULL : simple_type(name);

	if (schema)
		sm_buf_str(p->b, schema);
	else
		words(p, name);
}

static void type(struct printer *p)
{
	if (p->wrong || p->depth > 2 * DEPTH_MAX) {
		p->wrong = true;
	} else if (next(p, '{')) {
		braces(p);
	} else if (next(p, '[')) {
		sm_buf_str(p->b, "{\"type\": \"array\", \"items\": ");
		type(p);
		sm_buf_chr(p->b, '}');
		expect(p, ']');
	} else if (next(p, '$')) {
		struct sm_str name = word(p);

		sm_buf_printf(p->b, "{\"$ref\": \"#/$defs/%.*s\"}", (int)name.n, name.p);
	} else if (next(p, '|')) {
		words(p, word(p));
	} else {
		named(p);
	}
}

/* --- records ------------------------------------------------------------------------ */

static void column(struct printer *p, struct object *o, const struct sm_column *c)
{
	const char *name = c->group && c->member ? c->member : c->key;
	bool optional = c->json[0] == '?';

	p->keys = p->at = c->json + optional;
	typed(p, o, (struct sm_str){name, strlen(name)}, optional || c->group);
	p->wrong = p->wrong || *p->at;
}

static bool is_of_group(const struct sm_column *c, const char *group)
{
	return c->json && c->key && c->group && strcmp(c->group, group) == 0;
}

/* Adds the group of column i as an object, if i is the first of its columns. */
static void add_group(
	struct printer *p, struct object *o, const struct sm_record *r, unsigned int i)
{
	const char *name = r->columns[i].group;
	struct object group = {0};

	for (unsigned int k = 0; k < i; k++)
		if (is_of_group(&r->columns[k], name))
			return;
	key(p, o, (struct sm_str){name, strlen(name)}, true);
	begin(p);
	for (unsigned int k = i; k < r->n && !p->wrong; k++)
		if (is_of_group(&r->columns[k], name))
			column(p, &group, &r->columns[k]);
	end(p, &group);
}

static void add_columns(struct printer *p, struct object *o, const struct sm_record *r)
{
	for (unsigned int i = 0; i < r->n && !p->wrong; i++) {
		const struct sm_column *c = &r->columns[i];

		if (!c->json || !c->key)
			continue;
		if (c->group)
			add_group(p, o, r, i);
		else
			column(p, o, c);
	}
}

static void add_keys(struct printer *p, struct object *o, const char *keys)
{
	p->keys = p->at = keys;
	members(p, o);
	p->wrong = p->wrong || *p->at;
}

static void record(struct printer *p, const char *tool, const struct sm_record *r)
{
	struct object o = {0};

	begin(p);
	if (r->type[0] != '$') {
		key(p, &o, SM_STR("type"), false);
		sm_buf_printf(p->b, "{\"const\": \"%s\"}", r->type);
	}
	if (strcmp(r->type, "header") == 0) {
		key(p, &o, SM_STR("tool"), false);
		sm_buf_printf(p->b, "{\"const\": \"%s\"}", tool);
		add_keys(p, &o, "version: str");
		key(p, &o, SM_STR("schema"), false);
		sm_buf_str(p->b, "{\"const\": 1}");
		add_keys(p, &o, "boot_id?: str, start: str");
	}
	add_columns(p, &o, r);
	if (r->keys && !p->wrong)
		add_keys(p, &o, r->keys);
	end(p, &o);
}

static void list_records(struct printer *p, const struct sm_record *records)
{
	unsigned int n = 0;

	line(p);
	sm_buf_str(p->b, "\"oneOf\": [");
	for (const struct sm_record *r = records; r->type; r++)
		if (r->type[0] != '$')
			sm_buf_printf(p->b, "%s\n    {\"$ref\": \"#/$defs/%s\"}",
				n++ ? "," : "", r->type);
	line(p);
	sm_buf_str(p->b, "],");
}

int sm_schema_print(struct sm_buf *b, const char *tool, const struct sm_record *records)
{
	struct printer p = {.b = b, .depth = 1};

	sm_buf_printf(b,
		"{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
		"  \"title\": \"A record of %s --json: one line\",\n"
		"  \"description\": \"The keys are described in %s(5).\",",
		tool, tool);
	list_records(&p, records);
	sm_buf_str(b,
		"\n  \"$defs\": {\n    \"time\": {\"description\": \"ISO 8601 in UTC; "
		"with --timestamp=epoch, mono or delta a number of seconds\", "
		"\"type\": [\"string\", \"number\"]}");
	p.depth = 2;
	for (const struct sm_record *r = records; r->type && !p.wrong; r++) {
		sm_buf_printf(b, ",\n    \"%s\": ", r->type + (r->type[0] == '$'));
		record(&p, tool, r);
		if (!p.wrong)
			continue;
		sm_buf_reset(b);
		sm_buf_printf(b, "%s: wrong at byte %zu of \"%s\"", r->type,
			(size_t)(p.at - p.keys), p.keys);
	}
	sm_buf_str(b, p.wrong ? "" : "\n  }\n}\n");
	return p.wrong ? -EINVAL : sm_buf_error(b);
}

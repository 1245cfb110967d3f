// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "spec.h"

static const struct {
	int number;
	const char *name;
} errnos[] = {
	{EACCES, "EACCES"},
	{EAGAIN, "EAGAIN"},
	{EBUSY, "EBUSY"},
	{EINTR, "EINTR"},
	{EINVAL, "EINVAL"},
	{EIO, "EIO"},
	{EMFILE, "EMFILE"},
	{ENODATA, "ENODATA"},
	{ENODEV, "ENODEV"},
	{ENOENT, "ENOENT"},
	{ENOMEM, "ENOMEM"},
	{ENOTSUP, "ENOTSUP"},
	{ENXIO, "ENXIO"},
	{EPERM, "EPERM"},
	{EREMOTEIO, "EREMOTEIO"},
	{ETIMEDOUT, "ETIMEDOUT"},
};

const char *lab_errname(int err)
{
	for (size_t i = 0; i < sizeof(errnos) / sizeof(errnos[0]); i++)
		if (errnos[i].number == err)
			return errnos[i].name;
	return "E?";
}

int lab_errno(const char *name)
{
	for (size_t i = 0; i < sizeof(errnos) / sizeof(errnos[0]); i++)
		if (!strcmp(errnos[i].name, name))
			return errnos[i].number;
	return 0;
}

void lab_escape(FILE *f, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)p[i];

		if (c == '\n')
			fputs("\\n", f);
		else if (c < 0x20 || c > 0x7e || c == '\\')
			fprintf(f, "\\x%02x", c);
		else
			putc(c, f);
	}
}

struct node *node_child(const struct node *dir, const char *name, size_t n)
{
	for (struct node *c = dir->child; c; c = c->next)
		if (strlen(c->name) == n && !memcmp(c->name, name, n))
			return c;
	return NULL;
}

struct node *spec_find(const struct spec *s, const char *path)
{
	struct node *at = s->node[0];

	while (at && *path) {
		size_t n;

		path += strspn(path, "/");
		n = strcspn(path, "/");
		if (n)
			at = node_child(at, path, n);
		path += n;
	}
	return at;
}

const char *node_path(const struct node *node, char *buf, size_t size)
{
	char *p = buf + size - 1;

	*p = '\0';
	for (; node->parent; node = node->parent) {
		size_t n = strlen(node->name);

		if ((size_t)(p - buf) < n + 1)
			break;
		p -= n;
		memcpy(p, node->name, n);
		*--p = '/';
	}
	return *p ? p : "/";
}

int node_fate(const struct node *node, enum fate_kind kind, int64_t t_ns)
{
	for (unsigned int i = 0; i < node->nfates; i++) {
		const struct fate *f = &node->fate[i];

		if (f->kind == kind && f->from_ns <= t_ns && t_ns < f->to_ns)
			return f->arg;
	}
	return -1;
}

bool node_present(const struct node *node, int64_t t_ns)
{
	if (node->hidden)
		return false;
	if (node->type == N_LINK && node->to && !node_present(node->to, t_ns))
		return false;
	for (; node; node = node->parent)
		if (node_fate(node, F_GONE, t_ns) >= 0)
			return false;
	return true;
}

bool node_died(const struct node *node, int64_t from_ns, int64_t to_ns)
{
	for (; node; node = node->parent)
		for (unsigned int i = 0; i < node->nfates; i++)
			if (node->fate[i].kind == F_GONE &&
				node->fate[i].from_ns > from_ns &&
				node->fate[i].from_ns <= to_ns)
				return true;
	return false;
}

unsigned int node_mode(const struct node *node, int64_t t_ns)
{
	int mode = node_fate(node, F_MODE, t_ns);

	if (mode >= 0)
		return (unsigned int)mode;
	return node->type == N_FILE ? 0444 : node->type == N_DIR ? 0755 : 0777;
}

struct out {
	char *p;
	size_t n, size;
};

static void add(struct out *o, const char *p, size_t n)
{
	if (n > o->size - o->n)
		n = o->size - o->n;
	memcpy(o->p + o->n, p, n);
	o->n += n;
}

static void __attribute__((format(printf, 2, 3)))
addf(struct out *o, const char *fmt, ...)
{
	char text[64];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	add(o, text, strlen(text));
}

/* Different bytes for each reading, the same in each run. */
static void add_random(struct out *o, const struct node *node, size_t n)
{
	uint64_t x = 0x9e3779b97f4a7c15u * (node->number * 1000003u + node->readings + 1);

	while (n-- > 0) {
		char c;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		c = (char)(x >> 32);
		add(o, &c, 1);
	}
}

static void add_host(struct out *o, const struct bytes *path)
{
	char name[4096];
	FILE *f;

	snprintf(name, sizeof(name), "%.*s", (int)path->n, path->p);
	f = fopen(name, "re");
	if (!f)
		return;
	o->n += fread(o->p + o->n, 1, o->size - o->n, f);
	fclose(f);
}

static long compose(const struct node *node, int64_t t_ns, struct out *o);

/* The properties in the same directory, as in the power_supply class; unreadable ones are
 * left out. */
static void add_uevent(struct out *o, const struct node *node, int64_t t_ns)
{
	const char *prefix = node->value.list[0].p;
	size_t start;

	add(o, prefix, node->value.list[0].n);
	addf(o, "NAME=");
	add(o, node->parent->name, strlen(node->parent->name));
	addf(o, "\n");
	for (const struct node *c = node->parent->child; c; c = c->next) {
		if (c->type != N_FILE || c == node || c->hidden ||
			node_fate(c, F_GONE, t_ns) >= 0)
			continue;
		start = o->n;
		add(o, prefix, node->value.list[0].n);
		for (const char *p = c->name; *p; p++)
			addf(o, "%c", toupper((unsigned char)*p));
		addf(o, "=");
		if (compose(c, t_ns, o) < 0)
			o->n = start;
	}
}

/* {FILE} or {FILE/DIVISOR}: its number at that time. */
static void add_reference(
	struct out *o, const struct node *dir, const char *p, size_t n, int64_t t_ns)
{
	const char *slash = memchr(p, '/', n);
	size_t name = slash ? (size_t)(slash - p) : n;
	const struct node *c = node_child(dir, p, name);
	long long divisor = slash ? atoll(slash + 1) : 1;

	if (c && value_is_number(&c->value) && divisor > 0)
		addf(o, "%lld", (long long)value_number(&c->value, t_ns) / divisor);
}

static void add_template(struct out *o, const struct node *node, int64_t t_ns)
{
	const char *p = node->value.list[0].p, *end = p + node->value.list[0].n;

	while (p < end) {
		const char *open = memchr(p, '{', (size_t)(end - p));
		const char *close = open ? memchr(open, '}', (size_t)(end - open)) : NULL;

		if (!close) {
			add(o, p, (size_t)(end - p));
			return;
		}
		add(o, p, (size_t)(open - p));
		add_reference(
			o, node->parent, open + 1, (size_t)(close - open - 1), t_ns);
		p = close + 1;
	}
}

static void add_choice(struct out *o, const struct node *node, int64_t t_ns)
{
	const struct bytes *b = value_choice(&node->value, t_ns, node->readings);

	add(o, b->p, b->n);
	if (node->value.kind != V_BYTES)
		addf(o, "\n");
}

static long compose(const struct node *node, int64_t t_ns, struct out *o)
{
	const struct value *v = &node->value;
	int err = node_fate(node, F_FAIL, t_ns);

	if (err > 0)
		return -err;
	if (value_is_number(v))
		addf(o, "%lld\n", (long long)value_number(v, t_ns));
	else if (v->kind == V_SAME)
		return compose(node->to, t_ns, o);
	else if (v->kind == V_UEVENT)
		add_uevent(o, node, t_ns);
	else if (v->kind == V_TEMPLATE)
		add_template(o, node, t_ns);
	else if (v->kind == V_RANDOM)
		add_random(o, node, (size_t)v->start);
	else if (v->kind == V_HOST)
		add_host(o, &v->list[0]);
	else
		add_choice(o, node, t_ns);
	return (long)o->n;
}

long node_text(const struct node *node, int64_t t_ns, char *buf, size_t size)
{
	struct out o = {buf, 0, size};

	return compose(node, t_ns, &o);
}

const struct power *spec_power(const struct spec *s, const char *name)
{
	for (unsigned int i = 0; i < s->npowers; i++)
		if (!strcmp(s->power[i]->name, name))
			return s->power[i];
	return NULL;
}

const struct truth *spec_truth(const struct spec *s, const char *name)
{
	for (unsigned int i = 0; i < s->ntruths; i++)
		if (!strcmp(s->truth[i]->name, name))
			return s->truth[i];
	return NULL;
}

int64_t truth_uj(const struct truth *truth, int64_t t_ns)
{
	int64_t sum = 0;

	for (unsigned int i = 0; i < truth->n; i++)
		sum += power_uj(truth->power[i], t_ns);
	return sum;
}

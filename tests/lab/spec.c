// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "loader.h"
#include "meter.h"

/* Room for one more pointer in a list of n. */
static void *grown(void *list, unsigned int n)
{
	return n & (n - 1) ? list : must(realloc(list, (n ? 2 * n : 1) * sizeof(void *)));
}

static int hex(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* The byte of the escape after a backslash; advances *p past it. */
static char escaped(const char **p)
{
	char c = *(*p)++;

	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'e':
		return '\033';
	case 'x':
		if (isxdigit((unsigned char)(*p)[0]) &&
			isxdigit((unsigned char)(*p)[1])) {
			c = (char)(hex((*p)[0]) * 16 + hex((*p)[1]));
			*p += 2;
		}
		return c;
	default:
		return c;
	}
}

/* Splits a line into words in place, each ended by NUL. */
static int split(struct loader *l, const char *p)
{
	l->n = 0;
	while (*(p += strspn(p, " \t\n"))) {
		char *word = must(malloc(strlen(p) + 1)), *to = word;
		bool quoted = false;

		if (l->n == WORDS_MAX)
			return bad(l, "over %d words", WORDS_MAX);
		while (*p && (quoted || !strchr(" \t\n", *p))) {
			if (*p == '"') {
				quoted = !quoted;
				p++;
			} else if (*p == '\\' && p[1]) {
				p++;
				*to++ = escaped(&p);
			} else {
				*to++ = *p++;
			}
		}
		if (quoted)
			return bad(l, "a quote is not closed");
		*to = '\0';
		l->word[l->n++] = (struct bytes){word, (size_t)(to - word)};
	}
	return 0;
}

static struct node *new_node(struct spec *s, struct node *dir, const char *name, size_t n)
{
	struct node *node = must(calloc(1, sizeof(*node)));

	node->name = must(strndup(name, n));
	node->parent = dir;
	if (dir && dir->last)
		dir->last->next = node;
	else if (dir)
		dir->child = node;
	if (dir)
		dir->last = node;
	s->node = grown(s->node, s->n);
	s->node[s->n++] = node;
	node->number = s->n;
	return node;
}

/* The node of a path, created with all its directories if it does not exist. */
static struct node *make(struct loader *l, const char *path)
{
	struct node *at = *path == '/' ? l->s->node[0] : l->dir;

	while (*path) {
		struct node *next;
		size_t n;

		path += strspn(path, "/");
		n = strcspn(path, "/");
		if (n && !(n == 1 && *path == '.')) {
			next = node_child(at, path, n);
			at = next ? next : new_node(l->s, at, path, n);
		}
		path += n;
	}
	return at;
}

/* "../../devices/x": the relative path from a link to an absolute path. */
static char *relative(const struct node *link, const char *target)
{
	char mine[PATH_MAX], out[PATH_MAX] = "";
	const char *from = node_path(link, mine, sizeof(mine));
	size_t same = 0;

	for (size_t i = 0; from[i] && from[i] == target[i]; i++)
		if (from[i] == '/')
			same = i + 1;
	for (const char *p = from + same; *p; p++)
		if (*p == '/')
			strcat(out, "../");
	if (strlen(out) + strlen(target + same) < sizeof(out))
		strcat(out, target + same);
	return must(strdup(out));
}

static int make_link(struct loader *l, struct node *node, const char *target)
{
	if (!*target)
		return bad(l, "link: no target");
	node->type = N_LINK;
	node->target = *target == '/' ? relative(node, target) : must(strdup(target));
	node->to = *target == '/' ? spec_find(l->s, target) : NULL;
	return 0;
}

/* A device below a class: the link in the class, and the one back. */
static struct node *make_device(struct loader *l, const char *path, const char *class)
{
	char name[PATH_MAX], class_dir[PATH_MAX], full[PATH_MAX];
	struct node *dev = make(l, path);

	node_path(dev, full, sizeof(full));
	snprintf(class_dir, sizeof(class_dir), "/sys/class/%s", class);
	make(l, class_dir);
	snprintf(name, sizeof(name), "%.200s/%.200s", class_dir, dev->name);
	if (make_link(l, make(l, name), node_path(dev, full, sizeof(full))) < 0)
		return NULL;
	snprintf(name, sizeof(name), "%.3000s/subsystem",
		node_path(dev, full, sizeof(full)));
	if (make_link(l, make(l, name), class_dir) < 0)
		return NULL;
	return dev;
}

static bool window(const struct loader *l, struct fate *f, unsigned int at)
{
	f->from_ns = 0;
	f->to_ns = FOR_EVER;
	return (at >= l->n || get_seconds(word(l, at), &f->from_ns)) &&
	       (at + 1 >= l->n || get_seconds(word(l, at + 1), &f->to_ns));
}

static bool fate_arg(const struct loader *l, struct fate *f, unsigned int at)
{
	char *end;

	if (f->kind == F_FAIL || f->kind == F_OPEN)
		return (f->arg = lab_errno(word(l, at))) != 0;
	f->arg = (int)strtol(word(l, at), &end, f->kind == F_MODE ? 8 : 10);
	return end != word(l, at) && !*end && f->arg >= 0;
}

/* "gone FROM TO", "until T", "from T": the times when it does not exist. */
static bool absence(const struct loader *l, struct fate *f)
{
	const char *name = word(l, 1);

	f->kind = F_GONE;
	if (!strcmp(name, "from")) {
		f->from_ns = INT64_MIN;
		return l->n == 3 && get_seconds(word(l, 2), &f->to_ns);
	}
	return l->n == (name[0] == 'u' ? 3 : 4) && window(l, f, 2);
}

/* 1: a fate; 0: another word; -1: a bad fate. */
static int make_fate(struct loader *l, const char *path)
{
	static const char *const name[] = {"fail", "openfail", "slow", "gone", "mode"};
	struct fate f = {.kind = F_FAIL};
	struct node *node;
	unsigned int k = 0;
	bool absent = !strcmp(word(l, 1), "until") || !strcmp(word(l, 1), "from");

	while (k < 5 && strcmp(word(l, 1), name[k]))
		k++;
	if (k == 5 && !absent)
		return 0;
	f.kind = (enum fate_kind)k;
	if (absent || f.kind == F_GONE
			? !absence(l, &f)
			: l->n > 5 || !fate_arg(l, &f, 2) || !window(l, &f, 3))
		return bad(l, "%s: bad arguments", word(l, 1));
	node = make(l, path);
	if (node->nfates == LAB_FATES)
		return bad(l, "over %d fates", LAB_FATES);
	/* The last statement overrides earlier ones. */
	memmove(node->fate + 1, node->fate, node->nfates++ * sizeof(f));
	node->fate[0] = f;
	return 1;
}

static int entry(struct loader *l)
{
	const char *path = word(l, 0), *what = word(l, 1);
	int err = make_fate(l, path);

	if (err != 0)
		return err < 0 ? err : 0;
	if (!strcmp(what, "hide")) {
		make(l, path)->hidden = true;
		return 0;
	}
	if (!strcmp(what, "dir")) {
		make(l, path);
		return 0;
	}
	if (!strcmp(what, "link"))
		return make_link(l, make(l, path), word(l, 2));
	return make_file(l, make(l, path), 1);
}

/* zone ID NAME KIND...: a powercap zone, its parents made as they are needed. */
static int zone(struct loader *l)
{
	char path[PATH_MAX] = "/sys/devices/virtual/powercap";
	const char *id = word(l, 1);
	struct node *file;

	if (l->n < 5)
		return bad(l, "zone: needs an id, a name, a kind and its parameters");
	for (size_t i = 0;; i++)
		if (id[i] == ':' || !id[i]) {
			size_t at = strlen(path);

			snprintf(path + at, sizeof(path) - at, "/%.*s", (int)i, id);
			if (!make_device(l, path, "powercap"))
				return -1;
			if (!id[i])
				break;
		}
	l->dir = make(l, path);
	make_text(make(l, "name"), l->word[2]);
	file = make(l, "energy_uj");
	file->fate[file->nfates++] = (struct fate){F_MODE, 0400, 0, FOR_EVER};
	if (make_file(l, file, 3) < 0)
		return -1;
	snprintf(path, sizeof(path), "%llu", (unsigned long long)file->value.range);
	if (file->value.range)
		make_text(make(l, "max_energy_range_uj"),
			(struct bytes){must(strdup(path)), strlen(path)});
	return 0;
}

static int define_power(struct loader *l)
{
	struct power *p = must(calloc(1, sizeof(*p)));

	if (l->n != 3 || power_parse(p, word(l, 2)) < 0)
		return bad(l, "power: needs a name and a power");
	snprintf(p->name, sizeof(p->name), "%s", word(l, 1));
	l->s->power = grown(l->s->power, l->s->npowers);
	l->s->power[l->s->npowers++] = p;
	return 0;
}

/* meter NAME KEY=VALUE...: a power of that name. */
static int define_meter(struct loader *l)
{
	struct power *p = must(calloc(1, sizeof(*p)));

	p->meter = must(calloc(1, sizeof(*p->meter)));
	if (l->n < 3)
		return bad(l, "meter: needs a name and keys");
	for (unsigned int i = 2; i < l->n; i++) {
		char *eq = strchr(l->word[i].p, '=');

		if (!eq)
			return bad(l, "meter: no KEY=VALUE: %s", word(l, i));
		*eq = '\0';
		if (!meter_key(p->meter, word(l, i), eq + 1))
			return bad(
				l, "meter: bad key or value: %s=%s", word(l, i), eq + 1);
	}
	snprintf(p->name, sizeof(p->name), "%s", word(l, 1));
	l->s->power = grown(l->s->power, l->s->npowers);
	l->s->power[l->s->npowers++] = p;
	l->s->nmeters++;
	return 0;
}

static void put_text(struct loader *l, const char *path, const char *text)
{
	make_text(make(l, path), (struct bytes){must(strdup(text)), strlen(text)});
}

/* A CPU of the real machine, the only thread of its core. */
static void make_cpu(struct loader *l, unsigned int cpu)
{
	static const char *const same[] = {
		"core_id", "thread_siblings_list", "core_cpus_list"};
	char path[PATH_MAX], number[16];

	snprintf(number, sizeof(number), "%u", cpu);
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/%s",
			cpu, same[i]);
		put_text(l, path, number);
	}
	snprintf(path, sizeof(path),
		"/sys/devices/system/cpu/cpu%u/topology/physical_package_id", cpu);
	put_text(l, path, "0");
}

/* hostcpus: the online CPUs of /proc/stat, which are those that can be loaded. */
static int host_cpus(struct loader *l)
{
	static const char *const lists[] = {"online", "possible", "present"};
	FILE *f = fopen("/proc/stat", "re");
	char line[4096], list[4096] = "", path[PATH_MAX];
	unsigned int cpu;

	if (!f)
		return bad(l, "/proc/stat: %s", strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		size_t at = strlen(list);

		if (line[3] == ' ' || sscanf(line, "cpu%u ", &cpu) != 1)
			continue;
		make_cpu(l, cpu);
		snprintf(list + at, sizeof(list) - at, "%s%u", at ? "," : "", cpu);
	}
	fclose(f);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/%s", lists[i]);
		put_text(l, path, list);
	}
	return 0;
}

static int define_volts(struct loader *l)
{
	struct volts *v = must(calloc(1, sizeof(*v)));

	if (l->n < 3 || l->n > 4 || !get_double(word(l, 2), &v->uv) ||
		(l->n == 4 && !get_double(word(l, 3), &v->uv_per_s)))
		return bad(l, "volts: needs a name, volts, and perhaps volts per second");
	v->uv *= 1e6;
	v->uv_per_s *= 1e6;
	snprintf(v->name, sizeof(v->name), "%s", word(l, 1));
	l->s->volts = grown(l->s->volts, l->s->nvolts);
	l->s->volts[l->s->nvolts++] = v;
	return 0;
}

static int define_truth(struct loader *l)
{
	struct truth *t = must(calloc(1, sizeof(*t)));

	snprintf(t->name, sizeof(t->name), "%s", word(l, 1));
	for (unsigned int i = 2; i < l->n; i++) {
		if (t->n == LAB_STEPS)
			return bad(l, "truth: over %d powers", LAB_STEPS);
		t->power[t->n] = get_power(l, word(l, i));
		if (!t->power[t->n++])
			return bad(l, "truth: not a power: %s", word(l, i));
	}
	l->s->truth = grown(l->s->truth, l->s->ntruths);
	l->s->truth[l->s->ntruths++] = t;
	return 0;
}

static int statement(struct loader *l)
{
	const char *what = word(l, 0);

	if (!strcmp(what, "power"))
		return define_power(l);
	if (!strcmp(what, "meter"))
		return define_meter(l);
	if (!strcmp(what, "volts"))
		return define_volts(l);
	if (!strcmp(what, "truth"))
		return define_truth(l);
	if (!strcmp(what, "hostcpus"))
		return host_cpus(l);
	if (!strcmp(what, "zone"))
		return zone(l);
	if (l->n < 2)
		return bad(l, "%s: too few words", what);
	if (!strcmp(what, "begin")) {
		l->s->begin = make(l, word(l, 1));
		return 0;
	}
	if (!strcmp(what, "cd")) {
		l->dir = make(l, word(l, 1));
		return 0;
	}
	if (!strcmp(what, "device")) {
		if (l->n != 3 || !(l->dir = make_device(l, word(l, 1), word(l, 2))))
			return bad(l, "device: needs a directory and a class");
		return 0;
	}
	return entry(l);
}

static int load_file(struct loader *l, const char *path);

/* include FILE: relative to the file that says so. */
static int include(struct loader *l)
{
	char path[PATH_MAX];
	const char *outer = l->path, *slash = strrchr(outer, '/');
	unsigned int line = l->line;
	int rc;

	if (l->n != 2 || ++l->depth > 8)
		return bad(l, "include: needs one file, and no circle");
	snprintf(path, sizeof(path), "%.*s%.2000s",
		*word(l, 1) == '/' || !slash ? 0 : (int)(slash + 1 - outer), outer,
		word(l, 1));
	rc = load_file(l, path);
	l->path = outer;
	l->line = line;
	l->depth--;
	return rc;
}

static int load_file(struct loader *l, const char *path)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	char *line = NULL;
	size_t cap = 0;
	int rc = 0;

	if (!f)
		return bad(l, "%s: %s", path, strerror(errno));
	l->path = path;
	l->line = 0;
	while (rc == 0 && getline(&line, &cap, f) >= 0) {
		l->line++;
		if (line[strspn(line, " \t")] == '#')
			continue;
		rc = split(l, line);
		if (rc == 0 && l->n)
			rc = strcmp(word(l, 0), "include") ? statement(l) : include(l);
	}
	free(line);
	if (f != stdin)
		fclose(f);
	return rc;
}

int spec_load(struct spec *s, const char *path, FILE *err)
{
	struct loader l = {.s = s, .path = "spec", .err = err};

	*s = (struct spec){0};
	l.dir = new_node(s, NULL, "", 0);
	return load_file(&l, path);
}

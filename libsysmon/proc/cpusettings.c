// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/lines.h"
#include "base/parse.h"
#include "proc/cpulist.h"
#include "proc/cpusettings.h"
#include "proc/sysfs.h"

#define CPUS  "devices/system/cpu/"
#define COMMA ", "

/* Returns whether the text is a whole element of the list.  The text may contain commas.
 */
static bool contains(const char *list, struct sm_str s)
{
	for (const char *p = list; p; p = strstr(p, COMMA)) {
		p += p > list ? strlen(COMMA) : 0;
		if (strncmp(p, s.p, s.n) == 0 &&
			(!p[s.n] || strncmp(p + s.n, COMMA, strlen(COMMA)) == 0))
			return true;
	}
	return false;
}

/* Appends a new value.  A list that is full keeps its first values. */
static void add(char list[SM_CPUSETTINGS_TEXT], struct sm_str s)
{
	size_t n = strlen(list), comma = n ? strlen(COMMA) : 0;

	if (!s.n || memchr(s.p, '\0', s.n) || contains(list, s))
		return;
	if (!n && s.n >= SM_CPUSETTINGS_TEXT)
		s.n = SM_CPUSETTINGS_TEXT - 1;
	if (n + comma + s.n >= SM_CPUSETTINGS_TEXT)
		return;
	memcpy(list + n, COMMA, comma);
	memcpy(list + n + comma, s.p, s.n);
	list[n + comma + s.n] = '\0';
}

/* --- the model ---------------------------------------------------------------------- */

enum { KEY_MODELS = 6 }; /* the first keys are models, each for other architectures */

struct cpuinfo {
	char model[KEY_MODELS][SM_CPUSETTINGS_TEXT];
	char parts[SM_CPUSETTINGS_TEXT]; /* arm64 lacks a model */
	char implementer[16];
};

static struct sm_str trim(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return (struct sm_str){p, (size_t)(end - p)};
}

static void add_part(struct cpuinfo *c, struct sm_str part)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "implementer %s part %.*s", c->implementer,
		(int)(part.n < 16 ? part.n : 16), part.p);

	if (n > 0 && c->implementer[0])
		add(c->parts, (struct sm_str){text, strlen(text)});
}

static int cpuinfo_line(void *ctx, const char *s, size_t n)
{
	static const char *const models[KEY_MODELS] = {
		"model name", "Model Name", "cpu model", "cpu", "uarch", "cpu type"};
	struct cpuinfo *c = ctx;
	const char *colon = memchr(s, ':', n);
	struct sm_str key, value;

	if (!colon)
		return 0;
	key = trim(s, colon);
	value = trim(colon + 1, s + n);
	for (unsigned int i = 0; i < KEY_MODELS; i++)
		if (sm_parse_eq(key, models[i]))
			add(c->model[i], value);
	if (sm_parse_eq(key, "CPU implementer"))
		(void)!snprintf(c->implementer, sizeof(c->implementer), "%.*s",
			(int)(value.n < 15 ? value.n : 15), value.p);
	if (sm_parse_eq(key, "CPU part"))
		add_part(c, value);
	return 0;
}

static void read_model(struct sm_cpusettings *s, const struct sm_root *root)
{
	SM_CLOSE_FD int fd = sm_at_open(root->proc, "cpuinfo", 0);
	struct sm_buf carry = {0};
	struct cpuinfo c = {0};
	const char *best = c.parts;

	if (fd < 0)
		return;
	(void)!sm_lines_read(fd, &carry, cpuinfo_line, &c);
	sm_buf_fini(&carry);
	for (unsigned int i = KEY_MODELS; i-- > 0;)
		if (c.model[i][0])
			best = c.model[i];
	memcpy(s->model, best, sizeof(s->model));
}

/* --- cpufreq ------------------------------------------------------------------------ */

static bool read_cpu(const struct sm_root *root, unsigned int cpu, const char *name,
	char text[SM_CPUSETTINGS_TEXT])
{
	char path[96];

	snprintf(path, sizeof(path), CPUS "cpu%u/cpufreq/%s", cpu, name);
	return sm_sysfs_text(root->sys, path, text, SM_CPUSETTINGS_TEXT);
}

static void add_cpu(const struct sm_root *root, unsigned int cpu, const char *name,
	char list[SM_CPUSETTINGS_TEXT])
{
	char text[SM_CPUSETTINGS_TEXT];

	if (read_cpu(root, cpu, name, text))
		add(list, (struct sm_str){text, strlen(text)});
}

/* Reads a switch: "0" is off, "1" on. */
static enum sm_turbo to_turbo(const char *text)
{
	return strcmp(text, "1") == 0	? SM_TURBO_ON
	       : strcmp(text, "0") == 0 ? SM_TURBO_OFF
					: SM_TURBO_UNKNOWN;
}

static enum sm_turbo global_turbo(const struct sm_root *root)
{
	char text[8];

	if (sm_sysfs_text(root->sys, CPUS "intel_pstate/no_turbo", text, sizeof(text)) &&
		to_turbo(text))
		return to_turbo(text) == SM_TURBO_ON ? SM_TURBO_OFF : SM_TURBO_ON;
	if (sm_sysfs_text(root->sys, CPUS "cpufreq/boost", text, sizeof(text)))
		return to_turbo(text);
	return SM_TURBO_UNKNOWN;
}

static void join_turbo(const struct sm_root *root, unsigned int cpu, enum sm_turbo *turbo)
{
	char text[SM_CPUSETTINGS_TEXT];
	enum sm_turbo t =
		read_cpu(root, cpu, "boost", text) ? to_turbo(text) : SM_TURBO_UNKNOWN;

	if (t == SM_TURBO_UNKNOWN || t == *turbo)
		return;
	*turbo = *turbo == SM_TURBO_UNKNOWN ? t : SM_TURBO_MIXED;
}

static void read_cpus(struct sm_cpusettings *s, const struct sm_root *root,
	const struct sm_cpulist *list)
{
	enum sm_turbo each = SM_TURBO_UNKNOWN;

	for (unsigned int i = 0; i < list->n; i++) {
		if (!list->online[i])
			continue;
		add_cpu(root, i, "scaling_driver", s->driver);
		add_cpu(root, i, "scaling_governor", s->governor);
		add_cpu(root, i, "energy_performance_preference", s->epp);
		join_turbo(root, i, &each);
	}
	/* A switch of one CPU has an effect only if the switch of all CPUs is on. */
	if (each != SM_TURBO_UNKNOWN && s->turbo != SM_TURBO_OFF)
		s->turbo = each;
}

void sm_cpusettings_read(struct sm_cpusettings *s, const struct sm_root *root)
{
	struct sm_cpulist list = SM_CPULIST_INIT;

	memset(s, 0, sizeof(*s));
	read_model(s, root);
	s->turbo = global_turbo(root);
	if (sm_cpulist_open(&list, root) == 0 && sm_cpulist_read(&list) >= 0)
		read_cpus(s, root, &list);
	sm_cpulist_close(&list);
}

const char *sm_cpusettings_turbo(const struct sm_cpusettings *s)
{
	static const char *const name[] = {
		[SM_TURBO_OFF] = "off", [SM_TURBO_ON] = "on", [SM_TURBO_MIXED] = "mixed"};

	return name[s->turbo];
}

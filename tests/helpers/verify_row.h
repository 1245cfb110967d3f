/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify_row: parses one line of a forkstat's output, human or JSON, for verify.c.
 */
#ifndef VERIFY_ROW_H
#define VERIFY_ROW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "truth.h"

enum event { EV_OTHER, EV_CHILD, EV_EXEC, EV_EXIT, EV_KIND, EV_LOST, EV_HEADING };
enum source { SRC_PLAIN, SRC_FILE, SRC_COMM, SRC_NONE };

struct row {
	enum event event;
	enum source source;
	enum kind kind;	 /* EV_KIND */
	pid_t pid, ppid; /* ppid: EV_CHILD, of the row pair or the record */
	bool thread;	 /* EV_CHILD of a clone */
	long lost;	 /* EV_LOST */
	char status[32]; /* EV_EXIT, unparsed */
	char *name;	 /* in the reader's buffer */
};

#define NAME_CAP (512 * 1024)

struct row_reader {
	bool json;
	char name[NAME_CAP];
	pid_t parent; /* human: of the parent row just before */
};

/* Bytes that can drive a terminal: C0, DEL, C1 in UTF-8, invalid UTF-8. */
static inline int utf8_length(const unsigned char *p, const unsigned char *end)
{
	int n = *p < 0x80   ? 1
		: *p < 0xc2 ? 0
		: *p < 0xe0 ? 2
		: *p < 0xf0 ? 3
		: *p < 0xf5 ? 4
			    : 0;

	if (n > end - p)
		return 0;
	for (int i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

static inline long control_bytes(const char *text, size_t len)
{
	const unsigned char *p = (const unsigned char *)text, *end = p + len;
	long bad = 0;

	while (p < end) {
		int n = utf8_length(p, end);

		bad += n == 0 || *p < 0x20 || *p == 0x7f || (*p == 0xc2 && p[1] < 0xa0);
		p += n ? n : 1;
	}
	return bad;
}

static inline bool cut_suffix(char *s, const char *suffix)
{
	size_t n = strlen(s), k = strlen(suffix);

	if (n < k || strcmp(s + n - k, suffix) != 0)
		return false;
	s[n - k] = '\0';
	return true;
}

static inline void set_name(struct row *r, const char *p)
{
	p += strspn(p, " ");
	snprintf(r->name, NAME_CAP, "%s", p);
	while (cut_suffix(r->name, " "))
		;
	if (cut_suffix(r->name, " [file]"))
		r->source = SRC_FILE;
	else if (cut_suffix(r->name, " [comm]"))
		r->source = SRC_COMM;
	else if (!*r->name || !strcmp(r->name, "?") || !strcmp(r->name, "<unknown>"))
		r->source = SRC_NONE;
}

static inline const char *word(const char *p, char *out, size_t cap)
{
	size_t n;

	p += strspn(p, " ");
	n = strcspn(p, " ");
	snprintf(out, cap, "%.*s", (int)n, p);
	return p + n;
}

static inline bool kind_of(const char *event, enum kind *k)
{
	for (*k = K_UID; *k < K_KINDS; (*k)++)
		if (!strcmp(event, kind_name(*k)) ||
			(*k == K_PTRACE && !strcmp(event, "ptrce")))
			return true;
	return false;
}

static inline void human_fork(struct row_reader *rd, struct row *r, const char *p)
{
	char role[16];

	p = word(p, role, sizeof(role));
	if (!strcmp(role, "parent")) {
		rd->parent = r->pid;
		return;
	}
	r->event = EV_CHILD;
	r->thread = !strcmp(role, "thread");
	r->ppid = rd->parent;
	rd->parent = 0;
	set_name(r, p);
}

static inline void human_row(struct row_reader *rd, const char *p, struct row *r)
{
	char time[40], event[16], pid[16], age[32];

	p = word(word(word(p, time, sizeof(time)), event, sizeof(event)), pid,
		sizeof(pid));
	r->pid = atoi(pid);
	if (!strcmp(time, "Time")) {
		r->event = EV_HEADING;
	} else if (!strcmp(event, "lost")) {
		r->event = EV_LOST;
		/* rows with cut arguments or names are there */
		r->lost = strstr(p, " lost ") ? atol(p) : 0;
	} else if (!strcmp(event, "fork") || !strcmp(event, "clone")) {
		human_fork(rd, r, p);
	} else if (!strcmp(event, "exec")) {
		r->event = EV_EXEC;
		set_name(r, p);
	} else if (!strcmp(event, "exit")) {
		r->event = EV_EXIT;
		set_name(
			r, word(word(p, r->status, sizeof(r->status)), age, sizeof(age)));
	} else if (kind_of(event, &r->kind)) {
		r->event = EV_KIND;
	}
}

/* --- JSON --------------------------------------------------------------------------- */

/* Only top-level members are found, by their quoted key: inside a string the quote would be escaped, so no
 * name can forge one. */

static inline const char *member(const char *line, const char *key)
{
	char quoted[40];
	const char *p;

	snprintf(quoted, sizeof(quoted), "\"%s\":", key);
	p = strstr(line, quoted);
	return p ? p + strlen(quoted) + strspn(p + strlen(quoted), " ") : NULL;
}

static inline long number(const char *line, const char *key)
{
	const char *p = member(line, key);

	return p ? atol(p) : 0;
}

static inline size_t utf8(char *out, unsigned int c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	out[0] = (char)(0xe0 | c >> 12);
	out[1] = (char)(0x80 | (c >> 6 & 0x3f));
	out[2] = (char)(0x80 | (c & 0x3f));
	return 3;
}

/* Decodes the string at p ('"' first) to out; returns what follows its closing quote. */
static inline const char *json_string(const char *p, char *out, size_t cap)
{
	size_t n = 0;
	unsigned int c;

	if (!p || *p != '"')
		return p;
	for (p++; *p && *p != '"' && n + 4 < cap; p++) {
		if (*p != '\\') {
			out[n++] = *p;
			continue;
		}
		p++;
		if (*p == 'u' && sscanf(p + 1, "%4x", &c) == 1) {
			n += utf8(out + n, c);
			p += 4;
		} else {
			out[n++] = (char)(*p == 'n' ? '\n' : *p == 't' ? '\t' : *p);
		}
	}
	out[n] = '\0';
	return *p ? p + 1 : p;
}

static inline void json_name(struct row *r, const char *line)
{
	const char *p = member(line, "argv");
	char source[16] = "";
	size_t n = 0;

	json_string(member(line, "name_source"), source, sizeof(source));
	if (p && *p == '[') {
		for (p++; *p == '"' && n + 8 < NAME_CAP; p += strspn(p, ", ")) {
			if (n)
				r->name[n++] = ' ';
			p = json_string(p, r->name + n, NAME_CAP - n);
			n += strlen(r->name + n);
		}
	} else if (member(line, "file")) {
		json_string(member(line, "file"), r->name, NAME_CAP);
	} else {
		json_string(member(line, "comm"), r->name, NAME_CAP);
	}
	if (!strcmp(source, "file"))
		r->source = SRC_FILE;
	else if (!strcmp(source, "comm"))
		r->source = SRC_COMM;
	else if (!strcmp(source, "none") || !*r->name)
		r->source = SRC_NONE;
}

static inline void json_status(struct row *r, const char *line)
{
	long signal = number(line, "signal");
	const char *core = member(line, "core"), *end = member(line, "process_end");

	if (end && *end == 'f')
		snprintf(r->status, sizeof(r->status), "thread");
	else if (signal > 0)
		snprintf(r->status, sizeof(r->status), "sig%ld%s", signal,
			core && *core == 't' ? "+" : "");
	else
		snprintf(r->status, sizeof(r->status), "%ld", number(line, "status"));
}

static inline void json_row(const char *line, struct row *r)
{
	char type[16] = "event", event[16] = "";

	json_string(member(line, "type"), type, sizeof(type));
	json_string(member(line, "event"), event, sizeof(event));
	r->pid = (pid_t)number(line, "pid");
	r->ppid = (pid_t)number(line, "ppid");
	json_name(r, line);
	if (!strcmp(type, "header")) {
		r->event = EV_HEADING;
	} else if (!strcmp(event, "lost")) {
		r->event = EV_LOST;
		r->lost = strstr(line, "\"source\":\"arguments\"") ||
					  strstr(line, "\"source\":\"names\"")
				  ? 0
				  : number(line, "count");
	} else if (!strcmp(event, "fork") || !strcmp(event, "clone")) {
		r->event = EV_CHILD;
		r->thread = !strcmp(event, "clone");
	} else if (!strcmp(event, "exec")) {
		r->event = EV_EXEC;
	} else if (!strcmp(event, "exit")) {
		r->event = EV_EXIT;
		json_status(r, line);
	} else if (kind_of(event, &r->kind)) {
		r->event = EV_KIND;
	}
}

static inline void row_parse(struct row_reader *rd, const char *line, struct row *r)
{
	rd->name[0] = '\0';
	*r = (struct row){.name = rd->name};
	if (rd->json)
		json_row(line, r);
	else
		human_row(rd, line, r);
}

#endif

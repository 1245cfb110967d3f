// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * verify: compares the rows of a forkstat with the truth that load wrote.
 *
 *	verify [--format human|json] [--events LIST] [--raw-status] [--prefix P]
 *	       TRUTH ROWS
 *
 * Prints NAME=NUMBER lines (a shell can eval them; P is prefixed to each name).  Exit
 * status 0; 1 if a row is lost, wrong, out of order or extra; 2 on an error.
 * --events: the events that the tool was asked to show (default fork,exec,exit,clone).
 * --raw-status: exit rows have the raw wait status, as in Debian's forkstat.
 * Human rows: default columns; names end with " [file]" or " [comm]" if only these were
 * known, "?" or "<unknown>" if nothing was.
 */
#include <ctype.h>
#include <err.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>

#include "truth.h"
#include "verify_row.h"

#define MAX_PID (4 << 20)

enum seen { S_FORK = 1, S_EXEC = 2, S_EXIT = 4, S_KIND = 8 };

struct proc {
	enum kind kind;
	pid_t pid, ppid, tid;
	int status, next; /* next: record + 1 of the next use of the same id */
	char *name;	  /* unescaped */
	unsigned int seen;
};

struct result {
	const char *name;
	long value;
	bool bad; /* a nonzero count is a failure */
};

enum {
	R_SENT,
	R_ROWS,
	R_LOST,
	R_LOST_FORK,
	R_LOST_EXEC,
	R_LOST_EXIT,
	R_LOST_CLONE,
	R_LOST_THREAD_EXIT,
	R_LOST_KIND,
	R_REPORTED,
	R_EXECS,
	R_FULL,
	R_FILE,
	R_COMM,
	R_UNKNOWN,
	R_WRONG,
	R_FORK_NAME,
	R_EXIT_NAME,
	R_PARENT,
	R_THREAD_AS_FORK,
	R_FORK_AS_THREAD,
	R_ORDER,
	R_STATUS,
	R_EXTRA,
	R_CTL,
	R_HEADINGS,
	R_LINES,
	R_COUNT
};

static struct result results[R_COUNT] = {
	[R_SENT] = {"sent", 0, false},
	[R_ROWS] = {"rows", 0, false},
	[R_LOST] = {"lost", 0, true},
	[R_LOST_FORK] = {"lost_fork", 0, true},
	[R_LOST_EXEC] = {"lost_exec", 0, true},
	[R_LOST_EXIT] = {"lost_exit", 0, true},
	[R_LOST_CLONE] = {"lost_clone", 0, true},
	[R_LOST_THREAD_EXIT] = {"lost_thread_exit", 0, true},
	[R_LOST_KIND] = {"lost_kind", 0, true},
	[R_REPORTED] = {"reported_lost", 0, true},
	[R_EXECS] = {"execs", 0, false},
	[R_FULL] = {"exec_full", 0, false},
	[R_FILE] = {"exec_file", 0, false},
	[R_COMM] = {"exec_comm", 0, false},
	[R_UNKNOWN] = {"exec_unknown", 0, true},
	[R_WRONG] = {"exec_wrong", 0, true},
	[R_FORK_NAME] = {"fork_name_wrong", 0, true},
	[R_EXIT_NAME] = {"exit_name_wrong", 0, true},
	[R_PARENT] = {"parent_wrong", 0, true},
	[R_THREAD_AS_FORK] = {"thread_as_fork", 0, true},
	[R_FORK_AS_THREAD] = {"fork_as_thread", 0, true},
	[R_ORDER] = {"order", 0, true},
	[R_STATUS] = {"status_wrong", 0, true},
	[R_EXTRA] = {"extra", 0, true},
	[R_CTL] = {"ctl_bytes", 0, true},
	[R_HEADINGS] = {"headings", 0, false},
	[R_LINES] = {"lines", 0, false},
};

static struct proc *procs;
static int n_procs;
static int *current; /* id -> record + 1 */
static char *load_name, *exec_file;
static const char *events = "fork,exec,exit,clone";
static bool raw_status;

static void count(int r)
{
	results[r].value++;
}

static bool selected(const char *event)
{
	size_t n = strlen(event);

	for (const char *p = events; (p = strstr(p, event)); p += n)
		if ((p == events || p[-1] == ',') && (p[n] == '\0' || p[n] == ','))
			return true;
	return false;
}

/* --- the truth --- */

static char *unescape(char *s)
{
	char *out = s, *p = s;

	for (; *p; p++) {
		unsigned int byte;

		if (*p == '\\' && sscanf(p, "\\x%2x", &byte) == 1) {
			*out++ = (char)byte;
			p += 3;
		} else {
			*out++ = *p;
		}
	}
	*out = '\0';
	return s;
}

static void add_proc(enum kind kind, char *fields)
{
	struct proc *p;
	int at = 0;

	if (n_procs % 1024 == 0)
		procs = realloc(procs, (size_t)(n_procs + 1024) * sizeof(*procs));
	if (!procs)
		err(2, "memory");
	p = &procs[n_procs++];
	*p = (struct proc){.kind = kind};
	if (sscanf(fields, "%d\t%d\t%d\t%d\t%n", &p->pid, &p->ppid, &p->tid, &p->status,
		    &at) != 4)
		errx(2, "truth: %s", fields);
	p->name = unescape(strdup(fields + at));
}

static void truth_line(char *line)
{
	char *rest = strchr(line, '\t');

	if (!rest)
		return;
	*rest++ = '\0';
	if (strcmp(line, "load") == 0)
		load_name = unescape(strdup(strchr(strchr(rest, '\t') + 1, '\t') + 1));
	else if (strcmp(line, "file") == 0)
		exec_file = unescape(strdup(rest));
	for (enum kind k = 0; k < K_KINDS; k++)
		if (strcmp(line, kind_name(k)) == 0)
			add_proc(k, rest);
}

static void read_truth(const char *path)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	if (!f)
		err(2, "%s", path);
	while ((n = getline(&line, &cap, f)) > 0) {
		line[n - 1] = '\0';
		truth_line(line);
	}
	free(line);
	fclose(f);
	if (!load_name || !exec_file || n_procs == 0)
		errx(2, "%s: not a truth file", path);
	current = calloc(MAX_PID, sizeof(*current));
	if (!current)
		err(2, "memory");
	for (int i = n_procs - 1; i >= 0; i--) {
		procs[i].next = current[procs[i].tid % MAX_PID];
		current[procs[i].tid % MAX_PID] = i + 1;
	}
}

/* --- names --- */

/* The plain characters, which every way of escaping a hostile name keeps. */
static void skeleton(const char *s, char *out, size_t cap)
{
	size_t n = 0;

	for (; *s && n + 1 < cap; s++) {
		if (*s == '\\' && s[1] == 'x' && isxdigit((unsigned char)s[2]))
			s += 3;
		else if (*s == '\\' && s[1] == 'u' && s[2] == '{' && strchr(s, '}'))
			s = strchr(s, '}');
		else if (isalnum((unsigned char)*s) ||
			 (*s > ' ' && ispunct((unsigned char)*s)))
			out[n++] = *s;
	}
	out[n] = '\0';
}

static bool is_hostile(const char *s)
{
	for (; *s; s++)
		if (*s < ' ' || *s > '~')
			return true;
	return false;
}

static bool same_name(const char *got, const char *want)
{
	char a[4096], b[4096];

	if (strcmp(got, want) == 0)
		return true;
	if (!is_hostile(want))
		return false;
	skeleton(got, a, sizeof(a));
	skeleton(want, b, sizeof(b));
	return strcmp(a, b) == 0;
}

/* file: the program of this process, of which only path, base name or comm may be known.
 */
static int judge(const struct row *r, const char *want, const char *file)
{
	const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	bool is_base = strcmp(r->name, base) == 0;
	bool is_comm = strlen(r->name) >= 1 && strlen(r->name) <= 15 &&
		       strncmp(r->name, base, 15) == 0;

	if (r->source == SRC_NONE)
		return R_UNKNOWN;
	if (r->source == SRC_FILE)
		return is_base || strcmp(r->name, file) == 0 ? R_FILE : R_WRONG;
	if (r->source == SRC_COMM)
		return is_base || is_comm ? R_COMM : R_WRONG;
	if (same_name(r->name, want))
		return R_FULL;
	if (strcmp(r->name, file) == 0)
		return R_FILE;
	return is_base || is_comm ? R_COMM : R_WRONG;
}

/* The load itself is named by its command line; its file is the first word of that. */
static bool load_name_bad(const struct row *r, const struct proc *p)
{
	char file[4096];
	int j;

	snprintf(file, sizeof(file), "%.*s", (int)strcspn(load_name, " "), load_name);
	j = judge(r, load_name, file);
	if (j == R_WRONG && p->kind == K_COMM && strstr(r->name, "sm-renamed"))
		return false;
	return j == R_WRONG || j == R_UNKNOWN;
}

/* --- rows against the truth --- */

static struct proc *proc_of(const struct row *r)
{
	int i = r->pid > 0 && r->pid < MAX_PID ? current[r->pid] : 0;

	if (!i)
		return NULL;
	if (r->event == EV_CHILD && (procs[i - 1].seen & S_FORK) && procs[i - 1].next)
		i = current[r->pid] = procs[i - 1].next;
	return &procs[i - 1];
}

static void mark(struct proc *p, unsigned int bit)
{
	if (p->seen & bit)
		count(R_EXTRA);
	else
		count(R_ROWS);
	p->seen |= bit;
}

static void row_child(struct proc *p, const struct row *r)
{
	if (p->seen & (S_EXEC | S_EXIT))
		count(R_ORDER);
	mark(p, S_FORK);
	if (p->kind == K_THREAD && !r->thread)
		count(R_THREAD_AS_FORK);
	if (p->kind != K_THREAD && r->thread)
		count(R_FORK_AS_THREAD);
	if (r->ppid != p->ppid)
		count(R_PARENT);
	if (load_name_bad(r, p))
		count(R_FORK_NAME);
}

static void row_exec(struct proc *p, const struct row *r)
{
	if (p->seen & S_EXIT)
		count(R_ORDER);
	mark(p, S_EXEC);
	if (p->kind != K_EXEC)
		count(R_EXTRA);
	else
		count(judge(r, p->name, exec_file));
}

static const char *signal_name(int sig)
{
	switch (sig) {
	case SIGKILL:
		return "SIGKILL";
	case SIGABRT:
		return "SIGABRT";
	case SIGTERM:
		return "SIGTERM";
	case SIGSEGV:
		return "SIGSEGV";
	default:
		return "?";
	}
}

/* A signal by number (sig6+), as read from JSON rows, or by name (SIGABRT+core).  That of
 * a thread is not the process's. */
static bool status_good(const struct row *r, int status, bool thread)
{
	char want[32], named[32] = "";
	bool core = WIFSIGNALED(status) && WCOREDUMP(status);

	if (thread && !raw_status)
		snprintf(want, sizeof(want), "thread");
	else if (raw_status)
		snprintf(want, sizeof(want), "%d", status);
	else if (WIFSIGNALED(status))
		snprintf(
			want, sizeof(want), "sig%d%s", WTERMSIG(status), core ? "+" : "");
	else
		snprintf(want, sizeof(want), "%d", WEXITSTATUS(status));
	if (WIFSIGNALED(status))
		snprintf(named, sizeof(named), "%s%s", signal_name(WTERMSIG(status)),
			core ? "+core" : "");
	return strcmp(r->status, want) == 0 ||
	       (!raw_status && strcmp(r->status, named) == 0);
}

static void row_exit(struct proc *p, const struct row *r)
{
	mark(p, S_EXIT);
	if (!status_good(r, p->status, p->kind == K_THREAD))
		count(R_STATUS);
	if (p->kind != K_EXEC) {
		if (load_name_bad(r, p))
			count(R_EXIT_NAME);
	} else {
		int j = judge(r, p->name, exec_file);

		if (j == R_WRONG || j == R_UNKNOWN)
			count(R_EXIT_NAME);
	}
}

static void handle(const struct row *r)
{
	struct proc *p;

	if (r->event == EV_LOST)
		results[R_REPORTED].value += r->lost;
	if (r->event == EV_HEADING)
		count(R_HEADINGS);
	if (r->event == EV_OTHER || r->event == EV_LOST || r->event == EV_HEADING)
		return;
	p = proc_of(r);
	if (!p)
		return;
	if (r->event == EV_CHILD)
		row_child(p, r);
	else if (r->event == EV_EXEC)
		row_exec(p, r);
	else if (r->event == EV_EXIT)
		row_exit(p, r);
	else if (r->event == EV_KIND && r->kind == p->kind && !(p->seen & S_KIND))
		mark(p, S_KIND); /* attach and detach are two rows of one kind */
}

static void want_seen(const struct proc *p, unsigned int bit, const char *event, int lost)
{
	if (!selected(event))
		return;
	count(R_SENT);
	if (p->seen & bit)
		return;
	count(lost);
	count(R_LOST);
}

static void count_lost(void)
{
	for (int i = 0; i < n_procs; i++) {
		const struct proc *p = &procs[i];
		bool thread = p->kind == K_THREAD;

		want_seen(p, S_FORK, thread ? "clone" : "fork",
			thread ? R_LOST_CLONE : R_LOST_FORK);
		want_seen(p, S_EXIT, "exit", thread ? R_LOST_THREAD_EXIT : R_LOST_EXIT);
		if (p->kind == K_EXEC) {
			results[R_EXECS].value += selected("exec");
			want_seen(p, S_EXEC, "exec", R_LOST_EXEC);
		}
		if (p->kind >= K_UID)
			want_seen(p, S_KIND,
				p->kind == K_PTRACE ? "ptrce" : kind_name(p->kind),
				R_LOST_KIND);
	}
}

static void read_rows(const char *path, bool json)
{
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	static struct row_reader reader;
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	if (!f)
		err(2, "%s", path);
	reader.json = json;
	while ((n = getline(&line, &cap, f)) > 0) {
		struct row r;

		count(R_LINES);
		n -= line[n - 1] == '\n';
		line[n] = '\0';
		results[R_CTL].value += control_bytes(line, (size_t)n);
		row_parse(&reader, line, &r);
		handle(&r);
	}
	free(line);
	if (f != stdin)
		fclose(f);
}

static bool take_options(int argc, char **argv, const char **prefix)
{
	static const struct option options[] = {{"format", 1, NULL, 'f'},
		{"events", 1, NULL, 'e'}, {"raw-status", 0, NULL, 'r'},
		{"prefix", 1, NULL, 'p'}, {0}};
	bool json = false;
	int c;

	while ((c = getopt_long(argc, argv, "f:e:rp:", options, NULL)) != -1) {
		switch (c) {
		case 'f':
			json = strcmp(optarg, "json") == 0;
			break;
		case 'e':
			events = optarg;
			break;
		case 'r':
			raw_status = true;
			break;
		case 'p':
			*prefix = optarg;
			break;
		default:
			exit(2);
		}
	}
	if (optind + 2 != argc)
		errx(2, "usage: verify [--format human|json] [--events LIST] "
			"[--raw-status] "
			"[--prefix P] TRUTH ROWS");
	return json;
}

int main(int argc, char **argv)
{
	const char *prefix = "";
	bool json = take_options(argc, argv, &prefix), bad = false;

	read_truth(argv[optind]);
	read_rows(argv[optind + 1], json);
	count_lost();
	for (int i = 0; i < R_COUNT; i++) {
		printf("%s%s=%ld\n", prefix, results[i].name, results[i].value);
		bad = bad || (results[i].bad && results[i].value != 0);
	}
	return bad;
}

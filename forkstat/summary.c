// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "num.h"
#include "sig.h"
#include "summary.h"
#include "text.h"

#define NAMES_MAX_BYTES (4u << 20)
#define NAME_SHOWN	256

int summary_init(struct summary *s, const struct fs_opts *o, uint64_t now_ns)
{
	int err;

	memset(s, 0, sizeof(*s));
	s->opts = o;
	s->start_ns = now_ns;
	err = sm_map_init(&s->programs, 64);
	return err ? err : sm_intern_new(&s->names, NAMES_MAX_BYTES);
}

void summary_fini(struct summary *s)
{
	struct program *p;

	for (size_t i = 0; s->programs.slots && (p = sm_map_next(&s->programs, &i));) {
		sm_intern_put(s->names, p->name);
		free(p);
	}
	sm_map_fini(&s->programs);
	if (s->names)
		sm_intern_free(s->names);
	sm_buf_fini(&s->name);
}

static struct program *add_program(struct summary *s, struct sm_istr *name)
{
	struct program *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	if (sm_map_put(&s->programs, (uint64_t)(uintptr_t)name, p) < 0) {
		free(p);
		return NULL;
	}
	p->name = sm_istr_ref(name);
	return p;
}

static struct program *program_of(struct summary *s, const struct sm_proc *p)
{
	struct sm_istr *name;
	struct program *prog;

	sm_buf_reset(&s->name);
	view_name(s->opts, p, &s->name);
	if (s->name.len > NAME_SHOWN)
		s->name.len = NAME_SHOWN;
	name = sm_intern_get(s->names, s->name.p, s->name.len, 0);
	if (!name)
		return &s->others;
	prog = sm_map_get(&s->programs, (uint64_t)(uintptr_t)name);
	if (!prog && s->programs.used < SUMMARY_PROGRAMS_MAX)
		prog = add_program(s, name);
	sm_intern_put(s->names, name);
	return prog ? prog : &s->others;
}

static void add_exit(struct summary *s, struct program *prog, const struct fs_row *row)
{
	uint32_t code = row->ev->exit_code;
	int signo = fs_exit_signal(code);

	if (code) {
		s->nonzero++;
		if (prog)
			prog->nonzero++;
	}
	if (signo && signo < 65) {
		s->signals[signo]++;
		s->cores[signo] += fs_exit_core(code);
	}
	if (!row->has_duration)
		return;
	sm_hist_add(&s->lifetimes, row->duration_ns);
	s->lifetime_sum_ns += row->duration_ns;
	if (prog)
		prog->lifetime_ns += row->duration_ns;
}

void summary_add(struct summary *s, const struct fs_row *row)
{
	const struct sm_proc *who =
		row->parent && row->kind != FS_PTRCE ? row->parent : row->p;
	struct program *prog = s->opts->summary ? program_of(s, who) : NULL;

	s->count[row->kind]++;
	if (prog) {
		prog->count[row->kind]++;
		prog->total++;
	}
	if (row->kind == FS_EXIT)
		add_exit(s, prog, row);
}

void summary_lost(struct summary *s, enum fs_lost_source source, uint64_t n)
{
	s->lost[source] += n;
}

uint64_t summary_lost_total(const struct summary *s)
{
	return s->lost[FS_LOST_KERNEL] + s->lost[FS_LOST_OUTPUT];
}

/* --- for people --------------------------------------------------------------------- */

static int by_total(const void *a, const void *b)
{
	const struct program *const *x = a, *const *y = b;

	return (*x)->total < (*y)->total ? 1 : (*x)->total > (*y)->total ? -1 : 0;
}

static int by_lifetime(const void *a, const void *b)
{
	const struct program *const *x = a, *const *y = b;

	return (*x)->lifetime_ns < (*y)->lifetime_ns   ? 1
	       : (*x)->lifetime_ns > (*y)->lifetime_ns ? -1
						       : 0;
}

static struct program **sorted(
	struct summary *s, size_t *n, int (*order)(const void *, const void *))
{
	struct program **list = calloc(s->programs.used + 1, sizeof(struct program *)),
		       *p;

	*n = 0;
	if (!list)
		return NULL;
	for (size_t i = 0; (p = sm_map_next(&s->programs, &i));)
		list[(*n)++] = p;
	if (s->others.total)
		list[(*n)++] = &s->others;
	qsort(list, *n, sizeof(struct program *), order);
	return list;
}

static const struct {
	enum fs_event e;
	const char *head;
} stat_columns[] = {
	{FS_FORK, "Fork"},
	{FS_EXEC, "Exec"},
	{FS_EXIT, "Exit"},
	{FS_CORE, "Coredump"},
	{FS_COMM, "Comm"},
	{FS_CLONE, "Clone"},
	{FS_PTRCE, "Ptrace"},
	{FS_UID, "Uid"},
	{FS_GID, "Gid"},
	{FS_SID, "Sid"},
};

static struct sm_str shown_name(const struct program *p)
{
	return p->name ? (struct sm_str){p->name->s, p->name->len} : SM_STR("(others)");
}

static void program_table(struct summary *s, struct sm_buf *b)
{
	size_t n;
	struct program **list = sorted(s, &n, by_total);

	for (size_t i = 0; i < SM_ARRAY_SIZE(stat_columns); i++)
		sm_buf_printf(b, "%8s ", stat_columns[i].head);
	sm_buf_printf(b, "%8s %8s Process\n", "Nonzero", "Total");
	for (size_t i = 0; list && i < n && i < s->opts->limit; i++) {
		for (size_t c = 0; c < SM_ARRAY_SIZE(stat_columns); c++)
			sm_buf_printf(b, "%8llu ",
				(unsigned long long)list[i]->count[stat_columns[c].e]);
		sm_buf_printf(b, "%8llu %8llu ", (unsigned long long)list[i]->nonzero,
			(unsigned long long)list[i]->total);
		sm_buf_add(b, shown_name(list[i]).p, shown_name(list[i]).n);
		sm_buf_chr(b, '\n');
	}
	if (n > s->opts->limit)
		sm_buf_printf(b, "(%zu more programs; --limit shows more)\n",
			n - (size_t)s->opts->limit);
	free(list);
}

static void rates(const struct summary *s, struct sm_buf *b, uint64_t elapsed_ns)
{
	double secs = (double)elapsed_ns / 1e9;

	sm_buf_printf(b, "\nRates over %.1f s, per second:", secs);
	for (size_t i = 0; i < SM_ARRAY_SIZE(stat_columns); i++)
		if (s->count[stat_columns[i].e])
			sm_buf_printf(b, " %s %.1f", fs_event_name(stat_columns[i].e),
				secs > 0 ? (double)s->count[stat_columns[i].e] / secs
					 : 0);
	sm_buf_chr(b, '\n');
}

static void duration(struct sm_buf *b, uint64_t ns)
{
	size_t at = b->len;

	if (ns < 100 * SM_NSEC_PER_MSEC) { /* a table cell has only milliseconds */
		sm_buf_printf(b, "%.3fms", (double)ns / 1e6);
		return;
	}
	sm_num_print_duration(b, ns);
	while (at < b->len && b->p[at] == ' ') {
		memmove(b->p + at, b->p + at + 1, b->len - at - 1);
		b->len--;
	}
}

static const struct {
	double q;
	const char *name;
} quantiles[] = {{0.5, "p50"}, {0.9, "p90"}, {0.99, "p99"}, {1.0, "max"}};

static void lifetimes(struct summary *s, struct sm_buf *b)
{
	size_t n;
	struct program **list;
	uint64_t v;

	if (!s->lifetimes.n)
		return;
	sm_buf_printf(
		b, "Lifetime of %llu that ended:", (unsigned long long)s->lifetimes.n);
	for (size_t i = 0; i < SM_ARRAY_SIZE(quantiles); i++)
		if (sm_hist_quantile(&s->lifetimes, quantiles[i].q, &v) == 0) {
			sm_buf_printf(b, " %s ", quantiles[i].name);
			duration(b, v);
		}
	list = sorted(s, &n, by_lifetime);
	sm_buf_str(b, "\n\n   Lifetime    Exits Longest together\n");
	for (size_t i = 0; list && i < n && i < s->opts->limit && list[i]->lifetime_ns;
		i++) {
		sm_buf_str(b, "   ");
		sm_num_print_duration(b, list[i]->lifetime_ns);
		sm_buf_printf(b, " %8llu ", (unsigned long long)list[i]->count[FS_EXIT]);
		sm_buf_add(b, shown_name(list[i]).p, shown_name(list[i]).n);
		sm_buf_chr(b, '\n');
	}
	free(list);
}

static void signals(const struct summary *s, struct sm_buf *b)
{
	char name[SM_SIG_NAME_MAX];
	bool head = false;

	for (int i = 1; i < 65; i++) {
		if (!s->signals[i])
			continue;
		sm_buf_str(b, head ? "" : "\nEnded by a signal:\n");
		head = true;
		sm_buf_printf(b, "%8llu %s (%s)", (unsigned long long)s->signals[i],
			sm_sig_name(i, name), sm_sig_words(i));
		if (s->cores[i])
			sm_buf_printf(b, ", core dumped: %llu",
				(unsigned long long)s->cores[i]);
		sm_buf_chr(b, '\n');
	}
}

static void losses(const struct summary *s, struct sm_buf *b)
{
	sm_buf_printf(b,
		"\nEvents received %llu, shown %llu, filtered %llu; lost: kernel %llu, "
		"output %llu, command lines %llu\n",
		(unsigned long long)s->received,
		(unsigned long long)(s->received - s->filtered),
		(unsigned long long)s->filtered,
		(unsigned long long)s->lost[FS_LOST_KERNEL],
		(unsigned long long)s->lost[FS_LOST_OUTPUT],
		(unsigned long long)s->lost[FS_LOST_PERF]);
}

static void for_people(struct summary *s, struct sm_out *out, uint64_t elapsed_ns)
{
	struct sm_buf b = {0};

	sm_buf_chr(&b, '\n');
	if (!s->programs.used) {
		sm_buf_str(&b, "No statistics gathered.\n");
	} else {
		program_table(s, &b);
		rates(s, &b, elapsed_ns);
		lifetimes(s, &b);
		signals(s, &b);
	}
	losses(s, &b);
	sm_out_text(out, &b, 1);
	sm_buf_fini(&b);
}

/* --- for machines ------------------------------------------------------------------- */

static void json_counts(const struct summary *s, struct sm_json *j)
{
	sm_json_object(j, "events");
	for (enum fs_event e = 0; e < FS_LOST; e++)
		sm_json_u64(j, fs_event_name(e), s->count[e]);
	sm_json_u64(j, "nonzero_exit", s->nonzero);
	sm_json_end(j);
	sm_json_object(j, "lost");
	sm_json_u64(j, "kernel", s->lost[FS_LOST_KERNEL]);
	sm_json_u64(j, "perf", s->lost[FS_LOST_PERF]);
	sm_json_u64(j, "output", s->lost[FS_LOST_OUTPUT]);
	sm_json_end(j);
}

static void json_lifetimes(const struct summary *s, struct sm_json *j)
{
	uint64_t v;

	if (!s->lifetimes.n)
		return;
	sm_json_object(j, "lifetime_s");
	sm_json_u64(j, "count", s->lifetimes.n);
	for (size_t i = 0; i < SM_ARRAY_SIZE(quantiles); i++)
		if (sm_hist_quantile(&s->lifetimes, quantiles[i].q, &v) == 0)
			sm_json_seconds(j, quantiles[i].name, v);
	sm_json_end(j);
}

static void json_signals(const struct summary *s, struct sm_json *j)
{
	char name[SM_SIG_NAME_MAX];

	sm_json_array(j, "signals");
	for (int i = 1; i < 65; i++) {
		if (!s->signals[i])
			continue;
		sm_json_object(j, NULL);
		sm_json_u64(j, "signal", (uint64_t)i);
		sm_json_text(
			j, "name", sm_sig_name(i, name), strlen(sm_sig_name(i, name)));
		sm_json_text(j, "words", sm_sig_words(i), strlen(sm_sig_words(i)));
		sm_json_u64(j, "count", s->signals[i]);
		sm_json_u64(j, "core", s->cores[i]);
		sm_json_end(j);
	}
	sm_json_end(j);
}

static void json_programs(struct summary *s, struct sm_json *j)
{
	size_t n;
	struct program **list = s->opts->summary ? sorted(s, &n, by_total) : NULL;

	if (!list)
		return;
	sm_json_array(j, "programs");
	for (size_t i = 0; i < n && i < s->opts->limit; i++) {
		sm_json_object(j, NULL);
		sm_json_text(j, "name", shown_name(list[i]).p, shown_name(list[i]).n);
		for (enum fs_event e = 0; e < FS_LOST; e++)
			sm_json_u64(j, fs_event_name(e), list[i]->count[e]);
		sm_json_u64(j, "nonzero_exit", list[i]->nonzero);
		sm_json_u64(j, "total", list[i]->total);
		sm_json_seconds(j, "lifetime_s", list[i]->lifetime_ns);
		sm_json_end(j);
	}
	sm_json_end(j);
	free(list);
}

static void for_json(
	struct summary *s, struct sm_out *out, uint64_t end_wall_ns, uint64_t elapsed_ns)
{
	struct sm_buf b = {0};
	struct sm_json j;

	sm_json_open(&j, &b, "summary");
	sm_json_time(&j, "time", end_wall_ns);
	sm_json_seconds(&j, "elapsed_s", elapsed_ns);
	sm_json_u64(&j, "received", s->received);
	sm_json_u64(&j, "filtered", s->filtered);
	json_counts(s, &j);
	json_lifetimes(s, &j);
	json_signals(s, &j);
	json_programs(s, &j);
	sm_json_close(&j);
	sm_sink_put(out->sink, b.p, b.len, 1);
	sm_buf_fini(&b);
}

void summary_show(struct summary *s, struct view *v, uint64_t now_ns)
{
	uint64_t elapsed = now_ns - s->start_ns;

	for (unsigned int i = 0; i < v->faces.n; i++) {
		if (v->faces.out[i].face == SM_FACE_JSON)
			for_json(s, &v->faces.out[i], view_wall_ns(v, now_ns), elapsed);
		else if (v->faces.out[i].face == SM_FACE_HUMAN && s->opts->summary)
			for_people(s, &v->faces.out[i], elapsed);
	}
}

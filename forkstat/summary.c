// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/units.h"
#include "format/rank.h"
#include "base/signame.h"
#include "summary.h"
#include "base/text.h"

#define NAMES_MAX_BYTES (4u << 20)
#define LINE_SHOWN	256 /* columns */
#define WIDE		132 /* columns of a terminal with room for all counts and a name */

int summary_init(struct summary *s, const struct opts *o, uint64_t now_ns)
{
	int err;

	memset(s, 0, sizeof(*s));
	s->opts = o;
	s->start_ns = now_ns;
	err = sm_map_init(&s->programs, 64);
	return err ? err : sm_strpool_new(&s->names, NAMES_MAX_BYTES);
}

void summary_fini(struct summary *s)
{
	struct program *p;

	for (size_t i = 0; s->programs.slots && (p = sm_map_next(&s->programs, &i));) {
		sm_strpool_put(s->names, p->name);
		free(p);
	}
	sm_map_fini(&s->programs);
	if (s->names)
		sm_strpool_free(s->names);
	sm_buf_fini(&s->name);
	sm_buf_fini(&s->line);
}

static struct program *add_program(struct summary *s, struct sm_poolstr *name)
{
	struct program *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	if (sm_map_put(&s->programs, (uint64_t)(uintptr_t)name, p) < 0) {
		free(p);
		return NULL;
	}
	p->name = sm_strpool_ref(name);
	return p;
}

static void name_program(struct summary *s, const struct sm_task *p)
{
	sm_buf_reset(&s->name);
	if (!s->opts->by_command) {
		view_program(s->opts, p, &s->name);
		return;
	}
	sm_buf_reset(&s->line);
	view_name(s->opts, p, &s->line);
	sm_text_fit(&s->name, s->line.p, s->line.len, LINE_SHOWN, SM_TEXT_UTF8);
}

static struct program *program_of(struct summary *s, const struct sm_task *p)
{
	struct sm_poolstr *name;
	struct program *prog;

	name_program(s, p);
	name = sm_strpool_get(s->names, s->name.p, s->name.len, 0);
	if (!name)
		return &s->others;
	prog = sm_map_get(&s->programs, (uint64_t)(uintptr_t)name);
	if (!prog && s->programs.used < SUMMARY_PROGRAMS_MAX)
		prog = add_program(s, name);
	sm_strpool_put(s->names, name);
	return prog ? prog : &s->others;
}

static void add_status(struct summary *s, struct program *prog, uint32_t code)
{
	int signo = row_exit_signal(code);

	if (code) {
		s->nonzero++;
		if (prog)
			prog->nonzero++;
	}
	if (signo && signo < 65) {
		s->signals[signo]++;
		s->cores[signo] += row_exit_core(code);
	}
}

static void add_end(struct summary *s, struct program *prog, const struct row *row)
{
	s->ends++;
	if (prog)
		prog->ends++;
	if (row->exit.known)
		add_status(s, prog, row->exit.code);
	if (s->cpu && prog)
		exitcpu_ended(s->cpu, row->p, row->end_ns, &prog->cpu);
	if (!row->has_duration)
		return;
	sm_loghist_add(&s->lifetimes, row->duration_ns);
	s->lifetime_sum_ns += row->duration_ns;
	if (prog)
		prog->lifetime_ns += row->duration_ns;
}

void summary_add(struct summary *s, const struct row *row)
{
	const struct sm_task *task =
		row->parent && row->kind != EVENT_PTRCE ? row->parent : row->p;
	struct program *prog = s->opts->app.summary ? program_of(s, task) : NULL;

	if (row->error) {
		s->failed++;
		return;
	}
	s->count[row->kind]++;
	if (prog) {
		prog->count[row->kind]++;
		prog->total++;
	}
	if (row->kind == EVENT_EXIT && row->exit.process_end)
		add_end(s, prog, row);
}

uint64_t summary_lost_total(const struct summary *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < LOST_SOURCES; i++)
		sum += s->lost[i];
	return sum;
}

void summary_put_lost(const struct summary *s, struct sm_buf *b)
{
	for (enum lost_source i = 0; i < LOST_SOURCES; i++)
		sm_buf_printf(b, "%s %s %llu", i ? "," : "lost:", track_lost_name(i),
			(unsigned long long)s->lost[i]);
}

/* --- the table ---------------------------------------------------------------------- */

static struct sm_str shown_name(const struct program *p)
{
	return p->name ? sm_strpool_str(p->name) : SM_STR("(others)");
}

/* Compares by CPU time, then by total lifetime, or by events. */
static int order(const void *a, const void *b, void *by_time)
{
	const struct program *x = *(const struct program *const *)a;
	const struct program *y = *(const struct program *const *)b;
	bool time = *(const bool *)by_time;
	int c = time ? SM_COMPARE(y->cpu.ns, x->cpu.ns) : SM_COMPARE(y->total, x->total);

	if (time && !c)
		c = SM_COMPARE(y->lifetime_ns, x->lifetime_ns);
	return c ? c : sm_text_compare(shown_name(x), shown_name(y));
}

/* Returns all n programs; the first --limit of them are sorted.  The caller frees the
 * list. */
static struct program **top(struct summary *s, struct sm_buf *b, size_t *n, bool by_time)
{
	struct program **list = calloc(s->programs.used + 1, sizeof(struct program *)),
		       *p;
	size_t k;

	*n = 0;
	if (!list) {
		sm_buf_fail(b, -ENOMEM);
		return NULL;
	}
	for (size_t i = 0; (p = sm_map_next(&s->programs, &i));)
		list[(*n)++] = p;
	if (s->others.total)
		list[(*n)++] = &s->others;
	k = s->opts->app.limit < *n ? (size_t)s->opts->app.limit : *n;
	sm_rank_first(list, *n, sizeof(struct program *), k, order, &by_time);
	return list;
}

static const char *const heads[EVENT_LOST] = {"Fork", "Exec", "Exit", "Coredump", "Comm",
	"Clone", "Ptrace", "Uid", "Gid", "Sid"};

/* A narrow terminal leaves out the columns of events that have not happened. */
static bool has_column(const struct summary *s, bool narrow, enum event e)
{
	return !narrow || s->count[e];
}

static void program_table(struct summary *s, bool narrow, struct sm_buf *b)
{
	size_t n;
	struct program **list = top(s, b, &n, false);

	for (enum event e = 0; e < EVENT_LOST; e++)
		if (has_column(s, narrow, e))
			sm_buf_printf(b, "%8s ", heads[e]);
	sm_buf_printf(b, "%8s %8s Process\n", "Nonzero", "Total");
	for (size_t i = 0; list && i < n && i < s->opts->app.limit; i++) {
		for (enum event e = 0; e < EVENT_LOST; e++)
			if (has_column(s, narrow, e))
				sm_buf_printf(b, "%8llu ",
					(unsigned long long)list[i]->count[e]);
		sm_buf_printf(b, "%8llu %8llu ", (unsigned long long)list[i]->nonzero,
			(unsigned long long)list[i]->total);
		sm_buf_add(b, shown_name(list[i]).p, shown_name(list[i]).n);
		sm_buf_chr(b, '\n');
	}
	if (n > s->opts->app.limit)
		sm_buf_printf(b, "(%zu more programs; --limit shows more)\n",
			n - (size_t)s->opts->app.limit);
	free(list);
}

static void event_rates(const struct summary *s, struct sm_buf *b, uint64_t elapsed_ns)
{
	double secs = (double)elapsed_ns / 1e9;

	sm_buf_printf(b, "\nRates over %.1f s, per second:", secs);
	for (enum event e = 0; e < EVENT_LOST; e++)
		if (s->count[e])
			sm_buf_printf(b, " %s %.1f", event_name(e),
				secs > 0 ? (double)s->count[e] / secs : 0);
	sm_buf_chr(b, '\n');
}

static void duration(struct sm_buf *b, uint64_t ns)
{
	size_t at = b->len;

	if (ns < 100 * SM_NSEC_PER_MSEC) { /* a table cell has only milliseconds */
		sm_buf_printf(b, "%.3fms", (double)ns / 1e6);
		return;
	}
	sm_units_print_duration(b, ns);
	while (at < b->len && b->p[at] == ' ') {
		memmove(b->p + at, b->p + at + 1, b->len - at - 1);
		b->len--;
	}
}

static const struct {
	double q;
	const char *name;
} quantiles[] = {{0.5, "p50"}, {0.9, "p90"}, {0.99, "p99"}, {1.0, "max"}};

static void lifetimes(const struct summary *s, struct sm_buf *b)
{
	uint64_t v;

	sm_buf_printf(b, "Lifetimes of %llu processes that exited:",
		(unsigned long long)s->lifetimes.n);
	for (size_t i = 0; i < SM_ARRAY_SIZE(quantiles); i++)
		if (sm_loghist_quantile(&s->lifetimes, quantiles[i].q, &v) == 0) {
			sm_buf_printf(b, " %s ", quantiles[i].name);
			duration(b, v);
		}
	sm_buf_chr(b, '\n');
}

static void cpu_total(const struct exitcpu *x, struct sm_buf *b)
{
	if (!x->open) {
		sm_buf_printf(b, "CPU time of programs is unknown (BPF: %s)\n",
			strerror(-x->err));
		return;
	}
	if (!x->all.known) {
		sm_buf_printf(b, "CPU time of %llu process%s that exited is unknown\n",
			(unsigned long long)x->all.ended, x->all.ended == 1 ? "" : "es");
		return;
	}
	sm_buf_printf(b, "CPU time of %llu process%s that exited: %.3fs",
		(unsigned long long)x->all.known, x->all.known == 1 ? "" : "es",
		(double)x->all.ns / 1e9);
	if (x->all.ended > x->all.known)
		sm_buf_printf(b, "; unknown for %llu",
			(unsigned long long)(x->all.ended - x->all.known));
	sm_buf_chr(b, '\n');
}

static void put_times(
	const struct program *p, const struct exitcpu *cpu, struct sm_buf *b)
{
	if (cpu && p->cpu.known)
		sm_buf_printf(b, "%10.3fs %6.1f", (double)p->cpu.ns / 1e9,
			cpu->all.ns ? 100 * (double)p->cpu.ns / (double)cpu->all.ns : 0);
	else if (cpu)
		sm_buf_printf(b, "%11s %6s", "?", "?");
	sm_buf_str(b, "   ");
	sm_units_print_duration(b, p->lifetime_ns);
	sm_buf_printf(b, " %8llu ", (unsigned long long)p->ends);
	sm_buf_add(b, shown_name(p).p, shown_name(p).n);
	sm_buf_chr(b, '\n');
}

static void times(struct summary *s, struct sm_buf *b)
{
	const struct exitcpu *cpu = s->cpu && s->cpu->open ? s->cpu : NULL;
	size_t n;
	struct program **list = top(s, b, &n, true);

	sm_buf_printf(b, "\n%s   Lifetime    Exits %s\n", cpu ? "        CPU      %" : "",
		cpu ? "Most CPU time" : "Longest total lifetime");
	for (size_t i = 0; list && i < n && i < s->opts->app.limit &&
			   (list[i]->cpu.ns || list[i]->lifetime_ns);
		i++)
		put_times(list[i], cpu, b);
	free(list);
}

static void signals(const struct summary *s, struct sm_buf *b)
{
	char name[SM_SIGNAME_MAX];
	bool head = false;

	for (int i = 1; i < 65; i++) {
		if (!s->signals[i])
			continue;
		sm_buf_str(b, head ? "" : "\nKilled by a signal:\n");
		head = true;
		sm_buf_printf(b, "%8llu %s (%s)", (unsigned long long)s->signals[i],
			sm_signame(i, name), sm_signame_words(i));
		if (s->cores[i])
			sm_buf_printf(b, ", core dumped: %llu",
				(unsigned long long)s->cores[i]);
		sm_buf_chr(b, '\n');
	}
}

static void losses(const struct summary *s, struct sm_buf *b)
{
	sm_buf_printf(b, "\nEvents received %llu, shown %llu, filtered %llu; ",
		(unsigned long long)s->received,
		(unsigned long long)(s->received - s->filtered),
		(unsigned long long)s->filtered);
	summary_put_lost(s, b);
	sm_buf_chr(b, '\n');
}

static void for_table(struct summary *s, struct sm_table *out, uint64_t elapsed_ns)
{
	bool narrow = out->fit && out->columns && out->columns < WIDE;
	struct sm_buf b = {0};

	sm_buf_chr(&b, '\n');
	if (!s->programs.used) {
		sm_buf_str(&b, "No statistics gathered.\n");
	} else {
		program_table(s, narrow, &b);
		event_rates(s, &b, elapsed_ns);
		if (s->lifetimes.n)
			lifetimes(s, &b);
		if (s->cpu && s->ends)
			cpu_total(s->cpu, &b);
		if (s->lifetimes.n)
			times(s, &b);
		signals(s, &b);
	}
	losses(s, &b);
	sm_table_wrap(out, &b, 1);
	sm_buf_fini(&b);
}

/* --- JSON --------------------------------------------------------------------------- */

static void json_counts(const struct summary *s, struct sm_json *j)
{
	sm_json_object(j, "events");
	for (enum event e = 0; e < EVENT_LOST; e++)
		sm_json_u64(j, event_name(e), s->count[e]);
	sm_json_u64(j, "process_end", s->ends);
	sm_json_u64(j, "nonzero_exit", s->nonzero);
	if (s->opts->failed)
		sm_json_u64(j, "failed_exec", s->failed);
	sm_json_end(j);
	sm_json_object(j, "lost");
	for (enum lost_source i = 0; i < LOST_SOURCES; i++)
		sm_json_u64(j, track_lost_name(i), s->lost[i]);
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
		if (sm_loghist_quantile(&s->lifetimes, quantiles[i].q, &v) == 0)
			sm_json_seconds(j, quantiles[i].name, v);
	sm_json_end(j);
}

static void json_cpu(const struct exitcpu *x, struct sm_json *j)
{
	if (!x || !x->open)
		return;
	sm_json_object(j, "cpu_s");
	sm_json_u64(j, "count", x->all.known);
	sm_json_u64(j, "unknown", x->all.ended - x->all.known);
	if (x->all.known || !x->all.ended)
		sm_json_seconds(j, "total", x->all.ns);
	sm_json_end(j);
}

static void json_signals(const struct summary *s, struct sm_json *j)
{
	char name[SM_SIGNAME_MAX];

	sm_json_array(j, "signals");
	for (int i = 1; i < 65; i++) {
		if (!s->signals[i])
			continue;
		sm_json_object(j, NULL);
		sm_json_u64(j, "signal", (uint64_t)i);
		sm_json_text(j, "name", sm_signame(i, name), strlen(sm_signame(i, name)));
		sm_json_text(
			j, "words", sm_signame_words(i), strlen(sm_signame_words(i)));
		sm_json_u64(j, "count", s->signals[i]);
		sm_json_u64(j, "core", s->cores[i]);
		sm_json_end(j);
	}
	sm_json_end(j);
}

/* If no process of a program has exited, its cpu_s is 0. */
static void json_program_cpu(
	const struct exitcpu *x, const struct exitcpu_sum *sum, struct sm_json *j)
{
	if (!x || !x->open)
		return;
	if (sum->known || !sum->ended)
		sm_json_seconds(j, "cpu_s", sum->ns);
	if (sum->ended > sum->known)
		sm_json_u64(j, "cpu_unknown", sum->ended - sum->known);
}

static void json_programs(struct summary *s, struct sm_json *j)
{
	size_t n;
	struct program **list = s->opts->app.summary ? top(s, j->b, &n, false) : NULL;

	if (!list)
		return;
	sm_json_array(j, "programs");
	for (size_t i = 0; i < n && i < s->opts->app.limit; i++) {
		sm_json_object(j, NULL);
		sm_json_text(j, "name", shown_name(list[i]).p, shown_name(list[i]).n);
		for (enum event e = 0; e < EVENT_LOST; e++)
			sm_json_u64(j, event_name(e), list[i]->count[e]);
		sm_json_u64(j, "process_end", list[i]->ends);
		sm_json_u64(j, "nonzero_exit", list[i]->nonzero);
		sm_json_u64(j, "total", list[i]->total);
		sm_json_seconds(j, "lifetime_s", list[i]->lifetime_ns);
		json_program_cpu(s->cpu, &list[i]->cpu, j);
		sm_json_end(j);
	}
	sm_json_end(j);
	free(list);
}

static void for_json(struct summary *s, struct sm_table *out, uint64_t end_wall_ns,
	uint64_t elapsed_ns)
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
	json_cpu(s->cpu, &j);
	json_signals(s, &j);
	json_programs(s, &j);
	sm_json_close(&j);
	sm_sink_put_buf(out->sink, &b, 1);
	sm_buf_fini(&b);
}

void summary_show(struct summary *s, struct view *v, uint64_t now_ns)
{
	uint64_t elapsed = now_ns - s->start_ns;

	for (unsigned int i = 0; i < v->outputs->n; i++) {
		if (v->outputs->out[i].format == SM_FORMAT_JSON)
			for_json(
				s, &v->outputs->out[i], view_wall_ns(v, now_ns), elapsed);
		else if (v->outputs->out[i].format == SM_FORMAT_TABLE &&
			 s->opts->app.summary)
			for_table(s, &v->outputs->out[i], elapsed);
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/tty.h"
#include "columns.h"

#define MACHINE(k, j) .key = k, .json = j
#define HUMAN(k, h, w, f, j)                                                 \
	.key = k, .json = j, .head = h, .width = w, .align = SM_ALIGN_RIGHT, \
	.flags = SM_COLUMN_GROW | (f)
#define NUMBER(k, h, w, f) HUMAN(k, h, w, f, "?num")
#define PERCENT(k, h) \
	NUMBER(k, h, 5, 0), .group = "cpu", .decimals = 1, .machine_decimals = 3
#define RATE(k, h, w, m) NUMBER(k, h, w, 0), .group = "cpu", .machine_decimals = m
#define COUNT(k, h)	 NUMBER(k, h, 4, 0)
#define POWER(k, h, f)	 NUMBER(k, h, 6, f), .decimals = 2, .machine_decimals = 6
#define HERTZ(k, h) \
	NUMBER(k, h, 9, 0), .group = "freq", .decimals = 2, .scale = 1e-6, .unit = " GHz"

/* On a narrow terminal, the columns that were requested are dropped last: of the zones
 * the last one first, then of the domains. */
#define ZONE_PRIORITY	60
#define DOMAIN_PRIORITY 100
#define DYNAMIC_STEPS	30

const struct sm_column powerstat_columns[C_N] = {
	[C_TIME] = {HUMAN("time", "Time", 8, 0, "time"), .help = "end of the sample"},
	[C_MONO] = {MACHINE("mono_ns", "int"),
		.help = "end of the sample, CLOCK_MONOTONIC nanoseconds"},
	[C_DT] = {MACHINE("dt_s", "num"), .help = "seconds that the sample covers"},
	[C_KIND] = {MACHINE("kind", COLUMNS_KINDS("|")),
		.help = "kind of the watts: measured, averaged, fuel_gauge_rate, level, "
			"estimate or absent"},
	[C_ESTIMATE] = {MACHINE("estimate", "bool"),
		.help = "JSON: the watts are an estimate"},
	[C_INCOMPLETE] = {MACHINE("incomplete", "bool"),
		.help = "a part of the watts could not be read"},
	[C_WINDOW] = {MACHINE("window_s", "?num"),
		.help = "time between the first and the last step of the level"},
	[C_LOST] = {MACHINE("lost", "int"), .help = "fork, exec and exit events lost"},
	[V_USER] = {PERCENT("user_pct", "User"), .priority = 21,
		.help = "CPU time of programs"},
	[V_NICE] = {PERCENT("nice_pct", "Nice"), .priority = 1,
		.help = "CPU time of programs with low priority"},
	[V_SYS] = {PERCENT("sys_pct", "Sys"), .priority = 20,
		.help = "CPU time of the kernel"},
	[V_IDLE] = {PERCENT("idle_pct", "Idle"), .priority = 120,
		.help = "idle CPU time"},
	[V_IO] = {PERCENT("iowait_pct", "IO"), .priority = 5,
		.help = "idle CPU time while a task waits for a device"},
	[V_IRQ] = {PERCENT("irq_pct", NULL), .help = "CPU time of interrupts"},
	[V_SOFTIRQ] = {PERCENT("softirq_pct", NULL),
		.help = "CPU time of soft interrupts"},
	[V_STEAL] = {PERCENT("steal_pct", NULL),
		.help = "CPU time stolen by the hypervisor"},
	[V_RUN] = {RATE("run", "Run", 4, 0), .priority = 4,
		.help = "running and runnable tasks"},
	[V_CTXT] = {RATE("ctxt_per_s", "Ctxt/s", 6, 3), .priority = 10,
		.help = "context switches"},
	[V_INTR] = {RATE("intr_per_s", "IRQ/s", 6, 3), .priority = 9,
		.help = "interrupts"},
	[V_FORK] = {COUNT("fork", "Fork"), .priority = 8,
		.help = "processes created in the interval"},
	[V_EXEC] = {COUNT("exec", "Exec"), .priority = 3, .help = "programs executed"},
	[V_EXIT] = {COUNT("exit", "Exit"), .priority = 2, .help = "processes exited"},
	[V_WATTS] = {POWER("watts", "Watts", SM_COLUMN_MARK),
		.help = "mean power of the interval"},
	[V_JOULES] = {POWER("joules", "Joules", 0), .priority = 119,
		.help = "energy of the interval"},
	[C_FREQ] = {HERTZ("cpu_freq_khz", "CPU Freq"), .priority = 117,
		.help = "geometric mean of the CPU frequencies"},
	[C_FREQ_MIN] = {HERTZ("cpu_freq_min_khz", "Freq Min"), .priority = 6,
		.help = "lowest CPU frequency"},
	[C_FREQ_MAX] = {HERTZ("cpu_freq_max_khz", "Freq Max"), .priority = 7,
		.help = "highest CPU frequency"},
	[C_GPU] = {HERTZ("gpu_freq_khz", "GPU Freq"), .priority = 116,
		.help = "frequency of the first GPU"},
	[C_THROTTLE] = {NUMBER("throttles", "Throt", 5, 0), .priority = 115,
		.help = "thermal throttling: events of cores and packages"},
};

/* Columns of domains and zones have the width of the original. */
static const struct sm_column domain_column = {
	POWER(NULL, NULL, 0), .group = "domains", .priority = DOMAIN_PRIORITY};
static const struct sm_column zone_column = {NUMBER(NULL, NULL, 6, 0), .group = "temps",
	.decimals = 2, .machine_decimals = 3, .priority = ZONE_PRIORITY};

static int add_fixed(struct columns *c, const struct opts *o, bool events)
{
	int err = sm_columns_add(&c->list, powerstat_columns, V_FIXED);

	if (err)
		return err;
	for (unsigned int i = V_FORK; i <= V_EXIT && !events; i++)
		c->list.col[i].head = NULL;
	if (!o->joules)
		c->list.col[V_JOULES].key = c->list.col[V_JOULES].head = NULL;
	return 0;
}

/* Adds a column if there is something to read; returns its index, or 0. */
static unsigned int add_one(struct columns *c, enum column column, bool have, int *err)
{
	if (!have || *err)
		return 0;
	*err = sm_columns_add(&c->list, &powerstat_columns[column], 1);
	return c->list.n - 1;
}

static int add_frequencies(
	struct columns *c, const struct opts *o, struct columns_have have)
{
	int err = 0;

	c->freq0 = c->list.n;
	c->nfreq = o->freq && have.freq ? C_GPU - C_FREQ : 0;
	if (c->nfreq)
		err = sm_columns_add(&c->list, &powerstat_columns[C_FREQ], c->nfreq);
	c->gpu = add_one(c, C_GPU, o->gpu && have.gpu, &err);
	c->throttle = add_one(c, C_THROTTLE, o->freq && have.throttle, &err);
	return err;
}

/* Adds a column named after a label; n: number of such columns before it. */
static int add_dynamic(struct columns *c, const struct sm_column *like, const char *label,
	const char *suffix, unsigned int n)
{
	struct sm_column own = *like;

	own.priority = (uint8_t)(own.priority - (n < DYNAMIC_STEPS ? n : DYNAMIC_STEPS));
	return sm_columns_label(&c->list, &own, label, suffix);
}

static int add_all(struct columns *c, const struct opts *o, const struct sm_source *power,
	const struct sm_thermal *thermal, bool events)
{
	int err = add_fixed(c, o, events);

	c->domain0 = c->list.n;
	for (; power && o->domains; power = power->beside)
		for (unsigned int i = 0; i < power->n && !err; i++)
			err = add_dynamic(c, &domain_column, power->domain[i].label, "_w",
				c->list.n - c->domain0);
	c->ndomains = c->list.n - c->domain0;
	c->thermal0 = c->list.n;
	for (unsigned int i = 0; thermal && i < c->nthermal && !err; i++)
		err = add_dynamic(c, &zone_column, thermal->zone[i].label, "_c", i);
	return err;
}

int columns_init(struct columns *c, const struct opts *o, const struct sm_source *power,
	const struct sm_thermal *thermal, struct columns_have have)
{
	int err;

	memset(c, 0, sizeof(*c));
	c->nthermal = o->thermal && thermal ? thermal->n : 0;
	err = add_all(c, o, power, thermal, have.events);
	if (!err)
		err = add_frequencies(c, o, have);
	if (!err) {
		c->val = calloc(c->list.n, sizeof(*c->val));
		err = c->val ? 0 : -ENOMEM;
	}
	if (err)
		columns_fini(c);
	return err;
}

void columns_fini(struct columns *c)
{
	sm_columns_fini(&c->list);
	free(c->val);
	memset(c, 0, sizeof(*c));
}

bool columns_for_machines(const struct columns *c, unsigned int col)
{
	return c->list.col[col].key != NULL;
}

#define COMMA ,
const char *columns_kind(enum sm_figure kind)
{
	static const char *const names[] = {COLUMNS_KINDS(COMMA)};

	_Static_assert(SM_ARRAY_SIZE(names) == SM_FIGURES, "each kind has a name");
	return names[kind < SM_FIGURES ? kind : SM_FIGURE_ABSENT];
}

static bool has_window(const struct sample *s)
{
	return s->kind == SM_FIGURE_LEVEL || s->kind == SM_FIGURE_ESTIMATE;
}

const struct sm_value *columns_row(const struct columns *c, const struct sample *s)
{
	struct sm_value *val = c->val;

	val[C_TIME] = sm_value_time(s->wall_ns);
	val[C_MONO] = sm_value_u64(s->t_ns);
	val[C_DT] = sm_value_duration(s->dt_ns);
	val[C_KIND] = sm_value_str(columns_kind(s->kind));
	val[C_ESTIMATE] = sm_value_bool(s->kind == SM_FIGURE_ESTIMATE);
	val[C_INCOMPLETE] = sm_value_bool(s->incomplete);
	val[C_WINDOW] =
		has_window(s) ? sm_value_duration(s->window_ns) : (struct sm_value){0};
	val[C_LOST] = sm_value_u64(s->events_lost);
	for (unsigned int i = V_USER; i < c->list.n; i++)
		val[i] = sm_value_double(s->v[i]);
	if (isfinite(s->v[V_WATTS]))
		val[V_WATTS].suffix = sample_mark(s);
	return val;
}

/* --- tables ------------------------------------------------------------------------ */

void columns_set_up(struct sm_table *out, enum sm_format format, struct sm_sink *sink,
	const struct opts *o)
{
	bool human = format == SM_FORMAT_TABLE;

	sm_table_init(out, format, NULL, 0, "sample", sink);
	out->time.style = human && !o->app.time_given
				  ? SM_TIME_CLOCK
				  : (enum sm_time_style)o->app.time_style;
	out->no_header = o->app.no_header || (human && o->minmax);
	out->text_flags = SM_TEXT_UTF8;
}

int columns_use(struct sm_table *out, const struct columns *c, const struct opts *o,
	uint64_t interval_ns)
{
	bool fast = interval_ns % SM_NSEC_PER_SEC;

	sm_table_columns(out, c->list.col, c->list.n);
	sm_table_show(out, C_ESTIMATE, out->format == SM_FORMAT_JSON);
	/* The clock shows whole seconds, as in the original.  A requested style shows
	 * fractions if the interval is not a whole number of seconds. */
	sm_table_set_time(
		out, C_TIME, out->time.style, o->app.time_given && fast ? 3 : 0);
	return sm_table_error(out);
}

bool columns_fit(struct sm_table *out, const struct opts *o)
{
	unsigned int columns, rows, shown = out->nshown;
	const uint16_t *cols;

	if (sm_tty_size(out->sink->fd, &columns, &rows) < 0) {
		sm_table_terminal(out, 0, 0, false);
		return false;
	}
	out->text_flags = sm_tty_utf8() ? SM_TEXT_UTF8 : 0;
	sm_table_terminal(out, columns, o->no_repeat ? 0 : rows, true);
	/* After a change of the width, the rows need a header of their columns. */
	if (sm_table_shown(out, &cols) != shown)
		out->header_done = false;
	return true;
}

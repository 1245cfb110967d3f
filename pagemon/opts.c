// SPDX-License-Identifier: GPL-2.0-or-later
/* The completion generator links this file, so it contains only the option table, the
 * parsers of its values and the defaults. */
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/parse.h"
#include "base/units.h"
#include "cli/opt_value.h"
#include "opts.h"

#define INTERVAL_MIN_NS (10 * SM_NSEC_PER_MSEC)
#define DELAY_MAX_US	3600000000u /* an hour */

const struct opts opts_default = {
	.app = {.interval_ns = SM_NSEC_PER_SEC,
		.interval_min_ns = INTERVAL_MIN_NS,
		.queue_bytes = SM_SINK_DEFAULT_MAX,
		.time_style = SM_TIME_CLOCK},
};

static bool all_digits(struct sm_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!sm_parse_is_digit(s.p[i]))
			return false;
	return s.n > 0;
}

/* Adds a PID or a name.  Names are looked up when the processes are opened. */
static int add_target(void *cfg, const char *arg, struct sm_buf *why)
{
	struct opts *o = cfg;
	struct sm_str s = {arg, strlen(arg)};
	uint32_t pid;
	int err = all_digits(s) ? sm_opt_pid(s, &pid, why) : 0;

	if (err)
		return err;
	if (!s.n) {
		sm_buf_str(why, "the name of a process must not be empty");
		return -EINVAL;
	}
	err = sm_array_reserve(
		&o->targets, &o->targets_cap, o->ntargets + 1, sizeof(*o->targets));
	if (err)
		return err;
	o->targets[o->ntargets++] = arg;
	return 0;
}

static int operand(void *cfg, unsigned int index, const char *arg, struct sm_buf *why)
{
	(void)index;
	return add_target(cfg, arg, why);
}

static int call_zoom(void *cfg, const char *arg, struct sm_buf *why)
{
	struct opts *o = cfg;
	uint64_t zoom;

	if (sm_units_size_bytes(arg, &zoom) == 0 && zoom && zoom <= OPTS_ZOOM_MAX) {
		o->zoom = zoom;
		return 0;
	}
	return sm_opt_refuse(why, arg, "must be from 1 to 1024G");
}

/* --- the table ------------------------------------------------------------------ */

/* In the order of enum pass_method. */
static const char *const method_choices[] = {"auto", "scan", "read", NULL};

#define AT(field) .offset = offsetof(struct opts, field)

static const struct sm_opt table[] = {
	{.kind = SM_OPT_GROUP, .help = "Which process"},
	{'p', "pid", SM_OPT_CALL, "PID|NAME", .call = add_target,
		.complete = SM_COMPLETE_PROCESS,
		.help = "show this process, given by PID, comm or program name"},

	{.kind = SM_OPT_GROUP, .help = "The screen"},
	{'a', "auto-zoom", SM_OPT_FLAG, AT(auto_zoom),
		.help = "show all populated pages on one screen; implies -e"},
	{'z', "zoom", SM_OPT_CALL, "ZOOM", .call = call_zoom,
		.help = "show ZOOM pages in each cell (default 1; also 4k, 1M, 2G)"},
	{'d', "delay", SM_OPT_U64, "USEC", AT(delay_us), .min = OPTS_DELAY_MIN_US,
		.max = DELAY_MAX_US,
		.help = "refresh every USEC microseconds (default 100000)"},
	{'t', "ticks", SM_OPT_U64, "TICKS", AT(ticks), .min = 1, .max = OPTS_TICKS_MAX,
		.help = "read the mappings every TICKS refreshes (default 10); implies "
			"-D"},
	{'v', "vm", SM_OPT_FLAG, AT(vm), .help = "open the VM window at startup"},
	{'e', "fold", SM_OPT_FLAG, AT(fold),
		.help = "show only populated ranges, and the gaps between them"},
	{'H', "no-hex", SM_OPT_FLAG, AT(no_hex),
		.help = "disable the hex view and never open the memory's contents"},

	{.kind = SM_OPT_GROUP, .help = "Rows instead of the screen"},
	{'b', "batch", SM_OPT_FLAG, AT(batch),
		.help = "print rows even on a terminal; elsewhere rows are the default"},
	{'m', "mappings", SM_OPT_FLAG, AT(mappings),
		.help = "print a row for each mapping"},
	{'x', "runs", SM_OPT_FLAG, AT(runs),
		.help = "print a row for each run of pages in the same state"},
	{'n', "count", SM_OPT_CALL, "COUNT", .call = sm_app_opts_count,
		.help = "take COUNT snapshots (default 1; 0 means no limit, the default "
			"with -i, --duration or COMMAND)"},
	SM_APP_OPT_INTERVAL('i', INTERVAL_MIN_NS,
		"take a snapshot every TIME (default 1 second; from 10ms)"),
	SM_APP_OPT_LIMIT(0, "print only the first N rows of each snapshot"),
	SM_APP_OPT_TIMESTAMP,

	{.kind = SM_OPT_GROUP, .help = "What alters the process"},
	{'D', "dirty", SM_OPT_FLAG, AT(dirty),
		.help = "clear the soft-dirty bits, so that they show later writes only"},
	{'r', "read-all", SM_OPT_FLAG, AT(read_all),
		.help = "read in all swapped-out pages at startup"},

	{.kind = SM_OPT_GROUP, .help = "Output"},
	SM_APP_OPT_JSON('j'),
	SM_APP_OPT_CSV,
	SM_APP_OPT_PROM,
	SM_APP_OPT_OUTPUT('o'),
	SM_APP_OPT_SUMMARY(
		'S', "print the number of snapshots, rows and losses at the end"),
	SM_APP_OPT_QUIET('q'),
	SM_APP_OPT_NO_HEADER,
	SM_APP_OPT_LINE_BUFFERED('l', SM_APP_LINE_BUFFERED_ALWAYS),
	SM_APP_OPT_COLOR,

	{.kind = SM_OPT_GROUP, .help = "The run"},
	SM_APP_OPT_DURATION(0),
	{0, "method", SM_OPT_CHOICE, "METHOD", AT(method), .choices = method_choices,
		.help = "select how page states are read: auto (default), scan "
			"(PAGEMAP_SCAN, since Linux 6.7) or read (pagemap)"},
	{0, "smaps", SM_OPT_FLAG, AT(smaps),
		.help = "add columns: Pss, SwapPss, Referenced, LazyFree and Locked "
			"of smaps, and deleted files"},
	SM_APP_OPT_REALTIME(0),
	SM_APP_OPT_STRICT,
	SM_APP_OPT_ROOT,
	SM_APP_OPT_KEEP_PRIVILEGES("for /proc with hidepid"),
	SM_APP_OPT_HELP,
};

static const char *const examples[] = {"pagemon 1234",
	"show the pages of a process on the full screen", "pagemon -a firefox",
	"show all of its memory on one screen", "pagemon -b -i 1 -n 60 1234",
	"print its memory use every second for a minute", "pagemon -b -m 1234",
	"print the memory use of each mapping", "pagemon --csv -i 0.1 -- make > make.csv",
	"monitor a command from its start, as CSV", NULL};

/* --- conflicting options --------------------------------------------------------- */

bool opts_want_batch(const struct opts *o)
{
	const struct sm_app_opts *a = &o->app;

	return o->batch || o->mappings || o->runs || a->have_count ||
	       a->asked_interval_ns || a->json.here || a->json.file || a->csv.here ||
	       a->csv.file || a->prom || a->output || a->summary || a->quiet ||
	       a->limit || a->time_given || a->no_header;
}

const char *opts_of_screen(const struct opts *o)
{
	const struct {
		bool given;
		const char *name;
	} option[] = {{o->auto_zoom, "-a"}, {o->delay_us, "-d"}, {o->fold, "-e"},
		{o->no_hex, "-H"}, {o->ticks, "-t"}, {o->vm, "-v"}, {o->zoom, "-z"}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(option); i++)
		if (option[i].given)
			return option[i].name;
	return NULL;
}

static int finish(void *cfg, struct sm_buf *why)
{
	struct opts *o = cfg;
	int err = sm_app_opts_check(&o->app, NULL, 0, NULL, why);

	if (err)
		return err;
	if (o->runs && (o->mappings || o->smaps))
		sm_buf_printf(why, "%s and -x cannot be used together",
			o->mappings ? "-m" : "--smaps");
	else if (opts_want_batch(o) && opts_of_screen(o))
		sm_buf_printf(why,
			"%s applies only to the screen, but row output was requested",
			opts_of_screen(o));
	else
		return 0;
	return -EINVAL;
}

static const struct sm_opt_spec spec = {
	.tool = "pagemon",
	.version = SM_VERSION,
	.summary = "Show the memory of a process, page by page",
	.synopsis = "[OPTION]... [PID|NAME]... [-- COMMAND [ARG]...]",
	.opts = table,
	.nopts = SM_ARRAY_SIZE(table),
	.rest = SM_REST_BOTH,
	.complete = SM_COMPLETE_PROCESS,
	.operand = operand,
	.finish = finish,
	.examples = examples,
	.exit_notes = SM_APP_EXIT_NOTES,
};

const struct sm_opt_spec *sm_tool_spec(void)
{
	return &spec;
}

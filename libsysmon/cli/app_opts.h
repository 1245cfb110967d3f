/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * app_opts: the options that every tool has.  cli layer.
 *
 * A tool's configuration begins with a struct sm_app_opts, and its option table contains the rows below
 * between its own.  A row has its short letter as a parameter if the letters of the original tools
 * differ (0: no letter), and its help text as a parameter if the meaning depends on the tool.  Conflicts
 * between these options, the meaning of "-", and two options that name one file are handled here for
 * all tools.
 */
#ifndef SM_APP_OPTS_H
#define SM_APP_OPTS_H

#include "cli/opt_value.h"
#include "cli/realtime.h"
#include "format/sink.h"

struct sm_app_opts {
	/* outputs */
	struct sm_opt_to json, csv;
	const char *output;        /* file instead of standard output, or NULL */
	const char *prom;          /* Prometheus text file, or NULL */
	uint64_t queue_bytes;      /* bound of the rows queued for a slow reader */
	bool quiet, summary, line_buffered, no_header;
	uint64_t limit;            /* most rows of a list; 0: all */
	bool time_given;           /* --timestamp */
	int time_style;            /* enum sm_time_style */
	int color;                 /* enum sm_color */
	/* the run */
	uint64_t interval_ns;      /* before sm_app_opts_check(): the default */
	uint64_t interval_min_ns;  /* minimum of DELAY */
	uint64_t count;
	uint64_t count_min;        /* minimum of COUNT; 0: COUNT may be 0, which means no limit */
	bool have_count;
	uint64_t duration_ns;      /* 0: no limit */
	bool realtime;
	uint64_t priority;
	bool strict, keep_privileges, as_root;
	const char *drop_to;       /* user; NULL: the calling user */
	const char *root;          /* NULL: the live machine */
	/* --interval and the operands DELAY and COUNT, before the check that they do not conflict */
	uint64_t asked_interval_ns, delay_ns, times;
	bool have_times;
};

#define SM_APP_DAY_NS	   (86400 * SM_NSEC_PER_SEC)
#define SM_APP_SHORTEST_NS (100 * SM_NSEC_PER_MSEC) /* interval of a tool that need not be faster */
#define SM_APP_LONGEST_NS  (3653 * SM_APP_DAY_NS)
#define SM_APP_AT(field)   .offset = offsetof(struct sm_app_opts, field)

/* The exit codes of err.h, for the end of --help. */
#define SM_APP_EXIT_NOTES                                                                 \
	"Exit status: 0 success, 1 error, 2 usage error, 3 not available on this "          \
	"machine, 4 permission denied, 5 data was lost (with --strict); with COMMAND, "     \
	"its status."

#define SM_APP_OPT_JSON(letter)                                                           \
	{letter, "json", SM_OPT_TO, "FILE", .arg_optional = true, SM_APP_AT(json),         \
		.complete = SM_COMPLETE_FILE,                                              \
		.help = "print JSON lines, not the table; with =FILE, both"}
#define SM_APP_OPT_CSV                                                                    \
	{0, "csv", SM_OPT_TO, "FILE", .arg_optional = true, SM_APP_AT(csv),                \
		.complete = SM_COMPLETE_FILE,                                              \
		.help = "print CSV, not the table; with =FILE, both"}
#define SM_APP_OPT_PROM                                                                   \
	{0, "prom", SM_OPT_STR, "FILE", SM_APP_AT(prom), .complete = SM_COMPLETE_FILE,     \
		.help = "keep totals in FILE in Prometheus text format"}
#define SM_APP_OPT_OUTPUT(letter)                                                         \
	{letter, "output", SM_OPT_STR, "FILE", SM_APP_AT(output),                          \
		.complete = SM_COMPLETE_FILE,                                              \
		.help = "write to FILE instead of standard output"}
#define SM_APP_OPT_QUIET(letter)                                                          \
	{letter, "quiet", SM_OPT_FLAG, SM_APP_AT(quiet),                                   \
		.help = "print only the results at the end"}
#define SM_APP_OPT_LIMIT(letter, text)                                                    \
	{letter, "limit", SM_OPT_U64, "N", SM_APP_AT(limit), .min = 1, .max = 1000000,     \
		.help = text}
#define SM_APP_OPT_SUMMARY(letter, text)                                                  \
	{letter, "summary", SM_OPT_FLAG, SM_APP_AT(summary), .help = text}
#define SM_APP_OPT_LINE_BUFFERED(letter, text)                                            \
	{letter, "line-buffered", SM_OPT_FLAG, SM_APP_AT(line_buffered), .help = text}
/* Help text for a tool that writes each sample at once. */
#define SM_APP_LINE_BUFFERED_ALWAYS "accepted for scripts; rows are always written at once"
#define SM_APP_OPT_NO_HEADER                                                              \
	{'N', "no-header", SM_OPT_FLAG, SM_APP_AT(no_header), .help = "print no header"},  \
	{                                                                                  \
		0, "no-heading", SM_OPT_FLAG, .hidden = true, SM_APP_AT(no_header)         \
	}
#define SM_APP_OPT_TIMESTAMP                                                              \
	{0, "timestamp", SM_OPT_CALL, "FMT", .arg_optional = true,                         \
		.call = sm_app_opts_timestamp, .choices = sm_opt_time_styles,              \
		.help = "show each row's time: clock, iso (default), epoch, mono "         \
			"(seconds since boot) or delta (since last row)"}
#define SM_APP_OPT_COLOR                                                                  \
	{0, "color", SM_OPT_CHOICE, "WHEN", SM_APP_AT(color), .choices = sm_opt_colors,    \
		.help = "use colours: auto, always or never"}

#define SM_APP_OPT_INTERVAL(letter, shortest_ns, text)                                    \
	{letter, "interval", SM_OPT_DURATION, "TIME", SM_APP_AT(asked_interval_ns),              \
		.min = shortest_ns, .max = SM_APP_DAY_NS, .help = text}
#define SM_APP_OPT_COUNT(text)                                                            \
	{0, "count", SM_OPT_CALL, "N", .call = sm_app_opts_count, .help = text}
#define SM_APP_OPT_DURATION(letter)                                                       \
	{letter, "duration", SM_OPT_DURATION, "TIME", SM_APP_AT(duration_ns), .min = 1,    \
		.max = SM_APP_LONGEST_NS,                                                  \
		.help = "stop after this time (seconds, or 200ms, 1.5m, 2h)"}
#define SM_APP_OPT_REALTIME(letter)                                                       \
	{letter, "realtime", SM_OPT_CALL, "PRIO", .arg_optional = true,                    \
		.call = sm_app_opts_realtime,                                              \
		.help = "use real-time scheduling (default priority 10), guarded so that " \
			"it cannot hang the machine"}
#define SM_APP_OPT_STRICT                                                                 \
	{0, "strict", SM_OPT_FLAG, SM_APP_AT(strict),                                      \
		.help = "exit with status 5 if anything was lost"}
#define SM_APP_OPT_ROOT                                                                   \
	{0, "root", SM_OPT_STR, "DIR", SM_APP_AT(root), .complete = SM_COMPLETE_DIR,       \
		.help = "read DIR/proc and DIR/sys instead of /proc and /sys"}
/* Rows for a tool that runs no COMMAND. */
#define SM_APP_OPT_DROP(why)                                                              \
	{0, "keep-privileges", SM_OPT_FLAG, SM_APP_AT(keep_privileges),                    \
		.help = "do not drop privileges after startup (" why ")"},                 \
	{                                                                                  \
		0, "drop-to", SM_OPT_STR, "USER", SM_APP_AT(drop_to),                      \
			.complete = SM_COMPLETE_USER,                                      \
			.help = "if started as root, change to this user"                  \
	}
#define SM_APP_OPT_KEEP_PRIVILEGES(why)                                                   \
	SM_APP_OPT_DROP(why),                                                              \
	{                                                                                  \
		0, "as-root", SM_OPT_FLAG, SM_APP_AT(as_root),                             \
			.help = "under sudo, run COMMAND as root, not as the calling user" \
	}
#define SM_APP_OPT_HELP                                                                   \
	{'h', "help", SM_OPT_HELP, .help = "show this help"},                              \
	{                                                                                  \
		'V', "version", SM_OPT_VERSION, .help = "show the version"                 \
	}

/* These rows as groups, for a tool with the default letters and texts. */
#define SM_APP_OPTS_OUTPUT                                                                \
	{.kind = SM_OPT_GROUP, .help = "Output"}, SM_APP_OPT_JSON('j'), SM_APP_OPT_CSV,    \
		SM_APP_OPT_PROM, SM_APP_OPT_OUTPUT('o'),                                   \
		SM_APP_OPT_SUMMARY('S', "print statistics at the end"),                    \
		SM_APP_OPT_QUIET('q'),                                                     \
		SM_APP_OPT_LIMIT('n', "show only the first N rows of a list"),             \
		SM_APP_OPT_LINE_BUFFERED('l', SM_APP_LINE_BUFFERED_ALWAYS),                \
		SM_APP_OPT_NO_HEADER, SM_APP_OPT_TIMESTAMP,                                \
		SM_APP_OPT_COLOR
#define SM_APP_OPTS_RUN(shortest_ns)                                                      \
	{.kind = SM_OPT_GROUP, .help = "The run"},                                         \
		SM_APP_OPT_INTERVAL(0, shortest_ns, "set DELAY"),                          \
		SM_APP_OPT_COUNT("set COUNT"), SM_APP_OPT_DURATION('D'),                   \
		SM_APP_OPT_REALTIME('r'), SM_APP_OPT_STRICT, SM_APP_OPT_ROOT,              \
		SM_APP_OPT_KEEP_PRIVILEGES("for /proc with hidepid"), SM_APP_OPT_HELP
/* Defaults of a tool that samples each second. */
#define SM_APP_OPTS_SAMPLES(shortest_ns)                                                  \
	{                                                                                  \
		.interval_ns = SM_NSEC_PER_SEC, .interval_min_ns = shortest_ns,            \
		.count_min = 1, .queue_bytes = SM_SINK_DEFAULT_MAX                         \
	}

/* Members of struct sm_opt_spec of a tool with samples and COMMAND. */
#define SM_APP_SPEC(name, text, table)                                                    \
	.tool = name, .version = SM_VERSION, .summary = text,                              \
	.synopsis = "[OPTION]... [DELAY [COUNT]] [-- COMMAND [ARG]...]", .opts = table,    \
	.nopts = SM_ARRAY_SIZE(table), .rest = SM_REST_BOTH,                               \
	.operand = sm_app_opts_operand, .exit_notes = SM_APP_EXIT_NOTES

/* Functions for SM_OPT_CALL rows: cfg begins with a struct sm_app_opts. */
int sm_app_opts_timestamp(void *cfg, const char *arg, struct sm_buf *why) SM_MUST;
int sm_app_opts_count(void *cfg, const char *arg, struct sm_buf *why) SM_MUST;
int sm_app_opts_realtime(void *cfg, const char *arg, struct sm_buf *why) SM_MUST;
/* The operands [DELAY [COUNT]], for struct sm_opt_spec. */
int sm_app_opts_operand(void *cfg, unsigned int index, const char *arg, struct sm_buf *why)
	SM_MUST;

/* Checks, after the last option, that no option and operand have the same meaning, and that no two
 * outputs go to standard output or to one file.  own: files that only this tool writes.  screen: the
 * option that uses the terminal for output other than rows ("--tui"), or NULL.  Returns 0, or -EINVAL
 * with the reason in *why. */
int sm_app_opts_check(struct sm_app_opts *o, const struct sm_opt_file *own, size_t nown,
	const char *screen, struct sm_buf *why) SM_MUST;
/* sm_app_opts_check() for struct sm_opt_spec, for a tool without checks of its own. */
int sm_app_opts_finish(void *cfg, struct sm_buf *why) SM_MUST;

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * app: the frame of every tool.  cli layer.
 *
 * sm_app_main() runs a tool from start to end: options, start, drop of privileges, loop, end, exit
 * code.  A tool passes a struct sm_app_tool with its own functions; all of them except open and close
 * may be NULL.  The order:
 *
 *	options                   sm_opt_parse(); usage errors end with 2
 *	signals, root, prepare    from here on, ^C ends the run in an orderly way
 *	outputs                   files are opened with the permissions of the calling user
 *	COMMAND                   forked once for each of its runs, not yet executed
 *	open                      what needs privileges: sockets, rings, maps, files of /proc and /sys
 *	real time, drop           see priv.h
 *	metrics, begin            the first write of --prom; headers, the first sample
 *	loop                      wait, iterate, signals, sample, flush; until stop
 *	last, summary, files, metrics   rows held back; statistics at the end
 *	close                     also after a failed start: it closes what is open
 *
 * A tool that samples starts app.ticker with sm_app_go() and has sample(); one that waits for events
 * adds its descriptors to app.loop and has next() and iterate().  A tool with one row per sample has
 * records and sample(), which calls sm_app_rows_sample(); the frame makes its table, writes the header,
 * starts the ticker, and samples the rest of the interval at the end of the run.
 */
#ifndef SM_APP_H
#define SM_APP_H

#include "base/clock.h"
#include "base/root.h"
#include "base/ticker.h"
#include "cli/app_opts.h"
#include "cli/child.h"
#include "cli/loop.h"
#include "cli/outputs.h"
#include "cli/writers.h"
#include "format/prom.h"
#include "format/schema.h"

/* Returned by prepare() if the tool has finished its work: exit code 0. */
#define SM_APP_DONE (-1)

struct sm_app_tool {
	const struct sm_opt_spec *(*spec)(void);
	/* COMMAND stays a zombie, and so in the process table, until its last sample, and the tool
	 * adopts its orphans. */
	bool keeps_command;
	bool keeps_privileges; /* until it exits, for the programs that it runs */
	bool reaps_children;   /* the tool reaps them in iterate(), and adopts orphans */
	bool needs_no_proc;    /* the tool also runs if /proc is not mounted */
	/* The records of a tool with one row per sample, whose table, begin, last and resized are NULL.  The
	 * row is the first record with columns; they begin with SM_APP_COLUMNS (app_rows.h). */
	const struct sm_record *records;
	/* Sets up t as the table that the tool prints in this format: sm_table_init() and the rest. */
	void (*table)(void *ctx, struct sm_table *t, enum sm_format format, struct sm_sink *sink);
	/* These return 0 or an exit code, after printing the message. */
	int (*prepare)(void *ctx);
	int (*open)(void *ctx);
	int (*begin)(void *ctx);
	unsigned int (*drop_flags)(void *ctx); /* SM_DROP_... */
	void (*header)(void *ctx, struct sm_json *j); /* adds keys to the JSON header record */
	/* Returns the CLOCK_MONOTONIC time at which iterate() is due even if no source is ready. */
	uint64_t (*next)(void *ctx);
	void (*iterate)(void *ctx, uint64_t now_ns); /* after each wait */
	void (*sample)(void *ctx, uint64_t now_ns);  /* the ticker is due */
	void (*child_ended)(void *ctx, uint64_t now_ns); /* NULL: the run ends */
	/* A signal requests the end of the run, possibly for the second time; signal is 0 if an output
	 * has no reader or no disk space.  The tool sets app.stop when it is ready to end.  NULL: the
	 * run ends at once. */
	void (*stopping)(void *ctx, int signal, uint64_t now_ns);
	void (*resized)(void *ctx); /* SIGWINCH */
	void (*interim)(void *ctx); /* SIGUSR1: prints interim results; NULL: SIGUSR1 ends the run */
	/* Reports the number of rows that the outputs refused since the last call; there is room again. */
	void (*rows_lost)(void *ctx, uint64_t rows);
	void (*last)(void *ctx);    /* the loop has ended; rows may still be shown */
	void (*summary)(void *ctx); /* all rows are written; NULL: sm_app_rows_summary() */
	/* Adds the families of --prom with their current values.  The frame writes the file: before the
	 * loop, so that an unwritable file is an error at startup, then during the run, and at the end
	 * without gauges. */
	void (*metrics)(void *ctx, struct sm_prom *p);
	void (*files)(void *ctx);   /* all rows are written: finishes other files of the tool */
	/* Returns true if files other than --prom are written after the drop of privileges. */
	bool (*writes_later)(void *ctx);
	/* Returns the exit code and prints the reason.  SM_EXIT_LOST counts only with --strict.  Errors
	 * of the outputs override SM_EXIT_LOST and 128 + n (the run was ended by signal n); every other
	 * code overrides errors of the outputs. */
	int (*verdict)(void *ctx);
	void (*close)(void *ctx);
};

struct sm_app {
	const struct sm_app_tool *tool;
	void *ctx;                 /* argument of the tool's functions */
	struct sm_app_opts *opts;
	unsigned int closed_fds;   /* result of sm_priv_fds() */
	char **command;            /* argv of -- COMMAND, or NULL */
	struct sm_root root;
	struct sm_loop loop;
	struct sm_outputs outputs;
	struct sm_writers writers; /* the sinks of outputs in the loop */
	bool screen;               /* set by prepare(): COMMAND must not write to the terminal */
	struct sm_relay relay;     /* its output until the screen is closed */
	unsigned int runs;         /* runs of COMMAND, set by prepare(); 0 and 1: one */
	struct sm_child child;     /* the current run */
	struct sm_child *later;    /* the waiting runs; the last one starts next */
	unsigned int nlater;
	struct sm_ticker ticker;   /* deadlines of the samples */
	bool ticking;              /* the ticker runs; false: no samples */
	uint64_t sampled_ns;       /* time of the last sm_app_rows_sample(), before it of sm_app_go() */
	uint64_t end_ns;           /* end of --duration; SM_LOOP_FOREVER: no limit */
	uint64_t rows_lost;        /* part of sm_outputs_dropped() already reported with rows_lost() */
	uint64_t rows;             /* number of calls of sm_app_rows_put() */
	const char *source;        /* `source` of the JSON header record, or NULL */
	bool demoted;              /* the message of the real-time guard was printed */
	bool full_said;            /* the message about a full disk was printed */
	struct sm_prom prom;
	struct sm_ticker prom_ticker; /* deadlines of writing it; with samples, the next sample writes it */
	bool prom_failed;          /* a write failed after the first one succeeded */
	bool stop;                 /* ends the loop */
	int stopped_by;            /* the signal that ended the run, or 0 */
	int error;                 /* the first -errno that ended the run */
	const char *error_what;    /* what failed */
};

/* Implements the tool's main().  opts begins with a struct sm_app_opts and contains the defaults. */
int sm_app_main(struct sm_app *a, const struct sm_app_tool *tool, void *ctx, void *opts, int argc,
	char **argv);
/* Starts the measurement: COMMAND is executed, --duration starts, and a sample is due every
 * interval_ns, counted from now_ns (0: no samples). */
void sm_app_go(struct sm_app *a, uint64_t now_ns, uint64_t interval_ns);
/* Starts the next of a->runs and restarts the ticker's interval; for child_ended().  Returns false if
 * COMMAND does not run again, because that was the last run, ^C was typed, or an error ends the tool's
 * run. */
bool sm_app_again(struct sm_app *a, uint64_t now_ns) SM_MUST;
/* The rest of an interval at the end of a run, since the last sample at sampled_ns.  A tool takes a last
 * sample of a rest that counts, for its totals.  The sample is shown, marked as partial, if it is at least
 * half an interval long or COMMAND has ended. */
bool sm_app_rest_counts(const struct sm_app *a, uint64_t sampled_ns) SM_MUST;
bool sm_app_rest_is_shown(const struct sm_app *a, uint64_t rest_ns, uint64_t interval_ns) SM_MUST;
/* Ends the run with this error; only the first error is reported. */
void sm_app_fail(struct sm_app *a, const char *what, int err);
/* Prints "TOOL: WHAT: reason" and returns the exit code for the error. */
int sm_app_refuse(const char *what, int err);
/* Prints a usage error and "Try 'TOOL --help'"; returns the exit status, usually SM_EXIT_USAGE. */
int sm_app_usage(const struct sm_app *a, const char *text);

#endif

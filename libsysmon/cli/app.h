/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * app: the frame of every tool.  cli layer.
 *
 * sm_app_main() is the life of a tool: options, start, drop of privileges, loop, end, exit code.  A
 * tool hands over a struct sm_app_tool with what is its own; every function of it but open and
 * close may be NULL.  The order:
 *
 *	options                   sm_opt_parse(); usage errors end with 2
 *	signals, root, prepare    from here on a ^C ends the run in order
 *	outputs                   files are opened with the rights of the invoking user
 *	COMMAND                   forked for each of its runs, not yet executed
 *	open                      what needs privilege: sockets, rings, maps, files of /proc and /sys
 *	real time, drop           see priv.h
 *	metrics, begin            the first write of --prom; headings, the first sample
 *	loop                      wait, iterate, signals, sample, flush; until stop
 *	last, summary, files, metrics   rows held back; statistics at the end
 *	close                     also after a failed start: it closes what is open
 *
 * A tool that samples starts app.ticker by sm_app_go() and has sample(); one that waits for events
 * adds its descriptors to app.loop and has next() and iterate().
 */
#ifndef SM_APP_H
#define SM_APP_H

#include "base/clock.h"
#include "base/ticker.h"
#include "cli/app_opts.h"
#include "cli/child.h"
#include "cli/loop.h"
#include "cli/outputs.h"
#include "cli/writers.h"
#include "kernel/root.h"
#include "out/prom.h"

/* prepare() has done all that was asked for: exit code 0. */
#define SM_APP_DONE (-1)

struct sm_app_tool {
	const struct sm_opt_spec *(*spec)(void);
	/* COMMAND stays a zombie, and in the process table, until its last sample, and the tool adopts
	 * its orphans. */
	bool keeps_command;
	bool keeps_privileges; /* to its end, for what it runs */
	bool reaps_children;   /* itself, in iterate(), and adopts orphans */
	bool needs_no_proc;    /* it runs where /proc is not mounted */
	/* Makes t the table that the tool shows in this format: sm_table_init() and the rest. */
	void (*table)(void *ctx, struct sm_table *t, enum sm_format format, struct sm_sink *sink);
	/* These return 0 or an exit code, after printing the message. */
	int (*prepare)(void *ctx);
	int (*open)(void *ctx);
	int (*begin)(void *ctx);
	unsigned int (*drop_flags)(void *ctx); /* SM_DROP_... */
	/* CLOCK_MONOTONIC time of the next iterate() although nothing is ready. */
	uint64_t (*next)(void *ctx);
	void (*iterate)(void *ctx, uint64_t now_ns); /* after each wait */
	void (*sample)(void *ctx, uint64_t now_ns);  /* the ticker is due */
	void (*child_ended)(void *ctx, uint64_t now_ns); /* NULL: the run ends */
	/* A signal is to end the run, also a second one; or signal is 0, because an output has no reader or
	 * no disk.  The tool sets app.stop when it is ready to end.  NULL: the run ends at once. */
	void (*stopping)(void *ctx, int signal, uint64_t now_ns);
	void (*resized)(void *ctx); /* SIGWINCH */
	void (*interim)(void *ctx); /* SIGUSR1: shows what there is; NULL: that signal ends the run */
	/* Rows that the outputs refused since the last call; there is room again. */
	void (*rows_lost)(void *ctx, uint64_t rows);
	void (*last)(void *ctx);    /* the loop has ended; rows may still be shown */
	void (*summary)(void *ctx); /* all rows are written; NULL: sm_app_rows_summary() */
	/* The families of --prom with their values now; the frame writes the file: before the loop, so
	 * that a file that cannot be written is an error now, during the run, and at the end. */
	void (*metrics)(void *ctx, struct sm_prom *p);
	void (*files)(void *ctx);   /* all rows are written: finishes other files of the tool */
	/* Are files written after the drop, besides --prom? */
	bool (*writes_later)(void *ctx);
	/* The exit code; prints why.  SM_EXIT_LOST counts with --strict only.  It and 128 + n, the end by
	 * signal n, come after errors of the outputs, another code before them. */
	int (*verdict)(void *ctx);
	void (*close)(void *ctx);
};

struct sm_app {
	const struct sm_app_tool *tool;
	void *ctx;                 /* of the tool's functions */
	struct sm_app_opts *opts;
	unsigned int closed_fds;   /* of sm_priv_fds() */
	char **command;            /* argv of -- COMMAND; NULL: none */
	struct sm_root root;
	struct sm_loop loop;
	struct sm_outputs outputs;
	struct sm_writers writers; /* the sinks of outputs in the loop */
	unsigned int runs;         /* of COMMAND, set by prepare(); 0 and 1: one */
	struct sm_child child;     /* the current run */
	struct sm_child *later;    /* the runs that wait; the last one is the next */
	unsigned int nlater;
	struct sm_ticker ticker;   /* of samples; not running: no samples */
	bool ticking;
	uint64_t end_ns;           /* --duration; SM_LOOP_FOREVER without */
	uint64_t rows_lost;        /* of sm_outputs_dropped(), reported by rows_lost() */
	uint64_t rows;             /* of sm_app_rows_put() */
	const char *source;        /* of the JSON header; NULL: none */
	bool demoted;              /* the real-time guard's message is out */
	bool full_said;            /* the message about a full disk is out */
	struct sm_prom prom;
	struct sm_ticker prom_ticker; /* of its writes; with samples, the next sample writes it */
	bool prom_failed;          /* at least once, after a write that succeeded */
	bool stop;                 /* the loop ends */
	int stopped_by;            /* the signal that ended it; 0: none */
	int error;                 /* the first -errno that ended the run */
	const char *error_what;
};

/* The tool's main(): opts begins with a struct sm_app_opts and holds the defaults. */
int sm_app_main(struct sm_app *a, const struct sm_app_tool *tool, void *ctx, void *opts, int argc,
	char **argv);
/* Starts the measurement: COMMAND is executed, --duration counts, and a sample is due each
 * interval_ns from now_ns on (0: no samples). */
void sm_app_go(struct sm_app *a, uint64_t now_ns, uint64_t interval_ns);
/* For child_ended(): starts the next of a->runs, and the interval of the ticker.  false: COMMAND does
 * not run again, because that was the last run, a ^C was typed, or an error ends the tool's run. */
bool sm_app_again(struct sm_app *a, uint64_t now_ns) SM_MUST;
/* Ends the run with this error; the first one counts. */
void sm_app_fail(struct sm_app *a, const char *what, int err);
/* Prints "TOOL: WHAT: reason"; the exit code for it. */
int sm_app_refuse(const char *what, int err);
/* Prints a usage error and "Try 'TOOL --help'"; its exit status, usually SM_EXIT_USAGE. */
int sm_app_usage(const struct sm_app *a, const char *text);

#endif

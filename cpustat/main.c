// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpustat: who uses the CPU, exactly, at almost no cost.
 *
 *	clocks of all processes + stat of those that moved (live, task, sampler)
 *		+ children that came and went (exited) + the residual
 *		-> rows asked for, grouped, sorted (rows, accum) -> table, CSV, JSON
 *(view), the screen, and sums for the end (accum, dist, wide, metrics)
 */
#include "err.h"
#include "run.h"

static struct run run;

int main(int argc, char **argv)
{
	int command, status;

	sm_err_init("cpustat");
	run.opts = cs_opts_default;
	run.root = (struct sm_root)SM_ROOT_INIT;
	run.loop = (struct sm_loop)SM_LOOP_INIT;
	run.system.loadavg = (struct sm_file)SM_FILE_INIT;
	if (sm_opt_parse(sm_tool_spec(), &run.opts, argc, argv, &command, &status))
		return status;
	if (command < argc && run.opts.pids.n) {
		sm_err("-p and -- COMMAND: only one of them can be given\n"
		       "Try 'cpustat --help' for more information.");
		return SM_EXIT_USAGE;
	}
	status = run_open(&run, command < argc ? argv + command : NULL);
	if (!status)
		status = run_work(&run);
	run_close(&run);
	return status;
}

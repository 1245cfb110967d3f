// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * forkstat: process fork, exec and exit activity, as it happens.
 *
 *	kernel events (source) + arguments (capture) -> named events (track)
 *		-> those asked for (filter) -> rows (view) and statistics (summary, rates)
 */
#include "err.h"
#include "opts.h"
#include "run.h"

/* 180 KiB of event batch and histogram: not on the stack. */
static struct run run;

int main(int argc, char **argv)
{
	int command, status;

	sm_err_init("forkstat");
	run.opts = fs_opts_default;
	run.root = (struct sm_root)SM_ROOT_INIT;
	run.loop = (struct sm_loop)SM_LOOP_INIT;
	run.source.cn = (struct sm_cnproc)SM_CNPROC_INIT;
	if (sm_opt_parse(sm_tool_spec(), &run.opts, argc, argv, &command, &status))
		return status;
	status = run_open(&run, command < argc ? argv + command : NULL);
	if (!status)
		status = run_work(&run);
	run_close(&run);
	return status;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * powerstat: the power that the machine draws, from every source it can be read from.
 *
 *	energy counters, gauges and meters (power) + CPU, processes, temperatures,
 *		frequencies (collect) -> samples that count (work) -> rows (view),
 *		statistics and the summary (statrows, summary)
 */
#include "err.h"
#include "run.h"

static struct run run;

int main(int argc, char **argv)
{
	int command, status;
	bool done;

	sm_err_init("powerstat");
	run.opts = ps_opts_default;
	run.root = (struct sm_root)SM_ROOT_INIT;
	run.loop = (struct sm_loop)SM_LOOP_INIT;
	run.collect.stat_file.file = (struct sm_file)SM_FILE_INIT;
	if (sm_opt_parse(sm_tool_spec(), &run.opts, argc, argv, &command, &status))
		return status;
	status = run_open(&run, command < argc ? argv + command : NULL, &done);
	if (!done)
		status = run_work(&run);
	run_close(&run);
	return status;
}

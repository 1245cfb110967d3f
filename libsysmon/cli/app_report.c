// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/app_report.h"
#include "cli/err.h"
#include "cli/priv.h"

int sm_app_report_open(
	struct sm_app *a, struct sm_widecsv **out, struct sm_widecsv_want want)
{
	bool waits = sm_outputs_waits(want.path);
	int err;

	want.open = sm_priv_open_as_invoker;
	if (waits)
		sm_loop_release(&a->loop);
	err = sm_widecsv_open(out, &want);
	if (waits)
		sm_loop_catch(&a->loop);
	if (!err)
		return 0;
	sm_err_at(want.path, err);
	return SM_EXIT_RUNTIME;
}

void sm_app_report_finish(struct sm_app *a, struct sm_widecsv *w, const char *path)
{
	bool waits = sm_widecsv_may_wait(w);
	int err;

	if (waits)
		sm_loop_release(&a->loop);
	err = sm_widecsv_finish(w);
	if (waits)
		sm_loop_catch(&a->loop);
	if (err < 0)
		sm_app_fail(a, path, err);
}

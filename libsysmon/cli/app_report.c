// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "cli/app_report.h"
#include "cli/err.h"
#include "cli/priv.h"
#include "proc/procpid.h"

/* Another task can have its PID by now, but has started later. */
static bool has_exited(void *ctx, const struct sm_widecsv_task *t)
{
	const struct sm_app *a = ctx;
	struct sm_pidstat st;
	int err = sm_procpid_read_thread_stat(
		&a->root, t->tgid, t->tid < 0 ? t->tgid : t->tid, &st);

	return err == -ENOENT || (!err && st.start_ticks > t->birth_ticks);
}

int sm_app_report_open(
	struct sm_app *a, struct sm_widecsv **out, struct sm_widecsv_want want)
{
	bool waits = sm_outputs_waits(want.path);
	int err;

	want.open = sm_priv_open_as_invoker;
	want.exited = sm_procpid_foreign(&a->root) ? NULL : has_exited;
	want.ctx = a;
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

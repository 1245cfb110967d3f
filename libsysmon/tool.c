// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "priv.h"
#include "rt.h"
#include "tool.h"

int sm_tool_root(struct sm_root *r, const char *prefix)
{
	int err;

	if (prefix && sm_priv_elevated()) {
		sm_err("--root is refused to a set-capability binary");
		return SM_EXIT_PERMISSION;
	}
	err = sm_root_open(r, prefix);
	if (!err)
		return 0;
	sm_err_at(prefix ? prefix : "/proc", err);
	return SM_EXIT_RUNTIME;
}

int sm_tool_stdout(unsigned int closed)
{
	if (!(closed & (1u << STDOUT_FILENO)))
		return 0;
	sm_err("standard output is closed");
	return SM_EXIT_RUNTIME;
}

void sm_tool_realtime(int priority)
{
	int err = sm_rt_enter(priority);

	if (err)
		sm_err("real-time scheduling: %s; going on without", strerror(-err));
}

int sm_tool_drop(unsigned int flags, bool writes_later)
{
	struct sm_priv_user who;
	const char *step;
	int err;

	sm_priv_invoker(&who);
	if (writes_later && !who.from_sudo)
		flags |= SM_DROP_KEEP_UID;
	err = sm_priv_drop(flags, &step);
	if (!err)
		return 0;
	sm_err("dropping privileges: %s: %s", step, strerror(-err));
	return sm_err_exit(err);
}

bool sm_tool_finish(struct sm_outlet *o)
{
	int err = sm_outlet_finish(o);

	if (err == -EINTR)
		sm_err("interrupted: %llu rows were not written",
			(unsigned long long)sm_outlet_waiting(o));
	if (err && !o->err)
		o->err = err;
	return !err;
}

int sm_tool_output_code(const struct sm_outlet *o)
{
	if (!o->err)
		return 0;
	if (o->err != -EINTR)
		sm_err_at("write error", o->err);
	return SM_EXIT_RUNTIME;
}

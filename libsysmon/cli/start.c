// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/err.h"
#include "cli/opt_value.h"
#include "cli/priv.h"
#include "cli/realtime.h"
#include "cli/start.h"

int sm_start_root(struct sm_root *r, const char *prefix, bool needs_proc)
{
	int err;

	if (prefix && sm_priv_elevated()) {
		sm_err("--root is not allowed for a program with file capabilities");
		return SM_EXIT_PERMISSION;
	}
	err = sm_root_open(r, prefix);
	if (!err && needs_proc && !prefix && faccessat(r->proc.fd, "stat", F_OK, 0) < 0) {
		sm_err("/proc is not mounted");
		return SM_EXIT_FEATURE;
	}
	if (!err)
		return 0;
	sm_err_at(prefix ? prefix : "/proc", err);
	return SM_EXIT_RUNTIME;
}

int sm_start_stdout(unsigned int closed)
{
	if (!(closed & (1u << STDOUT_FILENO)))
		return 0;
	sm_err("standard output is closed");
	return SM_EXIT_RUNTIME;
}

static void raise_descriptors(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) < 0 || l.rlim_cur == l.rlim_max)
		return;
	l.rlim_cur = l.rlim_max;
	(void)!setrlimit(RLIMIT_NOFILE, &l);
}

/* The limit applies when the stack grows, so a new one takes effect at once. */
static void raise_stack(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_STACK, &l) < 0 || l.rlim_cur >= SM_START_STACK_BYTES)
		return;
	l.rlim_cur = SM_START_STACK_BYTES;
	if (l.rlim_max < l.rlim_cur)
		l.rlim_max = l.rlim_cur;
	(void)!setrlimit(RLIMIT_STACK, &l);
}

void sm_start_limits(bool screen)
{
	raise_descriptors();
	if (screen)
		raise_stack();
}

int sm_start_realtime(int priority)
{
	int err;

	if (sm_priv_elevated()) {
		sm_err("--realtime is not allowed for a program with file capabilities");
		return SM_EXIT_PERMISSION;
	}
	err = sm_realtime_enter(priority);
	if (err)
		sm_err("real-time scheduling: %s; continuing with normal scheduling",
			strerror(-err));
	return 0;
}

int sm_start_user(const char *name, struct sm_priv_user *u)
{
	struct sm_buf why = {0};

	if (sm_priv_user(name, u) == 0)
		return 0;
	sm_opt_complain(
		&why, "--drop-to: unknown user", (struct sm_str){name, strlen(name)});
	sm_err_text(&why);
	return SM_EXIT_USAGE;
}

int sm_start_drop(unsigned int flags, bool writes_later, const char *user)
{
	struct sm_priv_user invoker, other;
	const char *step;
	int err;

	sm_priv_invoker(&invoker);
	if (writes_later)
		flags |= SM_DROP_MAY_WRITE;
	if (writes_later && !invoker.named && !user && !sm_priv_raised())
		flags |= SM_DROP_KEEP_UID;
	err = user ? sm_start_user(user, &other) : 0;
	if (err)
		return err;
	err = sm_priv_drop(flags, user ? &other : NULL, &step);
	if (!err)
		return 0;
	sm_err("cannot drop privileges: %s: %s", step, strerror(-err));
	return sm_err_exit(err);
}

bool sm_start_finish(struct sm_writers *o)
{
	uint64_t before = o->lost;
	int err = sm_writers_finish(o);

	if (o->lost > before)
		sm_err("%llu rows were not written: %s",
			(unsigned long long)(o->lost - before),
			o->gave_up == -EINTR	   ? "interrupted"
			: o->gave_up == -ETIMEDOUT ? "the reader has stopped"
						   : strerror(-o->gave_up));
	if (err && !o->err)
		o->err = err;
	return !err;
}

int sm_start_output_code(const struct sm_writers *o)
{
	if (o->err)
		sm_err_at("write error", o->err);
	return o->err || o->gave_up ? SM_EXIT_RUNTIME : SM_EXIT_OK;
}

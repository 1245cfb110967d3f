// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts about a source: its name, and why other methods cannot be used. */
#include <errno.h>
#include <string.h>

#include "cli/err.h"
#include "source.h"

#define NO_TRACEFS "mount -t tracefs nodev /sys/kernel/tracing"

const char *source_name(enum method m)
{
	static const char *const names[METHODS] = {"auto", "bpf", "perf"};

	return names[m];
}

static bool is_denied(int err)
{
	return err == -EPERM || err == -EACCES;
}

static const char *remedy_of(enum method m, int err)
{
	static const char *const rights[METHODS] = {
		[METHOD_BPF] = "needs root on the host, or CAP_BPF and CAP_PERFMON",
		[METHOD_PERF] = "needs root on the host, or CAP_PERFMON and read access "
				"to tracefs",
	};

	if (is_denied(err))
		return rights[m];
	if (err == -EMFILE)
		return m == METHOD_PERF
			       ? "needs five file descriptors per CPU; raise ulimit -n"
			       : "raise ulimit -n";
	if (m == METHOD_BPF)
		return "needs 64-bit Linux 5.8 or later";
	return err == -ENOENT ? NO_TRACEFS : "";
}

void source_reasons(const struct source *s, struct sm_buf *text)
{
	bool confidential = sm_root_confidential(s->root), first = true;

	for (enum method m = METHOD_BPF; m < METHODS; m++) {
		const char *remedy = remedy_of(m, s->refused[m]);

		if (!s->refused[m])
			continue;
		if (confidential)
			remedy = "kernel lockdown: confidentiality";
		sm_buf_printf(text, *remedy ? "%s%s: %s (%s)" : "%s%s: %s%s",
			first ? "" : "; ", source_name(m), strerror(-s->refused[m]),
			remedy);
		first = false;
	}
}

int source_exit(const struct source *s)
{
	bool memory = false;

	for (enum method m = METHOD_BPF; m < METHODS; m++) {
		if (is_denied(s->refused[m]))
			return SM_EXIT_PERMISSION;
		memory = memory || s->refused[m] == -ENOMEM;
	}
	return memory ? SM_EXIT_RUNTIME : SM_EXIT_FEATURE;
}

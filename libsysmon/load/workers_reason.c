// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "base/signame.h"
#include "load/workers.h"

static const char *kernel_name(int op)
{
	return op >= 0 && (unsigned int)op < sm_ops_count ? sm_ops_table[op].name : "?";
}

void sm_workers_reason(const struct sm_workers_fault *why, char *buf, size_t cap)
{
	char name[SM_SIGNAME_MAX];
	int n = snprintf(buf, cap, "the load of CPU %u ", why->cpu);

	if (n < 0 || (size_t)n >= cap)
		return;
	buf += n;
	cap -= (size_t)n;
	switch (why->what) {
	case SM_WORKERS_FORK:
		snprintf(buf, cap, "cannot be started: %s", strerror(-why->err));
		break;
	case SM_WORKERS_NO_CPU:
		snprintf(buf, cap, "cannot run there: %s", strerror(-why->err));
		break;
	case SM_WORKERS_SETUP:
		snprintf(buf, cap, "cannot be set up: %s", strerror(-why->err));
		break;
	case SM_WORKERS_WRONG:
		snprintf(buf, cap, "computes wrong results: %s", kernel_name(why->err));
		break;
	case SM_WORKERS_EXITED:
		snprintf(buf, cap, "exited with status %d", why->err);
		break;
	case SM_WORKERS_KILLED:
		snprintf(buf, cap, "was killed by %s", sm_signame(why->err, name));
		break;
	case SM_WORKERS_AWAY:
		snprintf(buf, cap, "was moved to CPU %d", why->err);
		break;
	case SM_WORKERS_OFFLINE:
		snprintf(buf, cap, "has lost its CPU, which went offline");
		break;
	}
}

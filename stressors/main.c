// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <unistd.h>

#include "cli/err.h"
#include "cli/priv.h"
#include "cli/start.h"
#include "run.h"

/* So that a shell sees what ended it. */
static void end_by_signal(int signo)
{
	signal(signo, SIG_DFL);
	raise(signo);
}

int main(int argc, char **argv)
{
	struct config c = {0};
	unsigned int closed;
	int status;

	sm_err_init("stressors");
	closed = sm_priv_fds();
	if (opts_parse(&c, argc, argv, &status) == OPTS_DONE) {
		opts_fini(&c);
		return status;
	}
	status = sm_start_stdout(closed);
	if (!status)
		status = run_all(&c);
	opts_fini(&c);
	if (status == 128 + SIGPIPE)
		end_by_signal(SIGPIPE);
	return status;
}

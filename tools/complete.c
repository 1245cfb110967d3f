// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * complete: prints a tool's completions, option dump or help at build time.  It is linked
 * with the tool's opts.o; its argument is bash, zsh, fish, dump or help.
 */
#include <stdio.h>
#include <string.h>
#include "cli/opt.h"

#define HELP_COLUMNS 80

static int generate(const char *what, struct sm_buf *b)
{
	const struct sm_opt_spec *s = sm_tool_spec();

	if (strcmp(what, "bash") == 0)
		sm_opt_completion(s, SM_SHELL_BASH, b);
	else if (strcmp(what, "zsh") == 0)
		sm_opt_completion(s, SM_SHELL_ZSH, b);
	else if (strcmp(what, "fish") == 0)
		sm_opt_completion(s, SM_SHELL_FISH, b);
	else if (strcmp(what, "dump") == 0)
		sm_opt_dump(s, b);
	else if (strcmp(what, "help") == 0)
		sm_opt_help(s, b, HELP_COLUMNS);
	else
		return -1;
	return b->err;
}

int main(int argc, char **argv)
{
	struct sm_buf b = {0};
	bool ok;

	if (argc != 2 || generate(argv[1], &b) < 0) {
		fprintf(stderr, "Usage: complete bash|zsh|fish|dump|help\n");
		sm_buf_fini(&b);
		return 2;
	}
	ok = fwrite(b.p, 1, b.len, stdout) == b.len && fflush(stdout) == 0;
	sm_buf_fini(&b);
	return ok ? 0 : 1;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * complete: prints a tool's completions, option dump or help at build time, and the part
 * of its man page that is generated from its tables.  It is linked with the tool's
 * opts.o; its argument is bash, zsh, fish, dump, help or man.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "cli/opt.h"

#define HELP_COLUMNS 80

/* Appends the generated part of the man page as mdoc, in a tool whose page has one.  On
 * an error, *b contains the reason. */
int __attribute__((weak)) sm_tool_man(struct sm_buf *b);

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
	else if (strcmp(what, "man") == 0 && sm_tool_man)
		return sm_tool_man(b);
	else
		return -ENOENT;
	return b->err;
}

int main(int argc, char **argv)
{
	struct sm_buf b = {0};
	int err = argc == 2 ? generate(argv[1], &b) : -ENOENT;
	FILE *to = err ? stderr : stdout;
	bool ok;

	if (err == -ENOENT) {
		fprintf(stderr, "Usage: complete bash|zsh|fish|dump|help|man\n");
		return 2;
	}
	ok = fwrite(b.p, 1, b.len, to) == b.len && fflush(to) == 0 && !err;
	sm_buf_fini(&b);
	return ok ? 0 : 1;
}

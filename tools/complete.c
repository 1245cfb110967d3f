// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * complete: prints the outputs of a tool's tables at build time: completions, option
 * dump, help, JSON Schema, the names of its columns, and the generated part of its man
 * page.  It is linked with the whole tool except main.o.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/opt.h"
#include "format/schema.h"

#define HELP_COLUMNS 80

/* Appends the generated part of the man page as mdoc, in a tool whose page has one.  On
 * an error, *b contains the reason. */
int __attribute__((weak)) sm_tool_man(struct sm_buf *b);

/* A line for each column: key or "-", tab, heading or "-". */
static void list_columns(struct sm_buf *b)
{
	for (const struct sm_record *r = sm_tool_records; r->type; r++)
		for (unsigned int i = 0; i < r->n; i++) {
			const struct sm_column *c = &r->columns[i];

			sm_buf_printf(b, "%s\t%s\n", c->key ? c->key : "-",
				c->head && *c->head ? c->head : "-");
		}
}

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
	else if (strcmp(what, "schema") == 0)
		return sm_schema_print(b, s->tool, sm_tool_records);
	else if (strcmp(what, "columns") == 0)
		list_columns(b);
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
		fprintf(stderr,
			"Usage: complete bash|zsh|fish|dump|help|schema|columns|man\n");
		return 2;
	}
	ok = fwrite(b.p, 1, b.len, to) == b.len && fflush(to) == 0 && !err;
	sm_buf_fini(&b);
	return ok ? 0 : 1;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opt_take: the values of options, and messages about them.  Private to libsysmon: opt.c.
 */
#ifndef SM_OPT_TAKE_H
#define SM_OPT_TAKE_H

#include "cli/opt.h"

struct sm_opt_parser {
	const struct sm_opt_spec *s;
	void *cfg;
	int argc;
	char **argv;
	int at; /* the next element of argv */
	unsigned int operands;
	bool in_file;      /* a file of options: messages quote no value, and do not name the option */
	struct sm_buf msg; /* the error message */
	struct sm_buf why; /* a callback's reason */
};

/* An option as the user wrote it, "-D" or "--duration", and its value. */
struct sm_opt_use {
	const struct sm_opt *o;
	char name[64];
	const char *value; /* NULL: not set yet */
};

/* The parser's next step after an option. */
enum sm_opt_outcome {
	SM_OPT_FAILED = -1, /* msg contains the reason */
	SM_OPT_GO_ON,
	SM_OPT_DO_HELP,
	SM_OPT_DO_VERSION,
	SM_OPT_DO_WHY,      /* print why */
};

/* Appends "BEFORE'value'AFTER" to the message; the value is sanitised, and truncated if it is long. */
int sm_opt_fail(struct sm_opt_parser *p, const char *before, const char *value, const char *after);
/* Appends the callback's reason to the message.  It may quote user input, so it is sanitised here. */
void sm_opt_add_why(struct sm_opt_parser *p);
/* Stores the value.  The caller has checked that there is a value if the option needs one. */
enum sm_opt_outcome sm_opt_take(struct sm_opt_parser *p, const struct sm_opt_use *u);

#endif

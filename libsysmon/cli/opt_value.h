/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opt_value: the values that several tools' option tables parse by SM_OPT_CALL functions.
 * cli layer.  Each gives 0 or -errno with the reason in *why, as opt.h wants it.
 */
#ifndef SM_OPT_VALUE_H
#define SM_OPT_VALUE_H

#include "cli/opt.h"

/* Reason: what 's', with s sanitised. */
void sm_opt_complain(struct sm_buf *why, const char *what, struct sm_str s);
/* Reason: 'arg': text.  Returns -EINVAL.  The caller sanitises *why. */
int sm_opt_refuse(struct sm_buf *why, const char *arg, const char *text) SM_MUST;
/* Calls fn for each element of a comma-separated list until it fails. */
int sm_opt_each(const char *arg, int (*fn)(void *ctx, struct sm_str s, struct sm_buf *why),
	void *ctx, struct sm_buf *why) SM_MUST;
/* A process id, 1 to INT32_MAX. */
int sm_opt_pid(struct sm_str s, uint32_t *pid, struct sm_buf *why) SM_MUST;
/* A user by name or number. */
int sm_opt_user(struct sm_str s, uint32_t *uid, struct sm_buf *why) SM_MUST;
/* What a list of them gives; several options add up.  -E2BIG: more than SM_OPT_LIST_MAX. */
#define SM_OPT_LIST_MAX 256

struct sm_opt_list {
	unsigned int n;
	uint32_t v[SM_OPT_LIST_MAX];
};

int sm_opt_pids(const char *arg, struct sm_opt_list *l, struct sm_buf *why) SM_MUST;
int sm_opt_users(const char *arg, struct sm_opt_list *l, struct sm_buf *why) SM_MUST;
bool sm_opt_list_has(const struct sm_opt_list *l, uint32_t v);
/* clock, iso, epoch, mono or delta: *style is an enum sm_time_style. */
extern const char *const sm_opt_time_styles[];
int sm_opt_time_style(const char *arg, int *style, struct sm_buf *why) SM_MUST;
/* auto, always, never: the choices of enum sm_color. */
extern const char *const sm_opt_colors[];

/* An option that names a file to be written. */
struct sm_opt_file {
	const char *option;     /* "--json" */
	const char *name;       /* NULL: not given */
	const char *stdout_how; /* the way to standard output instead of "-"; NULL: none */
};

#define SM_OPT_STDOUT_TO     "without =FILE it writes to standard output"
#define SM_OPT_STDOUT_OUTPUT "without it the rows go to standard output"

/* -EINVAL: "-" as a file, or two options with the same file.  Names are compared as strings, without
 * file access, because the tool may have more rights than the user.  Names below /dev (null,
 * stdout, fd) may be given twice. */
int sm_opt_files(const struct sm_opt_file *f, size_t n, struct sm_buf *why) SM_MUST;

#endif

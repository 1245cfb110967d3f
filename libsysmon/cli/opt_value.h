/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opt_value: option values that several tools' tables parse with SM_OPT_CALL functions.  cli layer.
 * Each function returns 0, or -errno with the reason in *why, as opt.h requires.
 */
#ifndef SM_OPT_VALUE_H
#define SM_OPT_VALUE_H

#include "cli/opt.h"

/* Appends the reason "what 's'", with s sanitised. */
void sm_opt_complain(struct sm_buf *why, const char *what, struct sm_str s);
/* Appends the reason "'arg' text" and returns -EINVAL.  The caller sanitises *why. */
int sm_opt_refuse(struct sm_buf *why, const char *arg, const char *text) SM_MUST;
/* Appends the reason "'s' must be RULE", with s sanitised, and returns -EINVAL.  The form of a rule is
 * "from X to Y", "at least X", "a, b or c" or "a whole number". */
int sm_opt_must_be(struct sm_buf *why, struct sm_str s, const char *rule) SM_MUST;
/* Appends the reason "'s' must be a, b or c" and returns -EINVAL. */
int sm_opt_must_choose(struct sm_buf *why, struct sm_str s, const char *const *choices) SM_MUST;
/* A choice of a power source: one of the choices, or "hwmon:LABEL[,LABEL]" if hwmon is a choice.
 * *source becomes its index, *sensors the list of labels or NULL. */
int sm_opt_source(const char *arg, const char *const *choices, int *source, const char **sensors,
	struct sm_buf *why) SM_MUST;
/* Appends "a, b or c". */
void sm_opt_add_choices(struct sm_buf *b, const char *const *choices);
/* Appends the reason "A and B cannot be used together" and returns -EINVAL. */
int sm_opt_conflict(struct sm_buf *why, const char *a, const char *b) SM_MUST;
/* Calls fn for each element of a comma-separated list until it fails. */
int sm_opt_each(const char *arg, int (*fn)(void *ctx, struct sm_str s, struct sm_buf *why),
	void *ctx, struct sm_buf *why) SM_MUST;
/* Parses a process ID, from 1 to INT32_MAX. */
int sm_opt_pid(struct sm_str s, uint32_t *pid, struct sm_buf *why) SM_MUST;
/* Finds a user by name or number. */
int sm_opt_user(struct sm_str s, uint32_t *uid, struct sm_buf *why) SM_MUST;
/* The different values of comma-separated lists, in ascending order; lists of several options are joined. */
struct sm_opt_list {
	unsigned int n;
	uint32_t *v;
	size_t cap;
};

int sm_opt_pids(const char *arg, struct sm_opt_list *l, struct sm_buf *why) SM_MUST;
int sm_opt_users(const char *arg, struct sm_opt_list *l, struct sm_buf *why) SM_MUST;
/* Returns 0, or -ENOMEM. */
int sm_opt_list_add(struct sm_opt_list *l, uint32_t v) SM_MUST;
bool sm_opt_list_has(const struct sm_opt_list *l, uint32_t v);
/* True if the list has a or b, or is empty: without the option, everything is selected. */
bool sm_opt_list_selects(const struct sm_opt_list *l, uint32_t a, uint32_t b);
void sm_opt_list_fini(struct sm_opt_list *l);
/* clock, iso, epoch, mono or delta: *style is an enum sm_time_style. */
extern const char *const sm_opt_time_styles[];
int sm_opt_time_style(const char *arg, int *style, struct sm_buf *why) SM_MUST;
/* auto, always, never: the choices of enum sm_color. */
extern const char *const sm_opt_colors[];

/* An option that names a file to be written. */
struct sm_opt_file {
	const char *option;     /* "--json" */
	const char *name;       /* NULL: not given */
	const char *stdout_how; /* how to write to standard output instead of "-"; NULL: impossible */
};

#define SM_OPT_STDOUT_TO     "without =FILE it writes to standard output"
#define SM_OPT_STDOUT_OUTPUT "without it, rows are written to standard output"

/* -EINVAL: "-" as a file, or two options with one file.  Names are compared as strings, without file
 * access, because the tool may have more privileges than the user.  Names below /dev (null, stdout, fd)
 * may be given twice. */
int sm_opt_files(const struct sm_opt_file *f, size_t n, struct sm_buf *why) SM_MUST;

#endif

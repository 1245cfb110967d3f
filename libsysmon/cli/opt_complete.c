// SPDX-License-Identifier: GPL-2.0-or-later
/* Completion scripts for bash, zsh and fish, generated at build time. */
#include "cli/opt.h"

#include <string.h>

#define GENERATED "# Made from the option table of the program; do not edit.\n"

static bool takes_command(const struct sm_opt_spec *s)
{
	return s->rest == SM_REST_COMMAND || s->rest == SM_REST_BOTH;
}

static bool is_shown(const struct sm_opt *o)
{
	return !o->hidden && o->kind != SM_OPT_GROUP;
}

static bool ends_run(const struct sm_opt *o)
{
	return o->kind == SM_OPT_HELP || o->kind == SM_OPT_VERSION;
}

/* Appends the choices, separated by spaces. */
static void add_choices(struct sm_buf *b, const struct sm_opt *o)
{
	for (size_t i = 0; o->choices && o->choices[i]; i++) {
		if (i)
			sm_buf_chr(b, ' ');
		sm_buf_str(b, o->choices[i]);
	}
}

/* Appends a function name, in which the '-' of power-calibrate is not allowed. */
static void add_function(struct sm_buf *b, const char *tool)
{
	sm_buf_chr(b, '_');
	for (; *tool; tool++)
		sm_buf_chr(b, *tool == '-' ? '_' : *tool);
}

/* ---- bash ---- */

static void bash_pattern(struct sm_buf *b, const struct sm_opt *o)
{
	sm_buf_str(b, "\t");
	if (o->letter && !o->arg_optional)
		sm_buf_printf(b, o->name ? "-%c | " : "-%c", o->letter);
	if (o->name)
		sm_buf_printf(b, "--%s", o->name);
	sm_buf_str(b, ")\n");
}

/* Appends the call that completes columns of ps. */
static void bash_processes(struct sm_buf *b, const char *tool, const char *columns)
{
	add_function(b, tool);
	sm_buf_printf(b, "_processes %s\n", columns);
}

static void bash_reply(struct sm_buf *b, const struct sm_opt *o, const char *tool)
{
	switch (o->complete) {
	case SM_COMPLETE_FILE:
	case SM_COMPLETE_DIR:
		sm_buf_str(b,
			"compopt -o filenames 2>/dev/null\n\t\tmapfile -t COMPREPLY < "
			"<(compgen -");
		sm_buf_chr(b, o->complete == SM_COMPLETE_FILE ? 'f' : 'd');
		sm_buf_str(b, " -- \"$cur\")\n");
		return;
	case SM_COMPLETE_PID:
		bash_processes(b, tool, "pid");
		return;
	case SM_COMPLETE_COMM:
		bash_processes(b, tool, "comm");
		return;
	case SM_COMPLETE_PROCESS:
		bash_processes(b, tool, "pid comm");
		return;
	case SM_COMPLETE_USER:
		sm_buf_str(b, "COMPREPLY=($(compgen -u -- \"$cur\"))\n");
		return;
	case SM_COMPLETE_LIST:
		add_function(b, tool);
		sm_buf_str(b, "_list '");
		add_choices(b, o);
		sm_buf_str(b, "'\n");
		return;
	case SM_COMPLETE_NONE:
		break;
	}
	if (o->choices) {
		sm_buf_str(b, "COMPREPLY=($(compgen -W '");
		add_choices(b, o);
		sm_buf_str(b, "' -- \"$cur\"))\n");
	} else {
		sm_buf_str(b, ":\n");
	}
}

/* Appends case "$prev" with the values; an optional value is completed only after "=". */
static void bash_values(struct sm_buf *b, const struct sm_opt_spec *s)
{
	sm_buf_str(b, "\tcase $prev in\n");
	for (size_t i = 0; i < s->nopts; i++) {
		const struct sm_opt *o = &s->opts[i];

		if (!is_shown(o) || !o->arg || (o->arg_optional && !o->name))
			continue;
		bash_pattern(b, o);
		if (o->arg_optional)
			sm_buf_str(b, "\t\tif [[ $split == true ]]; then\n");
		sm_buf_str(b, "\t\t");
		bash_reply(b, o, s->tool);
		sm_buf_str(b, o->arg_optional ? "\t\treturn\n\t\tfi\n" : "\t\treturn\n");
		sm_buf_str(b, "\t\t;;\n");
	}
	sm_buf_str(b, "\tesac\n\t[[ $split == true ]] && return\n");
}

static void bash_options(struct sm_buf *b, const struct sm_opt_spec *s)
{
	const char *blank = "";

	sm_buf_str(b, "\tCOMPREPLY=($(compgen -W '");
	for (size_t i = 0; i < s->nopts; i++) {
		const struct sm_opt *o = &s->opts[i];

		if (!is_shown(o))
			continue;
		if (o->letter) {
			sm_buf_printf(b, "%s-%c", blank, o->letter);
			blank = " ";
		}
		if (o->name) {
			sm_buf_printf(b, "%s--%s", blank, o->name);
			sm_buf_str(b, o->arg && !o->arg_optional ? "=" : "");
			blank = " ";
		}
	}
	sm_buf_str(b, "' -- \"$cur\"))\n"
		      "\t[[ ${COMPREPLY-} == *= ]] && compopt -o nospace 2>/dev/null\n");
}

static void bash_command(struct sm_buf *b)
{
	sm_buf_str(b, "\tfor ((i = 1; i < cword; i++)); do\n"
		      "\t\t[[ ${words[i]} == -- ]] || continue\n"
		      "\t\tif declare -F _command_offset >/dev/null; then\n"
		      "\t\t\t_command_offset $((i + 1))\n"
		      "\t\telif ((cword == i + 1)); then\n"
		      "\t\t\tCOMPREPLY=($(compgen -c -- \"$cur\"))\n"
		      "\t\telse\n"
		      "\t\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
		      "\t\tfi\n"
		      "\t\treturn\n"
		      "\tdone\n");
}

/* The needed part of bash-completion's _init_completion -s, for systems without it:
 * "--name=value" arrives as three words. */
static const char bash_init[] =
	"\tlocal cur prev words cword split=false i\n"
	"\tif declare -F _init_completion >/dev/null; then\n"
	"\t\t_init_completion -s || return\n"
	"\telse\n"
	"\t\tcur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
	"\t\twords=(\"${COMP_WORDS[@]}\") cword=$COMP_CWORD\n"
	"\t\tif [[ $cur == = ]]; then\n"
	"\t\t\tcur= split=true\n"
	"\t\telif [[ $prev == = ]]; then\n"
	"\t\t\tprev=${COMP_WORDS[COMP_CWORD - 2]} split=true\n"
	"\t\tfi\n"
	"\tfi\n";

static const char bash_list[] =
	"_list()\n{\n"
	"\tlocal head=\n"
	"\t[[ $cur == *,* ]] && head=${cur%,*},\n"
	"\tCOMPREPLY=($(compgen -P \"$head\" -W \"$1\" -- \"${cur##*,}\"))\n"
	"\tcompopt -o nospace 2>/dev/null\n"
	"}\n\n";

/* A comm is any text: compgen -W would execute the commands in it. */
static const char bash_process_list[] =
	"_processes()\n{\n"
	"\tlocal column text\n"
	"\tCOMPREPLY=()\n"
	"\tfor column; do\n"
	"\t\twhile read -r text; do\n"
	"\t\t\t[[ $text == \"$cur\"* ]] && COMPREPLY+=(\"$(printf %q \"$text\")\")\n"
	"\t\tdone < <(ps -eo \"$column=\" 2>/dev/null | sort -u)\n"
	"\tdone\n"
	"}\n\n";

static void bash_operands(struct sm_buf *b, const struct sm_opt_spec *s)
{
	const struct sm_opt operand = {.complete = s->complete};

	if (!s->complete) {
		sm_buf_str(b, s->rest == SM_REST_OPERANDS
				      ? "\t[[ $cur == -* ]] || return\n"
				      : "");
		return;
	}
	sm_buf_str(b, "\tif [[ $cur != -* ]]; then\n\t\t");
	bash_reply(b, &operand, s->tool);
	sm_buf_str(b, "\t\treturn\n\tfi\n");
}

static void complete_bash(const struct sm_opt_spec *s, struct sm_buf *b)
{
	bool files = s->rest == SM_REST_OPERANDS && !s->complete;

	sm_buf_printf(b, "# bash completion for %s\n" GENERATED "\n", s->tool);
	add_function(b, s->tool);
	sm_buf_str(b, bash_list);
	add_function(b, s->tool);
	sm_buf_str(b, bash_process_list);
	add_function(b, s->tool);
	sm_buf_str(b, "()\n{\n");
	sm_buf_str(b, bash_init);
	if (takes_command(s))
		bash_command(b);
	bash_values(b, s);
	bash_operands(b, s);
	bash_options(b, s);
	sm_buf_str(b, "}\n\ncomplete ");
	if (files)
		sm_buf_str(b, "-o default ");
	sm_buf_str(b, "-F ");
	add_function(b, s->tool);
	sm_buf_printf(b, " %s\n", s->tool);
}

/* ---- zsh ---- */

/* Appends the first line of the help, for a [...] of _arguments within single quotes. */
static void zsh_help(struct sm_buf *b, const char *help)
{
	for (; *help && *help != '\n'; help++) {
		switch (*help) {
		case '[':
		case ']':
			sm_buf_chr(b, *help == '[' ? '(' : ')');
			break;
		case '\'':
			sm_buf_str(b, "'\\''");
			break;
		case ':':
		case '\\':
			sm_buf_chr(b, '\\');
			/* fall through */
		default:
			sm_buf_chr(b, *help);
		}
	}
}

static void zsh_action(struct sm_buf *b, const struct sm_opt *o)
{
	switch (o->complete) {
	case SM_COMPLETE_FILE:
		sm_buf_str(b, "_files");
		return;
	case SM_COMPLETE_DIR:
		sm_buf_str(b, "_files -/");
		return;
	case SM_COMPLETE_PID:
		sm_buf_str(b, "_pids");
		return;
	case SM_COMPLETE_COMM:
		sm_buf_str(b, "_process_names -a -t");
		return;
	case SM_COMPLETE_PROCESS:
		sm_buf_str(b, "{_pids; _process_names -a -t}");
		return;
	case SM_COMPLETE_USER:
		sm_buf_str(b, "_users");
		return;
	case SM_COMPLETE_LIST:
		sm_buf_str(b, " _values -s , value ");
		add_choices(b, o);
		return;
	case SM_COMPLETE_NONE:
		break;
	}
	sm_buf_chr(b, o->choices ? '(' : ' ');
	add_choices(b, o);
	sm_buf_str(b, o->choices ? ")" : "");
}

/* "(-D --duration)": if one form is given, the other is not offered.  An option with a
 * function or a list of its own may be given more than once: "*". */
static void zsh_start(struct sm_buf *b, const struct sm_opt *o)
{
	sm_buf_str(b, "\t'");
	if (o->kind == SM_OPT_CALL || o->kind == SM_OPT_PIDS || o->kind == SM_OPT_USERS)
		sm_buf_chr(b, '*');
	else if (ends_run(o))
		sm_buf_str(b, "(- *)");
	else if (o->letter && o->name)
		sm_buf_printf(b, "(-%c --%s)", o->letter, o->name);
}

static void zsh_tail(struct sm_buf *b, const struct sm_opt *o, bool value)
{
	if (o->help) {
		sm_buf_chr(b, '[');
		zsh_help(b, o->help);
		sm_buf_chr(b, ']');
	}
	if (value) {
		sm_buf_str(b, o->arg_optional ? "::" : ":");
		sm_buf_str(b, o->arg);
		sm_buf_chr(b, ':');
		zsh_action(b, o);
	}
	sm_buf_str(b, "' \\\n");
}

static void zsh_option(struct sm_buf *b, const struct sm_opt *o)
{
	if (o->letter) {
		bool value = o->arg && !o->arg_optional;

		zsh_start(b, o);
		sm_buf_printf(b, "-%c%s", o->letter, value ? "+" : "");
		zsh_tail(b, o, value);
	}
	if (o->name) {
		zsh_start(b, o);
		sm_buf_printf(b, "--%s", o->name);
		if (o->arg)
			sm_buf_str(b, o->arg_optional ? "=-" : "=");
		zsh_tail(b, o, o->arg);
	}
}

static void zsh_operands(struct sm_buf *b, const struct sm_opt_spec *s)
{
	const struct sm_opt operand = {.complete = s->complete};

	if (s->rest != SM_REST_OPERANDS && s->rest != SM_REST_BOTH)
		return;
	sm_buf_str(b, "rest=('*:operand:");
	if (s->complete)
		zsh_action(b, &operand);
	else
		sm_buf_str(b, s->rest == SM_REST_OPERANDS ? "_files" : "()");
	sm_buf_str(b, "')\n");
}

static void complete_zsh(const struct sm_opt_spec *s, struct sm_buf *b)
{
	sm_buf_printf(b, "#compdef %s\n" GENERATED "\nlocal -a rest\n", s->tool);
	if (takes_command(s))
		sm_buf_str(b, "integer end=${words[(i)--]}\n"
			      "if (( end < CURRENT )); then\n"
			      "\tshift end words\n"
			      "\t(( CURRENT -= end ))\n"
			      "\t_normal\n"
			      "\treturn\n"
			      "fi\n");
	zsh_operands(b, s);
	sm_buf_str(b, "_arguments -s -S \\\n");
	for (size_t i = 0; i < s->nopts; i++)
		if (is_shown(&s->opts[i]))
			zsh_option(b, &s->opts[i]);
	sm_buf_str(b, "\t$rest\n");
}

/* ---- fish ---- */

/* Inside single quotes fish interprets two escapes. */
static void fish_help(struct sm_buf *b, const char *help)
{
	for (; *help && *help != '\n'; help++) {
		if (*help == '\'' || *help == '\\')
			sm_buf_chr(b, '\\');
		sm_buf_chr(b, *help);
	}
}

#define FISH_COMMS "ps -eo comm= 2>/dev/null | string trim | sort -u"

static const char *fish_function(enum sm_opt_complete complete)
{
	switch (complete) {
	case SM_COMPLETE_DIR:
		return "__fish_complete_directories";
	case SM_COMPLETE_PID:
		return "__fish_complete_pids";
	case SM_COMPLETE_COMM:
		return FISH_COMMS;
	case SM_COMPLETE_PROCESS:
		return "__fish_complete_pids; " FISH_COMMS;
	case SM_COMPLETE_USER:
		return "__fish_complete_users";
	default:
		return NULL;
	}
}

static void fish_value(struct sm_buf *b, const struct sm_opt *o)
{
	const char *function = fish_function(o->complete);

	/* -r: needs a value; -F: files; -x: only the results of -a.  Fish has no optional
	 * values: an option with one is offered without it. */
	if (o->complete == SM_COMPLETE_FILE) {
		sm_buf_str(b, o->arg_optional ? "" : " -r -F");
		return;
	}
	sm_buf_str(b, o->arg_optional ? "" : " -x");
	if (function) {
		sm_buf_printf(b, " -a '(%s)'", function);
	} else if (o->choices) {
		bool list = o->complete == SM_COMPLETE_LIST;

		sm_buf_str(b, list ? " -a '(__fish_append , " : " -a '");
		add_choices(b, o);
		sm_buf_str(b, list ? ")'" : "'");
	}
}

static void fish_option(
	struct sm_buf *b, const struct sm_opt_spec *s, const struct sm_opt *o)
{
	sm_buf_printf(b, "complete -c %s", s->tool);
	if (o->letter)
		sm_buf_printf(b, " -s %c", o->letter);
	if (o->name)
		sm_buf_printf(b, " -l %s", o->name);
	if (o->arg)
		fish_value(b, o);
	if (o->help) {
		sm_buf_str(b, " -d '");
		fish_help(b, o->help);
		sm_buf_chr(b, '\'');
	}
	sm_buf_chr(b, '\n');
}

static void fish_command(struct sm_buf *b, const struct sm_opt_spec *s)
{
	sm_buf_str(b, "function _");
	add_function(b, s->tool);
	sm_buf_str(b, "_command\n"
		      "\tset -l words (commandline -opc)\n"
		      "\tset -l at (contains -i -- -- $words); or return 1\n"
		      "\tset -e words[1..$at]\n"
		      "\tcomplete -C (string join ' ' -- (string escape -- $words) "
		      "(commandline -ct))\n"
		      "end\n");
	sm_buf_printf(b,
		"complete -c %s -n 'contains -- -- (commandline -opc)' -x -a '(_",
		s->tool);
	add_function(b, s->tool);
	sm_buf_str(b, "_command)'\n");
}

static void fish_operands(struct sm_buf *b, const struct sm_opt_spec *s)
{
	const char *function = fish_function(s->complete);

	if (s->rest != SM_REST_OPERANDS || function)
		sm_buf_printf(b, "complete -c %s -f\n", s->tool);
	if (function)
		sm_buf_printf(b,
			"complete -c %s -n 'not contains -- -- (commandline -opc)' "
			"-a '(%s)'\n",
			s->tool, function);
}

static void complete_fish(const struct sm_opt_spec *s, struct sm_buf *b)
{
	sm_buf_printf(b, "# fish completion for %s\n" GENERATED "\n", s->tool);
	fish_operands(b, s);
	if (takes_command(s))
		fish_command(b, s);
	for (size_t i = 0; i < s->nopts; i++)
		if (is_shown(&s->opts[i]))
			fish_option(b, s, &s->opts[i]);
}

void sm_opt_completion(
	const struct sm_opt_spec *s, enum sm_opt_shell shell, struct sm_buf *b)
{
	switch (shell) {
	case SM_SHELL_BASH:
		complete_bash(s, b);
		break;
	case SM_SHELL_ZSH:
		complete_zsh(s, b);
		break;
	case SM_SHELL_FISH:
		complete_fish(s, b);
		break;
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "taskname.h"

/* Skips the directory in the first `word` bytes of s, unless they end with '/'. */
static struct sm_str strip(struct sm_str s, size_t word)
{
	const char *slash = word ? memrchr(s.p, '/', word) : NULL;
	size_t skip = slash ? (size_t)(slash + 1 - s.p) : 0;

	return skip < word ? (struct sm_str){s.p + skip, s.n - skip} : s;
}

struct sm_str sm_taskname_command(struct sm_str cmdline, unsigned int form)
{
	size_t argv0 = strnlen(cmdline.p, cmdline.n), word = argv0;
	const char *blank = memchr(cmdline.p, ' ', argv0);

	if (blank)
		word = (size_t)(blank - cmdline.p);
	if (form & SM_TASKNAME_SHORT)
		cmdline.n = word;
	else if (!(form & SM_TASKNAME_FULL))
		cmdline.n = argv0;
	return form & SM_TASKNAME_STRIP ? strip(cmdline, word) : cmdline;
}

struct sm_str sm_taskname_kthread(struct sm_str comm, char *brackets)
{
	brackets[0] = '[';
	if (comm.n)
		memcpy(brackets + 1, comm.p, comm.n);
	brackets[comm.n + 1] = ']';
	return (struct sm_str){brackets, comm.n + 2};
}

struct sm_str sm_taskname_program(struct sm_str cmdline)
{
	cmdline.n = strnlen(cmdline.p, cmdline.n);
	return strip(cmdline, cmdline.n);
}

/* True if comm is this name, truncated to 15 bytes. */
static bool gave_comm(struct sm_str name, struct sm_str comm)
{
	size_t n = name.n < SM_TASK_COMM_LEN - 1 ? name.n : SM_TASK_COMM_LEN - 1;

	return n == comm.n && memcmp(name.p, comm.p, n) == 0;
}

struct sm_str sm_taskname_script(struct sm_str cmdline, struct sm_str comm)
{
	struct sm_str program = sm_taskname_program(cmdline), arg = program;

	if (!comm.n)
		return program;
	for (int i = 0; i < 2 && !gave_comm(arg, comm); i++) {
		size_t skip = strnlen(cmdline.p, cmdline.n) + 1;

		if (skip >= cmdline.n)
			return program;
		cmdline = (struct sm_str){cmdline.p + skip, cmdline.n - skip};
		arg = sm_taskname_program(cmdline);
	}
	return gave_comm(arg, comm) ? arg : program;
}

bool sm_taskname_match(const char *pattern, struct sm_str name)
{
	char text[256];
	size_t n = name.n < sizeof(text) ? name.n : sizeof(text) - 1;

	if (n)
		memcpy(text, name.p, n);
	text[n] = '\0';
	return fnmatch(pattern, text, 0) == 0;
}

bool sm_taskname_is(const char *pattern, struct sm_str comm, struct sm_str cmdline)
{
	return sm_taskname_match(pattern, comm) ||
	       (cmdline.n && sm_taskname_match(pattern, sm_taskname_program(cmdline)));
}

static int folded(char c)
{
	return c ? tolower((unsigned char)c) : ' ';
}

static bool is_part(struct sm_str s, const char *text)
{
	for (size_t i = 0; i < s.n; i++) {
		size_t k = 0;

		while (text[k] && i + k < s.n && folded(s.p[i + k]) == folded(text[k]))
			k++;
		if (!text[k])
			return true;
	}
	return false;
}

bool sm_taskname_has(const char *text, struct sm_str comm, struct sm_str cmdline)
{
	return is_part(comm, text) || is_part(cmdline, text);
}

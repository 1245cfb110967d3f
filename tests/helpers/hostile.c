// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hostile: becomes (same pid) a process with a name made to drive a terminal or forge a
 * row: ESC sequences, newline, tab, C1 control, bidi override, invalid UTF-8, valid
 * UTF-8. hostile argv	execs tiny in the same directory with such arguments hostile comm
 * sets such a comm and exits
 */
#include <err.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define S(text)      \
	(char[])     \
	{            \
		text \
	} /* exec wants arguments that are not const */

static char *const hostile_argv[] = {S("\033]0;pwned\a\033[2J\033[31mEVIL\t\xc2\x9b"
				       "31m"),
	S("line\n00:00:00 exec      1                 forged"),
	S("\xe2\x80\xae"
	  "rtl"),
	S("\xff\xfe\xc3"), S("caf\xc3\xa9"), S("\"quoted\", \\back"), NULL};

static void become_tiny(void)
{
	char file[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", file, sizeof(file) - 8);

	if (n < 0)
		err(1, "/proc/self/exe");
	file[n] = '\0';
	strcpy(strrchr(file, '/') + 1, "tiny");
	execv(file, hostile_argv);
	err(1, "%s", file);
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "argv") == 0)
		become_tiny();
	if (argc != 2 || strcmp(argv[1], "comm") != 0)
		errx(2, "usage: hostile argv|comm");
	prctl(PR_SET_NAME, "\033[2J\n\t\xc2\x9b\xff) Z");
	return 0;
}

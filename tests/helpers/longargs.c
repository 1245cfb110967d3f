// SPDX-License-Identifier: GPL-2.0-or-later
/* longargs [BYTES]: becomes (same pid) tiny with one argument of BYTES bytes (default and
 * maximum: 131071, the kernel's limit of 128 KiB with the NUL): "AAA...AEND". */
#include <err.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 131071;
	char *arg = n > 2 ? malloc((size_t)n + 1) : NULL, file[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", file, sizeof(file) - 8);

	if (!arg || len < 0)
		errx(2, "usage: longargs [BYTES]");
	memset(arg, 'A', (size_t)n - 3);
	memcpy(arg + n - 3, "END", 4);
	file[len] = '\0';
	strcpy(strrchr(file, '/') + 1, "tiny");
	execv(file, (char *[]){(char[]){"tiny"}, arg, NULL});
	err(1, "%s", file);
}

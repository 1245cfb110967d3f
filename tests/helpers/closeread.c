// SPDX-License-Identifier: GPL-2.0-or-later
/* closeread LINES: copies LINES lines from stdin to stdout, then closes stdin and exits.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	long lines = argc > 1 ? atol(argv[1]) : -1;
	int c;

	if (lines < 0)
		errx(2, "usage: closeread LINES");
	setvbuf(stdin, NULL, _IONBF, 0);
	while (lines > 0 && (c = getchar()) != EOF) {
		putchar(c);
		lines -= c == '\n';
	}
	return fclose(stdout) ? 1 : 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/tty.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DEFAULT_COLUMNS	 80
#define DEFAULT_ROWS	 24
#define HELP_COLUMNS_MIN 40
#define HELP_COLUMNS_MAX 120

int sm_tty_size(int fd, unsigned int *columns, unsigned int *rows)
{
	struct winsize ws = {0};

	if (ioctl(fd, TIOCGWINSZ, &ws) < 0)
		return -ENOTTY;
	*columns = ws.ws_col ? ws.ws_col : DEFAULT_COLUMNS;
	*rows = ws.ws_row ? ws.ws_row : DEFAULT_ROWS;
	return 0;
}

unsigned int sm_tty_help_columns(int fd)
{
	unsigned int columns, rows;

	if (sm_tty_size(fd, &columns, &rows) < 0)
		return DEFAULT_COLUMNS;
	columns = columns < HELP_COLUMNS_MIN ? HELP_COLUMNS_MIN : columns;
	return columns > HELP_COLUMNS_MAX ? HELP_COLUMNS_MAX : columns;
}

/* Returns NULL if the variable is unset or empty. */
static const char *variable(const char *name)
{
	const char *v = getenv(name);

	return v && *v ? v : NULL;
}

bool sm_tty_color(int fd, enum sm_color policy)
{
	const char *term = variable("TERM");

	if (policy != SM_COLOR_AUTO)
		return policy == SM_COLOR_ALWAYS;
	if (variable("NO_COLOR") || !term || strcmp(term, "dumb") == 0)
		return false;
	return isatty(fd);
}

/* Checks the codeset of "language_TERRITORY.codeset@modifier". */
static bool codeset_is_utf8(const char *locale)
{
	const char *codeset = strchr(locale, '.');
	size_t n;

	if (!codeset)
		return false;
	codeset++;
	n = strcspn(codeset, "@");
	return (n == 5 && strncasecmp(codeset, "UTF-8", n) == 0) ||
	       (n == 4 && strncasecmp(codeset, "UTF8", n) == 0);
}

bool sm_tty_utf8(void)
{
	/* The first one that is set and not empty is used (POSIX, XBD 8.2). */
	static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	const char *locale = NULL;

	for (size_t i = 0; !locale && i < SM_ARRAY_SIZE(variables); i++)
		locale = variable(variables[i]);
	return locale && codeset_is_utf8(locale);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"
#include "text.h"

/* Longer messages are cut: an error about memory must not need memory. */
#define MESSAGE_MAX 8192

static const char *prefix = "sysmon";

void sm_err_init(const char *tool)
{
	prefix = tool;
}

static void write_all(const char *p, size_t n)
{
	while (n) {
		ssize_t r = write(STDERR_FILENO, p, n);

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return;
		p += r;
		n -= (size_t)r;
	}
}

/* What snprintf() has really stored in room for `size` bytes. */
static size_t stored(int r, size_t size)
{
	if (r < 0)
		return 0;
	return (size_t)r < size ? (size_t)r : size - 1;
}

void sm_err(const char *fmt, ...)
{
	char line[MESSAGE_MAX];
	int saved = errno;
	size_t n;
	va_list ap;

	n = stored(snprintf(line, sizeof(line) - 1, "%s: ", prefix), sizeof(line) - 1);
	va_start(ap, fmt);
	n += stored(
		vsnprintf(line + n, sizeof(line) - 1 - n, fmt, ap), sizeof(line) - 1 - n);
	va_end(ap);
	line[n++] = '\n';
	write_all(line, n);
	errno = saved;
}

void sm_err_at(const char *what, int err)
{
	struct sm_buf name = {0};

	sm_text_human(&name, what, strlen(what), SM_TEXT_UTF8);
	sm_buf_chr(&name, '\0');
	sm_err("%s: %s", name.p ? name.p : "?", strerror(-err));
	sm_buf_fini(&name);
}

enum sm_exit sm_err_exit(int err)
{
	switch (err < 0 ? -err : err) {
	case EPERM:
	case EACCES:
		return SM_EXIT_PERMISSION;
	case ENOSYS:
	case ENODEV:
	case ENOENT:
	case ENOPROTOOPT:
	case EPROTONOSUPPORT:
		return SM_EXIT_FEATURE;
	default:
		return SM_EXIT_RUNTIME;
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/err.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/text.h"

/* Longer messages are truncated: an error about memory must not need memory. */
#define MESSAGE_MAX 8192

/* Time that all messages of a run together wait for a reader of stderr that has
 * stopped. */
#define PATIENCE_MS 500

static const char *prefix = "sysmon";
static int patience_ms = PATIENCE_MS;

void sm_err_init(const char *tool)
{
	prefix = tool;
}

/* Returns the number of bytes that snprintf() has stored in room for `size` bytes. */
static size_t stored(int r, size_t size)
{
	if (r < 0)
		return 0;
	return (size_t)r < size ? (size_t)r : size - 1;
}

static bool may_write(void)
{
	struct pollfd pfd = {.fd = STDERR_FILENO, .events = POLLOUT};

	if (poll(&pfd, 1, patience_ms) != 0)
		return true;
	patience_ms = 0;
	return false;
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
	if (may_write())
		(void)!sm_file_write(STDERR_FILENO, line, n);
	errno = saved;
}

/* Returns true for text that is shown unchanged, so that no memory is needed. */
static bool is_plain(const char *s)
{
	while (*s >= ' ' && *s <= '~' && *s != '\\')
		s++;
	return *s == '\0';
}

void sm_err_text(struct sm_buf *b)
{
	size_t n = b->len;

	n -= n && b->p[n - 1] == '\n';
	if (n)
		sm_err("%.*s", (int)n, b->p);
	sm_buf_fini(b);
}

static const char *remedy(int err)
{
	switch (err) {
	case -EMFILE:
		return "; raise the limit of the process (ulimit -n)";
	case -ENFILE:
		return "; raise the limit of the system (sysctl fs.file-max)";
	default:
		return "";
	}
}

void sm_err_at(const char *what, int err)
{
	struct sm_buf name = {0};

	if (!is_plain(what)) {
		sm_text_human(&name, what, strlen(what), SM_TEXT_UTF8);
		sm_buf_chr(&name, '\0');
		what = sm_buf_error(&name) ? "?" : name.p;
	}
	sm_err("%s: %s%s", what, strerror(-err), remedy(err));
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
	case ECONNREFUSED: /* a netlink family without a listener in this namespace */
		return SM_EXIT_FEATURE;
	default:
		return SM_EXIT_RUNTIME;
	}
}

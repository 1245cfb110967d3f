// SPDX-License-Identifier: GPL-2.0-or-later
#include <unistd.h>

#include "base/base.h"
#include "base/compat.h"

#define FD_LAST_TRIED 65535u

void sm_base_close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void sm_base_close_range(unsigned int first, unsigned int last)
{
	if (first > last || syscall(SYS_close_range, first, last, 0) == 0)
		return;
	for (unsigned int fd = first; fd <= last && fd <= FD_LAST_TRIED; fd++)
		close((int)fd);
}

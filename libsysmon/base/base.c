// SPDX-License-Identifier: GPL-2.0-or-later
#include <unistd.h>

#include "base/base.h"

void sm_base_close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

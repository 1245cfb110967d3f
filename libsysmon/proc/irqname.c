// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "proc/irqname.h"

int sm_irqname_read(const struct sm_root *root, unsigned int irq, char *name, size_t size)
{
	char path[40];
	ssize_t n;

	snprintf(path, sizeof(path), "kernel/irq/%u/actions", irq);
	n = sm_file_slurp(root->sys, path, name, size);
	if (n < 0)
		return (int)n;
	name[strcspn(name, "\n")] = '\0';
	return name[0] ? 0 : -ENODATA;
}

const char *sm_irqname_vector(unsigned int vector)
{
	static const char *const names[] = {
		[0xec] = "local timer",
		[0xf4] = "deferred error",
		[0xf6] = "IRQ work",
		[0xf7] = "platform IPI",
		[0xf9] = "threshold",
		[0xfa] = "thermal event",
		[0xfe] = "APIC error",
		[0xff] = "spurious",
	};

	return vector < SM_ARRAY_SIZE(names) && names[vector] ? names[vector] : "";
}

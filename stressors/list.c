// SPDX-License-Identifier: GPL-2.0-or-later
#include "list.h"

#include <string.h>

#include "base/distance.h"
#include "list_all.h"

const char *const list_classes[] = {"cpu", "cpu-cache", "memory", "vm", "io",
	"filesystem", "device", "scheduler", "os", "ipc", "pipe", "interrupt", "network",
	"security", "pathological", NULL};

const struct stressor *list_find(const char *name, size_t n)
{
	for (size_t i = 0; list_all[i]; i++)
		if (strlen(list_all[i]->name) == n &&
			memcmp(list_all[i]->name, name, n) == 0)
			return list_all[i];
	return NULL;
}

const struct stressor *list_nearest(const char *name, size_t n)
{
	const struct stressor *found = NULL;
	unsigned int nearest = (unsigned int)(n / 3) + 1;

	for (size_t i = 0; list_all[i]; i++) {
		const char *own = list_all[i]->name;
		unsigned int d = sm_distance(
			(struct sm_str){name, n}, (struct sm_str){own, strlen(own)});

		if (d >= nearest)
			continue;
		nearest = d;
		found = list_all[i];
	}
	return found;
}

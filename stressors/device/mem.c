// SPDX-License-Identifier: GPL-2.0-or-later
#include "device/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define MEM_MAJOR 1

static const struct {
	const char *path, *missing, *other, *refused;
} files[] = {
	[MEM_NULL] = {"/dev/null", "there is no /dev/null",
		"/dev/null is not the device of that name",
		"/dev/null cannot be read and written"},
	[MEM_ZERO] = {"/dev/zero", "there is no /dev/zero",
		"/dev/zero is not the device of that name",
		"/dev/zero cannot be read and written"},
	[MEM_FULL] = {"/dev/full", "there is no /dev/full",
		"/dev/full is not the device of that name",
		"/dev/full cannot be read and written"},
};

const char *mem_device_lacks(enum mem_device device)
{
	struct stat st;

	if (stat(files[device].path, &st) < 0)
		return files[device].missing;
	if (!S_ISCHR(st.st_mode) || st.st_rdev != makedev(MEM_MAJOR, device))
		return files[device].other;
	/* A mount may deny access whatever the mode is. */
	if (access(files[device].path, R_OK | W_OK) < 0)
		return files[device].refused;
	return NULL;
}

int mem_device_open(struct stress *s, enum mem_device device)
{
	int fd = open(files[device].path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		stress_error(s, STRESS_SKIP, errno, "%s", files[device].path);
	return fd;
}

/* Each byte is equal to the next one, and the first is zero. */
bool mem_is_zero(const void *p, size_t bytes)
{
	const char *c = p;

	return bytes == 0 || (*c == 0 && memcmp(c, c + 1, bytes - 1) == 0);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pageload hostile: names that would forge lines of /proc/PID/maps for a reader with a buffer of fixed
 * size, and escape sequences, behind as many mappings as the kernel lets a process have.  Included by
 * pageload.c.
 */
#ifndef PAGELOAD_HOSTILE_H
#define PAGELOAD_HOSTILE_H

#include "pageload.h"

#define FAKE "123000000000-123000400000 rw-p 00000000 00:00 0 [fake]"

/* Makes directories until the path is so long that a file name in the last of them has its character
 * number *filler, which is 1 to 200, in this column of the path.  Returns the last one, open. */
static int deep_directory(size_t column, size_t *filler)
{
	char name[201];
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), next;
	size_t length = strlen(dir) + 1;

	memset(name, 'd', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	while (fd >= 0 && column - length > 200) {
		size_t n = column - length - 201 < 200 ? 100 : 200;

		name[n] = '\0';
		if (mkdirat(fd, name, 0700) && errno != EEXIST)
			die("mkdir");
		next = openat(fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		close(fd);
		fd = next;
		length += n + 1;
		name[n] = 'd';
	}
	if (fd < 0)
		die("directories");
	*filler = column - length;
	return fd;
}

static void hostile_file(const char *region, int at, const char *name)
{
	struct region r;
	int fd = openat(at, name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || ftruncate(fd, (off_t)page_bytes))
		die("%s", region);
	r = region_map(region, 1, PROT_READ, MAP_SHARED, fd);
	close(fd);
	region_read(&r);
	r.present = r.file = r.exclusive = 1;
	region_print(&r);
}

/* The name is in column 73 of a line; a reader with a buffer of 4096 takes 4095 characters, and the rest of
 * the line for another one. */
static void hostile_split(size_t column, const char *region)
{
	char name[256];
	size_t filler;
	int at = deep_directory(column - 73, &filler);

	memset(name, 'f', sizeof(name));
	snprintf(name + filler, sizeof(name) - filler, "%s", FAKE);
	hostile_file(region, at, name);
	close(at);
}

/* Maps n times one file whose name is long. */
static void hostile_long(size_t n)
{
	size_t filler;
	int at = deep_directory(3900, &filler);
	int fd = openat(at, "long", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || ftruncate(fd, (off_t)page_bytes))
		die("long");
	while (n--)
		if (mmap(NULL, page_bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0) ==
			MAP_FAILED)
			die("mmap");
	close(fd);
	close(at);
}

static void hostile_names(void)
{
	int at = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (at < 0)
		die("%s", dir);
	hostile_file("newline", at, "x\n" FAKE);
	hostile_file("escape", at, "\033]0;title\007\033[2J\033[31mred");
	hostile_file("c1", at, "\302\2332J\2332J");
	hostile_file("bidi", at, "\342\200\256rtl");
	hostile_file("quotes", at, "q\"uo,te\\'<&> %s%n");
	hostile_file("blank", at, " ");
	hostile_file("imposter", at, "[heap]");
	close(at);
}

#endif

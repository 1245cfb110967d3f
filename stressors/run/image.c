// SPDX-License-Identifier: GPL-2.0-or-later
#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_STATUS 2
#define STATUSES     250

uint8_t image_status(uint64_t number)
{
	return (uint8_t)(number % STATUSES + FIRST_STATUS);
}

bool image_is_asked(int argc, char **argv)
{
	return argc == IMAGE_ARGS && strcmp(argv[0], IMAGE_NAME) == 0;
}

int image_main(char **argv)
{
	int fd = (int)strtol(argv[IMAGE_FD], NULL, 10);

	if (fcntl(fd, F_GETFD) != -1 || errno != EBADF || environ[0])
		return IMAGE_WRONG;
	return image_status(strtoull(argv[IMAGE_NUMBER], NULL, 10));
}

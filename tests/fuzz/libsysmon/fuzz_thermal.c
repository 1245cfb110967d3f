// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_thermal: what sysfs attributes may hold: the whole input as a number in a file, as
 * the text of a GPU's frequency, and each of its lines as a zone's type: labels are
 * unique whatever the types are.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proc/sysfs.h"
#include "power/gpufreq.h"
#include "base/parse.h"

#define TYPES_MAX 24u
#define TYPE_CAP  64u
#define LABEL_CAP (TYPE_CAP + 24u)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

static bool expected(int err)
{
	return err == 0 || err == -EINVAL || err == -ENODATA;
}

/* The number written again is what was read, but for zeros in front. */
static void try_number(const uint8_t *data, size_t size)
{
	int fd = memfd_create("attribute", MFD_CLOEXEC);
	int64_t i;
	uint64_t u;
	int err, err_u;

	require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	err = sm_sysfs_read_i64(fd, &i);
	err_u = sm_sysfs_read_u64(fd, &u);
	close(fd);
	require(expected(err) && expected(err_u));
	require((err == -ENODATA) == (err_u == -ENODATA));
	if (err == 0 && err_u == 0)
		require(u == (uint64_t)i);
	if (err == 0 && err_u < 0)
		require(data[0] == '-' && i <= 0);
}

static void try_frequency(const char *text, size_t size)
{
	for (int amd = 0; amd < 2; amd++) {
		uint64_t mhz = 0;
		int err = sm_gpufreq_parse(text, size, amd, &mhz);

		require(err == -ENODATA ? mhz == 0
					: err == 0 && mhz > 0 && mhz <= 100000);
	}
}

static void try_labels(const char *text, size_t size)
{
	static struct zone {
		char type[TYPE_CAP], label[LABEL_CAP];
		unsigned int number;
	} z[TYPES_MAX];
	static const struct sm_sysfs_labels labels = SM_SYSFS_LABELS(struct zone, type);
	const char *p = text, *end = text + size;
	struct sm_str line;
	unsigned int n = 0;

	while (n < TYPES_MAX && sm_parse_line(&p, end, &line)) {
		snprintf(z[n].type, TYPE_CAP, "%.*s", (int)(line.n % TYPE_CAP), line.p);
		z[n].number = n / 2;
		n++;
	}
	sm_sysfs_labels(z, n, &labels);
	for (unsigned int i = 0; i < n; i++) {
		require(strncmp(z[i].label, z[i].type, strlen(z[i].type)) == 0);
		for (unsigned int j = 0; j < i; j++)
			require(strcmp(z[i].label, z[j].label) != 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_number(data, size);
	try_frequency((const char *)data, size);
	try_labels((const char *)data, size);
	return 0;
}

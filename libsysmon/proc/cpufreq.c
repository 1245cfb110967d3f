// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/parse.h"
#include "proc/cpufreq.h"

#define KHZ_MAX UINT64_C(100000000) /* 100 GHz; larger values are driver errors */

int sm_cpufreq_open(struct sm_cpufreq *f, const struct sm_root *root)
{
	bool any = false;
	int err;

	*f = (struct sm_cpufreq){.root = root, .fds_max = sm_file_share(4)};
	err = sm_cpulist_open(&f->list, root);
	if (!err)
		err = sm_cpufreq_read(f);
	for (unsigned int i = 0; i < f->ncpu; i++)
		any = any || (f->list.online[i] && !f->cpu[i].missing);
	if (err == -ENODATA)
		err = any ? 0 : -ENOENT;
	if (err < 0)
		sm_cpufreq_close(f);
	return err;
}

void sm_cpufreq_close(struct sm_cpufreq *f)
{
	for (unsigned int i = 0; i < f->ncpu; i++)
		sm_base_close_fd(&f->cpu[i].fd);
	free(f->cpu);
	sm_cpulist_close(&f->list);
	*f = (struct sm_cpufreq){.list = SM_CPULIST_INIT};
}

static int grow(struct sm_cpufreq *f)
{
	if (sm_array_reserve(&f->cpu, &f->cap, f->list.n, sizeof(*f->cpu)) < 0)
		return -ENOMEM;
	while (f->ncpu < f->list.n)
		f->cpu[f->ncpu++] = (struct sm_cpufreq_cpu){.fd = -1};
	return 0;
}

static int open_freq(const struct sm_root *root, unsigned int cpu)
{
	char path[64];

	snprintf(path, sizeof(path), "devices/system/cpu/cpu%u/cpufreq/scaling_cur_freq",
		cpu);
	return sm_at_open(root->sys, path, 0);
}

/* Reads kHz; an implausible value (-1, 0, <unknown>) is missing and read as 0. */
static int read_khz(int fd, uint64_t *khz)
{
	char buf[32];
	ssize_t n = pread(fd, buf, sizeof(buf), 0);

	if (n < 0)
		return -errno;
	if (n > 0 && buf[n - 1] == '\n')
		n--;
	if (!sm_parse_whole_u64((struct sm_str){buf, (size_t)n}, khz) || *khz > KHZ_MAX)
		*khz = 0;
	return 0;
}

static void close_cpu(struct sm_cpufreq *f, struct sm_cpufreq_cpu *c)
{
	f->fds -= c->fd >= 0;
	sm_base_close_fd(&c->fd);
}

/* If descriptors run out, the next reading tries to open the file again. */
static void open_cpu(struct sm_cpufreq *f, unsigned int nr)
{
	struct sm_cpufreq_cpu *c = &f->cpu[nr];

	int fd = open_freq(f->root, nr);

	c->fd = fd < 0 ? -1 : fd;
	f->fds += fd >= 0;
	if (fd == -EMFILE || fd == -ENFILE)
		f->unread++;
	else
		c->missing = fd < 0;
}

/*
 * Closes a file that fails: after hotplug the old file always returns -ENODEV, and a new
 * file has its name.
 */
static void read_cpu(struct sm_cpufreq *f, unsigned int nr)
{
	struct sm_cpufreq_cpu *c = &f->cpu[nr];

	c->khz = 0;
	if (!f->list.online[nr]) {
		close_cpu(f, c);
		c->missing = false;
		return;
	}
	if (c->fd < 0 && !c->missing)
		open_cpu(f, nr);
	if (c->fd >= 0 && (read_khz(c->fd, &c->khz) < 0 || f->fds > f->fds_max))
		close_cpu(f, c);
}

static void summarise(struct sm_cpufreq *f)
{
	double sum = 0;

	f->valid = 0;
	for (unsigned int i = 0; i < f->ncpu; i++) {
		f->valid += f->cpu[i].khz != 0;
		sum += (double)f->cpu[i].khz;
	}
	f->mean_khz = f->valid ? sum / f->valid : 0;
}

int sm_cpufreq_read(struct sm_cpufreq *f)
{
	int err = sm_cpulist_read(&f->list);

	if (err >= 0)
		err = grow(f);
	if (err < 0)
		return err;
	f->unread = 0;
	for (unsigned int i = 0; i < f->ncpu; i++)
		read_cpu(f, i);
	summarise(f);
	return f->valid ? 0 : -ENODATA;
}

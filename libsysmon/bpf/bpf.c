// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/bpf.h"

#ifndef SO_ATTACH_BPF
#define SO_ATTACH_BPF 50
#endif

/* enum bpf_cmd */
#define RAW_TRACEPOINT_OPEN 17
/* BPF_F_SLEEPABLE */
#define MAY_SLEEP (1u << 4)

/* Before Linux 6.4 a log that does not fit lacks its end, which holds the error. */
#define LOG_BYTES (256u << 10)
#define LOADS	  5 /* attempts to load a program */

static int sys_bpf(unsigned int cmd, union bpf_attr *attr)
{
	long r = syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	return r < 0 ? -errno : (int)r;
}

/* Raises RLIMIT_MEMLOCK, which requires CAP_SYS_RESOURCE; false if nothing changed. */
static bool raise_memlock(void)
{
	const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
	struct rlimit now;

	return getrlimit(RLIMIT_MEMLOCK, &now) == 0 && now.rlim_cur != RLIM_INFINITY &&
	       setrlimit(RLIMIT_MEMLOCK, &all) == 0;
}

/* Creates a map or loads a program.  Before Linux 5.11 their memory counts against
 * RLIMIT_MEMLOCK, which is 64 KiB on some machines. */
static int create(unsigned int cmd, union bpf_attr *attr)
{
	int fd = sys_bpf(cmd, attr);

	return fd == -EPERM && raise_memlock() ? sys_bpf(cmd, attr) : fd;
}

int sm_bpf_map_create(const char *name, uint32_t type, uint32_t key_bytes,
	uint32_t value_bytes, uint32_t entries, uint32_t flags)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	snprintf(attr.map_name, sizeof(attr.map_name), "%s", name);
	attr.map_type = type;
	attr.key_size = key_bytes;
	attr.value_size = value_bytes;
	attr.max_entries = entries;
	attr.map_flags = flags;
	return create(BPF_MAP_CREATE, &attr);
}

int sm_bpf_array_map(
	struct sm_bpf_array *a, int map_fd, size_t value_bytes, uint32_t entries)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes = (value_bytes * entries + page - 1) / page * page;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	*a = (struct sm_bpf_array){.values = p, .bytes = bytes};
	return 0;
}

void sm_bpf_array_close(struct sm_bpf_array *a)
{
	if (!a->values)
		return;
	munmap(a->values, a->bytes);
	*a = (struct sm_bpf_array){0};
}

int sm_bpf_map_read(int map_fd, void *keys, void *values, uint32_t *n)
{
	union bpf_attr attr;
	uint64_t cursor;
	int err;

	memset(&attr, 0, sizeof(attr));
	attr.batch.out_batch = (uintptr_t)&cursor;
	attr.batch.keys = (uintptr_t)keys;
	attr.batch.values = (uintptr_t)values;
	attr.batch.count = *n;
	attr.batch.map_fd = (uint32_t)map_fd;
	err = sys_bpf(SM_BPF_CMD_LOOKUP_BATCH, &attr);
	*n = err == 0 || err == -ENOENT ? attr.batch.count : 0;
	if (err == 0)
		return -ENOSPC;
	return err == -ENOENT ? 0 : err;
}

int sm_bpf_map_fix(int map_fd, const void *value)
{
	union bpf_attr attr;
	uint32_t zero = 0;
	int err;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)map_fd;
	attr.key = (uintptr_t)&zero;
	attr.value = (uintptr_t)value;
	err = sys_bpf(BPF_MAP_UPDATE_ELEM, &attr);
	if (err)
		return err;
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)map_fd;
	return sys_bpf(SM_BPF_CMD_FREEZE, &attr);
}

int sm_bpf_map_delete(int map_fd, const void *key)
{
	union bpf_attr attr;
	int err;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)map_fd;
	attr.key = (uintptr_t)key;
	err = sys_bpf(BPF_MAP_DELETE_ELEM, &attr);
	return err == -ENOENT ? 0 : err;
}

static int element(unsigned int cmd, int map_fd, const void *key, void *value)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)map_fd;
	attr.key = (uintptr_t)key;
	attr.value = (uintptr_t)value;
	return sys_bpf(cmd, &attr);
}

/* An internal error number of the kernel, unknown to strerror(3). */
#define ENOTSUPP 524

int sm_bpf_map_take(int map_fd, const void *key, void *value)
{
	int err = element(SM_BPF_CMD_LOOKUP_AND_DELETE, map_fd, key, value);

	if (err != -ENOTSUPP && err != -EINVAL)
		return err;
	err = element(BPF_MAP_LOOKUP_ELEM, map_fd, key, value);
	return err ? err : sm_bpf_map_delete(map_fd, key);
}

/* --- programs ---------------------------------------------------------------------- */

/* Returns the end of the text, without its first line, which is incomplete, and its last
 * line, which contains only statistics. */
static void keep_end(struct sm_bpf_log *log, char *text)
{
	char *processed = strstr(text, "\nprocessed "), *from, *nl;
	size_t n, at = 0;

	if (processed)
		*processed = '\0';
	n = strlen(text);
	from = n < sizeof(log->text) / 2 ? text : text + n - sizeof(log->text) / 2;
	nl = from > text ? strchr(from, '\n') : NULL;
	for (from = nl ? nl + 1 : from; *from && at < sizeof(log->text) - 3; from++) {
		if (*from == '\n')
			log->text[at++] = ';';
		log->text[at++] = *from == '\n' ? ' ' : *from;
	}
	log->text[at] = '\0';
}

/* Loads again with a log only after a failure: the log takes the verifier time. */
static void read_log(union bpf_attr *attr, struct sm_bpf_log *log)
{
	char *text = calloc(1, LOG_BYTES);
	int fd;

	if (!text)
		return;
	attr->log_level = 1;
	attr->log_buf = (uintptr_t)text;
	attr->log_size = LOG_BYTES;
	fd = sys_bpf(BPF_PROG_LOAD, attr);
	if (fd >= 0)
		close(fd);
	text[LOG_BYTES - 1] = '\0';
	keep_end(log, text);
	free(text);
}

int sm_bpf_prog_load(const char *name, uint32_t type, const struct bpf_insn *insn,
	size_t n, struct sm_bpf_log *log)
{
	union bpf_attr attr;
	int fd, loads = 0;

	if (log)
		log->text[0] = '\0';
	memset(&attr, 0, sizeof(attr));
	snprintf(attr.prog_name, sizeof(attr.prog_name), "%s", name);
	attr.prog_type = type;
	attr.prog_flags = type == SM_BPF_PROG_SYSCALL ? MAY_SLEEP : 0;
	attr.insns = (uintptr_t)insn;
	attr.insn_cnt = (uint32_t)n;
	attr.license = (uintptr_t) "GPL";
	/* A signal ends the verifier's work, even one that stops and continues the
	 * process. */
	do
		fd = create(BPF_PROG_LOAD, &attr);
	while (fd == -EAGAIN && ++loads < LOADS);
	if (fd < 0 && fd != -EPERM && log)
		read_log(&attr, log);
	return fd;
}

int sm_bpf_attach_raw_tracepoint(const char *tracepoint, int prog_fd)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = (uintptr_t)tracepoint;
	attr.raw_tracepoint.prog_fd = (uint32_t)prog_fd;
	return sys_bpf(RAW_TRACEPOINT_OPEN, &attr);
}

int sm_bpf_prog_run(int prog_fd)
{
	union bpf_attr attr;
	int err;

	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = (uint32_t)prog_fd;
	err = sys_bpf(SM_BPF_CMD_PROG_RUN, &attr);
	return err < 0 ? err : 0;
}

int sm_bpf_attach_socket(int socket_fd, int prog_fd)
{
	int err = setsockopt(
		socket_fd, SOL_SOCKET, SO_ATTACH_BPF, &prog_fd, sizeof(prog_fd));

	return err < 0 ? -errno : 0;
}

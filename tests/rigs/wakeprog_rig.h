/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakeprog_rig: the programs of wakecause, each run once by BPF_PROG_TEST_RUN (Linux 5.10) on a state of a
 * CPU that the test has written.
 */
#ifndef WAKEPROG_RIG_H
#define WAKEPROG_RIG_H

#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "timers/shares.h"
#include "timers/wakecause.bpf.h"
#include "timers/wakes.h"
#include "unit.h"

#define NAME     "a wake)prog"
#define LONG_AGO 1000
#define FUNCTION 0xffffffff81234560

enum { ROOM = 16 }; /* counters */

static struct sm_root root;
static struct sm_bpf_loader loader;
static struct sm_bpf_array array, share_array;
static struct sm_shares *shares;
static unsigned int here;       /* the CPU on which the test and the programs run */
static struct sm_wake_cpu *cpu; /* the state of that CPU */
static bool permitted;

static inline void stay_on_this_cpu(void)
{
	int n = sched_getcpu();
	cpu_set_t set;

	ck_assert_int_ge(n, 0);
	here = (unsigned int)n;
	CPU_ZERO(&set);
	CPU_SET(here, &set);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(set), &set), 0);
}

static inline bool open_programs(void)
{
	struct sm_wake_settings settings = {.zero_polls = 1};
	int err;

	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	(void)!sm_bpf_loader_open(&loader, &wakecause_bpf, &root, NULL);
	loader.entries[MAP_TIMER_OWNERS] = 1;
	loader.entries[MAP_WAKE_COUNTS] = ROOM;
	loader.entries[MAP_WAKE_CPUS] = (uint32_t)sysconf(_SC_NPROCESSORS_CONF);
	err = sm_bpf_loader_array(&loader, MAP_WAKE_CPUS, &array);
	if (err == 0)
		err = sm_bpf_loader_array(&loader, MAP_SHARES, &share_array);
	if (err == 0)
		err = sm_bpf_loader_set(&loader, MAP_SETTINGS, &settings);
	ck_assert(err == 0 || err == -EPERM || err == -EACCES || err == -ENOSYS);
	return err == 0;
}

static inline void setup(void)
{
	stay_on_this_cpu();
	permitted = open_programs();
	if (!permitted) {
		unit_skip("no permission to load programs");
		return;
	}
	ck_assert_int_eq(prctl(PR_SET_NAME, NAME), 0);
	cpu = (struct sm_wake_cpu *)array.values + here;
	shares = share_array.values;
	shares->room = ROOM;
}

static inline void teardown(void)
{
	sm_bpf_array_close(&array);
	sm_bpf_array_close(&share_array);
	sm_bpf_loader_close(&loader);
	sm_root_close(&root);
}

enum { ANY_CPU = -1 };

/* Runs a loaded program; on another CPU, it runs in the interrupt that requests it. */
static inline void run_loaded(int fd, const uint64_t argument[3], int there)
{
	struct { /* attr.test of union bpf_attr, of which older headers lack cpu */
		uint32_t prog_fd, retval, data_size_in, data_size_out;
		uint64_t data_in, data_out;
		uint32_t repeat, duration, ctx_size_in, ctx_size_out;
		uint64_t ctx_in, ctx_out;
		uint32_t flags, cpu;
	} attr = {.prog_fd = (uint32_t)fd, .ctx_size_in = 3 * sizeof(*argument)};

	attr.ctx_in = (uintptr_t)argument;
	if (there != ANY_CPU) {
		attr.flags = 1; /* BPF_F_TEST_RUN_ON_CPU */
		attr.cpu = (uint32_t)there;
	}
	ck_assert_int_eq((int)syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr, sizeof(attr)), 0);
}

static inline void run(unsigned int program, uint64_t first, uint64_t second, uint64_t third)
{
	SM_CLOSE_FD int fd = sm_bpf_loader_load(&loader, program);
	const uint64_t argument[] = {first, second, third};

	ck_assert_int_ge(fd, 0);
	run_loaded(fd, argument, ANY_CPU);
}

static inline void idle(int state)
{
	run(PROGRAM_WAKE_IDLE, (uint64_t)state, here, 0);
}

static inline uint64_t self(void)
{
	return (uint64_t)(uint32_t)getpid() << 32 | (uint32_t)syscall(SYS_gettid);
}

/* Reads the counters of all keys and returns their number. */
static inline uint32_t read_counts(struct sm_wake_key *key, struct sm_wake_counts *counts)
{
	uint32_t n = ROOM;

	ck_assert_int_eq(sm_bpf_map_read(sm_bpf_loader_map(&loader, MAP_WAKE_COUNTS), key,
				 counts, &n),
		0);
	return n;
}

/* Counts the sleep that the CPU's state describes, and returns the only key and its counters. */
static inline struct sm_wake_key count(struct sm_wake_counts *counts)
{
	struct sm_wake_key key[ROOM];
	struct sm_wake_counts all[ROOM];

	cpu->phase = SM_WAKE_AWAKE;
	cpu->slept_ns = 5000;
	idle(1);
	ck_assert_uint_eq(read_counts(key, all), 1);
	ck_assert_uint_eq(key[0].cpu, here);
	ck_assert_uint_eq(all[0].wakeups, 1);
	ck_assert_uint_eq(all[0].slept_ns, 5000);
	*counts = all[0];
	return key[0];
}

#endif

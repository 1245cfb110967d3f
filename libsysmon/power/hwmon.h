/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hwmon: power and energy sensors (Documentation/hwmon/sysfs-interface.rst): power*_average and
 * power*_input in uW, energy*_input in uJ, of hwmonN, or of hwmonN/device where an old driver
 * (the ACPI power meter until 6.16) has its attributes.
 *
 * A channel counts once: its average, or its input if the average cannot be read.  A chip whose name
 * is that of a power supply is left out: see battery.h.
 * Only these measure the whole machine: every channel of power_meter (ACPI000D), those labelled
 * "System" of ibmpowernv, "Total System Power" of macsmc_hwmon, "power total" of corsairpsu.
 * All others measure a part of it.  Sensors of one chip can lie inside one another (card and pkg of
 * xe, Esocket and Ecore of amd_energy, pin and pout of a power supply, power and energy of one
 * channel), so a chip with several counts by a rule or not at all: enum sm_hwmon_scope.
 * A reading wakes a suspended graphics card: then there is none (-EAGAIN).
 * Energy counters have 64 bits.  If a difference modulo 2^64 is no plausible energy, the counter
 * has restarted: the difference is dropped, and the restart is counted.
 */
#ifndef SM_HWMON_H
#define SM_HWMON_H

#include "base/base.h"
#include "base/file.h"
#include "kernel/root.h"

#define SM_HWMON_NAME_MAX 64

enum sm_hwmon_scope { /* what a sensor measures, the most first */
	SM_HWMON_SYSTEM,  /* the whole machine */
	SM_HWMON_SUPPLY,  /* what a power supply takes in: "pin" of a PMBus chip */
	SM_HWMON_DEVICE,  /* a card, a socket; the only sensor of its chip */
	SM_HWMON_INSIDE,  /* a part of what another sensor of the chip measures */
	SM_HWMON_UNKNOWN, /* one of several of its chip, for which there is no rule */
};

struct sm_hwmon_sensor {
	unsigned int number;             /* hwmonN */
	unsigned int channel;            /* powerC_..., energyC_... */
	char chip[SM_HWMON_NAME_MAX];    /* content of the file name; any bytes */
	char base[SM_HWMON_NAME_MAX + 24]; /* powerC_label, or "chip-powerC" */
	bool has_label;
	char label[2 * SM_HWMON_NAME_MAX]; /* base, or "base-N" if several have it; unique */
	char attribute[32];              /* power1_average */
	enum sm_hwmon_scope scope;
	bool counted;                    /* nothing that is in the total contains it */
	bool energy;                     /* a counter in uJ, else uW */
	int error;                       /* -errno of the last reading; 0: fine */
	uint64_t value;                  /* uW or uJ, with error == 0 */
	uint64_t read_ns;                /* CLOCK_MONOTONIC of the last good reading */
	uint64_t interval_ms;            /* power*_average_interval; 0: unknown */
	/* Energy counters: */
	bool has_base;
	uint64_t energy_uj;              /* since the first reading */
	uint64_t covered_ns;             /* time that energy_uj covers */
	uint64_t rebased;                /* restarts of the counter */
	struct sm_file file;             /* only its fd is used */
	struct sm_file suspend;          /* of a graphics card: power/runtime_status */
};

struct sm_hwmon {
	struct sm_hwmon_sensor *sensor;  /* by hwmonN, power before energy, by channel */
	unsigned int n;
	size_t cap;
};

int sm_hwmon_open(struct sm_hwmon *h, const struct sm_root *root) SM_MUST; /* -ENOENT: none */
/* Does the total measure the whole machine? */
bool sm_hwmon_is_system(const struct sm_hwmon *h);
bool sm_hwmon_is_gpu(const struct sm_hwmon_sensor *s);
/* One pread for each; returns the number of sensors with a value. */
int sm_hwmon_read(struct sm_hwmon *h) SM_MUST;
void sm_hwmon_close(struct sm_hwmon *h);
/* Exposed for tests: adds the reading of a counter at now_ns. */
void sm_hwmon_count(struct sm_hwmon_sensor *s, uint64_t uj, uint64_t now_ns);

#endif

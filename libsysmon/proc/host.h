/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host: facts about the machine that explain why hardware is invisible: hypervisor, container, model of the
 * processor (/proc/cpuinfo, /sys/hypervisor/type, /sys/class/dmi/id, /proc/self/mountinfo).
 *
 * guest: the flag "hypervisor" of the processor, the type of /sys/hypervisor, the device tree's node
 * hypervisor, or a board made by a hypervisor (DMI).
 * container: /sys is mounted read-only, or powercap is covered by a mount, as container runtimes do it.
 * Only the mounts of the own namespace are known, so this is false for the root of another machine.
 */
#ifndef SM_HOST_H
#define SM_HOST_H

#include "base/root.h"

struct sm_host {
	bool guest;
	char hypervisor[64];       /* "xen", "QEMU" ..., any bytes; "": unknown */
	bool container;
	bool has_cpu;              /* cpuinfo describes the processor */
	char vendor[32];           /* "GenuineIntel"; "": not an x86 processor */
	uint64_t family, model;    /* of an x86 processor */
};

/* Reads all facts; a file that cannot be read leaves its facts at 0. */
void sm_host_read(struct sm_host *h, const struct sm_root *root);

#endif

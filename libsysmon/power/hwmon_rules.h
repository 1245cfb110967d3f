/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hwmon_rules: which sensors of hwmon.h measure what, and which are added up.
 *
 * Only these sensors measure the whole machine: every channel of power_meter (ACPI000D,
 * acpi_power_meter.rst), and the channels labelled "System" of ibmpowernv, "Total System Power" of
 * macsmc_hwmon, "power total" of corsairpsu, and "VDD_IN" or "POM_5V_IN", the supply of a Jetson module,
 * of an INA3221 (ina3221.rst; the labels are in the device tree).  All others measure a part of it.  Other
 * Jetson modules have several supplies (VDD_GPU_SOC, VDD_CPU_CV, VIN_SYS_5V0), and no rule applies to them.
 *
 * Sensors of one chip can include one another (card and pkg of xe, Esocket and Ecore of amd_energy, pin
 * and pout of a power supply, power and energy of one channel), so the sensors of such a chip are added
 * up by a rule or not at all: enum sm_hwmon_scope.  These sensors of a chip are separate rails, and their
 * sum is the power of the processor: SVI2_P_Core and SVI2_P_SoC of zenpower (the label can begin with
 * "cpu1 "), "CPU power" and "IO power" of apm_xgene (xgene-hwmon.rst) and altra_hwmon.  The sensor of
 * fam15h_power (fam15h_power.rst) also measures the processor.
 *
 * Only sensors of the widest scope are added up, unless the user selects sensors.  Of several kinds of
 * meters of the whole machine, only the first one in the order above that has a value is used, because the
 * sum would be a multiple of the power; meters of one kind, such as one in each power supply, are added.
 */
#ifndef SM_HWMON_RULES_H
#define SM_HWMON_RULES_H

#include "power/hwmon.h"

/* Returns SM_HWMON_SYSTEM or SM_HWMON_UNKNOWN; chip and label must be set. */
enum sm_hwmon_scope sm_hwmon_first_scope(const struct sm_hwmon_sensor *s);
/* Sets the scopes of the n sensors of one chip, after their first reading. */
void sm_hwmon_set_scopes(struct sm_hwmon_sensor *s, unsigned int n);
/* Returns whether one of two sensors of a chip reports the energy and the other one the power of a
 * channel. */
bool sm_hwmon_same_channel(const struct sm_hwmon_sensor *a, const struct sm_hwmon_sensor *b);

/* Counts the sensors of the widest scope. */
void sm_hwmon_count_widest(struct sm_hwmon *h);
/* Selects the sensors that are added up: a comma-separated list of labels, raw or as they are printed.
 * If labels is NULL, the sensors of the widest scope are selected if the source was requested or if they
 * measure the whole machine; otherwise the sensors of the processor.  Meters of the whole machine without
 * a value are selected only if there is nothing else.
 * -EINVAL: there is no such label, and *why names it and the nearest one, sanitised.  -ENODATA: nothing
 * can be selected. */
int sm_hwmon_choose(struct sm_hwmon *h, const char *labels, bool requested, struct sm_buf *why) SM_MUST;

/* Return whether all sensors that are added up measure the whole machine, or processors only. */
bool sm_hwmon_is_system(const struct sm_hwmon *h);
bool sm_hwmon_is_processor(const struct sm_hwmon *h);

#endif

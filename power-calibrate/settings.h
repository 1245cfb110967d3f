/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings: the settings that distinguish two results: the power source, the CPUs with their governor, energy
 * preference and turbo, the CPU limit of the cgroup, and the options of the run.  All formats for programs
 * contain them; unknown values and options that were not given are left out.
 */
#ifndef POWER_CALIBRATE_SETTINGS_H
#define POWER_CALIBRATE_SETTINGS_H

#include "format/prom.h"
#include "format/yaml.h"
#include "result.h"

/* Adds the keys source, machine and options to a JSON record. */
void settings_json(const struct result *r, struct sm_json *j);
/* Write the members of a mapping. */
void settings_yaml_machine(const struct result *r, struct sm_yaml *y);
void settings_yaml_options(const struct result *r, struct sm_yaml *y);
/* Appends comment lines for gnuplot. */
void settings_gnuplot(const struct result *r, struct sm_buf *b);
/* Writes the settings as the labels of a family, which stays in the file after the run if has_result. */
void settings_prom(const struct result *r, bool has_result, struct sm_prom *p);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gpufreq: the frequency of the first GPU that tells one, MHz: i915 (card0/gt_cur_freq_mhz, or
 * gt/gt0/rps_cur_freq_mhz), xe (device/tile0/gt0/freq0/cur_freq), amdgpu (the line with '*' of
 * device/pp_dpm_sclk; Documentation/gpu/amdgpu/thermal.rst).
 */
#ifndef SM_GPUFREQ_H
#define SM_GPUFREQ_H

#include "base.h"
#include "file.h"
#include "root.h"

struct sm_gpufreq {
	struct sm_file file;
	bool amd;
};

int sm_gpufreq_open(struct sm_gpufreq *g, const struct sm_root *root) SM_MUST; /* -ENOENT: none */
int sm_gpufreq_read(struct sm_gpufreq *g, uint64_t *mhz) SM_MUST;
void sm_gpufreq_close(struct sm_gpufreq *g);

#endif

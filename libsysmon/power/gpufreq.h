/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gpufreq: the frequency of the first GPU that reports one, in MHz: i915 (card0/gt_cur_freq_mhz, or
 * gt/gt0/rps_cur_freq_mhz), xe (device/tile0/gt0/freq0/cur_freq), amdgpu (the line with '*' of
 * device/pp_dpm_sclk; Documentation/gpu/amdgpu/thermal.rst).  Cards are tried by number; a card
 * without a value at the opening (runtime suspended) is used only if all cards are without one.
 */
#ifndef SM_GPUFREQ_H
#define SM_GPUFREQ_H

#include "base/base.h"
#include "base/file.h"
#include "base/root.h"

struct sm_gpufreq {
	struct sm_file file;
	bool amd;
};

int sm_gpufreq_open(struct sm_gpufreq *g, const struct sm_root *root) SM_MUST; /* -ENOENT: no GPU */
/* Reads the frequency by one pread.  -ENODATA: not valid (0, or above 100 GHz). */
int sm_gpufreq_read(struct sm_gpufreq *g, uint64_t *mhz) SM_MUST;
void sm_gpufreq_close(struct sm_gpufreq *g);
/* Parses the text of amdgpu, or of the other drivers; exposed for tests and fuzzing. */
int sm_gpufreq_parse(const char *p, size_t n, bool amd, uint64_t *mhz) SM_MUST;

#endif

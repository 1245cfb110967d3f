// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "proc/sysfs.h"
#include "power/gpufreq.h"
#include "base/parse.h"

#define CLASS	 "class/drm"
#define PATH_CAP 96u
#define MHZ_MAX	 100000u

/* Files in order of preference; a current i915 driver has the first two. */
static const struct {
	const char *name;
	bool amd;
} files[] = {
	{"gt_cur_freq_mhz", false},
	{"gt/gt0/rps_cur_freq_mhz", false},
	{"device/tile0/gt0/freq0/cur_freq", false},
	{"device/pp_dpm_sclk", true},
};

/* ---- parsing ---- */

/* Parses "1: 600Mhz *"; in deep sleep "S: 19Mhz *". */
static bool parse_level(struct sm_str line, uint64_t *mhz)
{
	const char *end = line.p + line.n, *p = memchr(line.p, ':', line.n);

	if (!p || !memchr(p, '*', (size_t)(end - p)))
		return false;
	p++;
	sm_parse_skip_blanks(&p, end);
	return sm_parse_u64(&p, end, mhz) && end - p >= 3 &&
	       strncasecmp(p, "mhz", 3) == 0;
}

static bool parse_levels(const char *p, const char *end, uint64_t *mhz)
{
	struct sm_str line;

	while (sm_parse_line(&p, end, &line))
		if (parse_level(line, mhz))
			return true;
	return false;
}

static bool parse_number(const char *p, const char *end, uint64_t *mhz)
{
	struct sm_str line;

	return sm_parse_line(&p, end, &line) && p == end && sm_parse_whole_u64(line, mhz);
}

int sm_gpufreq_parse(const char *p, size_t n, bool amd, uint64_t *mhz)
{
	uint64_t v = 0;

	if (!(amd ? parse_levels(p, p + n, &v) : parse_number(p, p + n, &v)))
		return -ENODATA;
	if (v == 0 || v > MHZ_MAX)
		return -ENODATA;
	*mhz = v;
	return 0;
}

/* ---- finding the file ---- */

struct search {
	const struct sm_root *root;
	unsigned int after, card; /* the lowest number >= after */
	bool found;
};

static int lowest_card(void *ctx, const char *name)
{
	struct search *s = ctx;
	unsigned int number;

	if (!sm_sysfs_number(name, "card", &number) || number < s->after)
		return 0;
	if (!s->found || number < s->card)
		s->card = number;
	s->found = true;
	return 0;
}

/* Opens the card's first file; with must_read, the first that has a frequency now. */
static bool open_card(struct sm_gpufreq *g, const struct search *s, bool must_read)
{
	char path[PATH_CAP];
	uint64_t mhz;

	for (size_t i = 0; i < SM_ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), CLASS "/card%u/%s", s->card, files[i].name);
		if (sm_file_open(&g->file, s->root->sys, path) < 0)
			continue;
		g->amd = files[i].amd;
		if (!must_read || sm_gpufreq_read(g, &mhz) == 0)
			return true;
		sm_gpufreq_close(g);
	}
	return false;
}

static bool open_any(struct sm_gpufreq *g, const struct sm_root *root, bool must_read)
{
	struct search s = {.root = root};

	for (;;) {
		s.found = false;
		if (sm_sysfs_each(root->sys, CLASS, lowest_card, &s) < 0 || !s.found)
			return false;
		if (open_card(g, &s, must_read))
			return true;
		if (s.card + 1 == 0)
			return false;
		s.after = s.card + 1;
	}
}

int sm_gpufreq_open(struct sm_gpufreq *g, const struct sm_root *root)
{
	*g = (struct sm_gpufreq){.file = SM_FILE_INIT};
	if (open_any(g, root, true) || open_any(g, root, false))
		return 0;
	return -ENOENT;
}

int sm_gpufreq_read(struct sm_gpufreq *g, uint64_t *mhz)
{
	ssize_t n = g->file.fd < 0 ? -ENOENT : sm_file_read(&g->file);

	if (n < 0)
		return (int)n;
	return sm_gpufreq_parse(g->file.buf, (size_t)n, g->amd, mhz);
}

void sm_gpufreq_close(struct sm_gpufreq *g)
{
	sm_file_close(&g->file);
}

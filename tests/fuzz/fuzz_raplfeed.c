// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_raplfeed: numbers out of counters: two dies of one package, the first with a twin
 * in another control type.  Whatever they say, sums never fall, never cover more than the
 * time that passed, and never hold more than the zone can draw in the time that they
 * cover.
 *
 * Input: range (8 bytes, the lower four are the limit in uW, too), then readings of:
 * which zones fail (1), milliseconds (2), and for each zone a step (4, signed, in 64 mJ).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "rapl.h"

#define ZONES	     3
#define STEP_UJ	     64000
#define READING_SIZE (3 + 4 * ZONES)
#define START_NS     SM_NSEC_PER_SEC

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void check_growth(const struct sm_rapl_zone *z, const struct sm_rapl_zone *was)
{
	require(z->energy_uj >= was->energy_uj && z->covered_ns >= was->covered_ns);
	require(z->wraps >= was->wraps && z->glitches >= was->glitches);
	require(z->rebased >= was->rebased && strcmp(z->label, was->label) == 0);
}

static void check_sums(const struct sm_rapl_zone *z, uint64_t now_ns)
{
	/* less than 1 uJ for each reading is lost or won by rounding */
	double most = (double)z->cap_uw * (double)z->covered_ns / 1e9;

	require(z->covered_ns <= now_ns - START_NS);
	require((double)z->energy_uj <= most * (1 + 1e-12) + 1);
	require(z->held <= 3 && (z->error == 0 || z->error == -EIO));
}

static void check_total(const struct sm_rapl *r)
{
	unsigned int counted = 0, mirrored = 0;

	for (unsigned int i = 0; i < r->n; i++) {
		counted += r->zone[i].why == SM_RAPL_COUNTED;
		mirrored += r->zone[i].why == SM_RAPL_MIRROR;
		require(r->zone[i].partner < (int)r->n && r->zone[i].partner != (int)i);
	}
	require(counted == r->counted);
	require(counted + mirrored == 2); /* and the twin */
}

static void feed(struct sm_rapl_zone *z, bool fails, const uint8_t *step, uint64_t now_ns)
{
	int32_t by;

	memcpy(&by, step, sizeof(by));
	z->error = fails ? -EIO : 0;
	z->last_uj = z->last_ns = 0;
	if (!fails)
		sm_rapl_feed(z, z->raw_uj + (uint64_t)((int64_t)by * STEP_UJ), now_ns);
}

static void add_zones(struct sm_rapl *r, const uint8_t *range)
{
	require(sm_rapl_add(r, "intel-rapl:0", "package-0-die-0") == 0);
	require(sm_rapl_add(r, "intel-rapl-mmio:0", "package-0-die-0") == 0);
	require(sm_rapl_add(r, "intel-rapl:1", "package-0-die-1") == 0);
	sm_rapl_arrange(r);
	for (unsigned int i = 0; i < ZONES; i++) {
		memcpy(&r->zone[i].range_uj, range, 8);
		r->zone[i].limit_uw = r->zone[i].range_uj & UINT32_MAX;
		r->zone[i].fd = 0; /* as if it were open; nothing is read */
	}
}

static void run(const uint8_t *p, size_t readings, struct sm_rapl *r)
{
	struct sm_rapl_zone was[ZONES];
	uint64_t now_ns = START_NS;

	for (; readings > 0; readings--, p += READING_SIZE) {
		uint16_t ms;

		memcpy(&ms, p + 1, sizeof(ms));
		now_ns += ms * SM_NSEC_PER_MSEC;
		memcpy(was, r->zone, sizeof(was));
		for (unsigned int i = 0; i < ZONES; i++)
			feed(&r->zone[i], p[0] >> i & 1, p + 3 + 4 * i, now_ns + i);
		r->readings++;
		sm_rapl_settle(r);
		for (unsigned int i = 0; i < ZONES; i++) {
			check_growth(&r->zone[i], &was[i]);
			check_sums(&r->zone[i], now_ns + ZONES);
		}
		check_total(r);
		require(sm_rapl_gap_ns(r) >= 10 * SM_NSEC_PER_MSEC);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sm_rapl r = {0};

	if (size < 8)
		return 0;
	add_zones(&r, data);
	run(data + 8, (size - 8) / READING_SIZE, &r);
	for (unsigned int i = 0; i < r.n; i++)
		r.zone[i].fd = -1;
	sm_rapl_close(&r);
	return 0;
}

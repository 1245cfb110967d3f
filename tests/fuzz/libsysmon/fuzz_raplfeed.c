// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_raplfeed: arbitrary counter values of two dies of one package, the first with a
 * duplicate zone in another control type.  Sums never fall, never cover more than the
 * time that passed, and never exceed the energy that the zone can draw in the time
 * covered.
 *
 * Input: range (8 bytes, the lower four are the limit in uW, too), then readings of:
 * which zones fail (1), milliseconds (2), and for each zone a step (4, signed, in 64 mJ).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "power/rapl.h"

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
	require(z->sums.energy_uj >= was->sums.energy_uj &&
		z->sums.covered_ns >= was->sums.covered_ns);
	require(z->sums.wraps >= was->sums.wraps &&
		z->sums.glitches >= was->sums.glitches);
	require(z->sums.rebased >= was->sums.rebased &&
		strcmp(z->role.label, was->role.label) == 0);
}

static void check_sums(const struct sm_rapl_zone *z, uint64_t now_ns)
{
	/* rounding changes a sum by less than 1 uJ for each reading */
	double most = (double)z->counter.cap_uw * (double)z->sums.covered_ns / 1e9;

	require(z->sums.covered_ns <= now_ns - START_NS);
	require((double)z->sums.energy_uj <= most * (1 + 1e-12) + 1);
	require(z->counter.held <= 3 &&
		(z->counter.error == 0 || z->counter.error == -EIO));
}

static void check_total(const struct sm_rapl *r)
{
	unsigned int counted = 0, mirrored = 0;

	for (unsigned int i = 0; i < r->zones.n; i++) {
		counted += r->zones.at[i].role.why == SM_RAPL_COUNTED;
		mirrored += r->zones.at[i].role.why == SM_RAPL_MIRROR;
		require(r->zones.at[i].role.partner < (int)r->zones.n &&
			r->zones.at[i].role.partner != (int)i);
	}
	require(counted == r->zones.counted);
	require(counted + mirrored == 2); /* and the duplicate */
}

static void feed(struct sm_rapl_zone *z, bool fails, const uint8_t *step, uint64_t now_ns)
{
	int32_t by;

	memcpy(&by, step, sizeof(by));
	z->counter.error = fails ? -EIO : 0;
	z->counter.added.uj = z->counter.added.ns = 0;
	if (!fails)
		sm_rapl_counter_feed(&z->counter, &z->sums,
			z->counter.raw.uj + (uint64_t)((int64_t)by * STEP_UJ), now_ns);
}

static void add_zones(struct sm_rapl *r, const uint8_t *range)
{
	require(sm_rapl_zones_add(&r->zones, "intel-rapl:0", "package-0-die-0") == 0);
	require(sm_rapl_zones_add(&r->zones, "intel-rapl-mmio:0", "package-0-die-0") ==
		0);
	require(sm_rapl_zones_add(&r->zones, "intel-rapl:1", "package-0-die-1") == 0);
	sm_rapl_zones_arrange(&r->zones);
	for (unsigned int i = 0; i < ZONES; i++) {
		memcpy(&r->zones.at[i].counter.range_uj, range, 8);
		r->zones.at[i].counter.limit_uw =
			r->zones.at[i].counter.range_uj & UINT32_MAX;
		r->zones.at[i].counter.fd = 0; /* as if it were open; nothing is read */
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
		memcpy(was, r->zones.at, sizeof(was));
		for (unsigned int i = 0; i < ZONES; i++)
			feed(&r->zones.at[i], p[0] >> i & 1, p + 3 + 4 * i, now_ns + i);
		r->readings++;
		sm_rapl_zones_settle(&r->zones);
		for (unsigned int i = 0; i < ZONES; i++) {
			check_growth(&r->zones.at[i], &was[i]);
			check_sums(&r->zones.at[i], now_ns + ZONES);
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
	for (unsigned int i = 0; i < r.zones.n; i++)
		r.zones.at[i].counter.fd = -1;
	sm_rapl_close(&r);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rates: a row of rates each --interval, and the Prometheus file.
 */
#ifndef FS_RATES_H
#define FS_RATES_H

#include "clock.h"
#include "prom.h"
#include "summary.h"
#include "view.h"

/* How often the Prometheus file is written when no --interval says so. */
#define RATES_PROM_NS (15 * SM_NSEC_PER_SEC)

struct rates {
	const struct fs_opts *opts;
	struct sm_ticker ticker;   /* interval_ns 0: no interval */
	uint64_t last_ns;
	uint64_t count[FS_NEVENTS], lost;
	struct sm_prom prom;
};

void rates_init(struct rates *r, const struct fs_opts *o, uint64_t now_ns);
uint64_t rates_next(const struct rates *r); /* SM_LOOP_FOREVER without an interval */
/* At each turn of the loop: shows and writes what is due.  -errno: of the Prometheus file. */
int rates_turn(struct rates *r, struct summary *s, struct view *v, uint64_t now_ns) SM_MUST;
/* Writes the Prometheus file now, if there is one. */
int rates_prom(struct rates *r, const struct summary *s) SM_MUST;
void rates_fini(struct rates *r);

#endif

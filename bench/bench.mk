# make bench: forkstat against the original, if its package is installed, on the live kernel
# SPDX-License-Identifier: GPL-2.0-or-later
# (root; about 6 minutes, one with BENCH_QUICK=1).  Writes bench/report-forkstat.md.
bench: all helpers
	$(AS_ROOT) $(TEST_ENV) BENCH_QUICK=$(BENCH_QUICK) bench/forkstat.sh bench/report-forkstat.md

.PHONY: bench

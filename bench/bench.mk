# make bench: compares each tool with the original, if its package is installed, on the live kernel
# SPDX-License-Identifier: GPL-2.0-or-later
# (root; about 6 minutes a tool, one with BENCH_QUICK=1; power-calibrate 25 and 8).  Writes bench/report-TOOL.md.
# make bench-TOOL: one tool.  Never run two at a time: each would disturb the other's figures.
BENCHES   := $(patsubst bench/%.sh,%,$(wildcard $(TOOLS:%=bench/%.sh)))
bench_run  = $(AS_ROOT) $(TEST_ENV) BENCH_QUICK=$(BENCH_QUICK) bench/$(1).sh bench/report-$(1).md

bench: all helpers lab
	$(foreach b,$(BENCHES),$(call bench_run,$(b)) &&) :
$(BENCHES:%=bench-%): bench-%: all helpers lab
	$(call bench_run,$*)

.PHONY: bench $(BENCHES:%=bench-%)

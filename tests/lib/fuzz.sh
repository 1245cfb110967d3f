#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fuzz.sh TARGET...: runs each libFuzzer program for FUZZ_SECONDS (default 20) on a copy of
# its corpus.  A crash leaves its input in build/fuzz-found/NAME/.  Ends with 1 if any failed.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
failed=0
for target; do
	name=${target#*/fuzz/} # FOLDER/fuzz_NAME
	name=${name/fuzz_/}
	found=$top/build/fuzz-found/$name
	seeds=$top/tests/fuzz/corpus/$name
	mkdir -p "$found"
	[ -d "$seeds" ] || seeds=
	if "$target" -max_total_time="${FUZZ_SECONDS:-20}" -timeout=10 -rss_limit_mb=1024 \
		-artifact_prefix="$found/" -print_final_stats=1 "$found" ${seeds:+"$seeds"} \
		>"$found.log" 2>&1; then
		printf 'fuzz %-20s ok: %s runs\n' "$name" \
			"$(sed -n 's/^stat::number_of_executed_units: *//p' "$found.log")"
	else
		failed=1
		printf 'fuzz %-20s FAILED, see %s.log\n' "$name" "$found"
		tail -n 30 "$found.log"
	fi
done
exit "$failed"

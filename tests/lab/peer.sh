#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# timeout: 240
# Debian's tools on simulated machines, two programs and one truth: powerstat on one of 25 W (it reads only
# intel-rapl-mmio zones, and runs for at least 60 s), power-calibrate on one that follows the load.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
need_root
PEER=${PEER:-/usr/bin/powerstat}
[ -x "$PEER" ] || skip_all 'needs the original powerstat'
lab_need
RUN_LIMIT=90
lab "$(lab_tree rapl-mmio-only)" "$PEER" -R -d 0 1 60
expect_exit 0 'the original runs on it'
like "$out" 'CPU: +25\.0[01] Watts on average' 'and finds 25 W'
lab_table "$TMP/out" >"$TMP/rows.csv"
lab_judge -c Watts=watts "$TMP/rows.csv"
is "${J[Watts.rows]}" 60 '60 rows'
ok 'mean within 0.1 %' awk -v e="${J[Watts.run_error]}" 'BEGIN { exit !(e <= 0.1) }'
diag "greatest error of a row: ${J[Watts.max_error]} %"

CALIBRATE=${CALIBRATE:-/usr/sbin/power-calibrate}
if [ -x "$CALIBRATE" ]; then
	RUN_LIMIT=$((30 * $(nproc --all) + 30))
	lab "$(lab_tree calibrate-clean)" "$CALIBRATE" -R -r 10 -s 3
	expect_exit 0 'the original power-calibrate runs'
	slope=$(sed -n 's/.*CPU load \* \([0-9.e+-]*\)) + .*/\1/p' "$TMP/out" | tail -n 1)
	error=$(awk -v s="$slope" -v n="$(awk -F'\t' '$1 == "load" { print $3 }' "$lab_log")" \
		'BEGIN { printf "%.2f\n", 100 * (s / (10 * n / 100) - 1) }')
	# With other load beside it is off; on a quiet machine by 2 % at most.
	ok "its slope of $slope W for 1 % is off by $error %" awk -v e="$error" 'BEGIN { exit !(e > -20 && e < 20) }'
else
	skip 'needs the original power-calibrate' 2
fi
done_testing

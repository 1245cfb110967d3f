#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# timeout: 120
# Debian's powerstat on a simulated machine of 25 W (it reads only intel-rapl-mmio zones, and runs
# for at least 60 s): two programs and one truth.
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
done_testing

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# The truth that cpustat's loads write agrees with other figures of the kernel.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"

# The loads against the kernel's other accounts: wait4's for all, stat's ticks for one.
cpu_of() { awk '$1 == "child" || $1 == "lost" { n += $5 } $1 == "step" && !s++ { own = -$5 } $1 == "step" { last = $5 } END { printf "%d", (n + own + last) / 1e3 }' "$1"; }
usage() { # ARGUMENT...: of cpuspawn
	run "$HELPERS/rusage" "$TMP/usage" "$HELPERS/cpuspawn" -t 1.5 -o "$TMP/truth" "$@"
	expect_exit 0 "cpuspawn $*"
	user_us=0 sys_us=0
	# shellcheck disable=SC1091
	. "$TMP/usage"
	near "$(cpu_of "$TMP/truth")" $((user_us + sys_us)) 30 "cpuspawn $*: by wait4, us" 2000
}
usage spawn 200 1000
usage spawn 20 5000 sys
usage orphan 50 2000
usage tree 2 3 2000
run "$HELPERS/cpuload" -t 1.5 -o "$TMP/truth" duty 30 3
expect_exit 0 'cpuload duty'
read -r _ busy _ <"$TMP/out"
is "$(awk -v busy="$busy" '$1 == "step" { if (!($3 in t)) { t[$3] = $2; c[$3] = $5 } T[$3] = $2; C[$3] = $5 }
	END { for (p in t) { d = 100 * (C[p] - c[p]) / (T[p] - t[p]); print (p == busy ? d > 5 && d < 31 : d > 0.5 && d < 10) } }' "$TMP/truth" | paste -sd' ')" '1 1' \
	'duty cycles are those asked for, less what a busy machine does not give'
load cpuload duty 40
sleep 1
ticks=$(sed 's/.*) //' "/proc/${tasks[0]}/stat" | awk '{ print ($12 + $13) * 10000 }')
end_load
is "$(awk '$1 == "step"' "$TMP/truth" | cut -f 3 | sort -u)" "${tasks[0]}" 'steps of that task'
num "$(awk -v t="$ticks" '$1 == "step" { d = $5 / 1e3 - t; if (d < 0) d = -d; if (!n++ || d < m) m = d } END { printf "%d", m }' "$TMP/truth")" -le 20000 "its ticks are somewhere on the way"
done_testing

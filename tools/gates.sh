#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 900
# gates.sh TARGET...: each `make TARGET` as one TAP test, for the runner.  If it fails, its output is printed; the name of
# the test has the first of the tests that failed in it.
set -u
cd "$(dirname "$0")/.." || exit 2
unset MAKEFLAGS MFLAGS MAKELEVEL
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
n=0 failed=0

gate() { # TARGET
	local first
	n=$((n + 1))
	if make -j"$(nproc)" "$1" >"$log" 2>&1; then
		echo "ok $n - make $1"
		sed -n "s/^[0-9]*%: Checks:.*/# &/p; s/^.*left out.*/# &/p" "$log"
		return
	fi
	failed=1
	# The list of the runner, with which its output ends.
	first=$(sed -n '/^Failed:$/,/^[0-9]*%: /s/^    //p' "$log" | head -n 1 | cat -v)
	echo "not ok $n - make $1${first:+: $first}"
	grep -nE '(error|warning):|not ok|ERROR|FINDINGS' "$log" | tail -n 30 | cat -v | sed 's/^/# /'
	echo '# end of the output:'
	tail -n 30 "$log" | cat -v | sed 's/^/# /'
}

echo "1..$#"
for target; do gate "$target"; done
exit "$failed"

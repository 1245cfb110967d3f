#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 900
# gates.sh TARGET...: each `make TARGET` as one TAP test, for the runner; its output is printed
# if it fails.
set -u
cd "$(dirname "$0")/.." || exit 2
unset MAKEFLAGS MFLAGS MAKELEVEL
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
n=0 failed=0

gate() { # TARGET
	n=$((n + 1))
	if make -j"$(nproc)" "$1" >"$log" 2>&1; then
		echo "ok $n - make $1"
		sed -n "s/^[0-9]*%: Checks:.*/# &/p; s/^.*left out.*/# &/p" "$log"
		return
	fi
	failed=1
	echo "not ok $n - make $1"
	grep -nE '(error|warning):|not ok|ERROR|FINDINGS' "$log" | tail -n 30 | cat -v | sed 's/^/# /'
	echo '# end of the output:'
	tail -n 30 "$log" | cat -v | sed 's/^/# /'
}

echo "1..$#"
for target; do gate "$target"; done
exit "$failed"

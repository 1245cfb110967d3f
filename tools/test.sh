#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 900
# test.sh: everything: unit tests, fuzz corpus, golden files, the live kernel, packages,
# sanitizers, analyzers, style.  Its last line is "100%: Checks: N, Failures: ...".
# test.sh gate TARGET: `make TARGET` as one TAP test, for the runner.
set -u
cd "$(dirname "$0")/.." || exit 2
jobs=-j$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

gate() { # TARGET: the log goes to the end of the TAP, as diagnostics, if it fails
	echo 1..1
	log=$(mktemp) || exit 2
	trap 'rm -f "$log"' EXIT
	unset MAKEFLAGS MFLAGS MAKELEVEL
	if make "$jobs" "$1" >"$log" 2>&1; then
		sed -n "s/^[0-9]*%: Checks:/# $1: &/p; s/^.*left out/# &/p" "$log"
		echo "ok 1 - make $1"
		return 0
	fi
	echo "not ok 1 - make $1"
	tail -n 60 "$log" | LC_ALL=C cat -v | sed 's/^/# /'
	return 1
}

# Tests of the live kernel need root: we are root, or sudo makes us.  Without either they
# are skipped and counted.
root_command() {
	if [ "$(id -u)" = 0 ]; then
		echo env
	elif sudo -n true 2>/dev/null || { [ -t 0 ] && sudo true; }; then
		echo sudo env
	else
		echo env
		echo "test.sh: neither root nor sudo: what needs root is skipped" >&2
	fi
}

give_back() { # what root built under sudo belongs to the user
	if [ "$as_root" = 'sudo env' ]; then
		sudo chown -R "$(id -u):$(id -g)" build
	fi
}

if [ "${1-}" = gate ]; then
	gate "$2"
	exit
fi
sh tools/deps.sh test || echo "test.sh: going on without what is missing" >&2
as_root=$(root_command)
mkdir -p build
echo "Building (log: build/test-build.log) ..."
if ! make "$jobs" test-programs >build/test-build.log 2>&1; then
	cat build/test-build.log
	echo "0%: Checks: 1, Failures: 0, Errors: 1, Skipped: 0"
	exit 1
fi
make -s check-full AS_ROOT="$as_root"
status=$?
if [ "$status" = 0 ]; then
	give_back
	exit 0
fi
give_back
exit 1

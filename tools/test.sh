#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# test.sh: everything: unit tests, fuzz corpus, golden files, the live kernel, packages,
# compilers, sanitizers, analyzers, style.  Installs what that needs.  Its last line is
#     100%: Checks: N, Failures: F, Errors: E, Skipped: K
set -u
cd "$(dirname "$0")/.." || exit 2
jobs=-j$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

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

sh tools/deps.sh test || echo "test.sh: going on without what is missing" >&2
as_root=$(root_command)
mkdir -p build
echo "Building (log: build/test-build.log) ..."
if ! make "$jobs" test-programs >build/test-build.log 2>&1; then
	cat build/test-build.log
	echo "0%: Checks: 1, Failures: 0, Errors: 1, Skipped: 0"
	exit 1
fi
# make's own word on a failure would stand behind the closing line.
{
	make -s check-full AS_ROOT="$as_root"
	echo $? >build/test-status
} 2>&1 | sed -u '/^make: \*\*\* /d'
status=$(cat build/test-status)
# What root built under sudo belongs to the user.
[ "$as_root" = env ] || sudo chown -R "$(id -u):$(id -g)" build 2>/dev/null
[ "$status" = 0 ]

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# test.sh: installs dependencies and runs unit tests, fuzz corpus, golden files, tests on the live
# kernel, the installation and the style gate.  The last line is
#     100%: Checks: N, Failures: F, Errors: E, Skipped: K
# Not in it: `make check-gates` (other compilers, sanitizers, analyzers, a package) and `make check-live` (what
# measures or needs long).
set -u
cd "$(dirname "$0")/.." || exit 2
jobs=-j$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

# Tests on the live kernel need root or sudo.  Without either they are skipped and counted.
root_command() {
	if [ "$(id -u)" = 0 ]; then
		echo env
	elif sudo -n true 2>/dev/null || { [ -t 0 ] && sudo true; }; then
		echo sudo env
	else
		echo env
		echo "test.sh: neither root nor sudo: tests that need root are skipped" >&2
	fi
}

sh tools/deps.sh test || echo "test.sh: continuing without the missing dependencies" >&2
as_root=$(root_command)
mkdir -p build
if [ -d /usr/lib/ccache ]; then
	PATH=/usr/lib/ccache:$PATH CCACHE_DIR=$PWD/build/ccache
	export PATH CCACHE_DIR
fi
echo "Building (log: build/test-build.log) ..."
if ! make "$jobs" test-programs >build/test-build.log 2>&1; then
	cat build/test-build.log
	echo "0%: Checks: 1, Failures: 0, Errors: 1, Skipped: 0"
	exit 1
fi
# make's own message on a failure would follow the closing line.
{
	make -s check-suite AS_ROOT="$as_root"
	echo $? >build/test-status
} 2>&1 | sed -u '/^make: \*\*\* /d'
status=$(cat build/test-status)
# Files built by root under sudo are given to the user.
[ "$as_root" = env ] || sudo chown -R "$(id -u):$(id -g)" build 2>/dev/null
[ "$status" = 0 ]

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# quickstart.sh: from a fresh clone to rows on the screen.  Installs what the build needs,
# builds, and shows forkstat, cpustat and powerstat, each for five seconds.
set -eu
cd "$(dirname "$0")/.."
seconds=5

sudo=
if [ "$(id -u)" != 0 ] && command -v sudo >/dev/null 2>&1; then
	sudo=sudo
fi

load() { # a few short programs, until it is killed
	while :; do
		uname -r
		ls -l /etc/hostname
		awk 'BEGIN { for (i = 0; i < 100000; i++) n += i }' || :
		date +%T
		sleep 0.4
	done >/dev/null 2>&1
}

build() {
	echo "Building (log: build/quickstart.log) ..."
	mkdir -p build
	if ! make -s -j"$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" \
		>build/quickstart.log 2>&1; then
		cat build/quickstart.log >&2
		exit 1
	fi
}

show_forkstat() {
	echo "Running: $run -D $seconds"
	echo "(a small load in the background gives it something to show)"
	echo
	# Ask for the password now, not amid the rows.
	[ -z "$sudo" ] || $sudo true
	load &
	load_pid=$!
	trap 'kill "$load_pid" 2>/dev/null || :' EXIT INT TERM
	$sudo $bin/forkstat -D "$seconds" || status=$?
	echo
	if [ "$status" = 0 ]; then
		echo "That was every fork, exec and exit of this machine."
	else
		echo "forkstat ended with status $status; the message above says why."
	fi
}

show_cpustat() {
	[ -x $bin/cpustat ] || return 0 # it needs ncurses to be built
	echo "Running: $bin/cpustat -T -n 5 1 $seconds"
	echo
	$bin/cpustat -T -n 5 1 "$seconds" || status=$?
	echo "That was who used the CPU."
}

show_powerstat() {
	echo
	echo "Running: ${sudo:+$sudo }$bin/powerstat -z -d 0 1 $seconds"
	echo
	$sudo $bin/powerstat -z -d 0 1 "$seconds" || status=$?
	echo "That was the power, or what else can be measured where nothing tells it."
}

sh tools/deps.sh build
build
bin=build/default/bin
run="${sudo:+$sudo }$bin/forkstat"
status=0
show_forkstat
show_cpustat
show_powerstat
[ "$status" = 0 ] || exit "$status"
cat <<END

How to go on:

    $run                      until Ctrl-C
    $run -S -D 10             with statistics at the end
    $run -- make -s           only one command and its children
    $run -e exec --json       JSON lines
    $bin/forkstat --help
END
[ ! -x $bin/cpustat ] || cat <<END

    $bin/cpustat                       until Ctrl-C
    $bin/cpustat -X                    full screen, with keys
    $bin/cpustat -- make -s            a command and its children
    $bin/cpustat --help
END
cat <<END

    $bin/powerstat -l                  the sources of power figures
    ${sudo:+$sudo }$bin/powerstat -R -D 1 60      a minute of the processor's power
    ${sudo:+$sudo }$bin/powerstat -R -- make -s   the energy that a command took
    $bin/powerstat --help

    sh tools/test.sh         the tests
    sudo make install        into /usr; PREFIX=... elsewhere
END

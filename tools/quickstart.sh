#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# quickstart.sh: installs what the build needs, builds, and runs the first example of each tool's man
# page for five seconds.
# quickstart.sh --list: only prints the examples, as "TOOL: COMMAND".
set -eu
cd "$(dirname "$0")/.."
seconds=5
bin=build/default/bin

# The one-line examples, in the page's order, as "COMMAND<tab>NEEDS".
examples() { # TOOL
	awk '
		/^\.\\" example:/ { sub(/.*example: */, ""); needs = $0; lines = 0; armed = 1; next }
		/^\.Ed/ && armed { if (lines == 1) print line "\t" needs; armed = 0 }
		armed && !/^\./ { line = $0; lines++ }' man/"$1".[18] |
		sed 's/\\(aq/'"'"'/g; s/\\(dq/"/g; s/\\e/\\/g; s/\\&//g; s/^sudo //'
}

tools() { for f in */opts.c; do echo "${f%/opts.c}"; done; }

if [ "${1-}" = --list ]; then
	for tool in $(tools); do examples "$tool" | sed "s/^/$tool: /; s/	.*//"; done
	exit
fi

sudo=
if [ "$(id -u)" != 0 ] && command -v sudo >/dev/null 2>&1; then
	sudo=sudo
fi

load() { # runs short programs until it is killed
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
	if ! make -j"$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" >build/quickstart.log 2>&1; then
		cat build/quickstart.log >&2
		exit 1
	fi
}

# The command with its path below build, with sudo if the example needs root.
called() { # COMMAND NEEDS
	case $2 in
	root* | *' root'*) echo "${sudo:+sudo }$bin/$1" ;;
	*) echo "$bin/$1" ;;
	esac
}

# The last --duration is used, so the example ends after $seconds.  Exit status 3: the kernel or the
# machine lacks the source of the figures; 4: it may not be read here, as in a container.  The tool's
# message names it.
show() { # TOOL
	command=$(examples "$1" | head -n 1 | { IFS='	' read -r line needs && called "$line" "$needs"; })
	echo
	echo "Running: $command --duration=$seconds"
	echo
	code=0
	# As it is typed: by a shell, which stays, because an example may watch it ($$).
	sh -c "$command --duration=$seconds || exit \$?" || code=$?
	case $code in 0 | 3 | 4) ;; *) status=$code ;; esac
	[ "$code" = 0 ] || echo "$1 exited with status $code; see the message above."
}

sh tools/deps.sh build
build
# Ask for the password before any rows are printed.
[ -z "$sudo" ] || $sudo true
echo "(a small load runs in the background, so that there is activity to show)"
load &
load_pid=$!
trap 'kill "$load_pid" 2>/dev/null || :' EXIT INT TERM
status=0
for tool in $(tools); do
	[ ! -x "$bin/$tool" ] || show "$tool" # one that needs ncurses may not have been built
done
[ "$status" = 0 ] || exit "$status"

echo
echo 'More examples:'
for tool in $(tools); do
	[ -x "$bin/$tool" ] || continue
	echo
	examples "$tool" | head -n 4 | while IFS='	' read -r line needs; do
		echo "    $(called "$line" "$needs")"
	done
	echo "    $bin/$tool --help"
done
cat <<'END'

    man man/TOOL.8           the manual, with more examples
    sh tools/test.sh         run the tests
    sudo make install        install to /usr/local, or to PREFIX=...
END

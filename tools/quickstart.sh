#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# quickstart.sh: installs what the build needs, builds, runs the first example of each tool's man page, and
# prints further examples.  The options of each first example limit its time and its rows.
# quickstart.sh --list: only prints the examples, as "TOOL: COMMAND".
set -eu
from=$PWD
cd "$(dirname "$0")/.."
# The commands that are printed work in the folder from which this script was started.
top=
[ "$PWD" = "$from" ] || top=$PWD/
bin=${top}build/default/bin
hints=2 # further examples per tool

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

have() { command -v "$1" >/dev/null 2>&1; }

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
		tail -n 20 build/quickstart.log >&2
		exit 1
	fi
}

# How root is obtained: directly, with sudo, or else with su, which asks for root's password.  The
# examples run with su only if the user types it.
become_root() {
	root=su
	if [ "$(id -u)" = 0 ]; then
		root=self
	elif have sudo && sudo true; then
		root=sudo
	fi
}

needs_root() { case " $1 " in *' root '*) ;; *) false ;; esac }

# The command with the path of the tool.
with_path() { # TOOL COMMAND
	echo "$2" | sed -E "s,(^|[;|&] *)$1( |\$),\\1$bin/$1\\2,g"
}

as_root() { # COMMAND: prints the command line that runs it as root
	case $root in
	self) echo "$1" ;;
	sudo) echo "sudo $1" ;;
	su) echo "su -c '$(echo "$1" | sed "s/'/'\\\\''/g")'" ;;
	esac
}

# The command as it can be pasted.
pasted() { # TOOL COMMAND NEEDS
	if needs_root "$3"; then as_root "$(with_path "$1" "$2")"; else with_path "$1" "$2"; fi
}

# The machine has a source of power values.
has_power() { "$bin/powerstat" --list 2>/dev/null | grep -q '^Selected source: [^n]'; }

# Every need of the example is here.
can_run() { # NEEDS
	for need in $1; do
		case $need in
		root | silent) ;;
		power) has_power || return ;;
		make) [ -z "$top" ] || return ;; # the makefile is here
		*) have "$need" || return ;;
		esac
	done
}

# The tool's message precedes it.  sysmon(7) and stressors(1) define the statuses.
explain() { # TOOL STATUS COMMAND NEEDS
	case $2 in
	0) return ;;
	3 | 4) echo "($1: status $2: the message names the feature or the privilege that is missing here)" ;;
	*)
		echo "($1 failed with status $2)"
		status=$2
		;;
	esac
	if [ "$root" = su ] && needs_root "$4"; then
		echo "(It needs root. Try: $(pasted "$1" "$3" "$4"))"
	fi
}

show() { # TOOL COMMAND NEEDS
	command=$(pasted "$1" "$2" "$3")
	[ "$root" != su ] || command=$(with_path "$1" "$2")
	echo
	echo "Running: $command"
	code=0
	# As it is typed: by a shell, which stays, because an example may watch it ($$).
	(cd "$from" && sh -c "$command || exit \$?") || code=$?
	explain "$1" "$code" "$2" "$3"
}

first_example() { # TOOL: runs it
	first=$(examples "$1" | head -n 1)
	show "$1" "${first%	*}" "${first#*	}"
}

further_examples() { # TOOL
	examples "$1" | sed 1d | while IFS='	' read -r line needs; do
		! can_run "$needs" || echo "    $(pasted "$1" "$line" "$needs")"
	done | head -n "$hints"
}

sh tools/deps.sh build
build
become_root
echo 'A small load runs in the background, so that there is activity to show.'
load &
load_pid=$!
trap 'kill "$load_pid" 2>/dev/null || :' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
status=0
for tool in $(tools); do
	first_example "$tool"
done

echo
echo 'More examples:'
for tool in $(tools); do
	further_examples "$tool"
done
echo "    $bin/cpustat --help"
! have man || echo "    man ${top}man/cpustat.8"
echo "    sh ${top}tools/test.sh"
echo "    $(as_root "make ${top:+-C $top }install")"
exit "$status"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# pictures.sh [NAME]...: makes doc/pictures/NAME.svg, by default all of them, from the output of the programs, as root.
# Screens and rows are those of a terminal (tests/lib/tui.sh).  The machines of the power tools are simulated
# (tests/lab).  eventstat and power-calibrate run in a virtual machine (tests/vm), whose CPUs are idle whatever else
# this machine does.
. "$(dirname "$0")/../tests/lib/tap.sh"
. "$TOP/tests/lib/tui.sh"
. "$TOP/tests/lib/lab.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL # of `make pictures`, for the makes in the pictures
KERNEL=$TOP/build/vm/trixie/vmlinuz
OUT=$TOP/doc/pictures
PICTURES=(cpustat eventstat forkstat pagemon power-calibrate powerstat run stressors hero)
declare -A titles=(
	[cpustat]='cpustat -X -- make -s -j6'
	[eventstat]='sudo eventstat -T --wakeups'
	[forkstat]='sudo forkstat -d -- make -s check 2>/dev/null'
	[pagemon]='pagemon -a python3'
	[powerstat]='powerstat -d 0 -D -t --no-procs 1 14 # a simulated laptop'
	[stressors]='stressors --cpu 1 --cpu-method fma --vm 1 --memcpy 1 --futex 1 --verify -M -t 10'
)

die() {
	echo "pictures.sh: $*" >&2
	exit 1
}

# A terminal in DIRECTORY whose prompt is empty
terminal() { # COLUMNS ROWS DIRECTORY
	tui_open "$1" "$2" "PATH=$BUILD/bin:/usr/bin:/bin" TMPDIR=. TERM=screen
	tui_type "cd '$3'; PS1="
}
# Rows on a terminal: the command runs to its end.
show_rows() { # COMMAND
	rm -f "$TMP/done"
	tui_type "clear; $1; touch '$TMP/done'"
	wait_for -t 240 test -e "$TMP/done" || die "no end: $1"
	tui_colors
}
# A screen, SECONDS after it shows ERE
show_screen() { # COMMAND ERE SECONDS
	tui_type "clear; $1"
	tui_see "$2" || die "no screen: $1"
	sleep "$3"
	tui_colors
	tui_keys q
	tui_keys C-c
}

copy_of_tree() {
	rm -rf "$TMP/tree"
	mkdir "$TMP/tree"
	tar -C "$TOP" --exclude=./build --exclude=./.git -c . | tar -C "$TMP/tree" -x
}

# A build of this tree
capture_cpustat() { # COLUMNS ROWS
	copy_of_tree
	terminal "$1" "$2" "$TMP/tree"
	show_screen "${titles[cpustat]}" 'cc1' 8
}

# A check of a parser that crashes at its second file; in a small window it is built before.
capture_forkstat() { # COLUMNS ROWS
	rm -rf "$TMP/parser"
	mkdir "$TMP/parser"
	cd "$TMP/parser" || exit
	printf '%s\n' 'check: parse' $'\t./parse good.txt' $'\t./parse bad.txt' 'parse: parse.c' \
		$'\tcc -O2 -pipe -o $@ $<' >Makefile
	printf '%s\n' '#include <stdio.h>' '' 'int main(int argc, char **argv)' '{' \
		$'\treturn fgetc(fopen(argv[argc - 1], "r")) != 123;' '}' >parse.c
	echo '{' >good.txt
	[ "$2" -gt 20 ] || cc -O2 -o parse parse.c
	terminal "$1" "$2" "$TMP/parser"
	show_rows "ulimit -c 0; ${titles[forkstat]#sudo }"
}

# An interpreter with a huge page, a sparse and a dense array
capture_pagemon() { # COLUMNS ROWS
	cat >"$TMP/arrays.py" <<-'END'
		import mmap, time
		huge = mmap.mmap(-1, 4 << 20, flags=mmap.MAP_PRIVATE)
		huge.madvise(mmap.MADV_HUGEPAGE)
		huge[0::4096] = bytes(len(huge) // 4096)
		sparse = mmap.mmap(-1, 2 << 20, flags=mmap.MAP_PRIVATE)
		for page in range(0, 512, 7):
		    sparse[page * 4096:(page + page % 5) * 4096] = bytes(page % 5 * 4096)
		dense = bytearray(3 << 19)
		time.sleep(600)
	END
	terminal "$1" "$2" /
	tui_type "python3 $TMP/arrays.py & python=\$!"
	sleep 2
	show_screen "pagemon -a \$python" '^0000' 2
	tui_type "kill \$python"
}

# OPTION... -- COMMAND: runs COMMAND in a virtual machine with two CPUs
guest() { "$TOP/tests/vm/run.sh" -k "$KERNEL" -n 2 -m 512 -t 400 "$@"; }

capture_eventstat() { # COLUMNS ROWS
	local f files=()
	for f in /usr/lib/*/lib{ncursesw,tinfo}.so.6 /usr/lib/locale/C.utf8 /{lib,usr/share}/terminfo/s/screen; do
		[ ! -e "$f" ] || files+=(-f "$f:$f")
	done
	guest "${files[@]}" -f "$(command -v tmux)" -f "$BUILD/bin/eventstat" -f "$HELPERS/naps" \
		-f "$TOP/tests/vm/guest-screen.sh" -- "guest-screen.sh $1 $2 '${titles[eventstat]#sudo }'"
}

# A laptop whose load repeats every 16 seconds: its power and its CPU times agree.
laptop() {
	local times='cpu {user/1000000} 0 {sys/1000000} {idle/1000000} 0 0 0 0 0 0'
	local counts='intr {irqs/1000000}\nctxt {switches/1000000}'
	cat <<-END
		include "$TOP/tests/lab/trees/cpus.inc"
		include "$TOP/tests/lab/trees/ac-off.inc"
		power load cycle:6.4@0,6.1@2,9.7@4,17.8@6,18.3@9,11.2@11,7.2@13:16
		power pkg cycle:1.6@0,1.5@2,4.4@4,12.1@6,12.5@9,5.9@11,2.1@13:16
		power dram cycle:0.4@0,0.9@4,1.3@6,0.6@13:16
		power user cycle:11@0,16@2,95@4,310@6,318@9,144@11,23@13:16
		power sys cycle:6@0,5@2,18@4,38@6,41@9,22@11,9@13:16
		power idle cycle:383@0,379@2,287@4,52@6,41@9,234@11,368@13:16
		power switches cycle:412@0,396@2,2210@4,5306@6,5120@9,1987@11,704@13:16
		power irqs cycle:288@0,271@2,1104@4,2380@6,2292@9,980@11,402@13:16
		device /sys/devices/LNXSYSTM:00/LNXSYBUS:00/PNP0C0A:00/power_supply/BAT0 power_supply
		type text Battery
		status text Discharging
		present text 1
		power_now rate @load
		energy_now level @load start=40000000
		uevent uevent POWER_SUPPLY_
		zone intel-rapl:0 package-0 lin @pkg range=262143328850
		zone intel-rapl:0:0 dram lin @dram range=65712999613
		device /sys/devices/virtual/thermal/thermal_zone0 thermal
		type text x86_pkg_temp
		temp sin 52000 9000 32
		cd /proc
		$(for name in user sys idle switches irqs; do
			printf '%s lin @%s start=900000000\n%s hide\n' "$name" "$name" "$name"
		done)
		stat template "$times\n$counts\nbtime 1750000000\nprocesses 4000\nprocs_running 1\nprocs_blocked 0\n"
	END
}
capture_powerstat() { # COLUMNS ROWS
	laptop >"$TMP/laptop.spec"
	terminal "$1" "$2" /
	show_rows "$TOP/tests/lab/run $TMP/laptop.spec $TMP/lab.log -- ${titles[powerstat]% # *}"
}

capture_stressors() { # COLUMNS ROWS
	mkdir -p "$TMP/work"
	terminal "$1" "$2" "$TMP/work"
	show_rows "${titles[stressors]}"
}

# NAME COLUMNSxROWS: one window
window() {
	"capture_$1" "${2%x*}" "${2#*x}" >"$TMP/$1.cap" || return
	python3 "$TOP/tools/screen_svg.py" "$2" "${titles[$1]}" "$TMP/$1.cap"
}
draw_cpustat() { window cpustat 100x20; }
draw_eventstat() { window eventstat 100x22; }
draw_forkstat() { window forkstat 100x33; }
draw_pagemon() { window pagemon 100x25; }
draw_powerstat() { window powerstat 100x34; }
draw_stressors() { window stressors 100x18; }

# Four small windows
draw_hero() {
	local name arguments=()
	for name in cpustat eventstat forkstat pagemon; do
		"capture_$name" 60 16 >"$TMP/$name.cap" || return
		arguments+=("${titles[$name]}" "$TMP/$name.cap")
	done
	python3 "$TOP/tools/screen_svg.py" -a 2 60x16 "${arguments[@]}"
}

# A gnuplot SVG FILE with a TITLE, without defaults, empty groups and hundredths of pixels
plot_svg() { # FILE TITLE
	sed '/<path\|<polygon/ s,\(\.[0-9]\)[0-9]\>,\1,g; s,^[\t ]*,,' "$1" |
		sed -z "s,>Gnuplot<,>$2<,; s, stroke-line[a-z]*=\"[a-z]*\",,g; s,<g [^>]*>\n</g>\n,,g"
}

# A build of the library; the power of the simulated machine follows its CPU time.
draw_run() {
	copy_of_tree
	(cd "$TMP/tree" && PATH=$BUILD/bin:/usr/bin:/bin "$TOP/tests/lab/run" "$TOP/tests/lab/trees/calibrate-clean.spec" /dev/null -- \
		"$TOP/examples/run-picture" "$TMP/run.svg" sh -c 'sleep 2; make -s -j2 lib; sleep 2') >&2 || return
	plot_svg "$TMP/run.svg" 'run-picture run.svg make lib; the power is simulated'
}

# The readings of a simulated machine with noise and outliers, drawn by the recipe
draw_power-calibrate() {
	guest -o "$TMP" -f "$TOP/tests/lab/trees/calibrate-outliers.spec:/etc/machine.spec" -f "$BUILD/lab/fakesys" \
		-f "$BUILD/bin/power-calibrate" -f "$TOP/tests/vm/guest-lab.sh" -- \
		'guest-lab.sh /etc/machine.spec power-calibrate -R -s 9 --max-time=100 --gnuplot watts' >&2 || return
	"$TOP/examples/power-calibrate-picture.gnuplot" "$TMP/watts.dat" "$TMP/watts.svg" || return
	plot_svg "$TMP/watts.svg" 'power-calibrate -R on a simulated machine'
}

draw() { # NAME
	echo "doc/pictures/$1.svg" >&2
	"draw_$1" >"$TMP/picture" || die "no picture of $1"
	cp "$TMP/picture" "$OUT/$1.svg"
}

have_root || die 'needs root'
[ -e "$KERNEL" ] || die 'needs a kernel for virtual machines: make vm-kernels'
[ -z "$(lab_lacks)" ] || die "$(lab_lacks)"
mkdir -p "$OUT"
[ $# -gt 0 ] || set -- "${PICTURES[@]}"
for name; do draw "$name"; done

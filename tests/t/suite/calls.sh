#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# live
# seconds: 30
# The filter of cli/sandbox.h allows every system call that a tool makes after the drop: strace(1) records the tools in
# all their modes, and no call after the filter gives EPERM, which it returns for a call that it refuses, or ENOSYS.
# Each option of each tool stands in a mode below, or among those that make no call, so that a new one is not forgotten.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
. "$TOP/tests/lib/tui.sh"
need_cmd strace
need_cap sys_ptrace sys_admin setuid
unset SUDO_UID SUDO_GID SUDO_USER
able_tools
chmod 755 "$TMP"
bg bash -c 'while :; do /bin/true; sleep 0.05; done' # events for all tools

# TOOL|OPTION...; a mode that does not end by itself has a COMMAND of a third of a second.  SELF is a shell.
modes() {
	cat <<-'END'
	forkstat|--all-events --failed --extra --show-ppid --show-tid --parent --cgroup --loginuid --env=PATH --glyphs --summary --interval=0.1
	forkstat|--json --csv=csv --prom=prom --comm=* --output=out --strict --count=20 --timestamp=iso
	forkstat|--source=perf --everything --events=all --time=clock --usec --realtime --buffer=1M --ring=1M --queue=1M
	forkstat|--source=proc --short-name --strip-path --quote --full-command --no-header --line-buffered --color=always --limit=3 --quiet --drop-to=nobody
	forkstat|--pid=1 --ppid=1 --pgrp=1 --uid=root --name=* --args=* --exit=zero --min-duration=0 --max-duration=1h --root=/ --duration=0.3
	cpustat|--interval=0.1 --all-cpus --total --system --wait --subsample=2 --summary --distribution --show-time --prom=prom
	cpustat|--interval=0.1 --json --csv=csv --full-command --user=root --cgroup=/ --report=report --output=out --realtime --timestamp=iso
	cpustat|--interval=0.1 --source=proc --threads --group=user --sort=time --ignore-self --threshold=1 --limit=9 --no-cut --short-name --strip-path --strict
	cpustat|--interval=0.1 --source=clock --group=cgroup --name=* --comm=* --quiet --no-header --line-buffered --color=always --drop-to=nobody
	cpustat|--interval=0.1 --group=parent --pid=1 --root=/ --count=3
	cpustat|--interval=0.1 --duration=0.3
	powerstat|--power=none --interval=0.1 --all --process-log --procs --redo --minmax --histogram
	powerstat|--no-power --interval=0.1 --domains --joules --total=pkg --cstates --frequency --gpu --thermal --prom=prom --strict
	powerstat|--rapl --no-power --interval=0.1 --json --csv=csv --output=out --summary --limit=3 --no-procs --realtime
	powerstat|--no-power --interval=0.1 --from-start --redo-busy --idle=1 --redo-processes --no-repeat --no-header --line-buffered --quiet --timestamp=mono --color=always --start-delay=0 --drop-to=nobody
	powerstat|--no-power --interval=0.1 --root=/ --count=3
	powerstat|--no-power --interval=0.1 --duration=0.3
	powerstat|--no-power --interval=0.1 --repeat=2 --baseline=0.2 --load-modules=none_such
	eventstat|--interval=0.1 --extended --cumulative --timer-id --tick --self --sample-time --summary --full-command --prom=prom
	eventstat|--interval=0.1 --method=bpf --uid=root --report=report --counts --statistics --json --csv=csv --output=out --realtime
	eventstat|--interval=0.1 --method=perf --verbose --group=cgroup --sort=cpu --limit=5 --threshold=0 --brief --short-name --strip-path --strict
	eventstat|--interval=0.1 --wakeups --woke --histogram --timestamp=delta --no-header --line-buffered --color=always --drop-to=nobody
	eventstat|--interval=0.1 --user --comm=* --func=* --events=timer --pid=1 --quiet --root=/ --count=3
	eventstat|--interval=0.1 --kernel --duration=0.3
	pagemon|--interval=0.1 --batch --mappings --smaps --timestamp=iso --prom=prom --summary --strict
	pagemon|--interval=0.1 --runs --json --csv=csv --output=out --read-all --limit=100 --realtime
	pagemon|--interval=0.1 --method=read --no-header --line-buffered --color=always --quiet --drop-to=nobody
	pagemon|--interval=0.1 --pid=SELF --count=3 --method=scan --root=/
	pagemon|--interval=0.1 --pid=SELF --duration=0.3
	power-calibrate|--rapl --levels=2 --test-time=1 --settle=0 --interval=0.1 --per-count --op=mem --yaml=yaml --gnuplot=plot --progress --json --csv=csv --prom=prom --output=out --summary --limit=1 --total=pkg
	power-calibrate|--source=rapl --levels=2 --test-time=1 --settle=0 --interval=0.1 --cpus=0 --seed=2 --count=1 --max-time=5 --quiet --line-buffered --no-header --timestamp=iso --color=always --realtime --strict --drop-to=nobody
	power-calibrate|--source=rapl --levels=2 --test-time=1 --settle=0 --interval=0.1 --cpus=0 --by=type --target-ci=50 --duration=1 --root=/
	END
}
# No call after the drop is theirs: there is no drop, or the run ends before it; the screens are below.  --dirty writes
# to a file that is open, if the kernel has soft-dirty bits.
apart=(--help --version --list --keep-privileges --as-root --tui --dirty)
screen_options=(--auto-zoom --zoom --delay --ticks --vm --fold --no-hex)

# FILE: the calls after the filter that it refused, or did not know, and the number of filters
judge() {
	awk '
	/ (seccomp\(SECCOMP_SET_MODE_FILTER|<\.\.\. seccomp resumed).* = 0$/ { on[$1] = 1; filters++; next }
	$1 in on && / = -1 (EPERM|ENOSYS) / { print }
	END { print filters + 0 " filters" }' "$1"
}
# TOOL: the processes that load a filter: pagemon's opener, and the workers of power-calibrate
filters() {
	case $1 in
	pagemon) echo '[12] filters' ;;
	power-calibrate) echo '[1-9] filters' ;;
	*) echo '1 filters' ;;
	esac
}
traced() { # TOOL NAME
	like "$(judge "$TMP/trace")" "^$(filters "$1")\$" "$1 $2"
}
calls() { # TOOL
	local tool line words
	machine "$1"
	mkdir -m 777 "$TMP/files"
	cd "$TMP/files" || return
	while IFS='|' read -r tool line; do
		[ "$tool" = "$1" ] || continue
		read -r -a words <<<"${line/SELF/$BASHPID}"
		case $line in
		*--count=3* | *--duration=* | *--levels=*) ;;
		*) words+=(-- sh -c 'sleep 0.35; /bin/true') ;;
		esac
		rm -f "$TMP/trace"
		run strace -f -o "$TMP/trace" ${machine[@]+"${machine[@]}"} "$BUILD/bin/$1" "${words[@]}"
		traced "$1" "$line"
	done < <(modes)
}
forgotten() { # TOOL: options of --help that no mode has
	"$BUILD/bin/$1" --help | grep -oE '^ {2,6}(-[A-Za-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+$' | sort -u >"$TMP/all"
	{
		modes | grep "^$1|" | grep -oE -- '--[a-z-]+'
		printf '%s\n' "${apart[@]}"
		[ "$1" != pagemon ] || printf '%s\n' "${screen_options[@]}"
	} | sort -u >"$TMP/in-modes"
	comm -23 "$TMP/all" "$TMP/in-modes"
}

# A screen: its keys, its size, and its end.
screen() { # TOOL OPTION...
	rm -f "$TMP/trace"
	tui_open 100 30
	tui_type "clear; strace -f -o $TMP/trace $BUILD/bin/$*; echo STATUS''=\$?"
	ok "$*: the screen" wait_for tui_alternate
	tui_keys h h Down Right
	tui_resize 80 24
	tui_keys q
	ok "$*: it ends" tui_see 'STATUS=0'
	traced "$1" "${*:2}: the screen"
}

mapfile -t tools < <(for t in "${tools[@]}"; do ! drops_privileges "$t" || echo "$t"; done)
each_tool calls
trap 'tui_close; tap_cleanup' EXIT
for tool in "${tools[@]}"; do
	is "$(forgotten "$tool")" '' "$tool: each option stands in a mode"
done
for options in 'cpustat --tui' 'eventstat --tui' "pagemon --vm --pid=$$" pagemon; do
	[[ " ${tools[*]} " != *" ${options%% *} "* ]] || screen $options
done
done_testing

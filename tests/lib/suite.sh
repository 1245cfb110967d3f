# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# suite: functions of the tests of all tools; sourced after tap.sh.  $tools are the built programs;
# a test loops over them, so that it covers a new tool without a change.
#
# `brief TOOL OPTION...` runs a tool with a command of a third of a second; it shows at least one row.
# `each_tool FUNCTION` runs a function for all of them at the same time.
# What is special about a tool stands here: all tests start tools by `brief`, brief_sh, brief_bg or $program.
mapfile -t tools < <(cd "$BUILD/bin" && printf '%s\n' *)

# Options that a tool needs beside the shared ones to show rows at once, on any machine.
brief_options() { # TOOL
	case $1 in
	forkstat) ;;
	powerstat) echo --power=none --interval=0.1 ;;
	pagemon) echo --interval=0.1 --pid=$$ ;;
	power-calibrate) echo --rapl --cpus="$(first_cpu)" --levels=2 --test-time=1 --settle=0 --interval=0.1 ;;
	stressors) echo --nop=1 --metrics --max-memory=50% --interval=0.1 --timeout=0.35 ;;
	*) echo --interval=0.1 ;;
	esac
}
first_cpu() { sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status; }
# TOOL: it runs a COMMAND, and only as long
has_command() { [[ $1 != @(power-calibrate|stressors) ]]; }
# TOOL OPTION: it has this option of those that tools share.  stressors has what makes sense for a load: its instances
# need privileges, --sched is theirs, and each run has a report.
has_option() { [[ "$1 $2" != stressors\ --@(count|limit|summary|keep-privileges|drop-to|as-root|realtime)* ]]; }
# TOOL OPTION...: $options, those that it has
options_of() {
	local option
	options=()
	for option in "${@:2}"; do ! has_option "$1" "$option" || options+=("$option"); done
}
# TOOL: it keeps no privilege after its start
drops_privileges() { [ "$1" != stressors ]; }
# TOOL: its exit status after a usage error; stressors has those of stress-ng, where 2 is a failed stressor
usage_status() { if [ "$1" = stressors ]; then echo 1; else echo 2; fi; }
# TOOL: its table has a column with the time
shows_time() { [ "$1" != power-calibrate ]; }
# TOOL SIGNAL: its exit status after the signal
status_after() {
	if has_command "$1"; then echo 0; else echo $((128 + $(kill -l "$2"))); fi
}
# TOOL: the shortest --duration in which it shows a row
shortest() { if [ "$1" = power-calibrate ]; then echo 1.7; else echo 0.5; fi; }

# The simulated machine that a tool needs for its rows (tests/lab), on which it runs with higher priority, if
# that is permitted, because other tests use the CPUs: `machine TOOL` is the words in front of the program.
higher=(nice -n -10)
[ "$("${higher[@]}" nice 2>/dev/null)" = "$(($(nice) - 10))" ] || higher=()
machine() { # TOOL: $machine
	machine=()
	[ "$1" != power-calibrate ] ||
		machine=("$TOP/tests/lab/run" "$TOP/tests/lab/trees/calibrate-clock.spec" /dev/null -- ${higher[@]+"${higher[@]}"})
}
# TOOL: $program, the words that start it so that it shows rows at once
program() {
	local words
	read -r -a words < <(brief_options "$1")
	machine "$1"
	program=(${machine[@]+"${machine[@]}"} "$BUILD/bin/$1" ${words[@]+"${words[@]}"})
}
# TOOL: $ending, the words that end it after a third of a second
ending() {
	ending=()
	! has_command "$1" || ending=(-- sleep 0.35)
}

brief() { # TOOL OPTION...
	program "$1"
	ending "$1"
	run "${program[@]}" "${@:2}" ${ending[@]+"${ending[@]}"}
	without_notes
}
# FILE: its messages without the notes at the start, of powerstat, power-calibrate and of forkstat without
# privileges, and without forkstat's of losses, which counts those of all programs of the machine.
messages() {
	grep -vE '^power(stat|-calibrate): power source: |^power-calibrate: [0-9]+ tests of |^forkstat: (arguments (will be read|are caught) |[0-9]+ events received; lost: )' "$1"
}
# Of the last run.  That a run of power-calibrate that is short, or that a signal ends after its first readings, has
# no result is not what is tested here.
no_result='^power-calibrate: (no result: (cannot separate the power of the load |too few readings|the load did not vary|the power does not change with the load)|the 95% confidence interval contains 0, so )'
without_notes() {
	err=$(messages "$TMP/err")
	if [ "$status" = 1 ] && [[ $err =~ $no_result && $err != *$'\n'* ]]; then
		status=0 err=''
	fi
}
# TOOL: the last run, whose messages cannot be read, has ended well
ended_well() { [ "$status" = 0 ] || [ "$1 $status" = 'power-calibrate 1' ]; }
# The same by a shell that redirects: SCRIPT sees the command in "$@".
brief_sh() { # TOOL SCRIPT OPTION...
	program "$1"
	ending "$1"
	run bash -c "$2" sh "${program[@]}" "${@:3}" ${ending[@]+"${ending[@]}"}
	without_notes
}
# The same in the background, until a signal ends it.
brief_bg() { # TOOL OPTION...
	program "$1"
	long_run "$1"
	rm -f "$TMP/rows" "$TMP/msg"
	bg "${program[@]}" "${@:2}" >"$TMP/rows" 2>"$TMP/msg"
}
# TOOL: $program goes on until a signal ends it
long_run() {
	case $1 in
	power-calibrate) program+=(--levels=101) ;;
	stressors) program+=(--timeout=600) ;;
	esac
}

# TOOL: prints why it cannot run here, if so: its last message.  power-calibrate is stopped before its first reading.
why_not() {
	local options=(--duration=0.1)
	! has_command "$1" || options=()
	brief "$1" ${options[@]+"${options[@]}"}
	[ "$status" = 0 ] || [ "${err##*$'\n'}" = "$1: no result: the power source gave no reading" ] ||
		printf '%s\n' "${err##*$'\n'}"
}
# Removes from $tools those that cannot run here, each with a skipped test and its reason.
able_tools() {
	local t why able=() pids=()
	for t in "${tools[@]}"; do
		mkdir -p "$TMP/$t.dir"
		(TMP=$TMP/$t.dir && why_not "$t" >"$TMP/why") &
		pids+=($!)
	done
	wait ${pids[@]+"${pids[@]}"}
	for t in "${tools[@]}"; do
		why=$(<"$TMP/$t.dir/why")
		if [ -z "$why" ]; then able+=("$t"); else skip "$t cannot run here: $why"; fi
	done
	tools=(${able[@]+"${able[@]}"})
}

# FUNCTION: calls it for each of $tools, at the same time, in subshells with their own $TMP, and prints their tests
# in order with new numbers.  A subshell that ends before its function returns is a failure.
each_tool() {
	local t i
	each_pids=()
	trap each_cleanup EXIT
	for t in "${tools[@]}"; do
		mkdir -p "$TMP/$t.dir"
		(
			TMP=$TMP/$t.dir tap_count=0 tap_failed=0
			trap tap_cleanup EXIT
			"$1" "$t"
			echo "1..$tap_count"
		) >"$TMP/$t.tap" &
		each_pids+=($!)
	done
	for i in "${!tools[@]}"; do
		reap "${each_pids[i]}"
		take_tests "$TMP/${tools[i]}.tap" || fail "${tools[i]}: the subshell of its tests runs to its end" "status $status"
	done
	trap tap_cleanup EXIT
}
each_cleanup() { # if the script is ended: the subshells end what they have started
	# shellcheck disable=SC2046
	kill $(jobs -p) 2>/dev/null
	wait ${each_pids[@]+"${each_pids[@]}"}
	tap_cleanup
}
take_tests() { # FILE: prints its tests as tests of this script; fails without a plan, which is the last line
	local line text planned=''
	while IFS= read -r line; do
		text=${line#*ok * }
		case $line in
		1..*) planned=yes ;;
		'not ok '*) fail "${text#- }" ;;
		'ok '*) if [[ $text == '# SKIP '* ]]; then skip "${text#'# SKIP '}"; else pass "${text#- }"; fi ;;
		*) printf '%s\n' "$line" ;;
		esac
	done <"$1"
	[ -n "$planned" ]
}

# TOOL NAME CODE ERE: the last run has this exit status and one message that matches
refused() {
	if [ "$status" = "$3" ] && [ -z "$out" ] && [[ $err =~ ^$1:\ .*$4 ]]; then
		pass "$1: $2"
	else
		fail "$1: $2" "exit status $status, want $3; stdout: ${out:0:200}
stderr: ${err:0:300}
want a match of: $4"
	fi
}
# TOOL ERE ARGUMENT...: a usage error: its exit status, two lines on stderr, nothing on stdout
misuse() {
	local tool=$1 culprit=$2 text name
	shift 2
	run "$BUILD/bin/$tool" "$@"
	IFS= read -rd '' text <"$TMP/err"
	printf -v name ' %q' "$@"
	if [ "$status" = "$(usage_status "$tool")" ] && [ -z "$out" ] && [[ $err =~ ^$tool:\ .*$culprit ]] &&
		[[ $text == *$'\n'"Try '$tool --help' for more information."$'\n' && ${text//[!$'\n']} = $'\n\n' ]]; then
		pass "$tool: usage error:$name"
	else
		fail "$tool: usage error:$name" "exit status $status; stdout: ${out:0:200}
stderr: ${err:0:300}"
	fi
}

# FILE: every line is a JSON value
all_json() { [ -s "$1" ] && jq -es 'length > 0' "$1" >/dev/null 2>&1; }

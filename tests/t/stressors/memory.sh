#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# heavy
# timeout: 280
# No stressor touches memory that is not its own, or uses what is undefined: each runs with all its checks, with data that
# it has damaged, with each of its choices, and with small and large values, without a report of the sanitizers that the
# program was built with (make san, make asan: they run this script), else of valgrind.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq

under=() small=() kinds='[a-z0-9-]+'
if grep -qaE '__(asan|ubsan)_[a-z]' "$STRESSORS"; then
	# gcc does not align vectors of 64 bytes in the stack frames of that check: a SIGSEGV with AVX-512.
	returns=0
	grep -qaF 'clang version' "$STRESSORS" && returns=1
	export ASAN_OPTIONS=detect_stack_use_after_return=$returns:log_path=$TMP/report
	export UBSAN_OPTIONS=print_stacktrace=1:log_path=$TMP/report
else
	need_cmd valgrind
	# A start takes a second: of the choices only the methods, which differ in code.
	# It does not know mappings that grow, reports bad addresses of system calls before the kernel refuses them,
	# changes the environment of what is executed, takes a switch between near stacks for the growth of one, and
	# delivers a signal of sigqueue(3) only at a later call.
	cannot=stack,enosys,sysbadaddr,bad-ioctl,sysinval,exec,context,signal
	kinds='[a-z0-9-]+-method' small=(--minimize "--exclude=$cannot")
	mapfile -t all_stressors < <(printf '%s\n' "${all_stressors[@]}" | grep -vxE "${cannot//,/|}")
	# A sort is left by longjmp(3) when the time is over; what libbsd has allocated ends with the process.  The kernel
	# clears the pages above the break, of which valgrind does not know it.  A trap reads what is not mapped.
	printf '{\ntrap\nMemcheck:Addr1\nfun:read_byte\nfun:trap_run\n...\n}\n{\nsort\nMemcheck:Leak\nfun:malloc\n...\nfun:sort_once\n}\n{\nbreak\nMemcheck:Cond\nfun:memory_differs\nfun:check\nfun:grow\n}\n' >"$TMP/left"
	# Instances are processes of their own; their reports are in files, which are empty without one.
	under=(valgrind -q --trace-children=yes --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite
		--show-leak-kinds=definite --suppressions="$TMP/left" --log-file="$TMP/report.%p")
fi

# NAME STATUSES OPTION...: a run with one of these exit statuses, and no report
clean() {
	local name=$1 statuses=$2
	rm -f "$TMP"/report*
	shift 2
	for _ in 1 2 3; do
		run ${under[@]+"${under[@]}"} "$STRESSORS" --json="$TMP/rows" --pathological --max-memory=64m "$@"
		grep -q 'completed no op within the run time' "$TMP/rows" || break # on a busy machine
	done
	# valgrind also says which system calls it does not know; they fail with ENOSYS.  ASan says that it knows swapcontext(3)
	# only in part.
	cat "$TMP"/report* 2>/dev/null |
		grep -vE "^(--[0-9]+-- |==[0-9]+==( Warning: unimplemented fcntl command|WARNING: ASan doesn't fully support makecontext))" >"$TMP/reports"
	if grep -q 'Unsupported clone() flags' "$TMP/reports"; then
		skip "$name: valgrind does not know it"
	elif [[ " $statuses " == *" $status "* ]] && [ ! -s "$TMP/reports" ] && ! grep -q 'runtime error' "$TMP/err"; then
		pass "$name"
	else
		fail "$name" "exit status $status, want $statuses
$err
$(jq -r 'select(.status == "fail") | "\(.stressor): \(.reason)"' "$TMP/rows")
$(head -n 40 "$TMP/reports")"
	fi
}

# NAME: of its options that have choices, "OPTION CHOICE...", one a line
choices() {
	"$STRESSORS" --help="$1" | awk '
		/^$/ { if (text ~ /^--/) options = options text "\n"; text = "" }
		/^ +(-., )?--/ { options = options text "\n"; text = $0; sub(/^.*--/, "--", text); next }
		{ sub(/^ +/, " "); text = text $0 }
		END { printf "%s", options }' | sed -nE "s/^--($kinds)=[A-Z].*\(([^();]*, [^();]*); default .*/\1 \2/p" | tr -d ','
}

clean 'all stressors: --verify' 0 --seq 1 "${once[@]}" -t 60 --verify ${small[@]+"${small[@]}"}
is "$(jq -s '[.[] | select(.type == "result" and (.status == "pass" or .status == "skip"))] | length' "$TMP/rows")" \
	"${#all_stressors[@]}" 'each has run'
mapfile -t all_stressors < <(jq -r 'select(.type == "result" and .status == "pass").stressor' "$TMP/rows")
for s in "${all_stressors[@]}"; do
	# Under valgrind large values take minutes, and small ones are those of the other runs.
	if [ ${#under[@]} = 0 ]; then
		clean "$s: --minimize" 0 "--$s" 2 -t 60 "--$s-ops" 2 --minimize
		clean "$s: --maximize" '0 3' "--$s" 2 -t 60 "--$s-ops" 1 --maximize
	fi
	if ! "$STRESSORS" --help="$s" | grep -q '^Checked: nothing'; then
		clean "$s: --spoil" 2 "--$s" 1 -t 60 --minimize --spoil
	fi
	while read -r option list; do
		read -r -a list <<<"$list"
		if [ "${list[0]}" = all ]; then
			clean "$s: all of --$option" 0 "--$s" 1 -t 60 --minimize "--$s-ops" "${#list[@]}"
		else
			for choice in "${list[@]}"; do
				# What the machine does not have, or needs root.
				clean "$s: --$option $choice" '0 4' "--$s" 1 -t 60 --minimize "--$s-ops" 2 "--$option=$choice"
			done
		fi
	done < <(choices "$s")
done
done_testing

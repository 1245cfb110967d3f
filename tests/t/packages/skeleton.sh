#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# seconds: 5
# The skeleton of a tool, tests/fixtures/skeleton: the commands of CONTRIBUTING.md, "A tool", make a tool of it, in a
# copy of the tree.  The tool is built with the finished library and runs on a simulated /proc.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/build.sh"
need_cmd make gcc jq

skeleton=$TOP/tests/fixtures/skeleton
num "$(cat "$skeleton"/* | wc -l)" -le 110 'the skeleton: at most 110 lines'
is "$(find "$skeleton" ! -name '*.[ch]' ! -path "$skeleton")" '' 'it consists of C'

copy_tree
recipe=$(awk '/^### / { on = $0 == "### A tool" } on && /^    [^ ]/ { print substr($0, 5) }' CONTRIBUTING.md)
expect 'the commands of CONTRIBUTING.md' 0 '' sh -ec "$recipe"
is "$(grep -ril skeleton loadstat)" '' 'they rename it'
mkdir -p build/new/lib
ln -s "$BUILD/lib/libsysmon.a" build/new/lib
make_ok 'make, with warnings as errors' VARIANT=new TOOLS=loadstat WERROR=1 -o build/new/lib/libsysmon.a \
	build/new/bin/loadstat completions schemas
loadstat=$PWD/build/new/bin/loadstat

mkdir -p "$TMP/root/proc" "$TMP/root/sys"
echo '0.50 1.25 12.75 3/421 999' >"$TMP/root/proc/loadavg"
of_root() { run "$loadstat" --root="$TMP/root" "$@"; }

of_root --interval=0.1 --count=2 --summary
is "$status $err" '0 ' 'table: exit status, no message'
is "$(sed -E 's/^[0-9:.]{8,} /TIME /' "$TMP/out" | tr -s ' ')" 'Time Load Tasks
TIME 0.50 421
TIME 0.50 421
2 rows, 0 lost' 'table and summary'
of_root -x -N 0.1 1
like "$out" '^[0-9:.]+ +12\.75 +421$' 'an option of the tool, one of all tools, DELAY and COUNT'

before=$(date +%s)
of_root --csv --timestamp=epoch --interval=0.1 --count=2
after=$(date +%s)
is "$(head -n 1 "$TMP/out")" 'time,mono_ns,dt_s,load,tasks' 'CSV: columns'
is "$(cut -d, -f4- "$TMP/out" | tail -n +2)" $'0.50,421\n0.50,421' 'CSV: values'
is "$(awk -F, -v from="$before" -v to="$after" 'NR > 1 && ($1 < from || $1 >= to + 1)' "$TMP/out")" '' 'time of the rows'
is "$(awk -F, 'NR > 1 && mono && sprintf("%.9f", ($2 - mono) / 1e9) != $3; NR > 1 { mono = $2 }' "$TMP/out")" \
	'' 'dt_s is the difference of mono_ns'
is "$(awk -F, -v most=$((after - before + 1)) 'NR == 2 && ($3 < 0.1 || $3 > most)' "$TMP/out")" '' 'the first row covers an interval'

schema=build/new/schema/loadstat.schema.json
check() { jq -r --slurpfile schema "$schema" --argjson check "$1" -f "$TOP/tests/lib/schema.jq" "${@:2}"; } # CHECK ARGUMENT...
of_root --json --interval=0.1 --count=2
is "$(jq -r .type "$TMP/out" | xargs)" 'header sample sample summary' 'JSON: records'
is "$(check true -n)" '' 'the schema is strict'
is "$(check false "$TMP/out")" '' 'the records are as in the schema'
isnt "$(jq -c 'select(.type == "sample").tasks = "421"' "$TMP/out" | check false)" '' 'a wrong type is refused'

of_root --prom="$TMP/prom" --quiet --interval=0.1 --count=2
is "$status $out$err" '0 ' '--prom, --quiet'
like "$(<"$TMP/prom")" '# TYPE sysmon_loadstat_rows_total counter
sysmon_loadstat_rows_total 2' '--prom'

# The rest of the interval at the end of the run.
of_root --interval=60 -N -- sh -c 'exit 7'
like "$status $out" '^7 [0-9:]+ +0\.50 +421$' 'COMMAND: its status, and a row of the part of an interval'
of_root --interval=60 --duration=0.1 -N
is "$status $out" '0 ' 'no row of a small part of an interval'
if have_cmd script; then
	run script -qec "stty cols 80 rows 24; '$loadstat' --root='$TMP/root' -N 60 -- stty cols 16" /dev/null
	like "$out" '^[0-9:]{8}   0\.50….?$' 'a terminal that becomes narrower'
else
	skip 'needs script'
fi

rm "$TMP/root/proc/loadavg"
of_root
is "$status $out$err" '3 loadstat: load average: No such file or directory' 'a file is missing'
run "$loadstat" --slowly
is "$status $out$err" "2 loadstat: unknown option '--slowly': the nearest is --slow
Try 'loadstat --help' for more information." 'an unknown option'
run "$loadstat" --help
like "$status $out" '^0 Usage: loadstat .*--slow .*--json' '--help'
run "$loadstat" --version
like "$status $out" '^0 loadstat .*[0-9]' '--version'
run bash -c '. "$0"; COMP_WORDS=(loadstat --sl) COMP_CWORD=1; _loadstat loadstat --sl loadstat; echo "${COMPREPLY[@]}"' \
	build/new/completions/loadstat.bash
is "$status $out" '0 --slow' 'completion'
done_testing

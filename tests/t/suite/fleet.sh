#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Examples for many machines: the queries of the Grafana dashboard, the image, and the containers of the Kubernetes
# DaemonSet, which run here with their options, user and capabilities.  suite/dashboard.sh runs the queries.
# live
# seconds: 12
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
. "$TOP/tests/lib/lab.sh"
need_cmd jq
board=$TOP/examples/grafana-dashboard.json
all_tools=("$TOP"/*/opts.c)
all_tools=("${all_tools[@]%/opts.c}")
all_tools=("${all_tools[@]##*/}")

# --- the dashboard ---------------------------------------------------------------------
run jq -e . "$board"
expect_exit 0 'dashboard: JSON'
is "$(jq -r '[.panels[].id] | group_by(.)[] | select(length > 1)[0]' "$board")" '' 'dashboard: each panel has its own id'
is "$(jq -r '.panels[] | select(.type != "row") | select((.title and .description and .fieldConfig.defaults.unit and
	.datasource.uid == "${datasource}" and (.targets | length > 0)) | not) | .title' "$board")" '' \
	'dashboard: each panel has a title, a description, a unit, the data source and queries'
is "$(jq -r '.panels[] | . as $p | .targets[]? | select(.expr == "" or ($p.type != "table" and .legendFormat == "")) | $p.title' "$board")" '' \
	'dashboard: each query has a legend'
is "$(jq -r '.panels[] | . as $p | [.targets[]?.refId] | select(length != (unique | length)) | $p.title' "$board")" '' \
	'dashboard: the queries of a panel have different letters'
is "$(jq -r '[.panels[] | .title as $t | .gridPos | . as $g | select($g.x + $g.w > 24) | $t],
	[[.panels[] | .gridPos as $g | range($g.x; $g.x + $g.w) as $x | range($g.y; $g.y + $g.h) as $y | [$x, $y]] |
		group_by(.)[] | select(length > 1)[0]] | .[]' "$board")" '' 'dashboard: no panel covers another one'
jq -r '.panels[].targets[]?.expr, .templating.list[].query.query?' "$board" >"$TMP/expressions"

# Metrics that the pages of section 5 list, and metrics of all tools in sysmon(7)
sed -n 's/.*\(sysmon_[a-z_]*[a-z]\).*/\1/p' "$TOP"/man/*.5 | sort -u >"$TMP/listed"
num "$(wc -l <"$TMP/listed")" -ge 70 'metrics of the manual pages'
{
	cat "$TMP/listed"
	for tool in "${all_tools[@]}"; do
		sed -n "s/.*sysmon_TOOL_\\([a-z_]*[a-z]\\).*/sysmon_${tool//-/_}_\\1/p" "$TOP/man/sysmon.7"
	done
} | sort -u >"$TMP/known"
grep -oE 'sysmon_[a-z_]+' "$TMP/expressions" | sed -E 's/_(bucket|sum|count)$//' | grep -v '_$' | sort -u >"$TMP/used"
is "$(comm -23 "$TMP/used" "$TMP/known")" '' 'dashboard: the manual pages describe its metrics'
is "$(comm -13 "$TMP/used" "$TMP/listed")" '' 'dashboard: it shows all metrics of the manual pages'
patterns=0
while read -r pattern; do
	patterns=$((patterns + 1))
	ok "dashboard: a described metric matches $pattern" grep -qxE "$pattern" "$TMP/known"
done < <(grep -oE '__name__=~"[^"]*"' "$TMP/expressions" | cut -d'"' -f2 | sort -u)
num "$patterns" -ge 2 'dashboard: patterns of metrics'

if have_cmd promtool; then
	jq '{groups: [{name: "dashboard", rules: [.panels[].targets[]?.expr | gsub("\\$__rate_interval|\\$__range"; "5m")] | to_entries |
		map({record: "r\(.key)", expr: .value})}]}' "$board" >"$TMP/rules.json"
	run promtool check rules "$TMP/rules.json"
	expect_exit 0 'dashboard: promtool parses each query'
	like "$out" "$(jq '[.panels[].targets[]?] | length' "$board") rules found" 'dashboard: and all of them'
else
	skip 'dashboard: needs promtool, which is not installed' 2
fi

# --- the image -------------------------------------------------------------------------
is "$(sed -n 's/^RUN apt-get.* --no-install-recommends //p' "$TOP/examples/Containerfile" | tr ' ' '\n' | sort | xargs)" \
	"$(awk '$1 == "build" && NF == 6 { print $3 }' "$TOP/tools/deps.sh" | sort | xargs)" 'image: the packages of tools/deps.sh build'

# --- the DaemonSet ---------------------------------------------------------------------
if ! have_cmd python3 || ! python3 -c 'import yaml' 2>"$TMP/err"; then
	skip 'DaemonSet: needs python3 and its module yaml'
	done_testing
fi
run python3 -c 'import json, sys, yaml; json.dump(list(yaml.safe_load_all(open(sys.argv[1]))), sys.stdout)' \
	"$TOP/examples/kubernetes-daemonset.yml"
expect_exit 0 'DaemonSet: YAML'
jq '.[] | select(.kind == "DaemonSet").spec.template.spec' <<<"$out" >"$TMP/pod.json"
of_pod() { jq -r "$1" "$TMP/pod.json"; }
of() { jq -r --arg c "$container" ".containers[] | select(.name == \$c) | $1" "$TMP/pod.json"; } # of $container
is "$(of_pod '.hostPID, .hostNetwork' | xargs)" 'true true' 'DaemonSet: the namespaces of the host'
is "$(of_pod '.containers[] | select((.securityContext | .readOnlyRootFilesystem and .allowPrivilegeEscalation == false and
	.capabilities.drop == ["ALL"]) and .resources.limits.memory and .resources.requests.cpu | not).name')" '' \
	'DaemonSet: capabilities are dropped, the image is read-only, memory is limited'
is "$(of_pod '(.volumes | map(.name)) as $v | .containers[].volumeMounts[].name | select([.] | inside($v) | not)')" '' 'DaemonSet: volumes'
mapfile -t containers < <(of_pod '.containers[] | select(.command).name')
num "${#containers[@]}" -ge 4 'DaemonSet: containers of tools'

# The capabilities are those of the command setcap in section PRIVILEGES of the page; otherwise root needs none.
same_capabilities() {
	is "$(of '.securityContext.capabilities.add // [] | sort | join(" ")')" \
		"$(sed -n '/^\.Sh PRIVILEGES/,/^\.Sh [^P]/s/^setcap \(cap_[a-z_,]*\)=ep .*/\1/p' "$TOP/man/$container.8" | sed 's/cap_//g' |
			tr 'a-z,' 'A-Z\n' | sort | xargs)" "$container: the capabilities of the manual page"
}

mkdir -p "$TMP/bin" "$TMP/textfile"
chmod 777 "$TMP/textfile"
rights() { # $rights: the words that give a program the user and the capabilities of $container
	local caps user group
	caps=$(of '.securityContext.capabilities.add // [] | map(",+" + ascii_downcase) | join("")')
	user=$(of .securityContext.runAsUser) group=$(of '.securityContext.runAsGroup // 0')
	rights=(setpriv --no-new-privs --reuid="$user" --regid="$group" --clear-groups --inh-caps=-all --bounding-set="-all$caps")
}
# $machine: the words that start the program of $container, on a simulated machine if it has --root
on_machine() {
	machine=()
	[[ " ${words[*]} " == *' --root='* ]] || return 0
	{
		sed "s,^include ,include $LAB/trees/," "$(lab_tree rapl-one)"
		echo '/proc/stat host /proc/stat'
	} >"$TMP/machine.spec"
	machine=("$LAB/run" -r "$TMP/machine.spec" "$TMP/lab.log" --)
}
writes_metric() { grep -q "^sysmon_${container}_samples_total [1-9]\|^sysmon_${container}_events_total.* [1-9]" "$1"; }
notes() { grep -vE ': [0-9]+ (events received|samples are too few)' "$TMP/msg"; }
# WORD...: the command of $container has its metrics and the messages of a run with all rights
runs() {
	local file=$TMP/textfile/$container.prom all
	shift
	run ${machine[@]+"${machine[@]}"} "$TMP/bin/$container" "$@" --duration=0.3
	cp "$TMP/err" "$TMP/msg"
	all=$(notes)
	rm -f "$file"
	bg ${machine[@]+"${machine[@]}"} "${rights[@]}" "$TMP/bin/$container" "$@" --interval=0.5s >"$TMP/rows" 2>"$TMP/msg"
	ok "$container: metrics" wait_for -t 20 writes_metric "$file" || diag "$(cat "$TMP/msg")"
	num "$(awk '/^VmHWM:/ { print $2 }' "/proc/$bg_pid/status")" -lt "$(($(of '.resources.requests.memory | rtrimstr("Mi")') * 1024))" \
		"$container: memory in use is less than requested"
	kill -INT "$bg_pid"
	reap "$bg_pid"
	is "$status $(notes)" "0 $all" "$container: the messages of a run with all rights"
}
# shellcheck disable=SC2031 # each container has its own
for container in "${containers[@]}"; do
	mapfile -t words < <(of '.command[]')
	is "${words[0]}" "$container" "$container: the command begins with the name of the tool"
	like " ${words[*]} " " --prom=$(of '.volumeMounts[] | select(.name == "textfile").mountPath')/$container.prom " "$container: file in the volume"
	same_capabilities
	[ -x "$BUILD/bin/$container" ] || { skip "$container: is not built here" 4; continue; }
	run "$BUILD/bin/$container" "${words[@]:1}" --version
	expect_exit 0 "$container: options"
	why=$(why_not "$container")
	lack=''
	[[ " ${words[*]} " != *' --root='* ]] || lack=$(lab_lacks)
	if ! have_root || ! have_cap setpcap || ! have_cmd setpriv; then
		skip "$container: needs root, CAP_SETPCAP and setpriv" 3
	elif [ -n "$why$lack" ]; then
		skip "$container cannot run here: $why$lack" 3
	else
		cp "$BUILD/bin/$container" "$TMP/bin/"
		rights
		on_machine
		words=("${words[@]/--root=*/--root=@ROOT@}")
		runs "${words[@]/--prom=*/--prom=$TMP/textfile/$container.prom}"
	fi
done
done_testing

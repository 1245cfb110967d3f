#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# CSV by a reader of RFC 4180: one heading, as many fields in every record, values as they were.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing

# A record per line of output, fields parted by TAB; quoted fields may hold commas, quotes
# and line ends.
cat >"$TMP/csv.awk" <<'EOS'
{
	text = text $0 "\n"
}
END {
	n = length(text)
	for (i = 1; i <= n; i++) {
		c = substr(text, i, 1)
		if (quoted && c == "\"" && substr(text, i + 1, 1) == "\"") { field = field c; i++ }
		else if (c == "\"") { if (!quoted && field != "") bad++; quoted = !quoted }
		else if (quoted) field = field c
		else if (c == "," || c == "\n") {
			record = record (c == "," ? field "\t" : field)
			field = ""
			if (c == "\n") { print record; record = "" }
		} else field = field c
	}
	if (quoted || bad) print "BROKEN"
}
EOS
csv() { awk -f "$TMP/csv.awk" "$TMP/rows" >"$TMP/fields"; }
# COLUMN AWK-CONDITION: of the records that meet it; in the condition f["name"] is a field
column() {
	awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
		{ for (i = 1; i <= NF; i++) f[name[i]] = $i } '"$2"' { print f["'"$1"'"] }' "$TMP/fields" |
		tr '\n' ' '
}

follow -E --csv -- "$HELPERS/load" -o "$TMP/truth" kinds
expect_exit 0
csv
is "$(awk -F'\t' '{ print NF }' "$TMP/fields" | sort -u | wc -l)" 1 'as many fields in every record'
is "$(grep -c BROKEN "$TMP/fields")" 0 'quotes are in pairs, around whole fields'
is "$(grep -c '^time,' "$TMP/rows")" 1 'one heading'
is "$(wc -l <"$TMP/fields")" "$(wc -l <"$TMP/rows")" 'a record is a line'
p() { awk -F'\t' -v k="$1" -v n="${2:-1}" '$1 == k && ++i == n { print $2 }' "$TMP/truth"; }
is "$(column pid 'f["event"] == "fork"')" "$(awk -F'\t' 'NF > 4 && $1 != "cpu" { print $2 }' "$TMP/truth" | tr '\n' ' ')" 'forks, one record each, in order'
is "$(column status "f[\"event\"] == \"exit\" && f[\"pid\"] == $(p fork)")" '3 ' 'exit 3'
is "$(column signal "f[\"event\"] == \"exit\" && f[\"pid\"] == $(p fork 2)")" '9 ' 'SIGKILL'
is "$(column signal_name "f[\"event\"] == \"exit\" && f[\"pid\"] == $(p core)")" 'SIGABRT ' 'SIGABRT'
is "$(column uid 'f["event"] == "uid"')" '1 ' 'uid'
is "$(column gid 'f["event"] == "gid"')" '1 ' 'gid'
is "$(column sid 'f["event"] == "sid"')" "$(p sid) " 'sid'
is "$(column old_comm 'f["event"] == "comm"')" 'load ' 'comm: before'
is "$(column comm 'f["event"] == "comm"')" 'sm-renamed ' 'comm: after'
is "$(column tracer_pid 'f["event"] == "ptrce"')" "$(p load) 0 " 'tracer'
is "$(column ppid 'f["event"] == "fork"' | tr ' ' '\n' | sort -u | tr '\n' ' ' | tr -s ' ')" "$(p load) " 'parents'
ok 'lifetimes are decimal seconds' awk -v s="$(column duration_s 'f["event"] == "exit"')" \
	'BEGIN { n = split(s, a, " "); for (i = 1; i <= n; i++) if (a[i] !~ /^[0-9]+[.][0-9]+$/) exit 1; exit !n }'
ok 'it is UTF-8' iconv -f UTF-8 -t UTF-8 -o /dev/null "$TMP/rows"
is "$(tr -d '\n' <"$TMP/rows" | LC_ALL=C tr -d ' -~\200-\377' | wc -c)" 0 'no control byte'

follow --csv -- /bin/sh -c 'exec /bin/true "a,b" "say \"hi\"" "x
y"'
csv
is "$(awk -F'\t' '{ print NF }' "$TMP/fields" | sort -u | wc -l)" 1 'commas and quotes in arguments: fields'
like "$(column cmd 'f["event"] == "exit"')" '^/bin/true a,b say "hi" x' 'commas and quotes in arguments: value'
follow --csv -- /bin/true '=1+1'
csv
like "$(column cmd 'f["event"] == "exec"')" '/bin/true =1\+1' 'a formula is not first in its field'
follow --csv="$TMP/beside" -- true
like "$(head -n 1 "$TMP/rows")" '^Time' '--csv=FILE: the table as ever'
mv "$TMP/beside" "$TMP/rows"
csv
is "$(column cmd 'f["event"] == "exec"')" 'true ' '--csv=FILE: the records'
if have_cmd mlr; then
	ok 'mlr reads it' mlr --icsv --ojson cat "$TMP/rows"
else
	skip 'needs mlr, which is not installed'
fi
done_testing

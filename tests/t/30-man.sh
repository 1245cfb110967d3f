#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The man pages say what the tables say: options, events, fields, exit codes; no more, no less.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
page=$TOP/man/forkstat.8
shared=$TOP/man/sysmon.7
complete=$BUILD/gen/complete-forkstat
[ -x "$complete" ] || skip_all "needs $complete (make completions)"

# section PAGE TITLE: its lines, up to the next .Sh or .Ss
section() {
	awk -v want="$2" '
		/^\.S[hs] / { on = substr($0, 5) == want; next }
		on' "$1"
}

# The tags between .Sh OPTIONS and the next .Sh, as "-D<TAB>--duration<TAB>TIME".
documented_options() {
	awk '
		/^\.Sh / { on = $0 == ".Sh OPTIONS"; next }
		!on || !/^\.It Fl / { next }
		{
			letter = "-"; name = "-"; arg = "-"; optional = 0; inflag = 0
			for (i = 3; i <= NF; i++) {
				w = $i
				if (w == "Fl" || w == "Ns" || w == "=" || w == ",") continue
				if (w == "Op") { optional = 1; continue }
				if (w == "Ar") { arg = $(++i); continue }
				if (w ~ /^-/) name = "-" w
				else letter = "-" w
			}
			if (optional) arg = "[" arg "]"
			printf "%s\t%s\t%s\n", letter, name, arg
		}' "$page" | sort
}

# The first words of a list of tags: ".It Cm fork" -> fork.
tags() { # PAGE SECTION MACRO
	section "$1" "$2" | sed -n "s/^\.It $3 //p" | tr -d ',' | tr ' ' '\n' | sort
}

want=$("$complete" dump | sort)
# Only what differs: the page's own lines on the left, the table's after a tab.
is "$(comm -3 <(documented_options) <(echo "$want"))" '' 'every option with its letter, name and metavariable'
num "$(printf '%s\n' "$want" | wc -l)" -gt 30 'and there are options at all'

# Events: the error message lists what the parser takes, the page may not tell otherwise.
run "$FORKSTAT" -e no-such-event
events=$(sed -n 's/.*known are all, //p' "$TMP/err" | tr -d ' ' | tr ',' '\n')
is "$(tags "$page" EVENTS Cm)" "$(grep -v nonzeroexit <<<"$events" | sort)" 'every event'
like "$events" nonzeroexit 'the alias nonzeroexit is there'

# Fields: the column table's keys, as the source has them.
keys=$(sed -n 's/.*\(HUMAN\|MACHINE\)("\([a-z_]*\)".*/\2/p' "$TOP/forkstat/columns.c" | sort)
is "$(tags "$page" Fields Va)" "$keys" 'every field of JSON and CSV'
num "$(wc -l <<<"$keys")" -gt 20 'and there are fields at all'

heads=$(sed -n 's/.*HUMAN([^,]*, "\([A-Za-z]*\)".*/\1/p' "$TOP/forkstat/columns.c" | grep . | sort)
is "$(section "$page" 'The table' | sed -n 's/^\.It //p' | tr -d ' ' | tr ',' '\n' | sort)" \
	"$heads" 'every column of the table'

metrics=$(grep -o 'sysmon_forkstat_[a-z_]*' "$TOP/forkstat/rates.c" | sort -u)
is "$(section "$page" Prometheus | grep -o 'sysmon_forkstat_[a-z_]*' | sort)" "$metrics" \
	'every Prometheus family'

# Exit codes
codes=$(sed -n 's/^[[:space:]]SM_EXIT_[A-Z]* = \([0-9]*\),.*/\1/p' "$TOP/libsysmon/err.h")
is "$(section "$shared" 'EXIT STATUS' | sed -n 's/^\.It //p')" "$codes" 'exit codes of sysmon.7'

# What the prose says about defaults stands in the help too.
run "$FORKSTAT" --help
default=$(sed -n 's/.*default:$//p;s/^ *\(fork,exec,exit,clone,ptrce\)).*/\1/p' "$TMP/out" | grep .)
documented=$(section "$page" EVENTS | sed -n '/^The default is/{n;s/^\.Cm //p;}')
is "$(tr -d ' ' <<<"${documented% .}")" "$default" 'the default events'

for p in "$page" "$shared"; do
	name=${p##*/}
	if have_cmd mandoc; then
		# Whether other pages are installed here, and mandoc's index of them, is not ours.
		is "$(mandoc -T lint "$p" 2>/dev/null | grep -v 'referenced manual not found')" '' \
			"$name: mandoc -T lint has nothing to say"
	else
		skip "needs mandoc, which is not installed"
	fi
done
done_testing

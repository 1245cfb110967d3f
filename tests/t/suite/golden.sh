#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of the golden runner, with a tool and a tree made for them.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"

tree=$TMP/tree
cases=$tree/tests/golden/echoer.txt
mkdir -p "$tree/tests/lib" "${cases%/*}" "$tree/b/bin"
cp "$TOP/tests/lib/golden.sh" "$tree/tests/lib/"
echoer() { # BODY of the tool
	printf '#!/bin/sh\n%s\n' "$1" >"$tree/b/bin/echoer"
	chmod +x "$tree/b/bin/echoer"
}
talk='printf "%s\n" "$@"; echo "echoer: trouble" >&2; exit 3'
blank=' '
right="# Cases of a tool that repeats its arguments.
== case
\$ one 'two  words' '' 'blank ' 12:34:56
| one
| two  words
|
| blank$blank
|~[0-9][0-9]:[0-9][0-9]:*
! echoer: trouble
= 3

== none
\$
|
! echoer: trouble
= 3"
reset() { # [SED-SCRIPT]: the cases as they must be, with this change
	echoer "$talk"
	sed "${1-}" <<<"$right" >"$cases"
}
golden() { run env BUILD="$tree/b" "$tree/tests/lib/golden.sh" "$@"; }
differs() { # SED-SCRIPT DIFFERENCE NAME
	reset "$1"
	golden
	like "$status $out" "^1 not ok 1 - echoer/case.*#   $2" "$3"
}

reset
golden
is "$status $out" '0 ok 1 - echoer/case
ok 2 - echoer/none
1..2' 'equal cases pass'
golden echoer/none
is "$status $out" '0 ok 1 - echoer/none
1..1' 'one case of a tool'
differs 's/^| one/| two/' '\+\| one' 'another output fails, and the difference is shown'
differs '5s/two  words/two words/' '\+\| two  words' 'blanks count'
differs 's/^| blank $/| blank/' '\+\| blank ' 'blanks at the end of a line count'
differs 's/^|~.*/|~[0-9]:*/' '-\|~' 'a pattern that does not match fails'
differs 's/^|~/!~/' '-!~' 'a pattern of the other stream fails'
differs '7a | more' '-\| more' 'a missing line fails'
differs '/^!/d' '\+! echoer: trouble' 'no line of standard error means an empty one'
differs '/^= /d' '\+= 3' 'no status means 0'
reset
rm "$tree/b/bin/echoer"
golden
like "$status $out" '^1 not ok 1 .*#   \+= 127' 'a missing tool fails'
run env BUILD="$tree/b" LEFT_OUT=echoer "$tree/tests/lib/golden.sh"
like "$status $out" '^0 ok 1 # SKIP echoer/case: echoer is not built here' 'a tool that is left out is skipped'

reset
golden --bless
is "$(cat "$cases")" "$right" 'bless changes nothing that passes'
echoer 'echo "new $1"; echo'
golden --bless
is "$(cat "$cases")" "${right%%$'\n\n'*}

== none
\$
| new$blank
|" 'bless rewrites a case, keeps comments and a case with a pattern, and writes no status 0'
golden echoer/none
expect_exit 0 'what was blessed passes'
rm "$cases"
golden
is "$status $out" '0 1..0 # SKIP no golden files' 'without files: a skip with its reason'
done_testing

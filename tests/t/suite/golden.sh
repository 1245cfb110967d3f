#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of the golden runner, with a tool and a tree made for them.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"

tree=$TMP/tree
case=$tree/tests/golden/echoer/case
mkdir -p "$tree/tests/lib" "${case%/*}" "$tree/b/bin"
cp "$TOP/tests/lib/golden.sh" "$tree/tests/lib/"
cat >"$tree/b/bin/echoer" <<'EOF'
#!/bin/sh
printf '%s\n' "$@"
echo "echoer: trouble" >&2
exit 3
EOF
chmod +x "$tree/b/bin/echoer"

reset() { # the files as they must be
	rm -f "$tree"/tests/golden/echoer/*
	echo "one 'two  words' 12:34:56" >"$case.args"
	printf '%s\n' one 'two  words' '~[0-9][0-9]:[0-9][0-9]:*' >"$case.out"
	echo 'echoer: trouble' >"$case.err"
	echo 3 >"$case.exit"
}
golden() { run env BUILD="$tree/b" "$tree/tests/lib/golden.sh" "$@"; }
differs() { # WHAT NAME
	golden
	like "$status $out" "^1 .*not ok 1 - echoer/case.*# differs:.*$1" "$2"
}

reset
golden
is "$status $out" '0 1..1
ok 1 - echoer/case' 'equal files pass'
echo 'two words' >"$case.out"
differs stdout 'another output fails'
like "$out" '#   \+one' 'the difference is shown'
reset
sed -i 's/~.*/~[0-9]:*/' "$case.out"
differs stdout 'a pattern that does not match fails'
reset
echo more >>"$case.out"
differs stdout 'a missing line fails'
reset
rm "$case.err"
differs stderr 'no file of stderr means an empty one'
reset
rm "$case.exit"
differs 'exit status 3, want 0' 'no file of the status means 0'
reset
rm "$tree/b/bin/echoer"
differs 'exit status 127, want 3' 'a missing tool fails'
cat >"$tree/b/bin/echoer" <<'EOF'
#!/bin/sh
echo "new $1"
EOF
chmod +x "$tree/b/bin/echoer"
golden --bless
is "$(cat "$case.out")" 'one
two  words
~[0-9][0-9]:[0-9][0-9]:*' 'bless keeps a file with patterns'
rm "$case.out"
golden --bless
is "$(cat "$case.out"; ls "$tree/tests/golden/echoer" | tr '\n' ' ')" \
	'new one
case.args case.out ' 'bless rewrites exact files, and none for an empty stderr and status 0'
golden
expect_exit 0 'what was blessed passes'
rm -r "$tree/tests/golden/echoer"
golden
is "$status $out" '0 1..0 # SKIP no golden files' 'without files: a skip with its reason'
done_testing

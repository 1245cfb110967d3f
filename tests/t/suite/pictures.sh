#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The pictures in doc/pictures: well-formed, small, without paths of the machine that made them.  screen_svg.py draws
# each cell of a recorded screen at its place, in its colour.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
need_cmd python3

well_formed() { python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$1"; }
for f in "$TOP"/doc/pictures/*.svg; do
	name=${f##*/}
	ok "$name: well-formed" well_formed "$f"
	num "$(wc -c <"$f")" -le 70000 "$name: at most 70 kB"
	is "$(grep -oE '/(home|root|work|tmp|shm|mnt|srv|opt)/[^<"]*' "$f")" '' "$name: no path of a machine"
done
while read -r f; do
	ok "README.md: $f exists" test -f "$TOP/$f"
done < <(grep -oE 'doc/pictures/[a-z-]+\.svg' "$TOP/README.md" | sort -u)

# tmux's capture: the attributes of a line continue on the next one.
printf '%s\n' $'a \e[32mgreen on\e[39m off' $'\e[1;31m<&>"' $'red\e[0m' $'\e[30m\e[46mMM\e[36m\e[49mm\e[7mr\e[0m' \
	$'\e[7m\e[30m\e[46mc\e[0m\e[2m日本\e[0m|e\xcc\x81' $'\e[33m██▄\e[0m▌x' 'clipped line' 'row 8' >"$TMP/screen"
draw() { run "$TOP/tools/screen_svg.py" "$@"; }
piece() { ok "$1" grep -qxF -- "$2" "$TMP/out"; } # NAME LINE
draw 7x7 "sh -c 'a<b' & # c" "$TMP/screen"
expect_exit 0 'a recorded screen'
ok 'it is well-formed' well_formed "$TMP/out"
piece 'the title' '<text class="b" x="28.8" y="20" textLength="142.8">sh -c '\''a&lt;b'\'' &amp; # c</text>'
piece 'text without a colour' '<text x="0" y="13" textLength="8.4">a</text>'
piece 'a colour; cells beyond the width are left out' '<text class="f2" x="16.8" y="13" textLength="42">green</text>'
piece 'characters of SVG' '<text class="f1 b" x="0" y="30" textLength="33.6">&lt;&amp;&gt;"</text>'
piece 'the attributes of the line before' '<text class="f1 b" x="0" y="47" textLength="25.2">red</text>'
piece 'a background' '<rect class="b6" x="0" y="51" width="16.8" height="17"/>'
piece 'text on it' '<text class="fk" x="0" y="64" textLength="16.8">MM</text>'
piece 'the same colour as text' '<text class="f6" x="16.8" y="64" textLength="8.4">m</text>'
piece 'reverse video: the background' '<rect class="b6" x="25.2" y="51" width="8.4" height="17"/>'
piece 'reverse video: the text' '<text class="fw" x="25.2" y="64" textLength="8.4">r</text>'
piece 'reverse video on a background' '<rect class="bt" x="0" y="68" width="8.4" height="17"/>'
piece 'characters of two cells' '<text class="fd" x="8.4" y="81" textLength="33.6">日本</text>'
piece 'the cell after them, and a combining character' $'<text x="42" y="81" textLength="16.8">|e\xcc\x81</text>'
piece 'full blocks' '<rect class="f3" x="0" y="85" width="16.8" height="17"/>'
piece 'half a block' '<rect class="f3" x="16.8" y="93.5" width="8.4" height="8.5"/>'
piece 'half a block, left' '<rect class="ft" x="25.2" y="85" width="4.2" height="17"/>'
piece 'a line that is too wide' '<text x="0" y="115" textLength="58.8">clipped</text>'
is "$(grep -c 'row 8' "$TMP/out")" 0 'lines beyond the height are left out'
is "$(grep -oE 'viewBox="[^"]*"' "$TMP/out")" 'viewBox="0 0 82.8 173"' 'the size: 7 x 7 cells, margins, title'
ok 'a dark palette' grep -qF '@media(prefers-color-scheme:dark){' "$TMP/out"
draw -a 2 7x7 one "$TMP/screen" two "$TMP/screen" three "$TMP/screen"
is "$(grep -oE '^<g transform="[^"]*' "$TMP/out" | cut -d'"' -f2 | grep -v 'translate(12 42)' | tr '\n' ' ')" \
	'translate(0 0) translate(98.8 0) translate(0 189) ' 'three screens, two of them side by side'
printf '\e[5mblink\n' >"$TMP/screen"
expect 'an attribute that it cannot draw' 1 'screen_svg.py: SGR 5 is not supported' \
	"$TOP/tools/screen_svg.py" 7x7 x "$TMP/screen"
expect 'too few arguments' 1 'Usage: screen_svg.py [-a N] COLUMNSxROWS TITLE FILE [TITLE FILE]...' \
	"$TOP/tools/screen_svg.py" 7x7 x
done_testing

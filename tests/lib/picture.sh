# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# picture: functions of the tests that look at pictures; sourced after tap.sh.

# FILE.png: "WIDTH HEIGHT" from its PNG header
png_size() {
	od -An -v -tu1 -N 24 "$1" | tr -s ' \n' ' ' | awk '
		$1 == 137 && $2 == 80 && $3 == 78 && $4 == 71 && $13 == 73 && $14 == 72 && $15 == 68 && $16 == 82 {
			print ($17 * 256 + $18) * 65536 + $19 * 256 + $20, ($21 * 256 + $22) * 65536 + $23 * 256 + $24
		}'
}
# FILE.png: decodes it by gnuplot, once for many questions: $TMP/points has a line "X Y R G B ..." for each pixel, Y from
# below; $TMP/colours one "COLOUR COUNT" for each colour.
decode() {
	rm -f "$TMP/colours"
	gnuplot -e "set table '$TMP/points'; plot '$1' binary filetype=png with rgbimage"
	awk '!/^#/ { n[($3 * 256 + $4) * 256 + $5]++ } END { for (c in n) print c, n[c] }' "$TMP/points" >"$TMP/colours"
}
# R G B: number of pixels of that colour in the picture decoded last
pixels() { awk -v c=$((($1 * 256 + $2) * 256 + $3)) '$1 == c { n = $2 } END { print n + 0 }' "$TMP/colours"; }

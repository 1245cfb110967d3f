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
# FILE.png R G B: number of pixels of that colour, decoded by gnuplot
pixels() {
	gnuplot -e "set table; plot '$1' binary filetype=png with rgbimage" |
		awk -v r="$2" -v g="$3" -v b="$4" '$3 == r && $4 == g && $5 == b { n++ } END { print n + 0 }'
}

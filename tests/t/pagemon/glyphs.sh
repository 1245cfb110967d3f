#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# The letters on the screen, for a process with each kind of page, at several zooms and by both ways of reading: they
# are computed here from what another program reads of each page.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/pagemon.sh"
. "$TOP/tests/lib/tui.sh"
have_cap sys_admin || skip_all 'needs CAP_SYS_ADMIN' # for page frame numbers
WIDTH=132 HEIGHT=43
cells=$((WIDTH - 17)) rows=$((HEIGHT - 2))
methods=(read)
pm --method=scan --quiet $$
if [ "$status" = 0 ]; then methods=(scan read); else skip "no PAGEMAP_SCAN: $err"; fi

# A line for each page of each mapping: kinds, "." without one.  A block of 512 pages is huge if it lies in a region
# with huge pages and all of it is there.
pages() {
	regions | awk '$0 ~ / huge=[1-9]/ { print $2, $3 }' >"$TMP/huge"
	"$HELPERS/pagetruth" -p "$LOAD_PID" | awk 'NF == 3 { print $1, $3 }' >"$TMP/there"
	sed 's/-/ /; s/ .*//2' "/proc/$LOAD_PID/maps" | cut -d' ' -f1,2 >"$TMP/maps"
	awk -v page="$(getconf PAGESIZE)" -v dir="$TMP" '
		function hex(s,   i, v) { v = 0; for (i = 1; i <= length(s); i++) v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }
		BEGIN {
			while ((getline <(dir "/there")) > 0) { at = hex($1); kind[sprintf("%.0f", at)] = $2; block = int(at / (512 * page)); if ($2 ~ /P/) n[block]++ }
			while ((getline <(dir "/huge")) > 0) { from[++k] = hex($1); to[k] = hex($2) }
		}
		{ end = hex($2); for (at = hex($1); at < end; at += page) {
			key = sprintf("%.0f", at) # or mawk writes six digits
			letters = key in kind ? kind[key] : "."
			for (i = 1; i <= k; i++) if (at >= from[i] && at < to[i] && n[int(at / (512 * page))] == 512) letters = letters "H"
			print letters } }' "$TMP/maps" >"$TMP/pages"
}
# The cells of the screen from its first page on, one after the other.  A page has the first of the letters SDHMPZG that
# applies.  A cell shows S or D if any page has it, otherwise the letter of most pages; for a part of the pages, a block
# in a colour, or for Z and G the letter in lower case where the last populated cell of the row is of another letter.
expected() { # ZOOM
	awk -v zoom="$1" -v width="$cells" -v most="$((rows * cells))" '
		function letter(   i, c, best) {
			for (i = 1; i <= 7; i++) {
				c = substr("SDHMPZG", i, 1)
				if (n[c] && i <= 2) return c
				if (n[c] > n[best]) best = c
			}
			return best == "" ? "." : best }
		function put(   l, step) {
			if (out % width == 0) last = ""
			l = letter()
			step = n[l] == pages ? 8 : 1 + int(n[l] * 7 / pages)
			if (out++ < most)
				printf "%s", l == "." || step == 8 ? l : l ~ /[ZG]/ && l != last ? tolower(l) : block[step]
			if (l != ".") last = l
			split("", n); pages = 0 }
		BEGIN { split("▁ ▂ ▃ ▄ ▅ ▆ ▇", block, " ") }
		{ pages++
		  n[/S/ ? "S" : /D/ ? "D" : /H/ ? "H" : /M/ ? "M" : /Z/ ? "Z" : /P/ ? "P" : /G/ ? "G" : "none"]++
		  if (pages == zoom) put() }
		END { if (pages) put() }' "$TMP/pages"
}
shown() { tui_screen | sed -n "2,$((HEIGHT - 1))s/^[-0-9a-f]\\{16\\} //p" | tr -d '\n~'; }
is_shown() { [ "$(shown)" = "$want" ]; }

tui_open $WIDTH $HEIGHT
load_start known
pages
num "$(wc -l <"$TMP/pages")" -ge 3000 'pages of the load'
for letter in H M P Z; do
	ok "there are pages of kind $letter" grep -q "$letter" "$TMP/pages"
done
for method in "${methods[@]}"; do
	for zoom in 1 3 64 1000; do
		tui_type "clear; $PAGEMON --method=$method -z $zoom $LOAD_PID; echo STATUS''=\$?"
		want=$(expected $zoom)
		ok "$method, zoom $zoom: each of ${#want} cells" wait_for is_shown || diag "want $want" "got  $(shown)"
		tui_keys q
		tui_see 'STATUS=0$'
	done
done
load_end
done_testing

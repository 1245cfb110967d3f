#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 900
# pagemon under the stock kernels that kernels.sh fetched into $VM: a process with a page of each kind,
# swapped and soft-dirty ones too, by both ways of reading where the kernel has both.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/pagemon.sh"
. "$TOP/tests/lib/vm.sh"

in_pages='def n(k): if has(k) then .[k] / 4 | tostring else "-" end;
	"pages=\(n("mapped_kb")) present=\(n("present_kb")) file=\(n("file_kb")) zero=\(n("zero_kb")) huge=\(n("huge_kb")) " +
	"swap=\(n("swap_kb")) dirty=\(n("dirty_kb")) exclusive=\(n("excl_kb"))"'
of_truth='s/guard=[-0-9]* //'

# RUN: each region of the load is a row with its figures.
regions_of() {
	local name start end counts n=0 bad=''
	jq -r "select(.type == \"mapping\") | \"\\(.start) \\(.end) \" + ($in_pages)" "$G/$1.rows" >"$TMP/rows"
	while read -r name start end counts; do
		n=$((n + 1))
		has_line "$TMP/rows" "^0x$start 0x$end $counts\$" || bad+="$name: $counts, not $(grep "^0x$start " "$TMP/rows")"$'\n'
	done < <(sed -n "s/^region //p" "$G/known.truth" | sed "$of_truth")
	is "$(cat "$G/$1.status")$bad" 0 "$release: $1: $n regions"
	num "$n" -ge 15 "$release: $1: of each kind of page"
}

judge_guest() { # NAME
	results "$1" || return
	is "$(grep -a '^missing' "$G/known.truth" | grep -v ' guard_pages \| anon_name')" '' "$release: the load has all kinds of pages"
	regions_of read
	regions_of auto
	if at_least 6.7; then
		regions_of scan
	else
		is "$(cat "$G/scan.status")" 3 "$release: no PAGEMAP_SCAN: exit status"
		like "$(cat "$G/scan.err")" 'PAGEMAP_SCAN' "$release: the reason"
	fi
	is "$(jq -r 'select(.type == "process") | .present_kb / 4, .swap_kb / 4' "$G/total.rows" | tr '\n' ' ')" \
		"$(sed -n 's/^total .*present=\([0-9]*\) .*swap=\([0-9]*\) .*/\1 \2 /p' "$G/total.truth")" "$release: totals are those of another program"
	judge_read_all
	judge_shared
	judge_dirty
}

# Pages of a region, by JSON key, in a run.
pages_of() { # RUN REGION KEY
	local start
	start=$(sed -n "s/^region $2 \\([0-9a-f]*\\) .*/0x\\1/p" "$G/known.truth")
	jq -r --arg start "$start" --arg key "$3" 'select(.type == "mapping" and .start == $start)[$key] / 4' "$G/$1.rows"
}
# What was in swap has been read in, and nothing else.
judge_read_all() {
	is "$(cat "$G/read-all.status")$(cat "$G/read-all.err")" 0 "$release: -r: exit status"
	num "$(pages_of auto swapped swap_kb)" -ge 40 "$release: pages in swap"
	is "$(pages_of read-all swapped swap_kb) $(pages_of read-all swapped present_kb)" '0 64' "$release: -r reads them in"
	is "$(pages_of read-all untouched present_kb) $(pages_of read-all shm_untouched present_kb)" '0 0' "$release: -r reads nothing else in"
}

# Shared memory in swap is in rows and totals, and -r leaves it there.
judge_shared() {
	local start counts run
	is "$(grep -a '^missing' "$G/shm.truth")" '' "$release: shared memory can be moved to swap"
	read -r start _ counts < <(sed -n 's/^region shmswap //p' "$G/shm.truth" | sed "$of_truth")
	for run in shm shm-all; do
		is "$(cat "$G/$run.status" "$G/$run.err")$(jq -r "select(.start == \"0x$start\") | $in_pages" "$G/$run.rows")" \
			"0$counts" "$release: $run: shared memory in swap"
	done
	is "$(sed -n 's/^total .*swap=\([0-9]*\) .*/\1/p' "$G/shm-total.truth") $(jq 'select(.type == "process").swap_kb / 4' "$G/shm-total.rows")" \
		"0 $(sed -n 's/.* swap=\([0-9]*\) .*/\1/p' <<<"$counts")" "$release: the total, although the page table has no entry of it"
}

# What is written each 50 ms, 1024 pages, is dirty after each interval that the load had CPU time in: in most of them.
# The faults are the load's.
judge_dirty() {
	local minor
	mapfile -t minor < <(sed -n 's/^writer .*minor=\([0-9]*\) .*/\1/p' "$G/writer.truth")
	is "$(cat "$G/watched.status")$(cat "$G/cleared.status")" 00 "$release: a writer: exit status"
	num "${minor[1]:-9999}" -le 100 "$release: page faults of a writer that is watched"
	num "${minor[2]:-0}" -ge 1024 "$release: page faults of one whose bits are cleared"
	num "$(jq -s 'map(select(.type == "process").dirty_kb / 4)[1:] | sort | .[length / 2 | floor]' "$G/cleared.rows")" -ge 1024 "$release: what was written since"
}

for name in "${kernels[@]}"; do
	# With 512 MB the kernel makes no transparent huge pages.
	boot "$name" "$name" -n 2 -m 1024 -t 700 -f "$PAGEMON" -f "$HELPERS/pageload" -f "$HELPERS/pagetruth" \
		-f "$VM/$name/modules:/lib/modules/$(cat "$VM/$name/version")" \
		-f "$TOP/tests/vm/guest-pagemon.sh" -- guest-pagemon.sh
done
wait
for name in "${kernels[@]}"; do judge_guest "$name"; done
done_testing

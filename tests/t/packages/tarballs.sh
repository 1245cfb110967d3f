#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# heavy
# timeout: 600
# make tarballs for s390x, a 64-bit architecture with the other byte order: its files, a second build that gives
# the same bytes, and its programs under a kernel of that architecture, which is emulated.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/build.sh"
need_cmd make jq readelf s390x-linux-gnu-gcc
sysroot=$TOP/build/sysroot/s390x vm=$TOP/build/vm/foreign/s390x
[ -e "$sysroot" ] || skip_all 'needs the libraries of s390x: tools/sysroot.sh s390x build/sysroot/s390x'
version=$(sed -n 's/^Version \([0-9.]*\).*/\1/p;q' "$TOP/NEWS")
tarball=sysmon-tools-$version-linux-s390x.tar.gz

copy_tree
mapfile -t tools < <(printf '%s\n' */opts.c | sed 's,/.*,,')
mkdir build dist
ln -s "$TOP/build/sysroot" build/sysroot
: >"dist/sysmon-tools-$version.tar.gz"
make_ok 'make tarballs' tarballs ARCHES=s390x
is "$(cd dist && sha256sum -- *.tar.gz)" "$(cat dist/SHA256SUMS)" 'SHA256SUMS has all tarballs'

# The files: those of `make install`, except the library.
mkdir -p "$TMP/tree/opt"
tar -x --strip-components=1 -C "$TMP/tree/opt" -f "dist/$tarball"
make_ok 'make install' -o all VARIANT=linux-s390x install PREFIX=/opt DESTDIR="$TMP/installed"
files() { (cd "$1" && find . ! -type d | sort); } # FOLDER
is "$(files "$TMP/tree/opt")" "$(files "$TMP/installed/opt" | grep -vE '^\./(lib|include)/')" 'the files of make install'
is "$(tar -tvzf "dist/$tarball" | awk '{ print $2 }' | sort -u)" 0/0 'all files belong to root'
for t in "${tools[@]}"; do
	like "$(readelf -h "$TMP/tree/opt/bin/$t")" 'big endian.*S/390' "$t is a program for s390x"
	unlike "$(readelf -lSW "$TMP/tree/opt/bin/$t")" 'INTERP|\.symtab|\.debug' "$t is static and stripped"
	like "$(cat "$TMP/tree/opt/share/man/"man?/"$t".[18])" "$t" "the page of $t"
done
like "$(strings "$TMP/tree/opt/bin/pagemon")" '/etc/terminfo:/lib/terminfo:/usr/share/terminfo' \
	'where the screen finds descriptions of terminals'

# A tool is built again, in another folder.
mv "$TMP/copy" "$TMP/elsewhere" && cd "$TMP/elsewhere" || exit 2
rm -rf build/linux-s390x build/native dist
umask 077
TZ=Pacific/Chatham make_ok 'make tarballs elsewhere' tarballs ARCHES=s390x TOOLS=pagemon
mkdir "$TMP/again"
tar -x --strip-components=1 -C "$TMP/again" -f "dist/$tarball"
for f in bin/pagemon share/man/man8/pagemon.8; do
	is "$(cd "$TMP/again" && stat -c '%n %a %Y' "$f" && sha256sum "$f")" \
		"$(cd "$TMP/tree/opt" && stat -c '%n %a %Y' "$f" && sha256sum "$f")" "gives the same $f"
done

for need in qemu-system-s390x cpio; do
	have_cmd "$need" || { skip "needs $need"; done_testing; }
done
[ -e "$vm/vmlinuz" ] || { skip "no kernel of s390x: run 'make vm-kernels' first"; done_testing; }
# The load reports its own CPU time.
cat >"$TMP/tree/load" <<'END'
i=0
while [ $i -lt 30000 ]; do i=$((i + 1)); done
times >/times
END
RUN_LIMIT=250 run "$TOP/tests/vm/foreign.sh" "$vm" "$TMP/tree" '
for t in /opt/bin/*; do $t --version; done
for t in /opt/bin/*; do $t --help | head -n 1; done
/opt/bin/cpustat --json 0.5 -- sh /load
echo "{\"type\": \"times\", \"text\": \"$(head -n 1 /times)\"}"
/opt/bin/pagemon -b --json 1
echo "{\"type\": \"statm\", \"text\": \"$(cat /proc/1/statm)\"}"
/opt/bin/forkstat --json -e exec -- /bin/true one two
/opt/bin/stressors --json --qsort 1 --qsort-ops 1'
is "$status" 0 'the guest runs all tools' || diag "$out$err"
for t in "${tools[@]}"; do
	like "$out" "$t [^"$'\n'"]*$version" "s390x: $t --version"
	like "$out" "Usage: $t " "s390x: $t --help"
done
rows() { grep '^{' "$TMP/out" | jq -r "$1"; } # FILTER
load_ms=$(rows 'select(.type == "times").text' | awk '{
	for (i = 1; i <= 2; i++) { split($i, t, "[ms]"); ms += t[1] * 60000 + t[2] * 1000 }
	print int(ms) }')
seen_ms=$(rows 'select(.type == "task" and .argv == ["sh", "/load"]).cpu_ns' | awk '{ ns += $1 } END { print int(ns / 1e6) }')
num "$load_ms" -gt 100 's390x: the load has used a CPU'
num "$seen_ms" -ge $((load_ms * 9 / 10 - 50)) "s390x: cpustat counts the load's CPU time, not less"
num "$seen_ms" -le $((load_ms * 11 / 10 + 100)) 's390x: and not more'
is "$(rows 'select(.type == "event" and .event == "exec").argv | join(" ")')" '/bin/true one two' 's390x: forkstat reports the exec'
is "$(rows 'select(.type == "process").present_kb')" \
	"$(rows 'select(.type == "statm").text' | awk '{ print $2 * 4 }')" 's390x: pagemon counts the pages of a process'
done_testing

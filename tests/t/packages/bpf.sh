#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# seconds: 10
# The tables of BPF programs (NAME.bpf.h) are made of their sources as these are now: a change is noticed, with clang they
# are made anew, without it the build says what is missing.  What the loader cannot load is refused.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
need_cmd python3
cd "$TOP" || exit 2
shopt -s nullglob
programs=(*/*.bpf.c */*/*.bpf.c)
num "${#programs[@]}" -ge 8 'programs'

# A copy of what the tables are made of, in which files can be changed.
copy=$TMP/tree
for p in "${programs[@]}"; do
	header=${p%.c}.h
	for f in "$p" "$header" $(sed -n 's/^ \* Sources: //p' "$header") tools/bpf.sh; do
		mkdir -p "$copy/${f%/*}" && cp -p "$f" "$copy/$f"
	done
done
cd "$copy" || exit 2
# A machine without clang.
mkdir "$TMP/bin"
for c in sh sed cat sha256sum python3 rm mv; do ln -s "$(command -v "$c")" "$TMP/bin"; done
without_clang() { PATH=$TMP/bin CLANG=clang sh tools/bpf.sh "${programs[@]}"; }

is "$(without_clang 2>&1; echo $?)" 0 'they are made of the present sources: silent, and needs no clang'

made=taskexit.bpf.h of=libsysmon/events
cp $of/$made "$TMP/before"
echo '/* changed */' >>$of/taskexit_raw.h
is "$(without_clang 2>&1; echo $?)" "$of/$made is not made from the present $of/taskexit.bpf.c: 'make bpf' makes it, with clang and python3
1" 'an included header has changed, without clang: the exit status and what helps'
is "$(cat $of/$made)" "$(cat "$TMP/before")" 'and the tables stay'

if ! command -v "${CLANG:-clang}" >/dev/null; then
	skip 'needs clang' 10
	done_testing
fi
is "$(sh tools/bpf.sh "${programs[@]}" 2>&1; echo $?)" 0 'with clang'
is "$(diff "$TMP/before" $of/$made | grep '^[<>]' | sed 's/SHA-256: .*/SHA-256/')" '<  * SHA-256
>  * SHA-256' 'the hash has changed, after a comment nothing else'
is "$(without_clang 2>&1; echo $?)" 0 'and they are of the present sources again'

version=$("${CLANG:-clang}" --version | head -n 1)
if [ "$version" = "$(sed -n 's/^ \* Compiler: //p' $of/$made | head -n 1)" ] && grep -qF "Compiler: $version" "$TMP/before"; then
	for p in "${programs[@]}"; do
		cp "$TOP/${p%.c}.h" "$TMP/before"
		python3 tools/bpf2h.py "$p" 2>&1 | grep -v 'SHA-256' >"$TMP/after"
		is "$(cat "$TMP/after")" "$(grep -v SHA-256 "$TMP/before")" "${p##*/}: its tables are what the same compiler makes"
	done
else
	skip "the tables were made by another compiler than $version" "${#programs[@]}"
fi

# --- what the loader cannot load ------------------------------------------------------------

refused() { # WHY LINE: a program that bpf2h.py refuses
	printf '#include "bpf/bpf_kern.h"\n%s\n' "$2" >x.bpf.c
	is "$(python3 tools/bpf2h.py x.bpf.c 2>&1; echo $?)" "x.bpf.c: $1
1" "refused: $1"
}
refused 'code in section .text: a function is not INLINE, or has no SEC()' \
	'static __attribute__((noinline)) int f(int a) { return a * 3; } SEC("socket") int p(int *ctx) { return f(*ctx); }'
refused 'a constant in section .rodata.str1.1, which is not loaded' \
	'SEC("raw_tp/x") int p(uint64_t *ctx) { char b[8]; bpf_probe_read_kernel(b, 8, "abcdefgh"); return b[ctx[0] & 7]; }'
refused 'section .bss: only one variable can be in it' \
	'uint64_t a, b; SEC("socket") int p(int *ctx) { a++; b += *ctx; return 0; }'
refused 'code in section kprobe/x: a function is not INLINE, or has no SEC()' 'SEC("kprobe/x") int p(int *ctx) { return *ctx; }'
refused 'code in section tp_btf/x: a function is not INLINE, or has no SEC()' 'SEC("tp_btf/x") int p(uint64_t *ctx) { return ctx[0] > 1; }'
refused 'a relocation of kind 1: neither an offset, existence nor a type' \
	'SEC("raw_tp/x") int p(struct task_struct **ctx) { return __builtin_preserve_field_info((*ctx)->pid, 1); }'
printf 'int p(' >x.bpf.c
like "$(python3 tools/bpf2h.py x.bpf.c 2>&1; echo $?)" 'error: .*x.bpf.c: clang failed.1$' "refused: clang's message"
done_testing

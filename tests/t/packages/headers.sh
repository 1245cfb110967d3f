#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each installed header of libsysmon (build/VARIANT/gen/include) compiles alone, and a program links with the library.
# In C, or, with the argument c++, in C++ (headers-cxx.sh).
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
compiler=gcc language=c
[ "${1-c}" = c ] || compiler=g++ language=$1
need_cmd "$compiler"
include=$BUILD/gen/include
cd "$include/sysmon" || exit 2

# One compiler run for eight of them, on each CPU.
for header in *.h */*.h; do
	echo "#include <sysmon/$header>" >"$TMP/${header//\//-}.src"
done
printf '%s\0' "$TMP"/*.src | xargs -0 -n 8 -P "$(nproc)" \
	"$compiler" -fsyntax-only -Wall -Wextra -Werror -I"$include" -x "$language" >"$TMP/log" 2>&1
for header in *.h */*.h; do
	is "$(grep -F "${header//\//-}.src:" "$TMP/log")" '' "$header compiles alone in $language"
done
is "$(cat "$TMP/log")" '' 'no other messages'

is "$(find . -name '*.h' -printf '%P\n' | sort)" "$(cd "$TOP/libsysmon" &&
	{ echo sysmon.h; grep -L 'Private to' */*.h; } | sort)" 'all public headers are there'
is "$(sed -n 's/^#include "\(.*\)"/\1/p' sysmon.h | sort)" \
	"$(find . -mindepth 2 -name '*.h' -printf '%P\n' | sort)" 'sysmon.h includes all of them'
is "$(sed -n 's,^#include "\(.*\)/.*,\1,p' sysmon.h | uniq | xargs)" \
	'base fit bpf proc events timers power load format cli tui' 'the layers from below'

cat >"$TMP/program" <<'END'
#include <sysmon/sysmon.h>
int main(void)
{
	struct sm_buf b = {};
	sm_buf_str(&b, "x");
	return b.len != 1;
}
END
ok "a program in $language builds" "$compiler" -Wall -Werror -I"$include" -o "$TMP/use" -x "$language" \
	"$TMP/program" -x none "$BUILD/lib/libsysmon.a" -lm -ldl
ok 'and runs' "$TMP/use"
done_testing

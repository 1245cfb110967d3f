#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each installed header of libsysmon (build/VARIANT/gen/include) compiles alone, in C and in C++, and a
# program in either language links with the library.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
need_cmd gcc
include=$BUILD/gen/include
cd "$include/sysmon" || exit 2

# COMPILER LANGUAGE: a test for each header; one compiler run each, two at a time.
compiles_alone() {
	local header
	if ! have_cmd "$1"; then
		skip "headers in $2: needs $1, which is not installed"
		return
	fi
	for header in *.h */*.h; do
		echo "#include <sysmon/$header>" >"$TMP/${header//\//-}.$2"
	done
	printf '%s\0' "$TMP"/*."$2" | xargs -0 -n 8 -P "$(nproc)" \
		"$1" -fsyntax-only -Wall -Wextra -Werror -I"$include" >"$TMP/$2.log" 2>&1
	for header in *.h */*.h; do
		is "$(grep -F "${header//\//-}.$2:" "$TMP/$2.log")" '' "$header compiles alone in $2"
	done
	is "$(cat "$TMP/$2.log")" '' "no other messages in $2"
}
compiles_alone gcc c
compiles_alone g++ cc

is "$(find . -name '*.h' -printf '%P\n' | sort)" "$(cd "$TOP/libsysmon" &&
	{ echo sysmon.h; grep -L 'Private to' */*.h; } | sort)" 'all public headers are there'
is "$(sed -n 's/^#include "\(.*\)"/\1/p' sysmon.h | sort)" \
	"$(find . -mindepth 2 -name '*.h' -printf '%P\n' | sort)" 'sysmon.h includes all of them'
is "$(sed -n 's,^#include "\(.*\)/.*,\1,p' sysmon.h | uniq | xargs)" \
	'base kernel power load out cli tui' 'the layers from below'

cat >"$TMP/program" <<'END'
#include <sysmon/sysmon.h>
int main(void)
{
	struct sm_buf b = {};
	sm_buf_str(&b, "x");
	return b.len != 1;
}
END
links() { # COMPILER LANGUAGE
	have_cmd "$1" || { skip "a program in $2: needs $1, which is not installed" 2; return; }
	ok "a program in $2 builds" "$1" -Wall -Werror -I"$include" -o "$TMP/use" -x "$2" \
		"$TMP/program" -x none "$BUILD/lib/libsysmon.a" -lm -ldl
	ok 'and runs' "$TMP/use"
}
links gcc c
links g++ c++
done_testing

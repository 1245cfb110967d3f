#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor icache: where its code is, what the code is, and kernels that refuse executable memory.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
stress --icache 2 --icache-ops=11 -t 600
case $(uname -m) in
x86_64) code='^(b8....0000c3|68....000058c3)' ;;
aarch64) code='^(......52c0035fd6|......12e003202ac0035fd6)' ;;
*)
	is "$status $(of icache .status)" '4 skip' 'an architecture whose code is not known'
	done_testing
	;;
esac
is "$status $(of icache '[.status, .ops] | @csv')" '0 "pass",22' 'two instances: as many ops as asked for'
is "$(metric icache 'time per change' | awk '{ print ($1 > 0) }')" 1 'a time per change'
stress --icache 1 --spoil -t 600
like "$status $(of icache .reason)" '^2 the function at byte [0-9]+ returns [0-9]+ instead of [0-9]+$' 'a wrong value is found'

# The instance is stopped after its first op, and its memory read.
start() { # COMMAND...
	rm -f "$TMP/rows"
	bg_group "$@" --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"icache".*"ops":[1-9]'
	instance=$(pgrep -P "$bg_pid")
	kill -STOP "$instance"
	wait_for is_stopped "$instance"
}
end() {
	kill -CONT "$instance"
	kill -INT "$bg_pid"
	reap "$bg_pid"
}
start "$STRESSORS" --icache 1
is "$(grep -c ' rwxp ' "/proc/$instance/maps")" 1 'one page that is written and executed'
read -r range _ < <(grep ' rwxp ' "/proc/$instance/maps")
begin=$((0x${range%-*})) bytes=$((0x${range#*-} - 0x${range%-*}))
is "$bytes" "$(getconf PAGESIZE)" 'of the size of a page'
if dd if="/proc/$instance/mem" of="$TMP/code" bs=4096 iflag=skip_bytes,count_bytes skip=$begin count=$bytes 2>/dev/null; then
	num "$(od -An -v -tx1 -w64 "$TMP/code" | tr -d ' ' | grep -cE "$code")" -ge $((bytes / 64 - 1)) 'a function in each 64 bytes, but for one that is being written'
else
	skip 'the memory of the instance cannot be read'
fi
end
is "$status $(of icache .status)" '130 interrupted' 'a signal ends it'

# No memory may be both written and executed (prctl(2), PR_SET_MDWE, Linux 6.3).
cat >"$TMP/mdwe.c" <<'END'
#include <sys/prctl.h>
#include <unistd.h>
int main(int argc, char **argv) { return argc < 2 || prctl(65, 1, 0, 0, 0) || execv(argv[1], argv + 1); }
END
if have_cmd cc && cc -o "$TMP/mdwe" "$TMP/mdwe.c" && "$TMP/mdwe" "$(command -v true)"; then
	start "$TMP/mdwe" "$STRESSORS" --icache 1
	is "$(grep -cE '(rw-s|r-xs) .*/memfd:icache' "/proc/$instance/maps")" 2 'no memory that is both: a file is mapped twice'
	end
	if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
		run strace -f -qq -o /dev/null -e signal=none -e trace=memfd_create -e inject=memfd_create:error=EACCES \
			"$TMP/mdwe" "$STRESSORS" --icache 1 --json="$TMP/rows" -t 600
		is "$status $(of icache '"\(.status) \(.reason)"')" '4 skip memory that may be executed: Permission denied' 'none at all: skipped'
	else
		skip 'needs strace, and ptrace(2)'
	fi
else
	skip 'needs a compiler, and Linux 6.3' 2
fi
done_testing

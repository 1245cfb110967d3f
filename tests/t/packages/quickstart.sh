#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tools/quickstart.sh on a busy machine, as root, with sudo and without it: the length of its output, its
# status, and every command that it prints.  It runs in a copy of the tree with the built tools, whose
# Makefile builds nothing.
# live
# heavy
# needs: root
# seconds: 40
# timeout: 300
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
have_cap setuid || skip_all 'needs CAP_SETUID'
need_cmd setpriv
mapfile -t tools < <(cd "$BUILD/bin" && printf '%s\n' *)

tree=$TMP/tree
mkdir -p "$tree/tools" "$tree/build/default"
cp "$TOP/tools/quickstart.sh" "$TOP/tools/deps.sh" "$TOP/tools/test.sh" "$tree/tools/"
cp -R "$TOP/man" "$tree/"
cp -R "$BUILD/bin" "$tree/build/default/"
for tool in "${tools[@]}"; do mkdir "$tree/$tool" && : >"$tree/$tool/opts.c"; done
printf 'all install:\n\t@:\n' >"$tree/Makefile"
mkdir -m 777 "$TMP/elsewhere"
: >"$tree/build/quickstart.log" # one file for all runs
chmod -R a+rwX "$tree"

# sudo for everybody, sudo for nobody, and su, which replace the commands of the system.
mkdir "$TMP/may" "$TMP/may-not"
printf '#!/bin/sh\nexec "$@"\n' >"$TMP/may/sudo"
printf '#!/bin/sh\necho "not in the sudoers file" >&2\nexit 1\n' >"$TMP/may-not/sudo"
# shellcheck disable=SC2016
printf '#!/bin/sh\n[ "$1" = -c ] && [ $# = 2 ] && exec sh -c "$2"\n' >"$TMP/may-not/su"
chmod 755 "$TMP"/may*/*
path=$PATH

# Programs with different names and processes with timers: more than the examples show.
for i in {1..30}; do cp "$(command -v sleep)" "$TMP/nap$i"; done
# shellcheck disable=SC2016
bg bash -c 'while :; do for nap; do "$nap" 0.3 & done; wait; done' bash "$TMP"/nap*

# NAME FOLDER COMMAND...: the quick start, started from the folder
start() { launch "$1" env -C "$2" "${@:3}" sh "$tree/tools/quickstart.sh"; }
start root "$tree" env
PATH=$TMP/may:$path start sudo "$TMP/elsewhere" setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all
PATH=$TMP/may-not:$path start user "$tree" setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all

hints() { sed -n '/^More examples:/,$s/^    //p' "$TMP/rows"; }
finish() { # NAME
	local tool
	take "$1" 0
	num "$(cat "$TMP/rows" "$TMP/msg" | wc -l)" -le 120 "$1: at most 120 lines"
	for tool in "${tools[@]}"; do
		ok "$1: $tool" grep -qE "^Running: .*build/default/bin/$tool( |\$)" "$TMP/rows"
	done
	unlike "$out" '(^|\n)[^\n]*not found' "$1: every command is found"
	hints >"$TMP/$1.hints"
	num "$(wc -l <"$TMP/$1.hints")" -ge 8 "$1: commands to try"
}
finish root
finish sudo
finish user
is "$(grep -c "^su -c '.*build/default/bin/eventstat .*'\$" "$TMP/user.hints")" 2 'user: root with su'
is "$(grep -c "^sudo $tree/build/default/bin/eventstat " "$TMP/sudo.hints")" 2 'sudo: root with sudo'
is "$(grep -cE '(^| )(sudo|su) ' "$TMP/root.hints")" 0 'root: needs neither'

# From here on, the tools end after half a second: the last --duration is used.
rm -r "$tree/build/default/bin"
mkdir -m 755 "$tree/build/default/bin"
for tool in "${tools[@]}"; do
	cat >"$tree/build/default/bin/$tool" <<END
#!/bin/bash
args=()
while [ \$# -gt 0 ] && [ "\$1" != -- ]; do args+=("\$1"); shift; done
exec "$BUILD/bin/$tool" "\${args[@]}" --duration=0.5 "\$@"
END
	chmod 755 "$tree/build/default/bin/$tool"
done
printf '#!/bin/sh\n' >"$tree/tools/test.sh"
# shellcheck disable=SC2317
executes() { # FOLDER COMMAND: it is found and its options are right; a tool may lack a feature here (3, 4)
	env -C "$1" timeout "$RUN_LIMIT" sh -c "$2" </dev/null >"$TMP/hint" 2>&1
	case $? in 0 | 3 | 4) ;; *) cat "$TMP/hint"; return 1 ;; esac
}
try_hints() { # NAME FOLDER
	while read -r line; do
		ok "$1: $line" executes "$2" "$line"
	done <"$TMP/$1.hints"
}
try_hints root "$tree"
PATH=$TMP/may:$path try_hints sudo "$TMP/elsewhere"
PATH=$TMP/may-not:$path try_hints user "$tree"
done_testing

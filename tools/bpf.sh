#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# bpf.sh [-f] NAME.bpf.c...: makes NAME.bpf.h, in the same folder, of each program that has changed; -f: of each.
#
# A header names what it is made of, and has the hash of that.  Needs clang (or $CLANG) and python3 only if there
# is something to be made.
set -u
force=
[ "$1" != -f ] || { force=yes; shift; }

# HEADER: is it made of what is there now?
fresh() {
	files=$(sed -n 's/^ \* Sources: //p' "$1" 2>/dev/null)
	[ -n "$files" ] || return
	# shellcheck disable=SC2086
	sum=$(cat $files 2>/dev/null | sha256sum)
	[ "${sum%% *}" = "$(sed -n 's/^ \* SHA-256: //p' "$1")" ]
}

for source; do
	header=${source%.c}.h
	[ -n "$force" ] || ! fresh "$header" || continue
	if ! command -v "${CLANG:-clang}" >/dev/null || ! command -v python3 >/dev/null; then
		echo "$header is not made from the present $source: 'make bpf' makes it, with clang and python3" >&2
		exit 1
	fi
	python3 tools/bpf2h.py "$source" >"$header.new" && mv "$header.new" "$header" && continue
	rm -f "$header.new"
	exit 1
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC3013 # the shells of Debian, Fedora, Alpine and Arch know -ef
# Files of the package manager (dpkg, rpm, apk, pacman) are not those of `make install`.
#	owned.sh refuse FILE...    status 1, after a message, if a package owns one of them
#	owned.sh remove FILE...    removes them, except those that a package owns
export LC_ALL=C
tab=$(printf '\t')

# FILE: the names under which a package may have it.  A folder may be a link; dpkg knows a file by the
# name in its package only, which may be below /bin where this is a link to /usr/bin.
names() {
	real=$(readlink -f -- "${1%/*}/") && real=${real%/}/${1##*/}
	[ "$1" = "${1#/}" ] || printf '%s\n' "$1"
	printf '%s\n' "$real" "$(readlink -f -- "$1")"
	top=${real#/usr/}
	[ "$top" = "$real" ] || [ ! "/${top%%/*}" -ef "/usr/${top%%/*}" ] || printf '/%s\n' "$top"
	for folder in /bin /sbin /usr/bin /usr/sbin; do
		[ ! "$folder" -ef "${real%/*}" ] || printf '%s/%s\n' "$folder" "${real##*/}"
	done
}

# FILE...: a line "NAME<tab>PACKAGE" for each name that a package owns.  A diversion owns nothing.
by_dpkg() {
	dpkg-query -S "$@" 2>/dev/null | sed -n '/^\(local \)\{0,1\}diversion /!s/^\([^/]*\): \(\/.*\)$/\2'"$tab"'\1/p'
}
by_rpm() { for f; do p=$(rpm -qf --qf '%{NAME}\n' -- "$f" 2>/dev/null) && printf '%s\t%s\n' "$f" "$p"; done; }
by_apk() { for f; do p=$(apk info --who-owns "$f" 2>/dev/null) && printf '%s\t%s\n' "$f" "${p##* is owned by }"; done; }
by_pacman() { for f; do p=$(pacman -Qoq -- "$f" 2>/dev/null) && printf '%s\t%s\n' "$f" "$p"; done; }

owners() { # NAME...
	! command -v dpkg-query >/dev/null || by_dpkg "$@"
	! command -v rpm >/dev/null || by_rpm "$@"
	! command -v apk >/dev/null || by_apk "$@"
	! command -v pacman >/dev/null || by_pacman "$@"
}

# FILE...: lines "FILE<tab>PACKAGE" of those that are there and owned.
owned() {
	for file; do
		[ -e "$file" ] || [ -L "$file" ] || continue
		names "$file" | sort -u | while IFS= read -r name; do printf '%s\t%s\n' "$name" "$file"; done
	done >"$work/names"
	[ -s "$work/names" ] || return 0
	cut -f 1 "$work/names" | sort -u >"$work/asked"
	# shellcheck disable=SC2046 # a line is a word
	(IFS='
'; set -f; owners $(cat "$work/asked")) | awk -F "$tab" 'NR == FNR { owner[$1] = $2; next }
		$1 in owner && !($2 in said) { said[$2]; print $2 "\t" owner[$1] }' - "$work/names"
}

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
todo=$1
shift
owned "$@" >"$work/owned" || exit 2
case $todo in
refuse)
	[ -s "$work/owned" ] || exit 0
	while IFS="$tab" read -r file package; do
		echo "make install: $file belongs to the package $package"
	done <"$work/owned" >&2
	echo 'Nothing was installed. Install elsewhere (the default is PREFIX=/usr/local), or remove the package first.' >&2
	exit 1
	;;
remove)
	cut -f 1 "$work/owned" >"$work/kept"
	for file; do
		if grep -qxF -e "$file" "$work/kept"; then
			echo "make uninstall: $file is left: it belongs to a package" >&2
		else
			rm -f -- "$file"
		fi
	done
	;;
*)
	echo "usage: $0 refuse|remove FILE..." >&2
	exit 2
	;;
esac

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# sysroot.sh ARCHITECTURE DIR
#
# Fetches the libraries and headers that static programs for another of Debian's architectures are
# linked with to DIR, for the compiler's option --sysroot, without installing them.  They are from the
# release of this machine.  If it lacks the architecture, only ncurses is from the next one, because the
# linker cannot always read later C libraries; the C library is that of the cross compiler.  A complete
# DIR is kept.
set -u
. "$(dirname "$0")/apt_root.sh"
packages=(libc6-dev linux-libc-dev libncurses-dev libbsd-dev libmd-dev)
later=trixie

die() {
	echo "sysroot.sh: $*" >&2
	exit 1
}

fetch() { # SUITE PACKAGE...
	local apt=$new/apt
	rm -rf "$apt" "$new/root"
	apt_root "$apt" "$1" "$uri" "$arch" || return
	(cd "$apt" && apt-get -qq download "${@:2}") && unpack "$apt" "$new/root"
}

[ $# = 2 ] || { sed -n '3s/^# /usage: /p' "$0" >&2; exit 2; }
arch=$1 dir=$2
[ ! -e "$dir" ] || exit 0
command -v apt-get >/dev/null || die 'needs the packages of Debian: apt-get is missing'
uri=$(archive)
[ -n "$uri" ] || die 'no archive of Debian among the sources of apt'
mkdir -p "$(dirname "$dir")" && new=$(mktemp -d "$dir.XXXXXX") || exit
new=$(cd "$new" && pwd)
trap 'rm -rf "$new"' EXIT
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
if fetch "$suite" "${packages[@]}" 2>"$new/log" || fetch "$later" libncurses-dev 2>>"$new/log"; then
	mv "$new/root" "$dir" && exit
fi
cat "$new/log" >&2
die "no libraries of $arch"

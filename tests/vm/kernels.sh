#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kernels.sh [-i] DIR [SUITE]...
# kernels.sh -a ARCHITECTURE DIR
#
# Fetches Debian's stock kernels, without installing them, with the ordinary apt client in a
# private root, from the archive that this machine uses:
#
#	DIR/SUITE/vmlinuz	the kernel
#	DIR/SUITE/version	its release
#	DIR/SUITE/modules	those of its modules that the tests load, as /lib/modules/VERSION
#	DIR/SUITE/headers	what other modules are built with, as /usr
#	DIR/SUITE/complete	the names of these modules, once all is there
#
# -a: the kernel and a static busybox of another architecture, from the release of this machine:
#
#	DIR/foreign/ARCHITECTURE/vmlinuz
#	DIR/foreign/ARCHITECTURE/busybox
#
# What is complete is kept.  -i: first installs qemu and the other tools (needs root).
set -u
. "$(dirname "$0")/../../tools/apt_root.sh"
kernels=(bullseye bookworm trixie) # 5.10, 6.1, 6.12
tools=(qemu-system-x86 acpica-tools busybox-static cpio kmod xz-utils)
modules=(battery ac acpi-cpufreq cpufreq_userspace msr intel_rapl_msr zram
	algif_hash algif_skcipher algif_aead algif_rng aesni-intel)
arch=amd64

die() {
	echo "kernels.sh: $*" >&2
	exit 1
}

depends() { # PACKAGE: the packages of the kernel that it needs
	apt-cache depends "$1" | awk '$1 == "Depends:" && $2 ~ /^linux-/ { print $2 }'
}

needed() { # MODULES-DEP NAME...: the files of these modules and of those they need
	awk -v want=" ${*:2} " '{ sub(":", "", $1); name = $1; gsub(".*/|[.]ko.*", "", name) }
		index(want, " " name " ") { for (i = 1; i <= NF; i++) print $i }' "$1" | sort -u
}

unpack_modules() { # ROOT VERSION TO
	local from=$1/lib/modules/$2 file
	[ -d "$from" ] || from=$1/usr/lib/modules/$2
	mkdir -p "$3" || return
	PATH=$PATH:/usr/sbin:/sbin depmod -b "${from%/lib/modules/*}" "$2" || return
	while read -r file; do
		mkdir -p "$3/${file%/*}" && cp "$from/$file" "$3/$file" || return
		[[ $file != *.xz ]] || xz -d "$3/$file" || return
	done < <(needed "$from/modules.dep" "${modules[@]}")
	cp "$from"/modules.{builtin,builtin.modinfo,order} "$3"
}

fetch() { # SUITE DIR URI: a subshell's work
	local suite=$1 d=$2/$1 uri=$3 r=$2/$1/root image headers
	[ "$(cat "$d/complete" 2>/dev/null)" != "${modules[*]}" ] || return 0
	rm -rf "$d"
	apt_root "$d/apt" "$suite" "$uri" "$arch" || return
	image=$(depends "linux-image-$arch" | head -n 1)
	headers=$(depends "linux-headers-$arch" | head -n 1)
	[ -n "$image" ] && [ -n "$headers" ] || return
	# shellcheck disable=SC2046
	(cd "$d" && apt-get -qq download "$image" "$headers" $(depends "$headers")) || return
	unpack "$d" "$r" || return
	basename "$r"/boot/vmlinuz-* | sed 's/^vmlinuz-//' >"$d/version"
	unpack_modules "$r" "$(cat "$d/version")" "$d/modules" || return
	find "$r"/usr/src/*-common/arch -mindepth 1 -maxdepth 1 ! -name x86 -exec rm -r {} +
	mkdir "$d/headers.new" && mv "$r/usr/src" "$d/headers.new" &&
		mkdir "$d/headers.new/lib" && mv "$r"/usr/lib/linux-kbuild-* "$d/headers.new/lib" || return
	cp "$r"/boot/vmlinuz-* "$d/vmlinuz" || return
	rm -rf "$r" "$d/apt"
	mv "$d/headers.new" "$d/headers" && echo "${modules[*]}" >"$d/complete"
}

fetch_foreign() { # ARCHITECTURE DIR URI
	local d=$2/foreign/$1 image
	[ ! -e "$d/vmlinuz" ] || return 0
	rm -rf "$d"
	apt_root "$d/apt" "$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" "$3" "$1" || return
	image=$(depends "linux-image-$1" | head -n 1)
	(cd "$d" && [ -n "$image" ] && apt-get -qq download "$image" busybox-static) || return
	unpack "$d" "$d/root" || return
	find "$d/root" -path '*/bin/busybox' -exec mv {} "$d/busybox" \;
	mv "$d/root"/boot/vmlinuz-* "$d/vmlinuz"
	rm -rf "$d/root" "$d/apt"
	[ -e "$d/busybox" ] && [ -e "$d/vmlinuz" ]
}

install='' foreign=''
while getopts ia: opt; do
	case $opt in
	i) install=1 ;;
	a) foreign=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || die 'usage: kernels.sh [-i] DIR [SUITE]...'
mkdir -p "$1" || exit
dir=$(cd "$1" && pwd)
shift
[ $# = 0 ] || kernels=("$@")
if [ -n "$install" ]; then
	apt-get -qq update || die 'cannot update the lists of packages'
	apt-get -qq install --no-install-recommends -y "${tools[@]}" || die 'cannot install'
fi
uri=$(archive)
[ -n "$uri" ] || die 'no archive of Debian among the sources of apt'
if [ -n "$foreign" ]; then
	fetch_foreign "$foreign" "$dir" "$uri" || die "no kernel of $foreign"
	exit
fi
status=0
for suite in "${kernels[@]}"; do
	(fetch "$suite" "$dir" "$uri") || {
		echo "kernels.sh: no kernel of $suite" >&2
		status=1
	}
done
exit "$status"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kernels.sh [-i] DIR [SUITE]...
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
# What is complete is kept.  -i: first installs qemu and the other tools (needs root).
set -u
kernels=(bullseye bookworm trixie) # 5.10, 6.1, 6.12
tools=(qemu-system-x86 acpica-tools busybox-static cpio kmod xz-utils)
modules=(battery ac acpi-cpufreq cpufreq_userspace msr intel_rapl_msr zram
	algif_hash algif_skcipher algif_aead algif_rng aesni-intel)
arch=amd64

die() {
	echo "kernels.sh: $*" >&2
	exit 1
}

archive() { # the archive of the machine's own sources that has Debian's releases
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' |
		awk '$1 == "Debian" && $2 == "Debian" { print $3; exit }'
}

apt_root() { # DIR SUITE: creates it, with its own $APT_CONFIG
	local d=$1 suite=$2 uri=$3
	mkdir -p "$d/etc/preferences.d" "$d/state/lists/partial" "$d/cache/archives/partial" || return
	: >"$d/status"
	printf 'deb %s %s main\n' "$uri" "$suite" >"$d/etc/sources.list"
	cat >"$d/apt.conf" <<-END
		Dir::Etc "$d/etc";
		Dir::Etc::parts "/etc/apt/apt.conf.d";
		Dir::Etc::trusted "/etc/apt/trusted.gpg";
		Dir::Etc::trustedparts "/etc/apt/trusted.gpg.d";
		Dir::State "$d/state";
		Dir::State::status "$d/status";
		Dir::Cache "$d/cache";
		APT::Architecture "$arch";
		APT::Architectures { "$arch"; };
		APT::Sandbox::User "root";
		Acquire::Languages "none";
	END
	export APT_CONFIG=$d/apt.conf
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
	local suite=$1 d=$2/$1 uri=$3 r=$2/$1/root image headers deb
	[ "$(cat "$d/complete" 2>/dev/null)" != "${modules[*]}" ] || return 0
	rm -rf "$d"
	apt_root "$d/apt" "$suite" "$uri" || return
	apt-get -qq update || return
	image=$(depends "linux-image-$arch" | head -n 1)
	headers=$(depends "linux-headers-$arch" | head -n 1)
	[ -n "$image" ] && [ -n "$headers" ] || return
	# shellcheck disable=SC2046
	(cd "$d" && apt-get -qq download "$image" "$headers" $(depends "$headers")) || return
	for deb in "$d"/*.deb; do
		dpkg-deb -x "$deb" "$r" || return
	done
	basename "$r"/boot/vmlinuz-* | sed 's/^vmlinuz-//' >"$d/version"
	unpack_modules "$r" "$(cat "$d/version")" "$d/modules" || return
	find "$r"/usr/src/*-common/arch -mindepth 1 -maxdepth 1 ! -name x86 -exec rm -r {} +
	mkdir "$d/headers.new" && mv "$r/usr/src" "$d/headers.new" &&
		mkdir "$d/headers.new/lib" && mv "$r"/usr/lib/linux-kbuild-* "$d/headers.new/lib" || return
	cp "$r"/boot/vmlinuz-* "$d/vmlinuz" || return
	rm -rf "$r" "$d/apt" "$d"/*.deb
	mv "$d/headers.new" "$d/headers" && echo "${modules[*]}" >"$d/complete"
}

install=''
while getopts i opt; do
	case $opt in
	i) install=1 ;;
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
status=0
for suite in "${kernels[@]}"; do
	(fetch "$suite" "$dir" "$uri") || {
		echo "kernels.sh: no kernel of $suite" >&2
		status=1
	}
done
exit "$status"

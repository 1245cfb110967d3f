#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kernels.sh [-i] DIR
#
# Fetches Debian's stock kernels, without installing them, into DIR/SUITE/vmlinuz, with the
# ordinary apt client in a private root, from the archive that this machine uses.  What is
# there already stays.  -i: first installs what boots them (needs root).
set -u
kernels=(bullseye bookworm trixie) # 5.10, 6.1, 6.12
tools=(qemu-system-x86 busybox-static cpio)
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

apt_root() { # DIR SUITE: makes it, with $APT_CONFIG of its own
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

fetch() { # SUITE DIR URI: a subshell's work
	local suite=$1 d=$2/$1 uri=$3 image
	[ ! -s "$d/vmlinuz" ] || return 0
	apt_root "$d/apt" "$suite" "$uri" || return
	apt-get -qq update || return
	image=$(apt-cache depends "linux-image-$arch" | awk '$1 == "Depends:" && !n++ { print $2 }')
	[ -n "$image" ] || return
	(cd "$d" && apt-get -qq download "$image") || return
	dpkg-deb -x "$d"/linux-image-*.deb "$d/root" || return
	cp "$d"/root/boot/vmlinuz-* "$d/vmlinuz.new" || return
	basename "$d"/root/boot/vmlinuz-* | sed 's/^vmlinuz-//' >"$d/version"
	rm -rf "$d/root" "$d/apt" "$d"/*.deb
	mv "$d/vmlinuz.new" "$d/vmlinuz"
}

install=''
while getopts i opt; do
	case $opt in
	i) install=1 ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# = 1 ] || die 'usage: kernels.sh [-i] DIR'
mkdir -p "$1" || exit
dir=$(cd "$1" && pwd)
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

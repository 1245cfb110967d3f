#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# deps.sh build|test|bench: installs what is missing for that, with the system's package
# manager (apt, dnf, apk or pacman), as root or through sudo.  It looks for commands and
# files, not packages; when all is there it does nothing and says nothing.
#
# On Debian "test" also fetches (not installs) a kernel and its headers to build/vm, for the
# tests in a virtual machine; elsewhere they are skipped.
set -u
want=${1-}
case $want in
build | test | bench) ;;
*)
	echo "Usage: deps.sh build|test|bench" >&2
	exit 2
	;;
esac

# For what; a command, or a file if it begins with / (may be a pattern); the packages of
# apt, dnf, apk, pacman (several joined by +, - for none: then it is done without).
needs() {
	cat <<'END'
build make                           make              make                make             make
build gcc                            gcc               gcc                 gcc              gcc
build /usr/include/stdio.h           libc6-dev         glibc-devel         musl-dev         glibc
build /usr/include/linux/cn_proc.h   linux-libc-dev    kernel-headers      linux-headers    linux-api-headers
build /usr/include/curses.h          libncurses-dev    ncurses-devel       ncurses-dev         ncurses
test  bash                           bash              bash                bash             bash
test  awk                            mawk              gawk                gawk             gawk
test  git                            git               git                 git              git
test  pkg-config                     pkgconf           pkgconf-pkg-config  pkgconf          pkgconf
test  /usr/include/check.h           check             check-devel         check-dev        check
test  musl-gcc                       musl-tools        musl-gcc+musl-libc-static -          musl
test  /usr/lib*/libasan.so*          -                 libasan+libubsan    -                -
test  clang                          clang             clang               clang            clang
test  clang-tidy                     clang-tidy        clang-tools-extra   clang-extra-tools clang
test  clang-format                   clang-format      clang-tools-extra   clang-extra-tools clang
test  cppcheck                       cppcheck          cppcheck            cppcheck         cppcheck
test  shellcheck                     shellcheck        ShellCheck          shellcheck       shellcheck
test  mandoc                         mandoc            mandoc              mandoc           mandoc
test  dpkg-buildpackage              dpkg-dev          -                   -                -
test  dh                             debhelper         -                   -                -
test  lintian                        lintian           -                   -                -
test  /usr/share/build-essential     build-essential   -                   -                -
test  zsh                            zsh               zsh                 zsh              zsh
test  fish                           fish              fish                fish             fish
test  tmux                           tmux              tmux                tmux             tmux
test  jq                             jq                jq                  jq               jq
test  /usr/include/fuse3/fuse_lowlevel.h libfuse3-dev  fuse3-devel         fuse3-dev        fuse3
test  fusermount3                    fuse3             fuse3               fuse3            fuse3
test  gnuplot                        gnuplot-nox       gnuplot             gnuplot          gnuplot
test  strace                         strace            strace              strace           strace
test  setpriv                        util-linux        util-linux          setpriv          util-linux
test  unshare                        util-linux        util-linux-core     util-linux-misc  util-linux
test  ps                             procps            procps-ng           procps           procps-ng
test  qemu-system-x86_64             qemu-system-x86   -                   -                -
test  iasl                           acpica-tools      -                   -                -
test  /usr/share/doc/busybox-static  busybox-static    -                   -                -
test  depmod                         kmod              -                   -                -
test  cpio                           cpio              -                   -                -
test  xz                             xz-utils          -                   -                -
bench strace                         strace            strace              strace           strace
bench valgrind                       valgrind          valgrind            valgrind         valgrind
bench musl-gcc                       musl-tools        musl-gcc+musl-libc-static -          musl
bench forkstat                       forkstat          forkstat            -                -
END
	# The sanitizers' libraries for clang are versioned in Debian.
	if [ "$want" = test ]; then
		echo "test /usr/lib*/clang/*/lib/*/libclang_rt.ubsan_standalone*.a" \
			"$(clang_runtime) compiler-rt compiler-rt compiler-rt"
	fi
}

# The package of the version that `clang` is, or will be when it is installed now.
clang_runtime() {
	command -v apt-cache >/dev/null || { echo -; return; }
	v=$(clang -dumpversion 2>/dev/null) || v=$(apt-cache depends clang 2>/dev/null |
		sed -n 's/^ *Depends: clang-\([0-9]*\)$/\1/p' | head -n 1)
	echo "${v:+libclang-rt-${v%%.*}-dev}" | sed 's/^$/-/'
}

present() { # COMMAND or /FILE pattern
	case $1 in
	/*)
		for f in $1; do
			[ -e "$f" ] && return 0
		done
		return 1
		;;
	esac
	# /usr/sbin is not in every user's path.
	PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null 2>&1
}

manager() {
	for m in apt-get dnf apk pacman; do
		command -v "$m" >/dev/null 2>&1 && { echo "$m"; return; }
	done
}

# Musl systems have no use for a musl-gcc beside their gcc: "-" leaves a need out.
missing_packages() { # COLUMN: that package manager's
	# shellcheck disable=SC2034
	needs | while read -r use probe apt dnf apk pacman; do
		[ "$use" = "$want" ] || [ "$use" = build ] || continue
		eval "package=\$$1"
		# shellcheck disable=SC2154
		[ "$package" = - ] || present "$probe" || echo "$package" | tr + '\n'
	done | sort -u | tr '\n' ' '
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null 2>&1; then
		sudo "$@"
	else
		echo "deps.sh: needs root or sudo for: $*" >&2
		return 1
	fi
}

apt_install() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
		-o Dpkg::Use-Pty=0 install --no-install-recommends "$@"
}

install_all() { # MANAGER PACKAGE...
	m=$1
	shift
	case $m in
	apt-get) apt_install "$@" ;;
	dnf) as_root dnf -q -y install "$@" ;;
	apk) as_root apk add -q "$@" ;;
	pacman) as_root pacman -S --noconfirm --needed --quiet "$@" ;;
	esac
}

refresh() {
	case $m in
	apt-get) as_root apt-get -q update ;;
	pacman) as_root pacman -Sy --quiet ;;
	apk) as_root apk update -q ;;
	esac
}

report_missing() { # fails if the compiler or make is not there
	bad=0
	for probe in make gcc /usr/include/stdio.h; do
		present "$probe" || { echo "deps.sh: still missing: $probe" >&2; bad=1; }
	done
	return "$bad"
}

install_missing() { # fails if there is no compiler or make then
	if [ -z "$m" ]; then
		echo "deps.sh: no apt, dnf, apk or pacman here; install by hand (Debian's names):" >&2
		echo "    $packages" >&2
		report_missing
		return
	fi
	log=$(mktemp) || return
	trap 'rm -f "$log"' EXIT
	echo "Installing with $m: $packages"
	refresh >"$log" 2>&1 || echo "deps.sh: the package lists could not be refreshed" >&2
	# The lists may name now what they did not before.
	packages=$(missing_packages "$column")
	# shellcheck disable=SC2086
	install_all "$m" $packages >>"$log" 2>&1 && return
	# One that is unknown here must not keep the others away.
	for p in $packages; do
		install_all "$m" "$p" >>"$log" 2>&1 || echo "deps.sh: could not install $p" >&2
	done
	report_missing || { tail -n 20 "$log" >&2; return 1; }
}

fetch_kernel() { # the one of the short test; `make vm-kernels` fetches all
	top=$(dirname "$0")/..
	grep -qx 'ID=debian' /etc/os-release 2>/dev/null && command -v apt-get >/dev/null || return 0
	mkdir -p "$top/build" && timeout 180 "$top/tests/vm/kernels.sh" "$top/build/vm" bookworm ||
		echo "deps.sh: no kernel: tests in a virtual machine are skipped" >&2
}

m=$(manager)
case $m in
apt-get | '') column=apt ;;
*) column=$m ;;
esac
packages=$(missing_packages "$column")
status=0
[ -z "${packages% }" ] || install_missing || status=1
[ "$want" != test ] || fetch_kernel
exit "$status"

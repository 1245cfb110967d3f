#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# deps.sh build|test|live|deb|static|bench|dev: installs missing dependencies of that use with the system's
# package manager (apt, dnf, apk or pacman), as root or through sudo.  It checks for commands and
# files, not packages; if nothing is missing it does nothing, silently.
#
# On Debian "test" also fetches, without installing them, to build/vm a kernel and its headers for
# the tests in a virtual machine, and to build/peers the original tools, whose packages conflict with
# those of this tree, and Prometheus, node_exporter and rsyslog, whose packages would start services.
# "live", called by `make check-live`, fetches a kernel and the libraries of s390x.  Other systems skip
# the tests that need these.
set -u
want=${1-}
case $want in
build | test | live | deb | static | bench | dev) ;;
*)
	echo "Usage: deps.sh build|test|live|deb|static|bench|dev" >&2
	exit 2
	;;
esac

# Uses (joined by commas); a command, or a file or pattern if it begins with /; the packages of apt,
# dnf, apk, pacman (joined by +; -: no package, not installed).
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
test,deb pkg-config                  pkgconf           pkgconf-pkg-config  pkgconf          pkgconf
test,deb /usr/include/check.h        check             check-devel         check-dev        check
test  musl-gcc                       musl-tools        musl-gcc+musl-libc-static -          musl
test  /usr/lib*/libasan.so*          -                 libasan+libubsan    -                -
test  clang                          clang             clang               clang            clang
test  clang-tidy                     clang-tidy        clang-tools-extra   clang-extra-tools clang
test  clang-format                   clang-format      clang-tools-extra   clang-extra-tools clang
test  cppcheck                       cppcheck          cppcheck            cppcheck         cppcheck
test  shellcheck                     shellcheck        ShellCheck          shellcheck       shellcheck
test  mandoc                         mandoc            mandoc              mandoc           mandoc
test,deb dpkg-buildpackage           dpkg-dev          -                   -                -
test,deb dh                          debhelper         -                   -                -
test  lintian                        lintian           -                   -                -
test,deb /usr/share/build-essential  build-essential   -                   -                -
test  /usr/include/bsd/stdlib.h      libbsd-dev        libbsd-devel        libbsd-dev          libbsd
test  zsh                            zsh               zsh                 zsh              zsh
test  fish                           fish              fish                fish             fish
test  tmux                           tmux              tmux                tmux             tmux
test  jq                             jq                jq                  jq               jq
test  /usr/share/unicode/UnicodeData.txt unicode-data  unicode-ucd         unicode-character-database -
test  /usr/include/fuse3/fuse_lowlevel.h libfuse3-dev  fuse3-devel         fuse3-dev        fuse3
test  fusermount3                    fuse3             fuse3               fuse3            fuse3
test  gnuplot                        gnuplot-nox       gnuplot             gnuplot          gnuplot
test  strace                         strace            strace              strace           strace
test  setpriv                        util-linux        util-linux          setpriv          util-linux
test  unshare                        util-linux        util-linux-core     util-linux-misc  util-linux
test  systemd-analyze                systemd           systemd             -                systemd
test  aarch64-linux-gnu-gcc          gcc-aarch64-linux-gnu - -            -
test  /usr/aarch64-linux-gnu/include/stdio.h libc6-dev-arm64-cross - -    -
static x86_64-linux-gnu-gcc          gcc-x86-64-linux-gnu   - -           -
static aarch64-linux-gnu-gcc         gcc-aarch64-linux-gnu  - -           -
static arm-linux-gnueabihf-gcc       gcc-arm-linux-gnueabihf - -          -
static /usr/riscv64-linux-gnu/include/stdio.h libc6-dev-riscv64-cross - - -
static riscv64-linux-gnu-gcc         gcc-riscv64-linux-gnu  - -           -
live,static s390x-linux-gnu-gcc      gcc-s390x-linux-gnu    - -           -
test  ccache                         ccache            ccache              ccache           ccache
test  mlr                            miller            miller              miller           miller
test  perf                           linux-perf        perf                perf             perf
test  ps                             procps            procps-ng           procps           procps-ng
test  qemu-system-x86_64             qemu-system-x86   -                   -                -
live  qemu-system-s390x              qemu-system-misc    -                  -                -
live  rpmbuild                       rpm               rpm-build           -                -
live  rpmlint                        rpmlint           rpmlint             -                -
live  makepkg                        makepkg           -                   -                -
live  fakeroot                       fakeroot          fakeroot            fakeroot         fakeroot
test  iasl                           acpica-tools      -                   -                -
test  /usr/share/doc/busybox-static  busybox-static    -                   -                -
test  depmod                         kmod              -                   -                -
test  cpio                           cpio              -                   -                -
test  xz                             xz-utils          -                   -                -
dev   gcovr                          gcovr             gcovr               gcovr            -
dev   gdb                            gdb               gdb                 gdb              gdb
test,dev python3                     python3           python3             python3          python
test  /usr/lib*/python3*/*-packages/yaml python3-yaml  python3-pyyaml      py3-yaml         python-yaml
bench strace                         strace            strace              strace           strace
bench,dev valgrind                   valgrind          valgrind            valgrind         valgrind
bench musl-gcc                       musl-tools        musl-gcc+musl-libc-static -          musl
bench forkstat                       forkstat          forkstat            -                -
END
	# The sanitizers' libraries for clang are versioned in Debian.
	if [ "$want" = test ]; then
		echo "test /usr/lib*/clang/*/lib/*/libclang_rt.ubsan_standalone*.a" \
			"$(clang_runtime) compiler-rt compiler-rt compiler-rt"
	fi
}

# The package for the installed version of `clang`, or for the version that apt would install.
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

# "-" skips a need: musl systems, for example, need no musl-gcc beside their gcc.
missing_packages() { # COLUMN of the package manager
	# shellcheck disable=SC2034
	needs | while read -r use probe apt dnf apk pacman; do
		case ,$use, in *",$want,"* | ,build,) ;; *) continue ;; esac
		eval "package=\$$1"
		# shellcheck disable=SC2154
		[ "$package" = - ] || present "$probe" || echo "$package" | tr + '\n'
	done | sort -u | tr '\n' ' '
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		sudo "$@"
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

# An ordinary user without sudo: prints the command for root.
ask_root() {
	case $m in
	apk) command='apk add' ;;
	pacman) command='pacman -S' ;;
	*) command="$m install" ;;
	esac
	echo "deps.sh: packages are missing, and there is no sudo; as root: $command ${packages% }" >&2
}

install_missing() { # fails if there is no compiler or make then
	if [ -z "$m" ]; then
		echo "deps.sh: no apt, dnf, apk or pacman here; install by hand (Debian's names):" >&2
		echo "    $packages" >&2
		report_missing
		return
	fi
	if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null 2>&1; then
		ask_root
		report_missing
		return
	fi
	log=$(mktemp) || return
	trap 'rm -f "$log"' EXIT
	echo "Installing with $m: $packages"
	refresh >"$log" 2>&1 || echo "deps.sh: the package lists could not be refreshed" >&2
	# The new lists may have packages that the old ones lacked.
	packages=$(missing_packages "$column")
	# shellcheck disable=SC2086
	install_all "$m" $packages >>"$log" 2>&1 && return
	# One unknown package must not prevent the installation of the others.
	for p in $packages; do
		install_all "$m" "$p" >>"$log" 2>&1 || echo "deps.sh: could not install $p" >&2
	done
	report_missing || { tail -n 20 "$log" >&2; return 1; }
}

fetch_kernel() { # for the virtual machines of the suite; `make vm-kernels` fetches all
	top=$(dirname "$0")/..
	on_debian || return 0
	mkdir -p "$top/build" && timeout 180 "$top/tests/vm/kernels.sh" "$top/build/vm" bookworm ||
		echo "deps.sh: no kernel: tests in a virtual machine are skipped" >&2
}

fetch_foreign() {
	top=$(dirname "$0")/..
	on_debian || return 0
	timeout 180 "$top/tests/vm/kernels.sh" -a s390x "$top/build/vm" &&
		timeout 180 "$top/tools/sysroot.sh" s390x "$top/build/sysroot/s390x" ||
		echo "deps.sh: nothing of s390x: tests of another architecture are skipped" >&2
}

fetch_peers() {
	peers=$(dirname "$0")/../build/peers
	[ ! -e "$peers/done" ] && on_debian || return 0
	mkdir -p "$peers"
	for package in cpustat eventstat forkstat powerstat prometheus prometheus-node-exporter \
		rsyslog libestr0 libfastjson4; do
		(cd "$peers" && apt-get -q download "$package" && dpkg-deb -x "$package"_*.deb .) >/dev/null 2>&1 ||
			echo "deps.sh: no $package: tests that compare with it are skipped" >&2
	done
	# In the tests' path, unlike the original tools.
	mkdir -p "$peers/bin"
	for program in promtool prometheus prometheus-node-exporter; do
		[ ! -x "$peers/usr/bin/$program" ] || ln -sf "../usr/bin/$program" "$peers/bin/$program"
	done
	rm -f "$peers"/*.deb
	: >"$peers/done"
}

on_debian() { grep -qx 'ID=debian' /etc/os-release 2>/dev/null && command -v apt-get >/dev/null; }

m=$(manager)
case $m in
apt-get | '') column=apt ;;
*) column=$m ;;
esac
packages=$(missing_packages "$column")
status=0
[ -z "${packages% }" ] || install_missing || status=1
case $want in
test) fetch_kernel; fetch_peers ;;
live) fetch_foreign ;;
esac
exit "$status"

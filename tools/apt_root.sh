# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# apt_root: packages of Debian, of any suite and architecture, fetched with the ordinary apt client in a
# private root and not installed; sourced by the scripts that fetch.

# Prints the archive of the machine's own sources that has Debian's releases.
archive() {
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' |
		awk '$1 == "Debian" && $2 == "Debian" { print $3; exit }'
}

# Creates the root in DIR, with its own $APT_CONFIG, and updates its lists.
apt_root() { # DIR SUITE ARCHIVE ARCHITECTURE
	local d=$1 suite=$2 uri=$3 arch=$4
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
	apt-get -qq update
}

# Unpacks all packages in DIR, and removes them.
unpack() { # DIR ROOT
	local deb
	for deb in "$1"/*.deb; do
		dpkg-deb -x "$deb" "$2" && rm "$deb" || return
	done
}

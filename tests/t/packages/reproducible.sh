#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# timeout: 900
# A second build of the packages, in another directory, at another time, with another umask and time
# zone, passes its own tests and gives the same bytes as that of package.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/build.sh"
deb_need
sums() { (cd "$1" && sha256sum -- *.deb); } # DIRECTORY
deb_is_kept || { deb_build "$TMP/first" nocheck && deb_keep "$TMP/first"; }
umask 077
export TZ=Pacific/Chatham
deb_build "$TMP/another/place"
is "$(sums "$TMP/another/place")" "$(sums "$deb_kept")" 'the same bytes'
done_testing

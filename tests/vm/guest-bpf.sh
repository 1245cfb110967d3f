#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The unit tests in each guest of bpf.sh: /out/NAME.tap.
uname -r >/out/release
mount -t tracefs nodev /sys/kernel/tracing || exit
mount -t tmpfs nodev /sys/fs/cgroup && mkdir /sys/fs/cgroup/unified /sys/fs/cgroup/freezer || exit
mount -t cgroup2 nodev /sys/fs/cgroup/unified || exit
mount -t cgroup -o freezer nodev /sys/fs/cgroup/freezer || exit
ln -sf /usr/bin/program /bin/true
ln -sf /usr/bin/program /bin/cat
for t in /bin/test_*; do
	CK_TIMEOUT_MULTIPLIER=10 $t >"/out/${t##*/}.tap" 2>&1
done
exit 0

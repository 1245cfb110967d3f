#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# guest-lab.sh SPEC COMMAND...: runs COMMAND in /out on the machine that SPEC describes (tests/lab), whose CPUs are
# those of the guest: they are idle whatever else the host does.
mkdir /tmp/machine
fakesys "$1" /tmp/lab.log /tmp/machine >/tmp/ready &
until grep -q ready /tmp/ready; do usleep 50000; done
mount --bind /tmp/machine/sys /sys || exit
shift
cd /out && "$@"

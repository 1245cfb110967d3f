#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 240
# powerstat with the drivers of a real kernel, emulated: one kernel, without the hour on battery.
# `make check-vm` has all.
exec bash "${TOP:-$(dirname "$0")/../../..}/tests/vm/powerstat.sh" bookworm

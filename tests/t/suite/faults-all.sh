#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# heavy
# timeout: 3600
# Faults: every allocation and every system call of each tool.
FAULTS=all exec bash "$(dirname "$0")/faults.sh" "$@"

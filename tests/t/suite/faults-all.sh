#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# heavy
# timeout: 3600
# Faults of each tool: allocations, system calls and limits, in another order in each run.
FAULTS=all exec bash "$(dirname "$0")/faults.sh" "$@"

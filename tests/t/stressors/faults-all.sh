#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# heavy
# timeout: 3600
# Faults of stressors: every allocation and every system call.
FAULTS=all exec bash "$(dirname "$0")/faults.sh" "$@"

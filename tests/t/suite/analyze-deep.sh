#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# heavy
# timeout: 1800
# The analyzers, clang's without a limit of ours.
TIDY=deep exec bash "${TOP:-$(dirname "$0")/../../..}/tools/gates.sh" analyze

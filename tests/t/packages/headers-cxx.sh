#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-gates
# The installed headers in C++.
exec bash "$(dirname "$0")/headers.sh" c++

# SPDX-License-Identifier: GPL-2.0-or-later
cpustat_LIBS = $(TUI_LIBS)
SBIN_TOOLS += cpustat

# SPDX-License-Identifier: GPL-2.0-or-later
eventstat_LIBS = $(TUI_LIBS)
SBIN_TOOLS += eventstat

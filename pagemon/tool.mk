# SPDX-License-Identifier: GPL-2.0-or-later
pagemon_LIBS = $(TUI_LIBS)
SBIN_TOOLS += pagemon

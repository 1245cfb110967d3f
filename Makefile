# sysmon-tools: non-recursive GNU Makefile.  Everything is built under build/$(VARIANT).
# SPDX-License-Identifier: GPL-2.0-or-later
#
#   make            build the tools               make check       tests that need no root
#   make help       all targets                   make check-root  tests on the live kernel

VERSION   := $(shell sed -n 's/^Version \([0-9][0-9.]*\).*/\1/p;q' NEWS)
TOOLS     := forkstat cpustat powerstat
VARIANT   ?= default
B         := build/$(VARIANT)

CROSS_COMPILE ?=
ifeq ($(origin CC),default)
CC        := $(CROSS_COMPILE)gcc
endif
ifeq ($(origin AR),default)
AR        := $(CROSS_COMPILE)gcc-ar
ifeq ($(shell command -v $(AR)),)
AR        := $(CROSS_COMPILE)ar
endif
endif
PKG_CONFIG ?= pkg-config
DESTDIR   ?=
PREFIX    ?= /usr
BINDIR    ?= $(PREFIX)/bin
SBINDIR   ?= $(PREFIX)/sbin
MANDIR    ?= $(PREFIX)/share/man
LIBDIR    ?= $(PREFIX)/lib
INCDIR    ?= $(PREFIX)/include/sysmon
BASHDIR   ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR    ?= $(PREFIX)/share/zsh/vendor-completions
FISHDIR   ?= $(PREFIX)/share/fish/vendor_completions.d
EXAMPLEDIR ?= $(PREFIX)/share/doc/sysmon-tools/examples

# What a tool links beside libsysmon and what that needs always.
cpustat_LIBS = $(TUI_LIBS)
# Those that the originals have in SBINDIR, where a link keeps the old path working.
SBIN_TOOLS := cpustat pagemon power-calibrate

include tools/build.mk
include tests/tests.mk
include tests/vm/vm.mk
include bench/bench.mk
include tools/package.mk

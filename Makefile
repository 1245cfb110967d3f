# sysmon-tools: non-recursive GNU Makefile.  Everything is built under build/$(VARIANT).
# SPDX-License-Identifier: GPL-2.0-or-later
#
#   make            build the tools               make check       tests that need no root
#   make help       all targets                   make check-root  tests on the live kernel

VERSION   := $(shell sed -n 's/^Version \([0-9][0-9.]*\).*/\1/p;q' NEWS)
# Every folder with an option table is a tool.  The optional TOOL/tool.mk sets TOOL_LIBS (linked beside
# libsysmon) and SBIN_TOOLS += TOOL (the original is in SBINDIR, where a link keeps the old path working).
ALL_TOOLS := $(patsubst %/opts.c,%,$(wildcard */opts.c))
TOOLS     ?= $(ALL_TOOLS)
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
# musl-gcc searches only its own folder for headers; the kernel's headers are here.
SYSTEM_HEADERS = -idirafter /usr/include -idirafter /usr/include/$(shell gcc -print-multiarch)
ifneq ($(shell printf '\043include <linux/magic.h>\n' | $(CC) -E -x c - >/dev/null 2>&1 || \
	{ [ "$$($(CC) -dumpmachine)" = "$$(gcc -dumpmachine)" ] && echo missing; } 2>/dev/null),)
override CC := $(CC) $(SYSTEM_HEADERS)
endif
PKG_CONFIG ?= pkg-config
DESTDIR   ?=
# Below /usr are the files of packages, whose builds pass PREFIX=/usr.
PREFIX    ?= /usr/local
BINDIR    ?= $(PREFIX)/bin
SBINDIR   ?= $(PREFIX)/sbin
MANDIR    ?= $(PREFIX)/share/man
LIBDIR    ?= $(PREFIX)/lib
INCDIR    ?= $(PREFIX)/include/sysmon
BASHDIR   ?= $(PREFIX)/share/bash-completion/completions
# Where zsh looks: in Debian's /usr it has a name of its own.
ZSHDIR    ?= $(PREFIX)/share/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
FISHDIR   ?= $(PREFIX)/share/fish/vendor_completions.d
EXAMPLEDIR ?= $(PREFIX)/share/doc/sysmon-tools/examples
SCHEMADIR ?= $(PREFIX)/share/sysmon

SBIN_TOOLS :=
include $(wildcard $(ALL_TOOLS:%=%/tool.mk))
include tools/build.mk
include tests/tests.mk
include tests/vm/vm.mk
include bench/bench.mk
include tools/package.mk

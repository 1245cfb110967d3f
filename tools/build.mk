# Compiling, linking, installing.  Included by the Makefile.
# SPDX-License-Identifier: GPL-2.0-or-later

.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wvla \
	-Wundef -Wcast-qual -Wwrite-strings -Wconversion -Wno-sign-conversion
ifdef WERROR
WARN += -Werror
endif

# A flag is used when the compiler takes it without a word.
try = $(shell printf 'int main(void){return 0;}' | \
	$(CC) -Werror $(1) -x c -o /dev/null - >/dev/null 2>&1 && echo '$(1)')

ifeq ($(origin CFLAGS),undefined)
CFLAGS := -O2 -g
HARDEN := $(call try,-fstack-protector-strong) $(call try,-fstack-clash-protection) \
	$(call try,-fcf-protection) $(call try,-fPIE)
HARDEN_CPP := $(call try,-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
HARDEN_LD := $(call try,-pie) $(call try,-Wl,-z,relro) $(call try,-Wl,-z,now)
endif

# Not _TIME_BITS=64: in glibc before 2.38 a fortified ppoll() then does not wait.
SM_CPPFLAGS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DSM_VERSION='"$(VERSION)"' -Ilibsysmon $(HARDEN_CPP) $(CPPFLAGS)
SM_CFLAGS   := -std=gnu11 $(WARN) $(HARDEN) $(CFLAGS) $(EXTRA_CFLAGS)
SM_LDFLAGS  := $(HARDEN_LD) -Wl,--as-needed $(LDFLAGS) $(EXTRA_LDFLAGS)

# What libsysmon needs: glibc before 2.34 has dlopen() in a library of its own.
SM_LIBS := -lm -ldl

# Screens need ncursesw: its header to build, the library when one is opened.  A static program
# cannot load it and is linked with it; TUI_LINKED=yes does so for any.
TUI_LINKED := $(if $(filter -static -static-pie,\
	$(CC) $(CFLAGS) $(EXTRA_CFLAGS) $(LDFLAGS) $(EXTRA_LDFLAGS)),yes)
SM_CPPFLAGS += $(if $(TUI_LINKED),-DSM_TUI_LINKED)
TUI_LIBS = $(if $(TUI_LINKED),$(CURSES_LIBS))

# Where this compiler finds no header (cross compilers), what includes it is left out; where it
# can include but not link it (musl beside glibc's), what has to link it: tools and tests.
CURSES_LIBS := $(or $(shell $(PKG_CONFIG) --libs ncursesw 2>/dev/null),-lncursesw -ltinfo)
CURSES_CPPFLAGS := $(shell $(PKG_CONFIG) --cflags-only-I ncursesw 2>/dev/null)
# $(call curses,COMPILER,FLAGS): yes, if a program with a screen comes out.
curses = $(shell printf '\043include <curses.h>\n\043include <term.h>\nint main(void){return !initscr();}' | \
	$(1) $(CURSES_CPPFLAGS) -x c -o /dev/null - $(2) >/dev/null 2>&1 && echo yes)
CURSES_HEADER := $(call curses,$(CC) $(CPPFLAGS) $(CFLAGS),-c)
CURSES_LINK   := $(call curses,$(CC) $(CPPFLAGS) $(CFLAGS),\
	$(LDFLAGS) $(EXTRA_LDFLAGS) $(CURSES_LIBS) $(LDLIBS))
CURSES_SRC    := $(shell grep -lE '^\#include "tui_curses\.h"' libsysmon/*.c)
TUI_HERE      := $(if $(TUI_LINKED),$(CURSES_LINK),$(CURSES_HEADER))

# Every tool here, those to build, and those that cannot be built.
ALL_TOOLS := $(patsubst %/opts.c,%,$(wildcard */opts.c))
needs_curses = $(strip $(foreach t,$(1),$(if $(findstring TUI_LIBS,$(value $(t)_LIBS)),$(t))))
LEFT_OUT  := $(if $(TUI_HERE),,$(call needs_curses,$(TOOLS)))
override TOOLS := $(filter-out $(LEFT_OUT),$(TOOLS))
UNBUILT   := $(filter-out $(TOOLS),$(ALL_TOOLS))

LIB_SRC := $(sort $(filter-out $(if $(CURSES_HEADER),,$(CURSES_SRC)),$(wildcard libsysmon/*.c)))
$(CURSES_SRC:%.c=$(B)/obj/%.o): SM_CPPFLAGS += $(CURSES_CPPFLAGS)
LIB_OBJ := $(LIB_SRC:%.c=$(B)/obj/%.o)
LIB     := $(B)/lib/libsysmon.a

tool_src = $(sort $(wildcard $(1)/*.c))
tool_obj = $(patsubst %.c,$(B)/obj/%.o,$(call tool_src,$(1)))
# A tool without its main(): what its unit tests and fuzz targets link.
core_obj = $(filter-out $(B)/obj/$(1)/main.o,$(call tool_obj,$(1)))
BINS := $(TOOLS:%=$(B)/bin/%)

all: $(BINS) $(LIB) completions left-out
left-out:
	@$(if $(LEFT_OUT),echo 'left out: $(LEFT_OUT) ($(CC) finds no ncursesw: libncurses-dev)',:)

# Everything that compiles, what cannot be linked too.
objects: $(LIB_OBJ) $(foreach t,$(ALL_TOOLS),$(call tool_obj,$(t)))

# Objects depend on the flags they were built with.
FLAGS_STAMP := $(B)/flags
$(FLAGS_STAMP): FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(CC) $(subst ','\'',$(SM_CPPFLAGS) $(SM_CFLAGS) $(SM_LDFLAGS))' | \
		cmp -s - $@ || printf '%s\n' '$(CC) $(subst ','\'',$(SM_CPPFLAGS) $(SM_CFLAGS) $(SM_LDFLAGS))' > $@

$(B)/obj/%.o: %.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(CC) $(SM_CPPFLAGS) $(SM_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB): $(LIB_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcD $@ $(LIB_OBJ)

define tool_rule
$(B)/bin/$(1): $(call tool_obj,$(1)) $(LIB)
	@mkdir -p $$(@D)
	$$(CC) $$(SM_CFLAGS) $$(SM_LDFLAGS) -o $$@ $$(call tool_obj,$(1)) $$(LIB) \
		$$($(1)_LIBS) $$(SM_LIBS) $$(LDLIBS)
$(1): $(B)/bin/$(1)
$(B)/gen/complete-$(1): $(B)/obj/tools/complete.o $(B)/obj/$(1)/opts.o $(LIB)
	@mkdir -p $$(@D)
	$$(CC) $$(SM_CFLAGS) $$(SM_LDFLAGS) -o $$@ $$^ $$(SM_LIBS) $$(LDLIBS)
$(B)/completions/$(1).bash $(B)/completions/_$(1) $(B)/completions/$(1).fish &: $(B)/gen/complete-$(1)
	@mkdir -p $$(@D)
	$(B)/gen/complete-$(1) bash > $(B)/completions/$(1).bash
	$(B)/gen/complete-$(1) zsh > $(B)/completions/_$(1)
	$(B)/gen/complete-$(1) fish > $(B)/completions/$(1).fish
endef
$(foreach t,$(TOOLS),$(eval $(call tool_rule,$(t))))
completions: $(foreach t,$(TOOLS),$(B)/completions/$(t).bash)

lib: $(LIB)

clean:
	rm -rf build dist

FORCE:
.PHONY: all left-out objects lib completions clean FORCE $(TOOLS)

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)

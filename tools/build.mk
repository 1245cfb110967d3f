# Compiling, linking, installing.  Included by the Makefile.
# SPDX-License-Identifier: GPL-2.0-or-later

# For one line per word of a $(foreach).
define newline


endef

# A recipe that writes TEXT of the environment to the target, unless it has that text already.
write_if_changed = @mkdir -p $(@D); printf '%s\n' "$$TEXT" | cmp -s - $@ || printf '%s\n' "$$TEXT" > $@

# A command is printed as "CC file.o", with V=1 in full, with make -s not at all.
QUIET := $(if $(findstring s,$(firstword -$(MAKEFLAGS))),yes)
run = $(if $(V),,@$(if $(QUIET),,printf '%-7s %s\n' $(1) $(2:$(B)/%=%);))

# $(call require,USE,COMMAND...): first line of a recipe that needs the commands, which `deps.sh USE`
# installs.  $(call missing,WHAT,USE,TARGET) ends a recipe.
require = @for c in $(2); do command -v "$$c" >/dev/null || $(call missing,$$c,$(1),$(or $(3),$@)); done
missing = { echo "make $(3) needs $(1), which is not installed: sh tools/deps.sh $(2)" >&2; exit 1; }

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wvla \
	-Wundef -Wcast-qual -Wwrite-strings -Wconversion -Wno-sign-conversion
ifdef WERROR
WARN += -Werror
endif

comma := ,
# A flag is used if the compiler accepts it without a message.
try = $(shell printf 'int main(void){return 0;}' | \
	$(CC) -Werror $(1) -x c -o /dev/null - >/dev/null 2>&1 && echo '$(1)')

# What a tool does not call is not in it.
SECTIONS    := $(call try,-ffunction-sections -fdata-sections)
SECTIONS_LD := $(call try,-Wl$(comma)--gc-sections)
# Nothing unwinds the stack; debuggers use .debug_frame.
UNWIND      := $(call try,-fno-asynchronous-unwind-tables)

ifeq ($(origin CFLAGS),undefined)
DEFAULT_CFLAGS := yes
CFLAGS := -O2 -g
HARDEN := $(call try,-fstack-protector-strong) $(call try,-fstack-clash-protection) \
	$(call try,-fcf-protection) $(call try,-fPIE)
HARDEN_CPP := $(call try,-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
HARDEN_LD := $(call try,-pie) $(call try,-Wl$(comma)-z$(comma)relro$(comma)-z$(comma)now)
endif

# Not _TIME_BITS=64: in glibc before 2.38 a fortified ppoll() then does not wait.
SM_CPPFLAGS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DSM_VERSION='"$(VERSION)"' -Ilibsysmon $(HARDEN_CPP) $(CPPFLAGS)
SM_CFLAGS   := -std=gnu11 $(WARN) $(SECTIONS) $(UNWIND) $(HARDEN) $(CFLAGS) $(EXTRA_CFLAGS)
SM_LDFLAGS  := $(SECTIONS_LD) $(HARDEN_LD) -Wl,--as-needed $(LDFLAGS) $(EXTRA_LDFLAGS)

LINKED_STATIC := $(if $(filter -static -static-pie,\
	$(CC) $(CFLAGS) $(EXTRA_CFLAGS) $(LDFLAGS) $(EXTRA_LDFLAGS)),yes)

# Relocations of tables in a tenth of the space.  glibc loads them since 2.36; the linker then notes that
# the program needs them (GLIBC_ABI_DT_RELR).  With musl 1.2.3 a program would crash.
RELR := -Wl,-z,pack-relative-relocs
RELR_WORKS := $(shell t=$$(mktemp) && printf '\043include <features.h>\n\043if !__GLIBC_PREREQ(2, 36)\n\043error\n\043endif\n\
	int main(void){return 0;}' | $(CC) $(SM_CPPFLAGS) $(SM_CFLAGS) -x c -o "$$t" - $(SM_LDFLAGS) $(RELR) >/dev/null 2>&1 && \
	grep -aq GLIBC_ABI_DT_RELR "$$t" && echo yes; rm -f "$$t")
SM_LDFLAGS += $(if $(LINKED_STATIC),,$(if $(RELR_WORKS),$(RELR)))

# What libsysmon needs: glibc before 2.34 has dlopen() in a library of its own.
SM_LIBS := -lm -ldl

# Screens need ncursesw: its header to build, the library when one is opened.  A static program
# cannot load it and is linked with it; TUI_LINKED=yes does so for any.
TUI_LINKED := $(LINKED_STATIC)
SM_CPPFLAGS += $(if $(TUI_LINKED),-DSM_TUI_LINKED) $(if $(LINKED_STATIC),-DSM_STATIC)

CURSES_LIBS := $(or $(shell $(PKG_CONFIG) --libs ncursesw 2>/dev/null),-lncursesw -ltinfo)
CURSES_CPPFLAGS := $(shell $(PKG_CONFIG) --cflags-only-I ncursesw 2>/dev/null)
# $(call curses,COMPILER,FLAGS): yes, if a program with a screen can be linked.
curses = $(shell printf '\043include <curses.h>\n\043include <term.h>\nint main(void){return !initscr();}' | \
	$(1) $(CURSES_CPPFLAGS) -x c -o /dev/null - $(2) >/dev/null 2>&1 && echo yes)
CURSES_LINK := $(call curses,$(CC) $(CPPFLAGS) $(CFLAGS),\
	$(LDFLAGS) $(EXTRA_LDFLAGS) $(CURSES_LIBS) $(LDLIBS))
TUI_HERE    := $(if $(TUI_LINKED),$(CURSES_LINK),$(call curses,$(CC) $(CPPFLAGS) $(CFLAGS),-c))
TUI_LIBS    := $(if $(TUI_LINKED),$(if $(TUI_HERE),$(CURSES_LIBS)))

# Without ncursesw, tui_none.c replaces the screen.
CURSES_SRC  := $(shell grep -lE '^\#include "tui/tui_curses\.h"' libsysmon/*/*.c)
NO_TUI_SRC  := libsysmon/tui/tui_none.c

UNBUILT := $(filter-out $(TOOLS),$(ALL_TOOLS))

LIB_SRC := $(sort $(filter-out %.bpf.c $(if $(TUI_HERE),$(NO_TUI_SRC),$(CURSES_SRC)),$(wildcard libsysmon/*/*.c)))
$(CURSES_SRC:%.c=$(B)/obj/%.o): SM_CPPFLAGS += $(CURSES_CPPFLAGS)
LIB_OBJ := $(LIB_SRC:%.c=$(B)/obj/%.o)
LIB     := $(B)/lib/libsysmon.a

# BPF programs in C.  NAME.bpf.h, which NAME.c includes, has the instructions and the hash of what they are made of.  Where
# that has changed it is made anew by clang; without clang the build ends.
BPF_SRC   := $(wildcard libsysmon/*/*.bpf.c $(foreach t,$(ALL_TOOLS),$(t)/*.bpf.c $(t)/*/*.bpf.c))
BPF_FRESH := $(B)/gen/bpf
$(BPF_FRESH): tools/bpf.sh $(BPF_SRC) $(wildcard $(shell sed -n 's/^ \* Sources: //p' $(BPF_SRC:.c=.h) 2>/dev/null))
	@mkdir -p $(@D)
	$(call run,CHECK,$@)tools/bpf.sh $(BPF_SRC) && : > $@
$(BPF_SRC:.c=.h): $(BPF_FRESH) ;
$(foreach s,$(BPF_SRC),$(eval $(B)/obj/$(s:.bpf.c=.o): $(s:.c=.h)))
bpf:
	$(call require,test,clang python3)
	tools/bpf.sh -f $(BPF_SRC)

# The public headers as they are installed, and sysmon.h with all of them in the order of the
# layers; headers marked "Private to" are left out.
LAYERS  := base fit bpf proc events timers power load format cli tui
HEADERS := $(sort $(filter-out $(shell grep -l 'Private to' libsysmon/*/*.h),$(wildcard libsysmon/*/*.h)))
PUBLIC  := $(B)/gen/include/sysmon
PUBLIC_HEADERS := $(PUBLIC)/sysmon.h $(HEADERS:libsysmon/%=$(PUBLIC)/%)
$(PUBLIC)/%.h: libsysmon/%.h tools/public_header.awk
	@mkdir -p $(@D)
	$(call run,GEN,$@)awk -f tools/public_header.awk $< > $@

define SYSMON_H
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sysmon: all of libsysmon, the lower layers first.  Made by the Makefile. */
#ifndef SYSMON_H
#define SYSMON_H
$(subst $(newline) ,$(newline),$(foreach l,$(LAYERS),$(patsubst \
	libsysmon/%,#include "%"$(newline),$(filter libsysmon/$(l)/%,$(HEADERS)))))

#endif
endef
$(PUBLIC)/sysmon.h: export TEXT = $(SYSMON_H)
$(PUBLIC)/sysmon.h: FORCE
	$(write_if_changed)

# A tool's sources are in its folder and its subfolders.  "sampler/x.h" is found from all of them and
# from the tool's tests.
tool_src = $(sort $(filter-out %.bpf.c,$(wildcard $(1)/*.c $(1)/*/*.c)))
tool_obj = $(patsubst %.c,$(B)/obj/%.o,$(call tool_src,$(1)))
# A tool without its main(), for its unit tests and fuzz targets.
core_obj = $(filter-out $(B)/obj/$(1)/main.o,$(call tool_obj,$(1)))
BINS := $(TOOLS:%=$(B)/bin/%)

all: $(BINS) lib completions schemas no-screens
no-screens:
	@$(if $(TUI_HERE),:,echo 'without screens (-X, --tui): $(CC) finds no ncursesw (Debian: libncurses-dev)')

# A program linked with the tool's tables prints completions and JSON Schema.  With a cross compiler it is
# built by CC_FOR_BUILD in a variant of its own, so that it runs on the build machine.
CC_FOR_BUILD ?= $(if $(CROSS_COMPILE),gcc,$(CC))
NATIVE    := $(if $(filter-out $(CC),$(CC_FOR_BUILD)),yes)
GENERATOR := $(if $(NATIVE),build/native,$(B))/gen/complete
generators: $(TOOLS:%=$(B)/gen/complete-%)
ifdef NATIVE
$(TOOLS:%=$(GENERATOR)-%): native-generators ;
native-generators:
	$(call run,MAKE,$@)$(MAKE) -s VARIANT=native CROSS_COMPILE= CC='$(CC_FOR_BUILD)' CC_FOR_BUILD= AR=ar \
		CFLAGS=-O1 CPPFLAGS= LDFLAGS= LDLIBS= EXTRA_CFLAGS= EXTRA_LDFLAGS= TOOLS='$(TOOLS)' generators
endif

# Everything that compiles, also files that cannot be linked.
objects: $(LIB_OBJ) $(foreach t,$(ALL_TOOLS),$(call tool_obj,$(t)))

# Objects depend on the flags they were built with, except flags that a single target adds.
FLAGS_STAMP := $(B)/flags
$(FLAGS_STAMP): export TEXT := $(CC) $(SM_CPPFLAGS) $(SM_CFLAGS) $(SM_LDFLAGS)
$(FLAGS_STAMP): FORCE
	$(call require,build,$(firstword $(CC)),all)
	$(write_if_changed)

# What runs once, at the start or at the end, is compiled for size; TOOL/tool.mk may add more.
FOR_SIZE += $(wildcard libsysmon/cli/*.c $(ALL_TOOLS:%=%/opts*.c))
$(FOR_SIZE:%.c=$(B)/obj/%.o): SM_CFLAGS := $(patsubst -O2,-Os,$(SM_CFLAGS))

$(B)/obj/%.o: %.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call run,CC,$@)$(CC) $(SM_CPPFLAGS) $(SM_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB): $(LIB_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(call run,AR,$@)$(AR) rcD $@ $(LIB_OBJ)

define tool_rule
$(B)/bin/$(1): $(call tool_obj,$(1)) $(LIB)
	@mkdir -p $$(@D)
	$$(call run,LD,$$@)$$(CC) $$(SM_CFLAGS) $$(SM_LDFLAGS) -o $$@ $$(call tool_obj,$(1)) $$(LIB) \
		$$($(1)_LIBS) $$(SM_LIBS) $$(LDLIBS)
$(1): $(B)/bin/$(1)
$(B)/gen/complete-$(1): $(B)/obj/tools/complete.o $(call core_obj,$(1)) $(LIB)
	@mkdir -p $$(@D)
	$$(call run,LD,$$@)$$(CC) $$(SM_CFLAGS) $$(SM_LDFLAGS) -o $$@ $$^ $$($(1)_LIBS) $$(SM_LIBS) $$(LDLIBS)
$(B)/schema/$(1).schema.json: $(GENERATOR)-$(1)
	@mkdir -p $$(@D)
	$$(call run,GEN,$$@)$$< schema > $$@
$(B)/completions/$(1).bash $(B)/completions/_$(1) $(B)/completions/$(1).fish &: $(GENERATOR)-$(1)
	@mkdir -p $$(@D)
	$$(call run,GEN,$(B)/completions/$(1))$$< bash > $(B)/completions/$(1).bash && \
		$$< zsh > $(B)/completions/_$(1) && $$< fish > $(B)/completions/$(1).fish
endef
$(foreach t,$(TOOLS),$(eval $(call tool_rule,$(t))))
$(foreach t,$(ALL_TOOLS),$(eval $(B)/obj/$(t)/%.o $(B)/obj/tests/unit/$(t)/%.o \
	$(B)/obj/tests/fuzz/$(t)/%.o: SM_CPPFLAGS += -I$(t)))
completions: $(foreach t,$(TOOLS),$(B)/completions/$(t).bash)
SCHEMAS := $(TOOLS:%=$(B)/schema/%.schema.json)
schemas: $(SCHEMAS)

lib: $(LIB) $(PUBLIC_HEADERS)

# For editors and language servers: how each source here is compiled.
compdb:
	$(MAKE) -Bn V=1 objects unit replay lab $(TUI_DEMO) | \
		awk -v dir='$(CURDIR)' -f tools/compdb.awk > compile_commands.json

clean:
	rm -rf build dist compile_commands.json

FORCE:
.PHONY: all no-screens objects bpf lib completions schemas generators native-generators compdb clean FORCE $(TOOLS)

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)

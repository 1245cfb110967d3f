# Unit tests: tests/unit/test_NAME.c, one Check program each.  Included by the Makefile.
# SPDX-License-Identifier: GPL-2.0-or-later

CHECK_CFLAGS := $(shell $(PKG_CONFIG) --cflags check 2>/dev/null)
CHECK_LIBS   := $(shell $(PKG_CONFIG) --libs check 2>/dev/null || echo -lcheck)

# A test includes "TOOL/header.h" for a tool's core, itself or through a header beside it, and
# plain names for the library.  It is linked with the library and with that tool's core: two
# tools define the same names.
empty :=
blank := $(empty) $(empty)
TEST_HEADERS := $(wildcard tests/unit/*.h tests/fuzz/*.h)
TEST_SOURCES := $(wildcard tests/unit/test_*.c tests/fuzz/fuzz_*.c)
# $(call including,ERE,FILES): which of them include such a header
including = $(shell grep -lE '^\#include "($(strip $(1)))"' $(2) /dev/null)
alternatives = $(subst $(blank),|,$(strip $(1)))
users_of = $(sort $(call including,$(call alternatives,$(1)/.* \
	$(addprefix (.*/)?,$(notdir $(call including,$(1)/.*,$(TEST_HEADERS))))),$(TEST_SOURCES)))
# Tests of tools that are not built, and those that read the screen back, where they cannot be
# linked with ncurses: not built either.
CURSES_RIGS := tui_rig.h $(notdir $(call including,tui_rig\.h,$(TEST_HEADERS)))
UNBUILT_TESTS := $(foreach t,$(UNBUILT),$(call users_of,$(t))) \
	$(if $(CURSES_LINK),,$(call including,$(call alternatives,$(CURSES_RIGS)),$(TEST_SOURCES)))

UNIT_SRC := $(sort $(filter-out $(UNBUILT_TESTS),$(filter tests/unit/%,$(TEST_SOURCES))))
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(B)/unit/%)
# What the library needs that these tests link; the linker takes what is used.
TEST_LIBS = $(if $(CURSES_LINK),$(CURSES_LIBS)) $(SM_LIBS) $(LDLIBS)
$(B)/obj/tests/unit/%.o: SM_CPPFLAGS += -I. $(CHECK_CFLAGS)
$(B)/unit/%: $(B)/obj/tests/unit/%.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(SM_CFLAGS) $(SM_LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(CHECK_LIBS) $(TEST_LIBS)

unit: $(UNIT_BIN)
unit-%: $(B)/unit/test_%
	$<

# Fuzz targets: tests/fuzz/fuzz_NAME.c define LLVMFuzzerTestOneInput; seeds in
# tests/fuzz/corpus/NAME/.  Without clang they are linked with replay.c and replayed.
FUZZ_SRC := $(sort $(filter-out $(UNBUILT_TESTS),$(filter tests/fuzz/%,$(TEST_SOURCES))))
REPLAY_BIN := $(FUZZ_SRC:tests/fuzz/%.c=$(B)/replay/%)
$(B)/obj/tests/fuzz/%.o: SM_CPPFLAGS += -I.
$(B)/replay/%: $(B)/obj/tests/fuzz/%.o $(B)/obj/tests/fuzz/replay.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(SM_CFLAGS) $(SM_LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(TEST_LIBS)
replay: $(REPLAY_BIN)

# The programs of a test, and with what they are linked besides.
test_bins = $(patsubst tests/unit/%.c,$(B)/unit/%,$(filter tests/unit/%,$(1))) \
	$(foreach d,replay fuzz,$(patsubst tests/fuzz/%.c,$(B)/$(d)/%,$(filter tests/fuzz/%,$(1))))
define core_rule
$(call test_bins,$(call users_of,$(1))): $(call core_obj,$(1))
endef
$(foreach t,$(TOOLS),$(eval $(call core_rule,$(t))))

# Helper programs with an exactly known behaviour: static, and with musl where it is, because
# an exec of a glibc program costs ten times as much as one of theirs.
HELPER_SRC := $(sort $(wildcard tests/helpers/*.c))
HELPERS    := $(HELPER_SRC:tests/helpers/%.c=$(B)/helpers/%)
ifeq ($(CROSS_COMPILE)$(shell command -v musl-gcc),)
HELPER_CC  := $(CC)
else ifeq ($(CROSS_COMPILE),)
HELPER_CC  := musl-gcc -idirafter /usr/include \
	-idirafter /usr/include/$(shell gcc -print-multiarch)
else
HELPER_CC  := $(CC)
endif
$(B)/helpers/%: tests/helpers/%.c $(wildcard tests/helpers/*.h) $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(HELPER_CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -O2 -g -static -o $@ $< -lpthread
helpers: $(HELPERS)

# A program that shows the screen module at work, for its tests.
TUI_DEMO := $(if $(TUI_HERE),$(patsubst tests/tui/%.c,$(B)/tests/tui-%,$(wildcard tests/tui/demo.c)))
$(B)/tests/tui-%: $(B)/obj/tests/tui/%.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(SM_CFLAGS) $(SM_LDFLAGS) -o $@ $^ $(TEST_LIBS)

# The lab: simulated machines (tests/lab/fakesys.c).  The simulator needs libfuse3 and is left
# out without it; the judge and labtree are always built.
FUSE_LIBS   := $(if $(CROSS_COMPILE),,$(shell $(PKG_CONFIG) --libs fuse3 2>/dev/null))
FUSE_CFLAGS := $(if $(FUSE_LIBS),$(shell $(PKG_CONFIG) --cflags fuse3))
LAB_PROGRAMS := judge labtree keepopen $(if $(FUSE_LIBS),fakesys)
LAB_MODEL := $(patsubst %,$(B)/obj/tests/lab/%.o,spec spec_value tree model)
LAB := $(LAB_PROGRAMS:%=$(B)/lab/%)
$(B)/obj/tests/lab/%.o: SM_CPPFLAGS += $(FUSE_CFLAGS)
$(B)/lab/fakesys: LAB_LIBS = $(FUSE_LIBS)
$(B)/lab/%: $(B)/obj/tests/lab/%.o $(LAB_MODEL)
	@mkdir -p $(@D)
	$(CC) $(SM_CFLAGS) $(SM_LDFLAGS) -o $@ $^ $(LAB_LIBS) -lm
lab: $(LAB)

# Everything speaks TAP to the runner, which prints one closing line.  A script in tests/t
# that needs root says so in its head: "# needs: root".
RUNNER      := tests/lib/runner -l build/test-logs$(if $(filter-out default,$(VARIANT)),/$(VARIANT))
ROOT_TESTS  := $(sort $(shell grep -lx '\# needs: root' tests/t/*.sh 2>/dev/null))
USER_TESTS  := $(sort $(filter-out $(ROOT_TESTS),$(wildcard tests/t/*.sh)))
replay_run   = '$(1) $(wildcard tests/fuzz/corpus/$(patsubst fuzz_%,%,$(notdir $(1))))'
CORE_RUN     = $(UNIT_BIN) $(foreach r,$(REPLAY_BIN),$(call replay_run,$(r)))
USER_RUN     = $(CORE_RUN) tests/lib/golden.sh $(USER_TESTS)
# Each tool's path in its name in capitals: FORKSTAT, POWER_CALIBRATE.  LEFT_OUT: the tools that
# are not built here; tests of them skip themselves.
tool_env     = $(shell echo $(1) | tr a-z- A-Z_)=$(CURDIR)/$(B)/bin/$(1)
TEST_ENV     = TOP=$(CURDIR) BUILD=$(CURDIR)/$(B) HELPERS=$(CURDIR)/$(B)/helpers \
	TUI_DEMO=$(TUI_DEMO:%=$(CURDIR)/%) LEFT_OUT='$(UNBUILT)' \
	$(foreach t,$(ALL_TOOLS),$(call tool_env,$(t)))
AS_ROOT      = $(if $(filter 0,$(shell id -u)),,sudo) env

test-programs: all unit replay helpers lab $(TUI_DEMO)
check: test-programs
	$(TEST_ENV) $(RUNNER) $(USER_RUN)
check-root: test-programs
	$(AS_ROOT) $(TEST_ENV) $(RUNNER) $(ROOT_TESTS)
check-all: test-programs
	$(AS_ROOT) $(TEST_ENV) $(RUNNER) $(USER_RUN) $(ROOT_TESTS)
bless: all
	$(TEST_ENV) tests/lib/golden.sh --bless

# The unit tests and the corpus, built with a sanitizer in a variant of their own.
SAN_FLAGS = -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all
core-run: unit replay
	$(RUNNER) $(CORE_RUN)
asan:
	$(MAKE) VARIANT=asan EXTRA_CFLAGS='$(SAN_FLAGS) -fsanitize=address,undefined' core-run
ubsan: # clang's: it checks the alignment of every member, gcc's does not
	$(MAKE) VARIANT=ubsan CC='$(or $(shell command -v clang),$(CC))' \
		EXTRA_CFLAGS='$(SAN_FLAGS) -fsanitize=undefined' core-run

VALGRIND = valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite
# It knows no seccomp(2), which the tests of priv are about.
VALGRIND_CANNOT = $(B)/unit/test_priv
valgrind: unit
	@echo 'valgrind: left out, as it cannot do seccomp: $(VALGRIND_CANNOT)'
	CK_FORK=no $(RUNNER) -t 300 -w '$(VALGRIND)' $(filter-out $(VALGRIND_CANNOT),$(UNIT_BIN))

# libFuzzer, each target for FUZZ_SECONDS.  What it finds new stays under build/.
FUZZ_SECONDS ?= 20
FUZZ_BIN := $(FUZZ_SRC:tests/fuzz/%.c=$(B)/fuzz/%)
$(B)/fuzz/%: $(B)/obj/tests/fuzz/%.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(SM_CFLAGS) $(SM_LDFLAGS) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(LIB) $(TEST_LIBS)
fuzz-run: $(FUZZ_BIN)
	FUZZ_SECONDS=$(FUZZ_SECONDS) tests/lib/fuzz.sh $(FUZZ_BIN)
fuzz:
	@command -v clang >/dev/null || { echo 'fuzz: needs clang, which is not installed'; exit 1; }
	$(MAKE) VARIANT=fuzz CC=clang \
		EXTRA_CFLAGS='$(SAN_FLAGS) -fsanitize=address,undefined,fuzzer-no-link' fuzz-run

# Children of tests that give up their rights still have to write their counts (umask).
cov:
	rm -rf build/cov/obj
	umask 0; $(MAKE) VARIANT=cov EXTRA_CFLAGS='-O0 --coverage -fprofile-update=atomic \
		-include tests/lib/cov_exit.h' core-run
	tests/lib/cov.sh build/cov

analyze:
	CC='$(CC)' MAKE='$(MAKE)' tests/lib/analyze.sh

.PHONY: unit replay helpers lab test-programs check check-root check-all bless core-run asan ubsan \
	valgrind fuzz fuzz-run cov analyze

# Unit tests: tests/unit/FOLDER/test_NAME.c, one Check program each.  Included by the Makefile.
# SPDX-License-Identifier: GPL-2.0-or-later

CHECK_CFLAGS := $(shell $(PKG_CONFIG) --cflags check 2>/dev/null)
CHECK_LIBS   := $(shell $(PKG_CONFIG) --libs check 2>/dev/null || echo -lcheck)

# A test is in the folder of its subject: tests/unit/libsysmon or tests/unit/TOOL.  It is linked with
# the library, in a tool's folder also with that tool's core only, because two tools can define the
# same names.  Fuzz targets are in the same folders of tests/fuzz.
TEST_SOURCES := $(wildcard tests/unit/*/test_*.c tests/fuzz/*/fuzz_*.c)
including = $(shell grep -lE '^\#include "($(strip $(1)))"' $(2) /dev/null)
# Not built: tests of tools that are not built, and, without ncurses, tests that read the screen.
empty :=
blank := $(empty) $(empty)
alternatives = $(subst $(blank),|,$(strip $(1)))
rigs_with = $(notdir $(call including,$(call alternatives,$(1)),$(wildcard tests/rigs/*.h)))
CURSES_RIGS := $(call rigs_with,tui_rig.h)
CURSES_RIGS += $(call rigs_with,$(CURSES_RIGS))
UNBUILT_TESTS := $(foreach t,$(UNBUILT),$(wildcard tests/unit/$(t)/*.c tests/fuzz/$(t)/*.c)) \
	$(if $(CURSES_LINK),,$(call including,$(call alternatives,tui_rig.h $(CURSES_RIGS)),$(TEST_SOURCES)))

UNIT_SRC := $(sort $(filter-out $(UNBUILT_TESTS),$(filter tests/unit/%,$(TEST_SOURCES))))
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(B)/unit/%)
# Libraries that libsysmon needs; the linker takes those in use.  TEST_LDFLAGS: for the tests only
# (packages are built with LTO, which would take minutes to link all tests).
TEST_LIBS = $(if $(CURSES_LINK),$(CURSES_LIBS)) $(SM_LIBS) $(LDLIBS)
# Unit tests and fuzz targets are compiled without optimisation, which takes a quarter of the time, unless
# CFLAGS are given.
ifdef DEFAULT_CFLAGS
FAST_TO_COMPILE = $(B)/obj/tests/unit/%.o $(B)/obj/tests/fuzz/%.o
$(FAST_TO_COMPILE): SM_CPPFLAGS := $(filter-out $(HARDEN_CPP),$(SM_CPPFLAGS))
$(FAST_TO_COMPILE): SM_CFLAGS := -O0 $(filter-out -O2,$(SM_CFLAGS))
endif
$(B)/obj/tests/unit/%.o: SM_CPPFLAGS += -I. -Itests/rigs $(CHECK_CFLAGS)
$(B)/unit/%: $(B)/obj/tests/unit/%.o $(LIB)
	@mkdir -p $(@D)
	$(call run,LD,$@)$(CC) $(SM_CFLAGS) $(SM_LDFLAGS) $(TEST_LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) \
		$(CHECK_LIBS) $(TEST_LIBS)

$(UNIT_SRC:%.c=$(B)/obj/%.o): | need-check
need-check:
	@printf '\043include <check.h>\n' | $(CC) $(CHECK_CFLAGS) -E -x c - >/dev/null 2>&1 || \
		$(call missing,the library Check,test,unit)

# Runs on machines with the lab's meter.
$(B)/unit/power-calibrate/test_machines $(B)/unit/power-calibrate/test_meters: \
	$(B)/obj/tests/lab/meter.o $(B)/obj/tests/lab/load.o

unit: $(UNIT_BIN)
# make unit-NAME, or unit-TOOL/NAME if two folders have a test of that name
unit-%: unit
	@for t in $(B)/unit/$(*D)/test_$(*F) $(B)/unit/*/test_$*; do \
		if [ -x "$$t" ]; then exec "$$t"; fi; done; echo 'no unit test $*'; exit 1

# Fuzz targets: tests/fuzz/FOLDER/fuzz_NAME.c define LLVMFuzzerTestOneInput; seeds in
# tests/fuzz/corpus/FOLDER/NAME/.  Without clang they are linked with replay.c and replayed.
FUZZ_SRC := $(sort $(filter-out $(UNBUILT_TESTS),$(filter tests/fuzz/%,$(TEST_SOURCES))))
REPLAY_BIN := $(FUZZ_SRC:tests/fuzz/%.c=$(B)/replay/%)
$(B)/obj/tests/fuzz/%.o: SM_CPPFLAGS += -I. -Itests/rigs
$(B)/replay/%: $(B)/obj/tests/fuzz/%.o $(B)/obj/tests/fuzz/replay.o $(LIB)
	@mkdir -p $(@D)
	$(call run,LD,$@)$(CC) $(SM_CFLAGS) $(SM_LDFLAGS) $(TEST_LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(TEST_LIBS)
replay: $(REPLAY_BIN)

# Only its own: a rule for the source of another tool's target would build these objects with that tool's flags.
core_users = $(filter $(B)/unit/$(1)/% $(B)/replay/$(1)/%,$(UNIT_BIN) $(REPLAY_BIN)) \
	$(patsubst tests/%.c,$(B)/%,$(filter tests/fuzz/$(1)/%,$(FUZZ_SRC)))
core_rule = $(if $(strip $(core_users)),$(core_users): $(call core_obj,$(1)))
$(foreach t,$(TOOLS),$(eval $(call core_rule,$(t))))

# Helper programs with an exactly known behaviour: static, with musl if it is installed, because an
# exec of a glibc program costs ten times as much.
HELPER_SRC := $(sort $(wildcard tests/helpers/*.c))
HELPERS    := $(HELPER_SRC:tests/helpers/%.c=$(B)/helpers/%)
HELPER_CC  := $(if $(CROSS_COMPILE)$(NATIVE),$(CC),$(if $(shell command -v musl-gcc),\
	musl-gcc $(SYSTEM_HEADERS),$(CC)))
HELPER_STATIC = -static
# With the C library, and linked, as the tools that it is compared with.
$(B)/helpers/bareloops: HELPER_CC = $(CC)
$(B)/helpers/bareloops: HELPER_STATIC =
$(B)/helpers/%: tests/helpers/%.c $(wildcard tests/helpers/*.h) $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call run,LD,$@)$(HELPER_CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -O2 -g $(HELPER_STATIC) -o $@ $< -lpthread
# Preloaded by the fault tests: makes an allocation fail.
FAILALLOC := $(B)/helpers/failalloc.so
$(FAILALLOC): tests/faults/failalloc.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call run,LD,$@)$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -O2 -g -fPIC -shared -o $@ $< -ldl
helpers: $(HELPERS) $(FAILALLOC)

# A demonstration of the screen module, for its tests.
TUI_DEMO := $(if $(TUI_HERE),$(patsubst tests/tui/%.c,$(B)/tests/tui-%,$(wildcard tests/tui/demo.c)))
$(B)/tests/tui-%: $(B)/obj/tests/tui/%.o $(LIB)
	@mkdir -p $(@D)
	$(call run,LD,$@)$(CC) $(SM_CFLAGS) $(SM_LDFLAGS) -o $@ $^ $(TEST_LIBS)

# The lab: simulated machines (tests/lab/fakesys.c).  The simulator needs libfuse3 and is left
# out without it; the judge and labtree are always built.
FUSE_LIBS   := $(if $(CROSS_COMPILE),,$(shell $(PKG_CONFIG) --libs fuse3 2>/dev/null))
FUSE_CFLAGS := $(if $(FUSE_LIBS),$(shell $(PKG_CONFIG) --cflags fuse3))
LAB_PROGRAMS := judge labtree keepopen $(if $(FUSE_LIBS),fakesys)
LAB_MODEL := $(patsubst %,$(B)/obj/tests/lab/%.o,spec spec_value tree model meter load)
LAB := $(LAB_PROGRAMS:%=$(B)/lab/%)
$(B)/obj/tests/lab/%.o: SM_CPPFLAGS += $(FUSE_CFLAGS)
$(B)/lab/fakesys: LAB_LIBS = $(FUSE_LIBS)
$(B)/lab/%: $(B)/obj/tests/lab/%.o $(LAB_MODEL)
	@mkdir -p $(@D)
	$(call run,LD,$@)$(CC) $(SM_CFLAGS) $(SM_LDFLAGS) -o $@ $^ $(LAB_LIBS) -lm
lab: $(LAB)

# All tests print TAP for the runner, which prints one closing line.  Lines in the head of a script in tests/t
# (tests/lib/runner has more): "# needs: root"; "# run by: check-gates" or "# run by: check-live", which the suite
# leaves to these targets.
TEST_JOBS   ?= $(shell echo $$((4 * $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1))))
LOGS        := build/test-logs$(if $(filter-out default,$(VARIANT)),/$(VARIANT))
RUNNER      := tests/lib/runner -j $(TEST_JOBS) -l $(LOGS)
with_head    = $(sort $(shell grep -lx '\# $(1)' tests/t/*/*.sh 2>/dev/null))
GATE_TESTS  := $(call with_head,run by: check-gates)
LIVE_TESTS  := $(call with_head,run by: check-live)
SUITE_TESTS := $(filter-out $(GATE_TESTS) $(LIVE_TESTS),$(sort $(wildcard tests/t/*/*.sh)))
ROOT_TESTS  := $(filter $(call with_head,needs: root),$(SUITE_TESTS))
USER_TESTS  := $(filter-out $(ROOT_TESTS),$(SUITE_TESTS))
replay_run   = '$(1) $(wildcard tests/fuzz/corpus/$(subst fuzz_,,$(1:$(B)/replay/%=%)))'
CORE_RUN     = $(UNIT_BIN) $(foreach r,$(REPLAY_BIN),$(call replay_run,$(r)))
USER_RUN     = $(CORE_RUN) tests/lib/golden.sh $(USER_TESTS)
# A variable for each tool has its path: FORKSTAT, POWER_CALIBRATE.  LEFT_OUT: the tools that are not
# built here; their tests are skipped.
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
# check-suite is what tools/test.sh runs.
check-suite: test-programs
	$(AS_ROOT) $(TEST_ENV) $(RUNNER) tools/style.sh $(USER_RUN) $(ROOT_TESTS)
# The clang build of `san` has warnings as errors, so that no other clang build is needed.
GATES = compile-gcc compile-musl san analyze
check-gates: test-programs
	$(AS_ROOT) $(TEST_ENV) $(RUNNER) 'tools/gates.sh $(GATES)' $(GATE_TESTS)
# T: only the tests of this tool, or of "suite", "packages".  Scripts that measure run one by one; then, together,
# virtual machines, packages, the tests of all tools and what is "# heavy".  Sanitizers of gcc: with all tools only.
T ?=
of_tool      = $(filter $(if $(T),tests/t/$(T)/%,%),$(1))
LIVE_SHARED := tests/t/packages/% tests/t/suite/% $(call with_head,heavy)
LIVE_ALONE  := $(call of_tool,$(filter-out $(LIVE_SHARED),$(LIVE_TESTS)))
LIVE_BESIDE  = $(call of_tool,$(filter $(LIVE_SHARED),$(LIVE_TESTS))) $(if $(T),$(VM_TESTS_$(T)),$(VM_TESTS)) \
	$(if $(T),,'tools/gates.sh asan compile-clang valgrind')
check-live: test-programs static
	@sh tools/deps.sh live || echo 'check-live: continuing without the missing dependencies' >&2
	@mkdir -p $(LOGS)
	@$(if $(LIVE_ALONE),$(AS_ROOT) $(TEST_ENV) tests/lib/runner -l $(LOGS) $(LIVE_ALONE) | tee $(LOGS)/live-alone,:)
	@$(if $(strip $(LIVE_BESIDE)),$(AS_ROOT) $(TEST_ENV) tests/lib/runner -j 2 -l $(LOGS) $(LIVE_BESIDE) | \
		tee $(LOGS)/live-beside,:)
	@tests/lib/runner -s $(if $(LIVE_ALONE),$(LOGS)/live-alone) $(if $(strip $(LIVE_BESIDE)),$(LOGS)/live-beside)
# Everything, with one closing line.
check-all: test-programs
	@mkdir -p $(LOGS)
	@for level in suite gates live; do $(MAKE) -s check-$$level 2>&1 | tee $(LOGS)/all-$$level; done
	@tests/lib/runner -s $(LOGS)/all-suite $(LOGS)/all-gates $(LOGS)/all-live
bless: all
	$(TEST_ENV) tests/lib/golden.sh --bless

# The unit tests, the corpus and the stressors, built with sanitizers in a separate variant.  clang's checks the
# alignment of every member, gcc's does not.
SAN_FLAGS = -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=address,undefined
core-run: unit replay
	$(RUNNER) $(CORE_RUN)
STRESSORS_BIN = $(filter %/stressors,$(BINS))
san-run: unit replay $(STRESSORS_BIN)
	$(TEST_ENV) $(RUNNER) $(CORE_RUN) $(if $(STRESSORS_BIN),tests/t/stressors/memory.sh)
san:
	$(MAKE) VARIANT=san CC='$(or $(shell command -v clang),$(CC))' WERROR=1 EXTRA_CFLAGS='$(SAN_FLAGS)' san-run
asan:
	$(MAKE) VARIANT=asan EXTRA_CFLAGS='$(SAN_FLAGS)' san-run

VALGRIND = valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite
# valgrind does not support seccomp(2), which the tests of priv need, and keeps the main thread of a process, whose
# end a test of target waits for.
VALGRIND_CANNOT = $(B)/unit/libsysmon/test_priv $(B)/unit/libsysmon/test_priv_drop $(B)/unit/pagemon/test_target
valgrind:
	$(call require,dev,valgrind)
	$(MAKE) unit
	@echo 'valgrind: left out, because it cannot run them: $(VALGRIND_CANNOT)'
	CK_FORK=no $(RUNNER) -t 300 -w '$(VALGRIND)' $(filter-out $(VALGRIND_CANNOT),$(UNIT_BIN))

# libFuzzer, each target for FUZZ_SECONDS.  New corpus files stay under build/.
FUZZ_SECONDS ?= 20
FUZZ_BIN := $(FUZZ_SRC:tests/fuzz/%.c=$(B)/fuzz/%)
$(B)/fuzz/%: $(B)/obj/tests/fuzz/%.o $(LIB)
	@mkdir -p $(@D)
	$(call run,LD,$@)$(CC) $(SM_CFLAGS) $(SM_LDFLAGS) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(LIB) $(TEST_LIBS)
fuzz-run: $(FUZZ_BIN)
	FUZZ_SECONDS=$(FUZZ_SECONDS) tests/lib/fuzz.sh $(FUZZ_BIN)
fuzz:
	$(call require,test,clang)
	$(MAKE) VARIANT=fuzz CC=clang \
		EXTRA_CFLAGS='$(SAN_FLAGS),fuzzer-no-link' fuzz-run

# Children that drop their privileges must still be able to write their counters: umask 0.
cov:
	$(call require,dev,gcovr)
	rm -rf build/cov/obj
	umask 0; $(MAKE) VARIANT=cov EXTRA_CFLAGS='-O0 --coverage -fprofile-update=atomic \
		-include tests/lib/cov_exit.h' core-run
	tests/lib/cov.sh build/cov

# For developers: draws mutants of changed modules, or of FILES, and lists those that the unit tests do not notice.
N ?= 40
mutants:
	$(call require,dev,python3)
	tools/mutants.py -n $(N) $(if $(SEED),-s $(SEED)) $(if $(BASE),-b $(BASE)) $(FILES)

analyze: $(GENERATED)
	CC='$(CC)' MAKE='$(MAKE)' tests/lib/analyze.sh

.PHONY: unit need-check replay helpers lab test-programs check check-root check-suite check-gates check-live check-all bless core-run \
	san-run san asan \
	valgrind fuzz fuzz-run cov mutants analyze

# Unit tests: tests/unit/test_NAME.c, one Check program each.  Included by the Makefile.

CHECK_CFLAGS := $(shell $(PKG_CONFIG) --cflags check 2>/dev/null)
CHECK_LIBS   := $(shell $(PKG_CONFIG) --libs check 2>/dev/null || echo -lcheck)
UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(B)/unit/%)
ALL_CORE := $(foreach t,$(TOOLS),$(call core_obj,$(t)))

# A unit test includes "TOOL/header.h" for a tool's core and plain names for the library.
$(B)/obj/tests/unit/%.o: SM_CPPFLAGS += -I. $(CHECK_CFLAGS)
$(B)/unit/%: $(B)/obj/tests/unit/%.o $(LIB) $(ALL_CORE)
	@mkdir -p $(@D)
	$(CC) $(SM_CFLAGS) $(SM_LDFLAGS) -o $@ $< $(ALL_CORE) $(LIB) $(CHECK_LIBS) -lm $(LDLIBS)

unit: $(UNIT_BIN)
unit-%: $(B)/unit/test_%
	$<

# Fuzz targets: tests/fuzz/fuzz_NAME.c define LLVMFuzzerTestOneInput; seeds in
# tests/fuzz/corpus/NAME/.  Without clang they are linked with replay.c and replayed.
FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
REPLAY_BIN := $(FUZZ_SRC:tests/fuzz/%.c=$(B)/replay/%)
$(B)/obj/tests/fuzz/%.o: SM_CPPFLAGS += -I.
$(B)/replay/%: $(B)/obj/tests/fuzz/%.o $(B)/obj/tests/fuzz/replay.o $(LIB) $(ALL_CORE)
	@mkdir -p $(@D)
	$(CC) $(SM_CFLAGS) $(SM_LDFLAGS) -o $@ $(B)/obj/tests/fuzz/$*.o \
		$(B)/obj/tests/fuzz/replay.o $(ALL_CORE) $(LIB) -lm $(LDLIBS)
replay: $(REPLAY_BIN)

.PHONY: unit replay

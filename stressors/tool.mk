# SPDX-License-Identifier: GPL-2.0-or-later
# The names of all stressors, from their files: s_NAME.c is one, with '_' for each '-' of NAME.
STRESSORS := $(subst -,_,$(sort $(subst _,-,$(patsubst stressors/s_%.c,%,$(wildcard stressors/s_*.c)))))

# The text $(1) for each stressor, one per line.
stressors_lines = $(subst $(newline) ,$(newline),$(foreach s,$(STRESSORS),$(subst NAME,$(s),$(1))$(newline)))

define STRESSORS_LIST
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of list.c, made by tool.mk. */
$(call stressors_lines,extern const struct stressor stressor_NAME;)
const struct stressor *const list_all[] = {
$(call stressors_lines,	&stressor_NAME$(comma))	NULL
};
endef
$(B)/gen/stressors/list_all.h: export TEXT = $(STRESSORS_LIST)
$(B)/gen/stressors/list_all.h: FORCE
	$(write_if_changed)
GENERATED += $(B)/gen/stressors/list_all.h
$(B)/obj/stressors/list.o: $(B)/gen/stressors/list_all.h
$(B)/obj/stressors/list.o: SM_CPPFLAGS += -I$(B)/gen/stressors

# The rate of these stressors depends on their own code.  The others spend their time in the kernel and are compiled for size.
STRESSORS_COMPUTE := cache context cpu heapsort lockbus matrix memcpy memload memrate mergesort \
	nop qsort radixsort rdrand stream switch vecmath vm
FOR_SIZE += $(patsubst %,stressors/s_%.c,$(subst -,_,$(filter-out $(STRESSORS_COMPUTE),$(STRESSORS)))) $(wildcard $(addprefix stressors/,\
	main.c live.c metrics.c \
	$(addsuffix /*.c,alg coverage device disk fcntl flow ipc procfs refused result sem shared splice timers turns uring) \
	$(addprefix run/,cpuset.c inherit.c jobfile.c limit.c meters.c outcome.c perf.c pick.c policy.c scratch.c stall.c supervisor.c \
	sysv.c team.c trap.c parts.c)))

# Names of system calls and errors for --coverage, from the headers of the C library: a macro that applies another one to each.
stressors_names = $(call run,GEN,$@)mkdir -p $(@D) && { printf '\043define $(1)(X) \\\n'; printf '\043include <$(2)>\n' | \
	$(CC) $(SM_CPPFLAGS) $(SM_CFLAGS) -E -dM -x c - | sed -n '$(3)'; echo; } > $@
$(B)/gen/stressors/calls.h: $(FLAGS_STAMP)
	$(call stressors_names,CALLS,sys/syscall.h,s/^#define SYS_\([a-z0-9_]*\) .*/X(\1) \\/p)
$(B)/gen/stressors/errors.h: $(FLAGS_STAMP)
	$(call stressors_names,ERRORS,errno.h,s/^#define \(E[A-Z0-9]*\) [0-9]*$$/X(\1) \\/p)
GENERATED += $(B)/gen/stressors/calls.h $(B)/gen/stressors/errors.h
$(B)/obj/stressors/coverage/names.o: $(B)/gen/stressors/calls.h $(B)/gen/stressors/errors.h
$(B)/obj/stressors/coverage/names.o: SM_CPPFLAGS += -I$(B)/gen/stressors

# The remarks of each stressor for the man page.
define STRESSORS_REMARKS
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of man/remarks.c, made by tool.mk. */
$(call stressors_lines,extern const char stressor_NAME_man[];)
const char *const remarks_all[] = {
$(call stressors_lines,	stressor_NAME_man$(comma))	NULL
};
endef
$(B)/gen/stressors/remarks_all.h: export TEXT = $(STRESSORS_REMARKS)
$(B)/gen/stressors/remarks_all.h: FORCE
	$(write_if_changed)
GENERATED += $(B)/gen/stressors/remarks_all.h
$(B)/obj/stressors/man/remarks.o: $(B)/gen/stressors/remarks_all.h
$(B)/obj/stressors/man/remarks.o: SM_CPPFLAGS += -I$(B)/gen/stressors

# Renews the part of the man page that is made from the tables.
MAN_PARTS += man-stressors
man-stressors: $(B)/gen/complete-stressors FORCE
	$(call run,GEN,$(B)/man/stressors.7)$< man > $(B)/gen/stressors/section.mdoc && \
		awk '/^\.\\" end of tables/ { off = 0 } !off { print } /^\.\\" tables: / { off = 1; \
			while ((getline line < "$(B)/gen/stressors/section.mdoc") > 0) print line }' \
			man/stressors.7 > $(B)/gen/stressors/stressors.7 && cat $(B)/gen/stressors/stressors.7 > man/stressors.7

# A static program cannot load libbsd: it is linked with libbsd if this compiler finds it.
STRESSORS_BSD := -lbsd -lmd
STRESSORS_BSD_LINKED = $(if $(TUI_LINKED),$(shell printf '\043include <bsd/stdlib.h>\nint main(void){return heapsort(0,0,0,0);}' | \
	$(CC) $(CPPFLAGS) $(CFLAGS) -x c -o /dev/null - $(LDFLAGS) $(EXTRA_LDFLAGS) $(STRESSORS_BSD) >/dev/null 2>&1 && echo yes))
$(B)/obj/stressors/sort/bsd.o: SM_CPPFLAGS += $(if $(STRESSORS_BSD_LINKED),-DSTRESSORS_BSD_LINKED)
stressors_LIBS = $(if $(STRESSORS_BSD_LINKED),$(STRESSORS_BSD))

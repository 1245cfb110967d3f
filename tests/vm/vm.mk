# forkstat, powerstat, eventstat, pagemon, power-calibrate and stressors under Debian's stock kernels, emulated; no root.
# Included by the Makefile.
# SPDX-License-Identifier: GPL-2.0-or-later
VM_DIR := build/vm

vm-kernels: # downloads the kernels; VM_INSTALL=1 installs qemu first (root)
	tests/vm/kernels.sh $(if $(VM_INSTALL),-i) $(VM_DIR)
	tests/vm/kernels.sh -a s390x $(VM_DIR)
VM_TESTS := tests/vm/bpf.sh tests/vm/forkstat.sh tests/vm/powerstat.sh tests/vm/eventstat.sh tests/vm/wakeups.sh tests/vm/pagemon.sh \
	tests/vm/power-calibrate.sh tests/vm/stressors.sh
VM_TESTS_eventstat := tests/vm/bpf.sh tests/vm/eventstat.sh tests/vm/wakeups.sh
$(foreach t,$(filter-out eventstat,$(ALL_TOOLS)),$(eval VM_TESTS_$(t) := $(filter %/$(t).sh,$(VM_TESTS))))
check-vm: static helpers powerstat eventstat pagemon power-calibrate stressors
	$(TEST_ENV) $(RUNNER) $(VM_TESTS)

.PHONY: vm-kernels check-vm

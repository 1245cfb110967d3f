# forkstat and powerstat under Debian's stock kernels, emulated; no root.  Included by the Makefile.
# SPDX-License-Identifier: GPL-2.0-or-later
VM_DIR := build/vm

vm-kernels: # downloads them; with VM_INSTALL=1 what boots them is installed first (root)
	tests/vm/kernels.sh $(if $(VM_INSTALL),-i) $(VM_DIR)
check-vm: static helpers powerstat
	$(TEST_ENV) FORKSTAT=$(CURDIR)/build/static/bin/forkstat VM=$(CURDIR)/$(VM_DIR) \
		$(RUNNER) tests/vm/forkstat.sh tests/vm/powerstat.sh

.PHONY: vm-kernels check-vm

# Installation, tarballs, packages, other compilers.  Included by the Makefile.
# SPDX-License-Identifier: GPL-2.0-or-later

INSTALL ?= install
DOCDIR  ?= $(PREFIX)/share/doc/sysmon-tools
PCDIR   ?= $(LIBDIR)/pkgconfig
MAN_PAGES := $(sort $(filter-out $(wildcard $(UNBUILT:%=man/%.[1-9])),$(wildcard man/*.[1-9])))
EXAMPLES := $(sort $(wildcard examples/*))
# Examples that are installed executable.
SCRIPTS  := $(shell [ -d examples ] && find examples -type f -perm -u+x | sort)
DOCS     := $(wildcard README.md ARCHITECTURE.md NEWS COPYING)
PICTURES := $(wildcard doc/pictures/*.svg)

define PC_FILE
prefix=$(PREFIX)
libdir=$(LIBDIR)
includedir=$(patsubst %/,%,$(dir $(INCDIR)))

Name: sysmon
Description: Linux observability: process events, perf rings, CPU, power, option and column tables
Version: $(VERSION)
Cflags: -I$${includedir}
Libs: -L$${libdir} -lsysmon $(SM_LIBS)
Libs.private: $(if $(CURSES_LINK),$(TUI_LIBS))
endef

# The old paths, SBINDIR/TOOL -> ../bin/TOOL; none if both directories are the same.
SBIN_LINKS := $(if $(filter-out $(BINDIR),$(SBINDIR)),$(filter $(TOOLS),$(SBIN_TOOLS)))
SBIN_TARGET := $(if $(filter $(dir $(BINDIR)),$(dir $(SBINDIR))),../$(notdir $(BINDIR)),$(BINDIR))

# Every file that `make install` writes, without DESTDIR; a man page's section is its suffix.
INSTALLED = $(INSTALLED_TOOLS) $(LIBDIR)/libsysmon.a $(PCDIR)/sysmon.pc $(PUBLIC_HEADERS:$(PUBLIC)/%=$(INCDIR)/%)
INSTALLED_TOOLS = $(TOOLS:%=$(BINDIR)/%) $(SBIN_LINKS:%=$(SBINDIR)/%) $(TOOLS:%=$(BASHDIR)/%) \
	$(TOOLS:%=$(ZSHDIR)/_%) $(TOOLS:%=$(FISHDIR)/%.fish) $(INSTALLED_DOCS)
INSTALLED_DOCS = $(DOCS:%=$(DOCDIR)/%) $(PICTURES:%=$(DOCDIR)/%) $(EXAMPLES:examples/%=$(EXAMPLEDIR)/%) \
	$(addprefix $(SCHEMADIR)/,$(notdir $(SCHEMAS))) $(INSTALLED_PAGES)
INSTALLED_PAGES = $(foreach m,$(MAN_PAGES),$(MANDIR)/man$(subst .,,$(suffix $(m)))/$(notdir $(m)))
OWN_DIRS  = $(EXAMPLEDIR) $(SCHEMADIR) $(DOCDIR)/doc/pictures $(DOCDIR)/doc $(DOCDIR) $(LAYERS:%=$(INCDIR)/%) $(INCDIR)

# Pages and units of systemd name files where they are installed.
PAGE_PATHS = s,/usr/share/doc/sysmon-tools/examples,$(EXAMPLEDIR),; s,/usr/share/sysmon/,$(SCHEMADIR)/,; \
	$(foreach t,$(TOOLS),s,/usr/bin/$(t)\>,$(BINDIR)/$(t),g;)
WITH_PATHS = $(INSTALLED_PAGES) $(patsubst examples/%,$(EXAMPLEDIR)/%,$(filter %.service,$(EXAMPLES)))

# A file of a package is neither overwritten nor removed.
refuse_owned = @sh tools/owned.sh refuse $(1:%='$(DESTDIR)%')

# $(call put,MODE,DIRECTORY,FILES)
put = $(if $(strip $(3)),$(INSTALL) -d '$(DESTDIR)$(2)' && \
	$(INSTALL) -m $(1) $(3) '$(DESTDIR)$(2)/')

# If /usr/sbin is a link to /usr/bin, no link is made.
sbin_link = [ '$(DESTDIR)$(BINDIR)' -ef '$(DESTDIR)$(SBINDIR)' ] || \
	ln -sf '$(SBIN_TARGET)/$(1)' '$(DESTDIR)$(SBINDIR)/$(1)'

install: export PC_TEXT = $(PC_FILE)
install: all
	$(call refuse_owned,$(INSTALLED))
	$(put_tools)
	$(INSTALL) -d '$(DESTDIR)$(PCDIR)'
	$(call put,644,$(LIBDIR),$(LIB))
	$(call put,644,$(INCDIR),$(PUBLIC)/sysmon.h)
	$(foreach l,$(LAYERS),$(call put,644,$(INCDIR)/$(l),$(filter $(PUBLIC)/$(l)/%,$(PUBLIC_HEADERS)))$(newline))
	printf '%s\n' "$$PC_TEXT" > '$(DESTDIR)$(PCDIR)/sysmon.pc'
	chmod 644 '$(DESTDIR)$(PCDIR)/sysmon.pc'

install-tools: all
	$(call refuse_owned,$(INSTALLED_TOOLS))
	$(put_tools)

define put_tools
	$(put_docs)
	$(call put,755,$(BINDIR),$(BINS))
	$(if $(SBIN_LINKS),$(INSTALL) -d '$(DESTDIR)$(SBINDIR)')
	$(foreach t,$(SBIN_LINKS),$(call sbin_link,$(t))$(newline))
	$(call put,644,$(ZSHDIR),$(TOOLS:%=$(B)/completions/_%))
	$(call put,644,$(FISHDIR),$(TOOLS:%=$(B)/completions/%.fish))
	$(INSTALL) -d '$(DESTDIR)$(BASHDIR)'
	set -e; for t in $(TOOLS); do \
		$(INSTALL) -m 644 $(B)/completions/$$t.bash '$(DESTDIR)$(BASHDIR)'/$$t; done
endef

define put_docs
	$(foreach s,1 5 7 8,$(call put,644,$(MANDIR)/man$(s),$(filter %.$(s),$(MAN_PAGES)))$(newline))
	$(call put,644,$(DOCDIR),$(filter-out %.md,$(DOCS)))
	$(call put,644,$(DOCDIR)/doc/pictures,$(PICTURES))
	$(call put,644,$(SCHEMADIR),$(SCHEMAS))
	$(call put,644,$(EXAMPLEDIR),$(filter-out $(SCRIPTS),$(EXAMPLES)))
	$(call put,755,$(EXAMPLEDIR),$(SCRIPTS))
	sed -i '$(PAGE_PATHS)' $(WITH_PATHS:%='$(DESTDIR)%')
	$(foreach d,$(filter %.md,$(DOCS)),$(call put_document,$(d))$(newline))
endef

# The links of a document are tried where it is installed, after the other files.
define put_document
	mkdir -p $(B)/gen
	$(foreach d,$(filter %.md,$(DOCS)),: >> '$(DESTDIR)$(DOCDIR)/$(d)'$(newline))
	awk -v dir='$(DESTDIR)$(DOCDIR)' -f tools/doc_links.awk $(1) > $(B)/gen/document
	$(INSTALL) -m 644 $(B)/gen/document '$(DESTDIR)$(DOCDIR)/$(1)'
endef

install-docs:
	$(call refuse_owned,$(INSTALLED_DOCS))
	$(put_docs)

# Renews the parts of the man pages that are made: MAN_PARTS of the tools, then the ends of all pages.
man: $(MAN_PARTS)
	@mkdir -p $(B)/gen
	$(foreach p,$(wildcard man/*.[1-9]),$(call man_ends,$(p))$(newline))
man_ends = $(call run,GEN,$(1))awk -v page=$(1) -v pages='$(wildcard man/*.[1-9])' -f tools/man_ends.awk $(1) \
	> $(B)/gen/page && { cmp -s $(B)/gen/page $(1) || cat $(B)/gen/page > $(1); }

uninstall:
	sh tools/owned.sh remove $(INSTALLED:%='$(DESTDIR)%')
	for d in $(OWN_DIRS:%='$(DESTDIR)%'); do \
		if [ -d "$$d" ]; then rmdir --ignore-fail-on-non-empty "$$d"; fi; done

# The sources: files that git tracks or would add; without git, all files except build products.
LIST_FILES = { { [ -e .git ] && git ls-files -co --exclude-standard 2>/dev/null; } || \
	find . -type f ! -path './build/*' ! -path './dist/*' ! -path './.git/*' ! -path ./compile_commands.json -printf '%P\n'; } | \
	LC_ALL=C sort | while IFS= read -r f; do if [ -e "$$f" ]; then printf '%s\n' "$$f"; fi; done
CHANGELOG_DATE = $(shell date -u -d "$$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)" +%s)
PACKAGE  := sysmon-tools-$(VERSION)
# Reproducible: the same sources give the same bytes on any machine, whatever the environment contains.
GZIP_FILE = env -u GZIP gzip -9n
TAR = env -u TAR_OPTIONS tar -c --format=gnu --mtime=@$(CHANGELOG_DATE) --owner=0 --group=0 --numeric-owner \
	--mode=u+rwX,go=rX --no-recursion --verbatim-files-from -T -
SOURCE_TAR = $(LIST_FILES) | $(TAR) --transform 's,^,$(PACKAGE)/,S'

dist:
	@mkdir -p dist
	$(SOURCE_TAR) | $(GZIP_FILE) >dist/$(PACKAGE).tar.gz
	@echo dist/$(PACKAGE).tar.gz

# Static programs, with the files of `make install` except the library, of each architecture (Debian's names):
# `tar -x --strip-components=1 -C /usr/local` installs them.
ARCHES ?= amd64 arm64 armhf riscv64 s390x
GNU_TYPE_amd64   := x86_64-linux-gnu
GNU_TYPE_arm64   := aarch64-linux-gnu
GNU_TYPE_armhf   := arm-linux-gnueabihf
GNU_TYPE_riscv64 := riscv64-linux-gnu
GNU_TYPE_s390x   := s390x-linux-gnu
SYSROOT    := $(CURDIR)/build/sysroot
# The compiler's own folders, where the libraries of a cross package can be, come after those of the sysroot.
sysroot_cc = $(GNU_TYPE_$(1))-gcc --sysroot=$(SYSROOT)/$(1) -B$(SYSROOT)/$(1)/usr/lib/$(GNU_TYPE_$(1)) \
	-isystem $(SYSROOT)/$(1)/usr/include/$(GNU_TYPE_$(1)) -isystem $(SYSROOT)/$(1)/usr/include
# One after another, because all builds share the generators of completions.
tarballs:
	$(foreach a,$(ARCHES),$(MAKE) tarball-$(a)$(newline))
	cd dist && LC_ALL=C sha256sum $(PACKAGE)*.tar.gz > SHA256SUMS
# Without debugging information, which contains names of folders.
tarball-%:
	$(call require,static,$(GNU_TYPE_$*)-gcc apt-get dpkg-deb)
	tools/sysroot.sh $* $(SYSROOT)/$*
	rm -rf build/linux-$*/root
	$(MAKE) VARIANT=linux-$* CROSS_COMPILE=$(GNU_TYPE_$*)- CC='$(call sysroot_cc,$*)' PKG_CONFIG=false \
		EXTRA_CFLAGS=-g0 EXTRA_LDFLAGS='$(STATIC_LINK) -s' PREFIX=/usr/local \
		DESTDIR='$(CURDIR)/build/linux-$*/root' install-tools
	@mkdir -p dist
	cd build/linux-$*/root/usr/local && find . ! -type d -printf '%P\n' | LC_ALL=C sort | \
		$(TAR) --transform 's,^,$(PACKAGE)-linux-$*/,SH' | $(GZIP_FILE) >'$(CURDIR)/dist/$(PACKAGE)-linux-$*.tar.gz'
	@echo dist/$(PACKAGE)-linux-$*.tar.gz

# Built from a copy, so that the tree stays clean; DEB_OUT gets the packages.
DEB_OUT ?= build/deb
deb:
	$(call require,deb,dpkg-buildpackage dh)
	@mkdir -p '$(DEB_OUT)'
	rm -rf '$(DEB_OUT)/$(PACKAGE)'
	$(SOURCE_TAR) | tar -x -C '$(DEB_OUT)'
	cd '$(DEB_OUT)/$(PACKAGE)' && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
		dpkg-buildpackage -us -uc -b
	rm -rf '$(DEB_OUT)/$(PACKAGE)'

# Without shared libraries: with musl if it is installed.  If only the C library of $(CC) has a static
# ncursesw, tools with a screen are linked with that.
STATIC_LINK := -static -no-pie
can_screen   = $(call curses,$(1),$(STATIC_LINK) $(CURSES_LIBS))
WITH_SCREEN  = $(foreach t,$(TOOLS),$(if $(findstring TUI_LIBS,$(value $(t)_LIBS)),$(t)))
STATIC_LIBC  = $(if $(call can_screen,$(HELPER_CC)),,$(if $(call can_screen,$(CC)),$(WITH_SCREEN)))
static:
	$(MAKE) VARIANT=static CC='$(HELPER_CC)' EXTRA_LDFLAGS='$(STATIC_LINK)' \
		TOOLS='$(filter-out $(STATIC_LIBC),$(TOOLS))' all
	$(if $(STATIC_LIBC),$(MAKE) VARIANT=static-libc EXTRA_LDFLAGS='$(STATIC_LINK)' \
		TOOLS='$(STATIC_LIBC)' all)
	$(if $(STATIC_LIBC),cp -f $(STATIC_LIBC:%=build/static-libc/bin/%) build/static/bin/)

# No compiler may print a warning; a compiler that is not installed is named and left out.
compilers: compile-gcc compile-clang compile-musl
compile-gcc compile-clang: compile-%:
	@if command -v $* >/dev/null; then \
		$(MAKE) VARIANT=$* CC=$* WERROR=1 all unit replay; \
	else echo 'compilers: $* is not installed, left out'; fi
compile-musl:
	@if command -v musl-gcc >/dev/null; then \
		$(MAKE) VARIANT=musl CC='$(HELPER_CC)' WERROR=1 EXTRA_LDFLAGS='$(STATIC_LINK)' \
			all objects; \
	else echo 'compilers: musl-gcc is not installed, left out'; fi

style:
	tools/style.sh

# The pictures of README.md show the output of the programs; P: the names of some, such as cpustat.
pictures: all helpers lab
	$(call require,test,bash tmux gnuplot python3 busybox cpio qemu-system-x86_64)
	$(AS_ROOT) $(TEST_ENV) tools/pictures.sh $(P)

define HELP
make              build the tools, the library, completions and schemas in build/default
make lib          just libsysmon.a
make objects      compile everything, also files that cannot be linked here
make completions  only the completions of bash, zsh and fish
make schemas      only the JSON Schemas of the records
make check        tests that need no root
make check-root   tests on the live kernel (through sudo)
make check-suite  check, check-root and style (run by tools/test.sh)
make check-gates  compilers, sanitizers, static analysis, a Debian package (run by CI after tools/test.sh)
make check-live   what measures or needs long: accuracy, virtual machines, all faults, other packages;
                  T=TOOL (or suite, packages): only these
make check-all    check-suite, check-gates and check-live
make bless        rewrite the golden files from the present output of the tools
make unit         build the unit tests;  make unit-NAME runs one
make replay       build the fuzz targets as programs that replay a corpus
make helpers      build the helper programs of the tests
make vm-kernels   download kernels for check-vm (VM_INSTALL=1: also install qemu)
make check-vm     tests in emulated machines with Debian's kernels
make lab          build the simulated machines of the tests (powerstat)
make core-run     run the unit tests and the fuzz corpus
make san          core-run with clang's address and undefined-behaviour sanitizers; warnings are errors
make asan         core-run with those of gcc
make valgrind     unit tests under valgrind
make fuzz         libFuzzer, each target for FUZZ_SECONDS
make cov          coverage of the unit tests
make mutants      changes of N (40) lines that no unit test notices, in changed modules or FILES
make bpf          compile the BPF programs anew (clang, python3): their tables, *.bpf.h
make man          renew the generated parts of the man pages
make pictures     renew the pictures in doc/pictures (root); P=NAME: one of them
make compdb       compile_commands.json for editors and language servers
make analyze      static analysis: gcc, cppcheck, clang-tidy, mandoc, shellcheck
make style        the style gate
make compilers    build with gcc, clang and musl, warnings being errors
make bench        compare the tools with the originals on this machine (root)
make static       tools without shared libraries, in build/static
make install      install to DESTDIR, PREFIX (/usr/local); no file of a package is overwritten
make install-docs manual pages, examples and schemas alone
make install-tools all of `make install` except the library
make uninstall    remove what `make install` wrote, but no file of a package
make dist         the source tarball, in dist
make tarballs     static programs for ARCHES (amd64 arm64 armhf riscv64 s390x) with their documents, and SHA256SUMS
make deb          Debian packages, in build/deb
make clean        remove build and dist
make help         this list

Variables: VARIANT (build/VARIANT), V=1 (whole commands), CC, CFLAGS, LDFLAGS, WERROR=1,
CROSS_COMPILE, CC_FOR_BUILD (compiler for programs that run during a cross build), DESTDIR, PREFIX,
BINDIR, LIBDIR, MANDIR.
endef
help: export HELP_TEXT = $(HELP)
help:
	@printf '%s\n' "$$HELP_TEXT"

.PHONY: install install-tools install-docs man uninstall dist tarballs deb static compilers compile-gcc \
	compile-clang compile-musl style pictures help

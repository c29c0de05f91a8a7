# turnstiled. `make help` lists what there is to do.

# Where `make install` puts things. DESTDIR goes in front of all of them, for packagers.
PREFIX     = /usr/local
SYSCONFDIR = /etc
BINDIR     = $(PREFIX)/bin
# Where the daemon looks for the simulator, seen from its own folder.
LIBEXECDIR = $(patsubst %/,%,$(dir $(BINDIR)))/lib/turnstiled
DOCDIR     = $(PREFIX)/share/doc/turnstiled
CONFDIR    = $(SYSCONFDIR)/turnstiled
UNITDIR    = $(PREFIX)/lib/systemd/system
SYSUSERSDIR = $(PREFIX)/lib/sysusers.d
TMPFILESDIR = $(PREFIX)/lib/tmpfiles.d
UDEVDIR    = $(PREFIX)/lib/udev/rules.d
CATALOGDIR = $(PREFIX)/lib/systemd/catalog
BASHDIR    = $(PREFIX)/share/bash-completion/completions
ZSHDIR     = $(PREFIX)/share/zsh/site-functions
FISHDIR    = $(PREFIX)/share/fish/vendor_completions.d
MANDIR     = $(PREFIX)/share/man
# The message bus looks here and in /usr/share/dbus-1/system.d, wherever PREFIX is.
DBUSDIR    = $(SYSCONFDIR)/dbus-1/system.d
DESTDIR    =

# The tools. SWIFTFLAGS go to every build: `make test SWIFTFLAGS="--jobs 2"`.
SWIFT      = swift
INSTALL    = install
SWIFTFLAGS =
# What the simulated turnstile is started with besides --simulate.
ARGS       =
# Where `make deb` puts the packages.
DEBS       = build/deb
# For how long `make soak` runs; a part of one will do.
HOURS      = 1
TIME       = 60
# Without the run-time checks of exclusive access, which `make test` and the daemon keep: they would
# add a third to what the simulation costs. Built apart, since every part is built without them.
UNCHECKED  = --scratch-path .build/soak -Xswiftc -enforce-exclusivity=unchecked
# The Debian releases that the virtual boards run, and those on whose boards only those stories are
# told that may go differently there.
BOARDS     = bookworm trixie
ALSO       =
# A suite of theirs that is not told.
SKIP       = ^$$
# How many images of each board's disk `make disk-test` makes.
IMAGES     = 5000
# What `make deb-test` compiles twice: nothing, or programs.
TWICE      =
# What `make embedded` compiles for: armv7em, riscv32, aarch64, wasm32, or all of them.
PROCESSORS =

# An import that Package.swift does not declare fails the build.
BUILD = $(SWIFT) build --explicit-target-dependency-import-check error $(SWIFTFLAGS)
SOURCES = Package.swift $(shell find Sources -type f)
FORMATTED = Package.swift Sources Tests $(wildcard Benchmarks/Package.swift Benchmarks/*/)
# On a terminal a build shows how far it is; elsewhere each step would be a line.
QUIET = $(if $(MAKE_TERMOUT),,--quiet)
# The daemon as it is installed: Swift's own libraries inside, no symbols. It lies beside what it
# is made from, so that another .build directory has another daemon.
DAEMON = .build/install/turnstiled
# The operator's command, likewise, and what shells complete its command lines with.
COMMAND = .build/install/turnstilectl
COMPLETIONS = .build/install/completions
# What controls a simulated gate, likewise, in the daemon's place.
SIMULATOR = .build/install/turnstile-simulator
PROGRAMS = $(DAEMON) $(SIMULATOR) $(COMMAND)
# What `make install` needs.
INSTALLED = $(PROGRAMS) $(addprefix $(COMPLETIONS)/,bash zsh fish) \
	$(wildcard systemd/*.* config/*.yaml config/*.conf)
# Of libstdc++ it holds what it needs, a tenth of a megabyte. As a shared library it would take more
# than one of memory. The linker takes the archive, being the first that it finds by this name.
ARCHIVES = .build/archives
# The linker is the Swift toolchain's own, the same on every Debian. It packs relocations, exports
# no symbol, binds all at the start, and leaves out each function that nothing calls:
# docs/decisions/0021-small-in-memory.md.
LINKED = -Xswiftc -use-ld=lld -Xlinker -L'$(CURDIR)/$(ARCHIVES)' \
	$(addprefix -Xswiftc -Xfrontend -Xswiftc ,-function-sections -internalize-at-link) \
	$(addprefix -Xlinker ,-z pack-relative-relocs -z now --no-export-dynamic --build-id=none)
# What may be used of what: make's $(call budget,NAME).
budget = $(shell sed -n 's/^$(1) //p' Tests/budgets)

export SWIFT

.PHONY: help
help: ## Lists these targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' Makefile

.PHONY: run
run: prepare ## Runs the simulated turnstile, in the terminal where there is one.
	$(BUILD) --product turnstiled
	$(BUILD) --product turnstile-simulator
	@exec .build/debug/turnstiled --simulate --state-directory .build/simulated \
		config/turnstiled.yaml $(ARGS)

.PHONY: test
test: short-test long-test ## Builds everything and runs the tests.
	@.ci/test --again short long

.PHONY: short-test
short-test: tests ## Runs those tests that need no optimiser; one by one, naming the slowest, with SLOW=1.
	@LIMIT=$(if $(SLOW),40,15) .ci/test short $(SWIFT) test --skip-build --disable-xctest \
		$(if $(SLOW),--no-parallel)

.PHONY: long-test
long-test: prepare ## Runs the others, optimised: every state, random walks, days at the gate.
	@SWIFTFLAGS='$(SWIFTFLAGS)' .ci/long-test

# What these two run, for those who build first and run later.
.PHONY: tests
tests: prepare
	@$(BUILD) --build-tests $(QUIET)

.PHONY: long-tests
long-tests: prepare
	@SWIFTFLAGS='$(SWIFTFLAGS)' .ci/long-test --build

.PHONY: loop
loop: prepare ## Measures how long somebody waits who tries a change.
	SWIFTFLAGS='$(SWIFTFLAGS)' .ci/loop

.PHONY: nightly
nightly: ## Runs everything there is, for hours: PARTS= picks some, AGAIN=1 those that went well.
	PARTS='$(PARTS)' AGAIN='$(AGAIN)' .ci/nightly

.PHONY: soak
soak: prepare ## Simulates days at the gate from new seeds, for HOURS.
	$(SWIFT) run --configuration release $(UNCHECKED) $(SWIFTFLAGS) soak $(HOURS) \
		$(call budget,passage-steps)

.PHONY: embedded
embedded: prepare ## Compiles kit and gate for microcontrollers; runs the gate on WebAssembly.
	$(BUILD) --product portable-story
	.ci/embedded .build/debug/portable-story $(PROCESSORS)

.PHONY: sanitize
sanitize: prepare ## Runs tests under ThreadSanitizer and AddressSanitizer; all with ALL=1.
	ALL='$(ALL)' .ci/sanitize

.PHONY: fuzz
fuzz: prepare ## Feeds all that reads with what libFuzzer makes: TIME= seconds each, TARGETS=.
	.ci/fuzz '$(TIME)' $(TARGETS)

.PHONY: dependent
dependent: ## Builds a package that depends on the kit: no library of the system's is needed.
	.ci/dependent

.PHONY: docs
docs: ## Builds the kit's documentation, for a browser: build/docs/documentation.
	@mkdir -p build/docs
	TURNSTILED_DOCS=1 $(SWIFT) package --allow-writing-to-directory build/docs \
		generate-documentation --enable-experimental-combined-documentation \
		$(addprefix --target ,StateMachines Charts Exploration Holding Routing) --output-path build/docs \
		--transform-for-static-hosting --warnings-as-errors

.PHONY: trace-update
trace-update: tests ## Writes anew what the kept traces lead to, and shows what has changed.
	UPDATE_GENERATED=1 $(SWIFT) test --skip-build --disable-xctest --filter TraceTests.CorpusTests
	git --no-pager diff --stat Tests/Traces
	git ls-files --others --exclude-standard Tests/Traces

.PHONY: trace-view
trace-view: prepare ## Has a browser, GTKWave and PulseView read what is exported of traces.
	.ci/trace-view
	@$(BUILD) --build-tests $(QUIET)
	@TURNSTILED_TRACE_VIEW=1 LIMIT=10 .ci/test trace-view \
		$(SWIFT) test --skip-build --disable-xctest --filter TraceExportTests.ViewTests

.PHONY: mutants
mutants: prepare ## Plants defects, one at a time: the tests must catch each. NAME= picks some.
	.ci/mutants '$(NAME)'

.PHONY: bench
bench: prepare ## Holds kit, turnstile and ledger against what is written by hand.
	$(SWIFT) run --package-path Benchmarks --configuration release $(SWIFTFLAGS) KitBenchmarks
	$(SWIFT) run --package-path Benchmarks --configuration release $(SWIFTFLAGS) TurnstileBenchmarks
	$(SWIFT) run --package-path Benchmarks --configuration release $(SWIFTFLAGS) LedgerBenchmarks .build
	$(SWIFT) run --package-path Benchmarks --configuration release $(SWIFTFLAGS) ReportBenchmarks .build
	$(SWIFT) run --package-path Benchmarks --configuration release $(SWIFTFLAGS) TraceBenchmarks .build

.PHONY: benchmarks
benchmarks: prepare ## Compiles what `make bench` runs.
	$(SWIFT) build --package-path Benchmarks --configuration release $(SWIFTFLAGS)

.PHONY: board-test
board-test: prepare ## Runs the service on virtual boards: Debian 12 and 13. Needs root.
	Tests/Board/build $(BOARDS) $(ALSO)
	$(BUILD) --build-tests
	TURNSTILED_BOARD='$(BOARDS)' TURNSTILED_BOARD_ALSO='$(ALSO)' .ci/test board \
		$(SWIFT) test --skip-build --disable-xctest --filter BoardTests --skip '$(SKIP)'

.PHONY: disk-test
disk-test: prepare ## Loses power at IMAGES moments on each virtual board. Needs root.
	Tests/Board/build $(BOARDS)
	$(BUILD) --build-tests
	TURNSTILED_BOARD='$(BOARDS)' TURNSTILED_DISK_IMAGES='$(IMAGES)' \
		$(SWIFT) test --skip-build --disable-xctest --filter BoardTests.DiskStories

.PHONY: board-bench
board-bench: prepare ## Measures latency, memory and wake-ups on the virtual boards. Needs root.
	Tests/Board/build $(BOARDS)
	$(BUILD) --build-tests
	TURNSTILED_BOARD='$(BOARDS)' TURNSTILED_BOARD_FIGURES=1 \
		$(SWIFT) test --skip-build --disable-xctest --filter BoardTests.Figures

.PHONY: bare-test
bare-test: ## Runs the README's commands and makes the packages on a bare Debian 12. Needs root.
	Tests/Board/bare-test

.PHONY: package-test
package-test: ## Installs the boards' packages on a bare Debian 12 and 13. Needs root.
	Tests/Board/build $(BOARDS)
	for suite in $(BOARDS); do Tests/Board/package-test $$suite || exit 1; done

.PHONY: cross
cross: ## Compiles what is C for 64-bit and 32-bit ARM, with Debian's cross compilers.
	.ci/cross

.PHONY: build
build: prepare ## Builds the daemon for debugging.
	$(BUILD)

.PHONY: release
release: $(PROGRAMS) ## Builds daemon, simulator and command as they are installed.

# And the contract of a line bank, which is compiled alike, for the boards' tests.
$(PROGRAMS) .build/install/bank-contract: .build/install/%: $(SOURCES) Makefile
	@command -v '$(SWIFT)' >/dev/null || { $(NO_SWIFT); exit 1; }
	@.ci/prepare
	@mkdir -p $(ARCHIVES)
	@ln -sf "$$($(CXX) -print-file-name=libstdc++.a)" $(ARCHIVES)/
	$(BUILD) --configuration release --static-swift-stdlib --product $* $(LINKED)
	.ci/strip .build/release/$* $@

.build/install/bank-contract: $(shell find Tests/Board/bank-contract Tests/Shared/BankContract -type f)

# Under sudo PATH is another one, and what root has built belongs to root.
NO_SWIFT = echo "error: the programs are not built, or older than their sources, and there is no \
	'$(SWIFT)' in this PATH. Build as yourself: make release; then: sudo make install" >&2

$(COMPLETIONS)/%: $(COMMAND)
	@mkdir -p $(@D)
	$(COMMAND) --generate-completion-script $* > $@

.PHONY: check-binary
check-binary: $(PROGRAMS) ## Checks what is installed: what it links, and its size.
	@.ci/check-binary $(DAEMON) .build/release/turnstiled $(call budget,daemon-bytes)
	@.ci/check-binary $(SIMULATOR) .build/release/turnstile-simulator \
		$(call budget,simulator-bytes)
	@.ci/check-binary $(COMMAND) .build/release/turnstilectl $(call budget,command-bytes) \
		FoundationEssentials _StringProcessing

.PHONY: deb
deb: deb-tools $(INSTALLED) ## Makes the Debian packages, for the Debian that it runs on: build/deb.
	systemd/debian/build '$(DEBS)'

.PHONY: deb-test
deb-test: deb-tools $(INSTALLED) ## Checks the packages: lintian, and two builds that are the same.
	@.ci/prepare lintian faketime
	systemd/debian/test $(TWICE)

.PHONY: deb-tools
deb-tools:
	@.ci/prepare dpkg-dev

.PHONY: format
format: ## Formats the Swift sources.
	$(SWIFT) format --in-place --parallel --recursive $(FORMATTED)

.PHONY: lint
lint: ## Checks the format of the Swift sources, the shell scripts and the page's script.
	@.ci/prepare shellcheck node-typescript
	$(SWIFT) format lint --strict --parallel --recursive $(FORMATTED)
	@# What others import says what it is for.
	$(SWIFT) format lint --strict --parallel --recursive Sources/Kit Sources/Gate --configuration \
		"$$(sed '/AllPublicDeclarationsHaveDocumentation/s/false/true/' .swift-format)"
	@grep --recursive --files-with-matches --extended-regexp '^#!/bin/(ba)?sh' .ci Tests systemd \
		| xargs shellcheck --external-sources
	.ci/lint-page

.PHONY: clean
clean: ## Removes what was built, but for the virtual boards.
	rm -rf .build Benchmarks/.build

.PHONY: distclean
distclean: clean ## Removes the virtual boards as well.
	rm -rf build

.PHONY: prepare
prepare:
	@.ci/prepare

# The packages that this one depends on.
.PHONY: fetch
fetch: prepare
	$(SWIFT) package resolve

# What is installed besides the programs. The files in systemd/ may carry placeholders for where
# things are: @BINDIR@, @SYSCONFDIR@, and for what they came with: @VERSION@. $(call place,FILE,TO)
# installs one with these filled in; a pipe would hide that it is missing.
VERSION  = $(shell sed -n 's/.*programVersion = "\(.*\)"/\1/p' Sources/Service/System/Version.swift)
UNIT     = $(DESTDIR)$(UNITDIR)/turnstiled.service
SYSUSERS = $(DESTDIR)$(SYSUSERSDIR)/turnstiled.conf
TMPFILES = $(DESTDIR)$(TMPFILESDIR)/turnstiled.conf
RULES    = $(DESTDIR)$(UDEVDIR)/60-turnstiled.rules
CATALOG  = $(DESTDIR)$(CATALOGDIR)/turnstiled.catalog
DBUS     = $(DESTDIR)$(DBUSDIR)/io.turnstiled1.conf
SETTINGS = $(DESTDIR)$(CONFDIR)/turnstiled.yaml
BASH     = $(DESTDIR)$(BASHDIR)/turnstilectl
ZSH      = $(DESTDIR)$(ZSHDIR)/_turnstilectl
FISH     = $(DESTDIR)$(FISHDIR)/turnstilectl.fish
DOCS     = $(DESTDIR)$(DOCDIR)
# The manual pages, each with the section that its name ends in.
PAGES    = $(wildcard docs/man/*.[1-8])
manual   = '$(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(1)))/$(notdir $(1))'
place = test -r systemd/$(1) && test -n '$(VERSION)' && sed -e 's|@BINDIR@|$(BINDIR)|g' \
	-e 's|@SYSCONFDIR@|$(SYSCONFDIR)|g' -e 's|@VERSION@|$(VERSION)|g' systemd/$(1) \
	| $(INSTALL) -D -m 644 /dev/stdin '$(2)'

.PHONY: install
install: install-paths $(INSTALLED) ## Installs the programs: PREFIX, DESTDIR.
	$(INSTALL) -D -m 755 $(DAEMON) '$(DESTDIR)$(BINDIR)/turnstiled'
	$(INSTALL) -D -m 755 $(SIMULATOR) '$(DESTDIR)$(LIBEXECDIR)/turnstile-simulator'
	$(INSTALL) -D -m 755 $(COMMAND) '$(DESTDIR)$(BINDIR)/turnstilectl'
	$(INSTALL) -D -m 644 $(COMPLETIONS)/bash '$(BASH)'
	$(INSTALL) -D -m 644 $(COMPLETIONS)/zsh '$(ZSH)'
	$(INSTALL) -D -m 644 $(COMPLETIONS)/fish '$(FISH)'
	$(foreach page,$(PAGES),$(INSTALL) -D -m 644 $(page) $(call manual,$(page)) &&) true
	$(call place,turnstiled.service.in,$(UNIT))
	$(call place,turnstiled.sysusers,$(SYSUSERS))
	$(call place,turnstiled.tmpfiles,$(TMPFILES))
	$(call place,60-turnstiled.rules,$(RULES))
	$(call place,turnstiled.catalog,$(CATALOG))
	$(call place,io.turnstiled1.conf,$(DBUS))
	systemd/install-documents '$(DOCS)'
	@test -e '$(SETTINGS)' || $(INSTALL) -D -m 644 config/turnstiled.yaml '$(SETTINGS)'
	@test -n '$(DESTDIR)' || systemd/after-install $(BINDIR) $(CONFDIR)

# What systemd's files name must be plain.
.PHONY: install-paths
install-paths:
	@case '$(BINDIR)$(SYSCONFDIR)$(CONFDIR)' in (*[!-A-Za-z0-9/._+~]*) \
		echo "error: PREFIX, BINDIR, SYSCONFDIR and CONFDIR must be plain paths, without blanks," \
			"since systemd's files name them. DESTDIR may be any path." >&2; exit 1;; esac

.PHONY: install-docs
install-docs:
	systemd/install-documents '$(DOCS)'

.PHONY: uninstall
uninstall: ## Stops the service, and removes what install has put there, but for your settings.
	@test -n '$(DESTDIR)' || systemd/before-uninstall
	rm -f '$(DESTDIR)$(BINDIR)/turnstilectl' '$(BASH)' '$(ZSH)' '$(FISH)' \
		$(foreach page,$(PAGES),$(call manual,$(page)))
	rm -f '$(DESTDIR)$(BINDIR)/turnstiled' '$(UNIT)' '$(SYSUSERS)' '$(TMPFILES)' '$(RULES)' \
		'$(CATALOG)' '$(DBUS)'
	rm -rf '$(DOCS)' '$(DESTDIR)$(LIBEXECDIR)'
	@test -n '$(DESTDIR)' || systemd/after-uninstall
	@test ! -e '$(SETTINGS)' || echo 'kept: $(SETTINGS)'

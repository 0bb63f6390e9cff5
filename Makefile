# Each target installs the Debian packages that it needs, when they are missing.
SHELL := /bin/bash
PREFIX ?= /usr/local
# Symbols stay, the lines of the sources do not: a tenth less to build.
LEAN := -debug-info-format none
fuzz tsan asan memcheck: LEAN :=
BUILD = swift build -c release $(LEAN)
TEST = swift test -c release $(LEAN)
BINARIES := .build/release
export LC_ALL := C.UTF-8
# Tests with servers, limits of time, terminals, and programs that are stopped: the others would leave them no processor, nor would all
# of these at once.
SERVED := ^SweepTests\.
FAKES := ^FakeAppStoreTests\.
LIVE := ^EndToEndTests\.(ClosedDescriptor|Clock|CrashSentence|DashboardCrash|DashboardListening|BoundedMemory|Demo|Disk|EndlessInput|HostileDashboard|ImportKill|Interruption|Journey|LargeImport|KeyLog|Kill|KilledSweep|Leaving|ListenKill|Operating|Pasting|PowerLoss|Progress|RemovedLog|RemovedStore|SecretExposure|ServerAPIKill|SeveralApps|Service|Stopping|SweepKind|Taking|Together|Tour)Tests

.PHONY: demo build test lint format bench screenshots install fuzz soak tsan asan memcheck clean
.PHONY: deb deb-test release deb-tools libraries test-tools bench-tools screenshot-tools

## demo: the dashboard over made-up subscribers; without a terminal, the overview as text
# But for what the trait optimises, as a build for debugging, which takes two thirds of the time.
demo: libraries
	@[ -x .build/debug/subtop ] || echo 'Building subtop and the packages that it is made of, once: three to four minutes on two cores.'
	swift build -c debug --disable-index-store $(LEAN) --traits Demo --product subtop
	if [ -t 0 ] && [ -t 1 ]; then .build/debug/subtop demo --guide; else .build/debug/subtop demo --headless; fi

build: libraries
	$(BUILD)

## test: builds for testing, which SwiftPM does with flags of its own, and runs every test
test: libraries test-tools
	$(TEST) --skip '$(SERVED)|$(FAKES)|$(LIVE)'
	$(TEST) --skip-build --filter '$(FAKES)'
	$(TEST) --skip-build --filter '$(SERVED)'
	$(TEST) --skip-build --filter '$(LIVE)'

lint:
	swift format lint --strict --recursive Sources Tests Benchmarks Package.swift
	@git ls-files -z 'Sources/*.swift' 'Tests/*.swift' | xargs -0 wc -l | grep -v ' total$$' | sort -rn | head -5

format:
	swift format --in-place --recursive Sources Tests Benchmarks Package.swift

## bench: ours and others side by side, as one table, also in .build/speed.md; ROWS, STORES and ROUNDS choose what and how much
bench: ROWS ?= sweep,server_api,listen,ingest,panels,frames,keys,memory,size,rebuild,past,commands
bench: STORES ?= 10000 100000 1000000
bench: ROUNDS ?= 5
bench: libraries bench-tools
	$(BUILD)
	Benchmarks/run --rows '$(ROWS)' --lines '$(STORES)' --rounds '$(ROUNDS)' --output .build/speed.md $(BINARIES)
	Benchmarks/terminal $(BINARIES)

## screenshots: the pictures of every screen and the recorded tour, from the real program
screenshots: libraries screenshot-tools
	$(BUILD) --product subtop
	screenshots/make $(BINARIES)/subtop

## install: the programs, the manual page and the shells' completions, below PREFIX
install: SHARE = $(DESTDIR)$(PREFIX)/share
install: build
	install -D -m 755 $(BINARIES)/subtop $(DESTDIR)$(PREFIX)/bin/subtop
	install -D -m 755 $(BINARIES)/fake-app-store $(DESTDIR)$(PREFIX)/bin/fake-app-store
	install -d $(SHARE)/man/man1 $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	$(BINARIES)/subtop manual >$(SHARE)/man/man1/subtop.1
	$(BINARIES)/subtop --generate-completion-script bash >$(SHARE)/bash-completion/completions/subtop
	$(BINARIES)/subtop --generate-completion-script zsh >$(SHARE)/zsh/site-functions/_subtop
	$(BINARIES)/subtop --generate-completion-script fish >$(SHARE)/fish/vendor_completions.d/subtop.fish

## deb: the Debian packages of both programs, a tarball of the same and their sums, in .build-deb/packages: Swift's libraries are linked in
# In a build of its own, which the paths of this folder stay out of.
DEB := .build-deb
DEB_BUILD = $(BUILD) --build-path $(DEB) --static-swift-stdlib --disable-local-rpath \
  -Xcc -ffile-prefix-map=$(CURDIR)=. -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=.
deb: export SUBTOP_COMMIT = $(shell git diff --quiet HEAD 2>/dev/null && git rev-parse --short=12 HEAD)
deb: libraries deb-tools
	$(DEB_BUILD) --product subtop
	$(DEB_BUILD) --product fake-app-store
	rm -rf $(DEB)/packages
	data/debian/pack $(DEB) $(DEB)/packages
	lintian --fail-on error $(DEB)/packages/*.deb

## deb-test: the packages on a bare Debian: installed, everything run, as services too, removed and purged
deb-test:
	Tests/Package/run $(DEB)/packages

## release: everything that a release has to hold, one after the other
release:
	Tests/Package/release
	$(MAKE) lint test deb
	Tests/Package/packed-twice $(DEB)
	$(MAKE) deb-test
	cat $(DEB)/packages/SHA256SUMS

## fuzz: libFuzzer over everything that reads what others wrote, SECONDS for each
fuzz: SECONDS ?= 60
fuzz: libraries
	SUBTOP_FUZZ=1 $(BUILD) --build-path .build-fuzz --product Fuzz --sanitize=address -Xswiftc -sanitize=fuzzer
	Tests/Fuzz/run .build-fuzz/release/Fuzz $(SECONDS)

## soak: programs killed KILLS times, the power cut CUTS times, everything at once over one store for SECONDS, LIES sweeps of an
## App Store that mixes its customers up, App Stores that fail, lie, are slow or answer at length, and all made-up populations, WORLDS where panels are asked
soak: KILLS ?= 300
soak: CUTS ?= 600
soak: SECONDS ?= 60
soak: LIES ?= 60
soak: WORLDS ?= 2000
soak: libraries test-tools
	SUBTOP_SOAK_KILLS=$(KILLS) SUBTOP_SOAK_CUTS=$(CUTS) SUBTOP_SOAK_SECONDS=$(SECONDS) SUBTOP_SOAK_LIES=$(LIES) \
	  SUBTOP_SOAK_WORLDS=$(WORLDS) \
	  $(TEST) --filter '^EndToEndTests\..*(Kill|Together|PowerLoss|BoundedMemory)Tests|^SweepTests\.(Swapping|EveryFault|EverySource|LongAnswer|SweepEvidence)Tests|^(Subscriptions|ReceiptStore)Tests\.'

## tsan, asan: the tests of store, sweep, intake and files under ThreadSanitizer and AddressSanitizer, in builds of their own,
## in which SUBTOP_SANITIZED has Package.swift leave the other tests out and tests make up less
# What looks for a secret in the whole of memory would look through the sanitizer's terabytes.
SANITIZED := --no-parallel --skip SecretMemoryTests
tsan asan: export SUBTOP_SANITIZED = 1
tsan: libraries test-tools
	$(BUILD) --build-tests --sanitize=thread --build-path .build-tsan
	clang -O1 -Wall -shared -fPIC -o .build-tsan/swift-order.so Tests/Sanitizers/SwiftOrder.c -ldl
	LD_PRELOAD=$(CURDIR)/.build-tsan/swift-order.so TSAN_OPTIONS=exitcode=66 \
	  $(TEST) --skip-build --sanitize=thread --build-path .build-tsan $(SANITIZED)

asan: libraries test-tools
	$(BUILD) --build-tests --sanitize=address --build-path .build-asan
	ASAN_OPTIONS=detect_leaks=0 $(TEST) --skip-build --sanitize=address --build-path .build-asan $(SANITIZED)

## memcheck: imports, sweeps, reports and a backup of a small store under valgrind
memcheck: libraries
	@.ci/need valgrind binutils
	$(BUILD)
	Tests/Sanitizers/memcheck $(BINARIES)

clean:
	rm -rf .build .build-deb .build-fuzz .build-tsan .build-asan

libraries:
	@.ci/need libncurses-dev libsqlite3-dev libcurl4-openssl-dev libssl-dev zlib1g-dev

test-tools:
	@.ci/need tmux procps openssl curl nginx-light ncurses-term

deb-tools:
	@.ci/need dpkg-dev lintian python3 xz-utils

bench-tools:
	@.ci/need hyperfine python3 python3-venv sqlite3 wrk htop nginx-light openssl

screenshot-tools:
	@.ci/need xvfb xterm imagemagick xfonts-base fonts-dejavu-core tmux asciinema gifsicle

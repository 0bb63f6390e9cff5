# Each target installs the Debian packages that it needs.
SHELL := /bin/bash
PREFIX ?= /usr/local
export LC_ALL := C.UTF-8
# No debug information: a tenth less to build. Crash reports still name functions.
DEBUG_INFO := -debug-info-format none
# One release build serves tests, packages and benchmarks; it holds no path of this folder.
BUILD = swift build -c release $(DEBUG_INFO) --disable-local-rpath -Xcc -ffile-prefix-map=$(CURDIR)=.
BINARIES := .build/release
TESTS := $(BINARIES)/subtopPackageTests.xctest

.PHONY: demo build test tests lint format install deb deb-test bench screenshots clean
.PHONY: libraries test-tools deb-tools bench-tools screenshot-tools

## demo: the dashboard over made-up subscribers; without a terminal, the overview as text
# Without optimisation, which takes a third of the time, and with modules compiled as a whole, as for release.
DEMO := .build-demo/release/subtop
demo: libraries
	@[ -x $(DEMO) ] || echo 'Building subtop and the packages that it is made of, once: some three minutes on two cores.'
	swift build -c release -Xswiftc -Onone $(DEBUG_INFO) --scratch-path .build-demo --product subtop
	if [ -t 0 ] && [ -t 1 ]; then $(DEMO) demo --guide; else $(DEMO) demo --headless; fi

## build: both programs, for release
# By product: a build of everything would also make the dependencies' own programs.
build: libraries
	$(BUILD) --product subtop
	$(BUILD) --product fake-app-store

tests: build
	$(BUILD) --product subtopPackageTests

## test: builds everything and runs every test
test: tests test-tools
	Tests/run $(TESTS)

lint:
	swift format lint --strict --recursive Sources Tests Benchmarks Package.swift
	@git ls-files -z 'Sources/*.swift' 'Tests/*.swift' | xargs -0 wc -l | grep -v ' total$$' | sort -rn | head -5

format:
	swift format --in-place --recursive Sources Tests Benchmarks Package.swift

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

## deb: the Debian packages of both programs, a tarball of the same and their sums, in .build/packages
deb: export SUBTOP_COMMIT = $(shell git diff --quiet HEAD 2>/dev/null && git rev-parse --short=12 HEAD)
deb: build deb-tools
	rm -rf .build/packages
	data/debian/pack .build .build/packages
	lintian --fail-on error .build/packages/*.deb

## deb-test: the packages on a bare Debian: installed, everything run, as services too, removed and purged
deb-test:
	Tests/Package/run .build/packages

clean:
	rm -rf .build .build-*

## bench: ours and others side by side, as one table, also in .build/speed.md; ROWS, STORES and ROUNDS choose what and how much
bench: ROWS ?= sweep,server_api,listen,ingest,panels,frames,keys,memory,size,rebuild,past,reconcile,commands
bench: STORES ?= 10000 100000 1000000
bench: ROUNDS ?= 5
bench: build bench-tools
	$(BUILD) --product subtop-measure
	Benchmarks/run --rows '$(ROWS)' --lines '$(STORES)' --rounds '$(ROUNDS)' --output .build/speed.md $(BINARIES)
	Benchmarks/terminal $(BINARIES)

## screenshots: the pictures of every screen and the recorded tour, from the real program
screenshots: build screenshot-tools
	screenshots/make $(BINARIES)/subtop

libraries:
	@.ci/need libncurses-dev libsqlite3-dev libcurl4-openssl-dev libssl-dev zlib1g-dev

test-tools:
	@.ci/need tmux procps openssl curl ncurses-term postgresql libpq5 $(if $(wildcard /usr/sbin/nginx),,nginx-light)

deb-tools:
	@.ci/need dpkg-dev lintian python3 xz-utils

bench-tools:
	@.ci/need hyperfine python3 python3-venv sqlite3 wrk htop nginx-light openssl

screenshot-tools:
	@.ci/need xvfb xterm imagemagick xfonts-base fonts-dejavu-core tmux asciinema gifsicle

include Tests/long.mk

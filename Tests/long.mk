# What takes longer than `make test`, before a release and when looking for a fault.
.PHONY: release soak fuzz tsan asan memcheck
SANITIZER_BUILD = swift build -c release --disable-index-store

## release: everything that a release has to hold, one after the other
release:
	Tests/Package/release
	$(MAKE) lint test deb
	Tests/Package/packed-twice .build
	$(MAKE) deb-test
	cat .build/packages/SHA256SUMS

## soak: KILLS killed programs, SECONDS of everything at once over one store, LIES sweeps of an App Store that mixes up its customers,
## every fault, and WORLDS made-up populations
soak: KILLS ?= 300
soak: SECONDS ?= 60
soak: LIES ?= 60
soak: WORLDS ?= 2000
soak: tests test-tools
	SUBTOP_SOAK_KILLS=$(KILLS) SUBTOP_SOAK_SECONDS=$(SECONDS) SUBTOP_SOAK_LIES=$(LIES) \
	  SUBTOP_SOAK_WORLDS=$(WORLDS) $(TESTS) --testing-library swift-testing --no-parallel \
	  --filter '^EndToEndTests\..*(Kill|Together)Tests|^SweepTests\.(Swapping|EveryFault|EverySource|LongAnswer|SweepEvidence)Tests|^(Subscriptions|ReceiptStore)Tests\.'

## fuzz: libFuzzer over everything that reads foreign input, SECONDS for each
fuzz: SECONDS ?= 60
fuzz: libraries
	SUBTOP_FUZZ=1 $(SANITIZER_BUILD) --build-path .build-fuzz --product Fuzz --sanitize=address -Xswiftc -sanitize=fuzzer
	Tests/Fuzz/run .build-fuzz/release/Fuzz $(SECONDS)

## tsan, asan: the tests of store, sweep, intake and files under ThreadSanitizer and AddressSanitizer
# SUBTOP_SANITIZED leaves the other tests out and makes fewer worlds.
SANITIZED := --testing-library swift-testing --no-parallel
tsan asan: export SUBTOP_SANITIZED = 1
tsan: libraries test-tools
	$(SANITIZER_BUILD) --product subtopPackageTests --sanitize=thread --build-path .build-tsan
	clang -O1 -Wall -shared -fPIC -o .build-tsan/swift-order.so Tests/Sanitizers/SwiftOrder.c -ldl
	LD_PRELOAD=$(CURDIR)/.build-tsan/swift-order.so TSAN_OPTIONS=exitcode=66 .build-tsan/release/subtopPackageTests.xctest $(SANITIZED)

asan: libraries test-tools
	$(SANITIZER_BUILD) --product subtopPackageTests --sanitize=address --build-path .build-asan
	ASAN_OPTIONS=detect_leaks=0 .build-asan/release/subtopPackageTests.xctest $(SANITIZED)

## memcheck: imports, sweeps, reports and a backup of a small store under valgrind
memcheck: build
	@.ci/need valgrind binutils
	Tests/Sanitizers/memcheck $(BINARIES)

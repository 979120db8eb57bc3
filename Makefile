# What a developer types. Each target installs the Debian packages it needs, if they are missing.

BINARY = .build/release/latchkey

.PHONY: run build test check bench clean

# Opens the front on the default store; without a terminal, shows the same job by flags on a temporary store.
run: build
	@if [ -t 0 ] && [ -t 1 ]; then exec $(BINARY); else exec scripts/demo $(BINARY); fi

# Swift's own library is linked in, so that the binary runs where no toolchain is.
build:
	@scripts/install-packages build
	swift build --configuration release --static-swift-stdlib --product latchkey

test:
	@scripts/install-packages build test
	swift test

check:
	bash .ci/run

bench: build
	scripts/bench start $(BINARY)
	scripts/bench forms $(BINARY)
	scripts/bench terminal $(BINARY)

clean:
	swift package clean

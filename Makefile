# What a developer types. Each target installs the Debian packages it needs, if they are missing.

BINARY = .build/release/latchkey

# Where `make install` puts the program, and what is set in front of that by who packs it.
PREFIX = /usr/local
DESTDIR =

.PHONY: run build test check bench install uninstall deb clean

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

# Below PREFIX: the binary, completions, the manual page, the forms as a start for others, the documents. It builds nothing,
# so that it can be done as root: `make build` first.
install:
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install install $(BINARY)

uninstall:
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install uninstall $(BINARY)

# A package for Debian, in .build.
deb: build
	@scripts/install-packages package
	scripts/package $(BINARY)

bench: build
	scripts/bench start $(BINARY)
	scripts/bench forms $(BINARY)
	scripts/bench terminal $(BINARY)

clean:
	swift package clean

# Targets for development. Each one installs the Debian packages it needs if they are missing.

BINARY = .build/release/latchkey

# Where `make install` puts the program; DESTDIR goes in front when building a package.
PREFIX = /usr/local
DESTDIR =

.PHONY: run build test test-api test-browser test-passkeys check bench docs install uninstall deb image clean

# Opens the interactive menu on the default store; without a terminal, shows the main commands on a temporary store.
run: build
	@if [ -t 0 ] && [ -t 1 ]; then exec $(BINARY); else exec scripts/demo $(BINARY); fi

build:
	@scripts/install-packages build
	scripts/build

test:
	@scripts/install-packages build test
	scripts/test
	$(MAKE) test-browser
	$(MAKE) test-api
	$(MAKE) test-passkeys

# Tests the web pages in Chromium, with the binary that the tests built.
test-browser:
	scripts/test-browser

# Compares the responses to generated requests with the description of the API, with the binary that the tests built.
test-api:
	scripts/check-api

# Compares the verdicts on mutated responses of passkeys with those of another implementation.
test-passkeys:
	scripts/check-passkeys

check:
	bash .ci/run

# Installs the binary, completions, the manual page, the built-in forms and the documentation under PREFIX. It builds
# nothing, so that you can run it as root: run `make build` first.
install:
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install install $(BINARY)

uninstall:
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install uninstall $(BINARY)

# Builds a Debian package in .build.
deb: build
	@scripts/install-packages package
	scripts/package $(BINARY)

# Builds a container image from that package in .build, with sudo.
image: deb
	@scripts/install-packages image
	scripts/image .build/latchkey_*.deb

# Builds the reference of the libraries in .build/docs.
docs:
	@scripts/install-packages build
	scripts/docs

bench: build
	scripts/bench start $(BINARY)
	scripts/bench forms $(BINARY)
	scripts/bench terminal $(BINARY)

clean:
	swift package clean

# make build     bin/parallax
# make demo      build, then 30 seconds of fuzzing on four libraries for semantic versions
# make check     format, vet, staticcheck and the short tests, from the cache where nothing has changed: while working
# make test      installs what it needs; format, vet, all unit tests, and a small campaign per command and kind of program
# make test-all  installs what it needs; the rest: all scripts, releases of Go, browser, bombs, engines, staticcheck
# make pictures  draws docs/pictures again
# make bench     the measurements, where there are any

GO ?= go

# Modules that are built apart from the workspace have a go.work of their own or none.
MODULES := . cmd bench examples bench/delta bench/adaptive

.PHONY: build demo pictures check test test-all tools quick-tools modules lint vet bin/staticcheck staticcheck format bench

# Without cgo there is no dynamic linker: the processes of parallax, of which a campaign starts dozens, start in three quarters of the time.
# The go command records no revision in a git worktree, and none with -buildvcs=false.
build:
	CGO_ENABLED=0 $(GO) build -ldflags "-X main.commit=$$(git describe --always --dirty=+dirty --abbrev=12 --exclude='*' 2>/dev/null)" -o bin/parallax ./cmd/parallax

# Exit code 1 says that there are findings, which is what a demonstration is for.
demo: build
	cd examples && ../bin/parallax diff \
		./semver/order.Mod ./semver/order.Masterminds ./semver/order.Blang ./semver/order.Hashicorp \
		--max-bytes 16 --fuzztime 30s || test $$? -eq 1

check: lint
	@tools/tests short | $(GO) -C tools run ./results
	$(GO) -C examples test -vet=off -short ./...
	$(GO) -C bench/delta test -vet=off -short ./...
	$(GO) -C bench/adaptive test -vet=off -short ./...
	$(GO) -C bench/behaviour vet ./...
	$(GO) -C bench/behaviour test -vet=off -short ./...

# Packages are installed, which one processor does and the network, beside what is checked without running.
test:
	@$(MAKE) --no-print-directory -j2 quick-tools quick-lint
	@tools/test-env tools/tests short | $(GO) -C tools run ./results

test-all:
	@$(MAKE) --no-print-directory -j2 tools lint
	@tools/test-env tools/tests all | $(GO) -C tools run ./results

# Tests build cgo packages, with and without the race detector, and revisions of git repositories, look at the HTML report in a
# browser, run drivers in five languages, cut networks of their own, build C and C++ with three build systems, ask two SMT solvers, install CrossHair from Python's index, and run
# the programs that the examples compare. Each command with Debian's package for it.
NEEDS := gcc:gcc git:git python3:python3 node:nodejs npm:npm pip3:python3-pip javac:default-jdk-headless perl:perl xxd:xxd curl:curl jq:jq \
	busybox:busybox-static 7zz:7zip gzip:gzip xz:xz-utils readelf:binutils eu-readelf:elfutils faketime:faketime redis-server:redis-server \
	clang-19:clang-19 g++:g++ cmake:cmake autoconf:autoconf z3:z3 cvc5:cvc5 php:php-cli ip:iproute2 nsenter:util-linux

QUICK := gcc:gcc git:git python3:python3 node:nodejs npm:npm perl:perl xxd:xxd curl:curl jq:jq busybox:busybox-static clang-19:clang-19 g++:g++ z3:z3 cvc5:cvc5 php:php-cli

INSTALL = missing=; \
	for need in $(1); do command -v $${need%%:*} >/dev/null || missing="$$missing $${need\#*:}"; done; \
	echo '\#include <stdlib.h>' | gcc -E - >/dev/null 2>&1 || missing="$$missing libc6-dev"; \
	test -f "$$(clang-19 -print-file-name=libclang_rt.asan-$$(uname -m).a 2>&1)" || missing="$$missing libclang-rt-19-dev"; \
	$(2) \
	test -z "$$missing" && exit 0; \
	if command -v apt-get >/dev/null && test "$$(id -u)" = 0; then \
		echo "installing$$missing"; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing; \
	else \
		echo "make: the tests need$$missing: install it, for example with: sudo apt-get install$$missing" >&2; exit 1; \
	fi

ALSO = command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing="$$missing chromium"; \
	echo '\#include <jansson.h>' | gcc -E - >/dev/null 2>&1 || missing="$$missing libjansson-dev"; \
	python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$$missing python3-venv";

quick-tools:
	@$(call INSTALL,$(QUICK),)

tools:
	@$(call INSTALL,$(NEEDS),$(ALSO))

modules:
	@for m in $(MODULES) tools; do $(GO) -C $$m mod download || exit 1; done

# One after the other: two go commands at a time compile what is in no cache twice.
lint: modules
	@for check in format bin/staticcheck vet staticcheck; do $(MAKE) --no-print-directory $$check || exit 1; done

# The report is that of a campaign with a fixed seed, on a fixed date.
pictures:
	$(GO) -C cmd run ./internal/show/pictures
	$(GO) -C cmd test ./parallax -run TestReportPicture -update
	$(GO) -C cmd test ./internal/serve -run TestPictures -update

quick-lint: modules
	@$(MAKE) --no-print-directory format && $(MAKE) --no-print-directory vet MODULES='. cmd'

# What compiles for a while collects garbage less often, which saves a fifth of the time. The packages of a worker are also
# compiled as the oldest toolchain that a program can name would.
vet:
	@for m in $(MODULES); do GOGC=400 $(GO) -C $$m vet ./... || exit 1; done
	@GOGC=400 $(GO) build -gcflags=-lang=go1.21 $$($(GO) list -deps ./internal/worker ./internal/fuzzfunc ./internal/sequence | grep '^parallax') || exit 1

# tools/go.mod says which version, tools/go.sum what its sources are.
bin/staticcheck:
	@GOGC=400 $(GO) -C tools build -o ../bin/staticcheck honnef.co/go/tools/cmd/staticcheck || \
		{ echo "make: staticcheck does not build; 'make modules' downloads the version that tools/go.mod says" >&2; exit 1; }

staticcheck: bin/staticcheck
	@for m in $(MODULES); do (cd $$m && GOGC=400 $(CURDIR)/bin/staticcheck ./...) || exit 1; done

format:
	@files=$$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -l) && \
		if test -n "$$files"; then echo "not formatted, run gofmt -w on:" >&2; echo "$$files" >&2; exit 1; fi

bench:
	@if test -f bench/Makefile; then $(MAKE) -C bench; else echo "make: there is no bench/Makefile" >&2; exit 1; fi

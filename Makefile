# The commands that a person types. Each is complete on a fresh machine: what is missing is installed
# through apt, brew or pacman after saying what. The build itself is CMake's (CMakeLists.txt).
.DEFAULT_GOAL := help
.PHONY: help bench test check esbuild inject-torture every-open check-aarch64 check-macos test-windows check-verdicts contract valgrind rehearse coverage torture load newcomer measure measured reporter \
	report baselines check-baselines deps fuzz-smoke lint analyze format install package check-package check-html spawn-tables clean

PREFIX ?= /usr/local
# bench BASE=REVISION: measure this tree's tracer against the one of another commit, in one job.
# coverage BASE=REVISION: also show what changed since that commit.
BASE ?=
# check PRESET=NAME: the preset that is built and tested.
PRESET ?= dev
# test-windows STRICT=1: fail where a library for Windows cannot be had.
STRICT ?=
# baselines REPOSITORY=owner/name: without it, the remote origin's.
REPOSITORY ?=
# check-verdicts: rounds of each A/A run and of each run with an injected change, and more options for each.
AA_ROUNDS ?= 100
SLOWER_ROUNDS ?= 100
RUN_OPTIONS ?=
# load LOADS="tree threads": only these. newcomer: the Debian releases.
LOADS ?=
SUITES ?= bookworm trixie
# fuzz-smoke FUZZ_SECONDS=SECONDS: how many seconds of a processor each fuzzer runs; FUZZERS: which ones, all when empty.
FUZZ_SECONDS ?= 60
FUZZERS ?=
export BASE PRESET REPOSITORY DESTDIR

help: ## list the commands
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/  make \1|\2/p' Makefile | while IFS='|' read -r name does; \
	do printf '%-20s %s\n' "$$name" "$$does"; done

bench: ## build, measure, print the table; BASE=REVISION also measures that commit's tracer
	@scripts/deps.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release
	@mkdir -p build/bench
	@base=; if [ -n "$$BASE" ]; then base=$$(scripts/build-base.sh "$$BASE") || exit; fi; \
	build/release/bin/tracetax run $${base:+--base "$$base"} --export-json build/bench/result.json && \
	build/release/bin/tracetax compare build/bench/result.json

test: ## build and run every test that this machine can run
	@scripts/deps.sh build test
	@cmake --preset test >/dev/null
	@cmake --build --preset test
	@scripts/run-tests.sh build/test

check: ## the same with PRESET=dev, clang, asan, tsan or coverage
	@scripts/deps.sh build test
	@cmake --preset "$$PRESET" >/dev/null
	@cmake --build --preset "$$PRESET"
	@scripts/run-tests.sh "build/$$PRESET"

valgrind: ## run our own programs' tests under valgrind; a finding fails
	@scripts/deps.sh build test valgrind
	@cmake --preset test >/dev/null
	@cmake --build --preset test
	@scripts/valgrind.sh build/test

contract: ## hold what the reporter asks of GitHub against GitHub's own description (node >= 20, npm)
	@scripts/contract.sh --check
	@scripts/deps.sh build test
	@cmake --preset test >/dev/null
	@cmake --build --preset test
	@scripts/contract.sh build/test

rehearse: ## play the whole loop of pull request, artifacts and comment without GitHub
	@scripts/deps.sh build test rehearse
	@cmake --preset test >/dev/null
	@cmake --build --preset test --target stand-in
	@$$(scripts/python.sh yaml) tests/rehearse/rehearse.py build/test/tests/stand-in

fuzz-smoke: ## run each fuzzer for FUZZ_SECONDS (60) of a processor; fails when one finds something or learns nothing (clang)
	@scripts/deps.sh build test fuzz
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz
	@scripts/fuzz.sh build/fuzz "$(FUZZ_SECONDS)" $(FUZZERS)

esbuild: ## watch a real static Go program from npm, and compare with strace (needs npm)
	@scripts/deps.sh build test
	@cmake --preset test >/dev/null
	@cmake --build --preset test
	@BIN=build/test/bin TEST_BIN=build/test/tests TESTS=tests tests/system/esbuild build/esbuild

inject-torture: ## static programs under stress, unwatched and recording from inside (MINUTES=10 ITERATIONS=1000 SEED=)
	@scripts/deps.sh build test
	@cmake --preset test >/dev/null
	@cmake --build --preset test
	@cmake --build --preset test --target inject-torture

every-open: ## the static benchmark program RUNS times (1000): each open recorded from inside, each time
	@scripts/deps.sh build test
	@cmake --preset test >/dev/null
	@cmake --build --preset test
	@cmake --build --preset test --target every-open

check-aarch64: ## cross-build the tracer for 64-bit Arm and check what its library needs
	@scripts/deps.sh build cross
	@cmake --preset aarch64 >/dev/null
	@cmake --build --preset aarch64
	@test "$$(aarch64-linux-gnu-nm -D --undefined-only build/aarch64/bin/libfiletrace-preload.so | tr -d ' w')" = _r_debug

check-macos: ## cross-build for macOS, check what its library interposes and what of it is pure (node >= 20, npm)
	@scripts/check-macos.sh --check
	@scripts/deps.sh build test macos
	@cmake --preset test >/dev/null
	@cmake --build --preset test --target interposed list_interposed universal test_macos test_macos_exec test_preload_list
	@scripts/check-macos.sh build/test

test-windows: ## cross-build everything for Windows and test it under wine; STRICT=1: with all its libraries
	@scripts/deps.sh build windows
	@scripts/test-windows.sh $(if $(STRICT),--strict)

check-verdicts: ## count how often verdicts are right, by real runs: half an hour on a machine at rest
	@scripts/deps.sh build test
	@cmake --preset verdicts >/dev/null
	@cmake --build --preset verdicts >&2
	@scripts/check-verdicts.sh build/verdicts $(AA_ROUNDS) $(SLOWER_ROUNDS) $(RUN_OPTIONS)

coverage: ## which lines and branches the tests run; fails below tests/coverage-floor; BASE=REVISION compares
	@scripts/deps.sh build test coverage
	@scripts/coverage.sh

measure: ## what the benchmark workflow runs: head and MEASURE_BASE, result in build/measure (scripts/measure.sh)
	@scripts/deps.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release
	@scripts/measure.sh

measured: ## print that result as Markdown
	@scripts/measured.sh

reporter: ## build only what the report workflow runs
	@scripts/deps.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target tracetax-report

report: ## what the report workflow runs: write the comment of a benchmark run
	@scripts/report.sh

baselines: ## for maintainers: write baselines/ anew from main's newest artifacts (GITHUB_TOKEN)
	@scripts/deps.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target tracetax-report
	@scripts/baselines.sh

check-baselines: ## are the committed baselines valid, and from which run and commit is each?
	@scripts/deps.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target tracetax-report
	@scripts/baselines.sh --check

deps: ## install what building, testing, linting, rehearsing and coverage need
	@scripts/deps.sh build test lint rehearse coverage

lint: ## check format, C code, shell scripts and workflows (node >= 20 and npm for the last)
	@scripts/lint-workflows.sh --check
	@scripts/deps.sh build test lint
	@scripts/lint.sh

analyze: ## read what we ship with gcc's analyzer; a finding fails (ANALYZER=gcc-12 takes that compiler)
	@scripts/deps.sh build test
	@cmake --preset test >/dev/null
	@cmake --build --preset test
	@scripts/analyze.sh build/test

format: ## format the code
	@scripts/deps.sh lint
	@git ls-files -z --cached --others --exclude-standard '*.[ch]' | xargs -0 clang-format -i

install: ## install into PREFIX (default /usr/local), below DESTDIR when that is set
	@scripts/deps.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release
	@cmake --install build/release --prefix "$(PREFIX)"

package: ## make a tarball, and a .deb where dpkg is, in build/packages
	@scripts/deps.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release
	@cd build/release && cpack -B ../packages

check-package: ## install the .deb in a clean Debian root and use it there (mmdebstrap)
	@scripts/deps.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release
	@scripts/check-package.sh build/release

spawn-tables: ## run bfs, find and fd over a corpus made on the spot, print their tables
	@scripts/deps.sh build spawn
	@cmake --preset release >/dev/null
	@cmake --build --preset release
	@build/release/bin/tracetax table suites/spawn.json

torture: ## the long version of the tests that break things on purpose: every call fails in turn, 200 kills, full disks
	@scripts/deps.sh build test
	@cmake --preset test >/dev/null
	@cmake --build --preset test
	@scripts/torture.sh build/test

load: ## watch what is large: 5,220 processes, 64 threads, ten million accesses, zlib's build; prints figures
	@scripts/deps.sh build test
	@cmake --preset verdicts >/dev/null
	@cmake --build --preset verdicts
	@scripts/load.sh build/verdicts $(LOADS)

newcomer: ## do what the README says in a fresh Debian root, as user and as root (root, mmdebstrap; SUITES="bookworm trixie")
	@for suite in $(SUITES); do scripts/newcomer.sh "$$suite" || exit; done

check-html: ## look at the HTML report in headless Chromium
	@scripts/deps.sh build
	@cmake --preset release >/dev/null
	@cmake --build --preset release
	@scripts/check-html.sh build/release

clean: ## remove what was built
	@rm -rf build
	@git worktree prune

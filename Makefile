# Needs Python >= 3.11 and a C++20 compiler; everything else is put into .venv, once.
#
#   make demo     the demonstration in the terminal
#   make test     every promise: C++ tests, then the Python suite with its doctests, those of the pages included
#   make test-long  every form, value and frozen file as well, then both suites and fuzzing under the sanitizers
#   make lint     style of Python and C++, and which package may import which
#   make types    mypy, strict; pyright on a program that uses every estimator; the stub of the extension
#   make bench    side by side with the peers; BENCH_ARGS="--threads 1,2,4" on several numbers of threads
#   make results  the experiments of the founding texts in build/results; RESULTS_ARGS="--data DIR letters"
#   make coverage which lines of Python and C++ the suite runs, in build/coverage
#   make asan     both suites under the address and undefined-behaviour sanitizers
#   make tsan     the C++ tests and every estimator on many threads under the thread sanitizer
#   make faults   every allocation of a fit, a prediction, a save ... fails once
#   make fuzz     a million altered model files, refused or asked in every way, under the same sanitizers
#   make statistics  how often certificates and conformal sets are wrong, in thousands of simulated worlds
#   make bits     every estimator with other threads, orders, copies, containers, instruction sets and hash seeds
#   make lives    memory and file handles of a process that fits, asks and loads for long
#   make campaign all of these hunts for wrong answers, in one table; CAMPAIGN_ARGS="--jobs 16 --seconds 540 --resume"
#   make docs     the documentation site in build/site; warnings are errors
#   make doctest  the examples of README.md and docs/
#   make wheel    a wheel in dist/, tried in an empty environment
#   make runtime-wheel  that of weaklearn-runtime, tried where numpy alone is installed
#   make stub     refresh the stubs after a change of the bindings or of the registry
#   make clean    remove the environments and everything built

PYTHON      ?= python3
PYTEST_ARGS ?= -n auto --maxprocesses=8
BENCH_ARGS  ?=
DEMO_ARGS   ?=
RESULTS_ARGS ?=
FUZZ_ARGS   ?= --count 1000000 --jobs 2
FUZZ_SOME   := --count 20000 --jobs 2

VENV      := .venv
ASAN_VENV := .venv-asan
COVERAGE_VENV := .venv-coverage
BIN       := $(VENV)/bin
PY        := $(BIN)/python
PIP       := -m pip --disable-pip-version-check -qq

# Folders count as sources too: their time changes when a file comes or goes.
SOURCES   := pyproject.toml CMakeLists.txt $(shell find cpp -path cpp/tests -prune -o -print 2>/dev/null)
CPP_FILES  = $(shell find cpp -name '*.cpp' -o -name '*.hpp' -o -name '*.h' 2>/dev/null)
DOC_FILES  = $(wildcard README.md) $(shell find docs -name '*.md' 2>/dev/null)

# The compiler that CMake will take: the one named by CXX, or the first of the usual names.
ifeq ($(origin CXX),default)
CXX := $(shell command -v c++ || command -v g++ || command -v clang++)
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: FORCE help demo test test-long lint types stub bench results coverage docs doctest wheel runtime-wheel clean
.PHONY: asan asan-built asan-cpp asan-suite fuzz tsan tsan-built tsan-cpp races faults faults-built bits lives statistics campaign

help:
	@sed -n 's/^#   //p' Makefile

# ------------------------------------------------------------------------------------ environments

define need_python
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
  echo "weaklearn needs Python 3.11 or newer, and '$(PYTHON)' is not: name one with make PYTHON=..." >&2; exit 1; }
endef

define need_compiler
@printf '#include <concepts>\n#include <span>\nint main() {}\n' | \
  $(or $(CXX),false) -std=c++20 -x c++ -fsyntax-only - 2>/dev/null || { \
  echo "weaklearn needs a C++20 compiler, and '$(or $(CXX),c++)' is not one: name one with make CXX=..." >&2; exit 1; }
endef

define read_build_requirements
import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")
endef

# The environment with the tools of the build.
$(VENV)/.tools $(COVERAGE_VENV)/.tools: pyproject.toml
	$(need_python)
	$(need_compiler)
	@echo "setting up $(@D) (the first time takes a few minutes)"
	@$(PYTHON) -m venv $(@D)
	@$(PYTHON) -c '$(read_build_requirements)' > $(@D)/build-requirements.txt
	@$(@D)/bin/python $(PIP) install --upgrade pip setuptools -r $(@D)/build-requirements.txt build cmake ninja
	@touch $@

# The names of the Python files: an editable install knows its modules by name, not by content.
$(VENV)/.names $(ASAN_VENV)/.names $(COVERAGE_VENV)/.names: FORCE
	@mkdir -p $(@D)
	@find src -name '*.py' | LC_ALL=C sort > $@.now
	@cmp -s $@.now $@ && rm $@.now || mv $@.now $@

# The package, editable: a change of Python needs nothing, a change of C++ recompiles what it touches.
$(VENV)/.built: $(VENV)/.tools $(VENV)/.names $(SOURCES)
	$(need_compiler)
	@echo "building the extension"
	@PATH="$(abspath $(BIN)):$$PATH" $(PY) $(PIP) install --no-build-isolation --editable .
	@touch $@

$(VENV)/.extra-%: pyproject.toml | $(VENV)/.built
	@echo "installing what '$*' needs"
	@PATH="$(abspath $(BIN)):$$PATH" $(PY) $(PIP) install --no-build-isolation --editable '.[$*]'
	@touch $@

# ------------------------------------------------------------------------------------------- tests

# $(call cpp_build,FOLDER,ENVIRONMENT,OPTIONS) builds cpp/tests, silent unless it fails; cpp_tests runs them too.
define cpp_build
@mkdir -p $(1)
@{ $(2)/bin/cmake -S . -B $(1) -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(2)/bin/ninja) -DWEAKLEARN_TESTS=ON $(3) && \
   $(2)/bin/cmake --build $(1); } > $(1)/log.txt 2>&1 || { cat $(1)/log.txt; exit 1; }
endef

define cpp_tests
$(call cpp_build,$(1),$(2),$(3))
@$(2)/bin/ctest --test-dir $(1) --output-on-failure --no-tests=ignore > $(1)/log.txt 2>&1 || { cat $(1)/log.txt; exit 1; }
@grep 'tests passed' $(1)/log.txt | sed 's/^/C++: /' || true
endef

# The modules are named as a package, so that doctests run on what is installed.
SUITE := --doctest-modules --doctest-glob='*.md' --pyargs weaklearn tests README.md docs
# Of forms that run the same lines one, of the examples of a property some.
SHORT := --hypothesis-profile=fast -m "not long"
LONG  := --hypothesis-profile=thorough

test: $(VENV)/.extra-dev $(VENV)/.built
	$(call cpp_tests,build/tests,$(VENV),-DCMAKE_BUILD_TYPE=Release)
	@$(PY) -m pytest $(SUITE) $(SHORT) $(PYTEST_ARGS)

test-long: $(VENV)/.extra-dev $(VENV)/.built
	$(call cpp_tests,build/tests,$(VENV),-DCMAKE_BUILD_TYPE=Release)
	@$(PY) -m pytest $(SUITE) $(LONG) $(PYTEST_ARGS)
	@$(MAKE) --no-print-directory asan tsan faults fuzz FUZZ_ARGS="$(FUZZ_SOME)" FAULTS_ARGS="--up-to 300"

doctest: $(VENV)/.extra-dev $(VENV)/.built
	@$(PY) -m pytest --doctest-glob='*.md' $(DOC_FILES)

# Algorithms from their docstrings, chapters from notebooks that are run; nothing from the network.
docs: $(VENV)/.extra-dev $(VENV)/.built
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --quiet --strict
	@echo "the site begins at build/site/index.html"

# ------------------------------------------------------------------------------------------ checks

lint: $(VENV)/.extra-dev
	@status=0; \
	$(BIN)/ruff check . || status=1; \
	$(BIN)/ruff format --check . || status=1; \
	$(BIN)/clang-format --dry-run --Werror $(CPP_FILES) < /dev/null || status=1; \
	$(BIN)/lint-imports --no-logo --cache-dir build/import-linter || status=1; \
	exit $$status

types: $(VENV)/.extra-dev $(VENV)/.built
	@$(BIN)/mypy
	@$(BIN)/pyright --pythonpath $(PY)
	@mkdir -p build
	@$(PY) -m nanobind.stubgen -q -m weaklearn._core -o build/_core.pyi
	@diff -u src/weaklearn/_core.pyi build/_core.pyi || { \
	  echo "src/weaklearn/_core.pyi is not the stub of this extension: run make stub" >&2; exit 1; }

stub: $(VENV)/.built
	@$(PY) -m nanobind.stubgen -q -m weaklearn._core -o src/weaklearn/_core.pyi
	@$(PY) -m tests.typed.stub
	@rm -rf .mypy_cache

# -------------------------------------------------------------------------------------- sanitizers

# Python itself is not instrumented, so the libraries of the sanitizers must be loaded before it.
find_library = $(firstword $(foreach name,$(1),$(filter /%,$(shell $(CXX) -print-file-name=$(name)))))
ASAN_LIBRARIES = $(call find_library,libasan.so libclang_rt.asan.so libclang_rt.asan-$(shell uname -m).so) \
                 $(call find_library,libstdc++.so)

define read_packages
import sysconfig; print(sysconfig.get_path("purelib"))
endef

# The packages of $(VENV), but for weaklearn itself.
$(ASAN_VENV)/.tools: $(VENV)/.extra-dev
	@rm -rf $(@D)
	@$(PY) -m venv --without-pip $(@D)
	@$(PY) -c '$(read_packages)' > "$$($(@D)/bin/python -c '$(read_packages)')/packages.pth"
	@touch $@

$(ASAN_VENV)/.built: $(ASAN_VENV)/.tools $(ASAN_VENV)/.names $(SOURCES)
	@echo "building the extension with sanitizers"
	@PATH="$(abspath $(BIN)):$$PATH" $(PY) $(PIP) --python $(ASAN_VENV)/bin/python install --no-build-isolation --no-deps \
	  -C build-dir=build/asan-extension -C cmake.build-type=Debug -C cmake.define.WEAKLEARN_SANITIZE=ON --editable .
	@touch $@

# GCC 13 keeps the frames of returned functions where AVX-512 finds them not aligned.
UNALIGNED := detect_stack_use_after_return=0

asan_python = LD_PRELOAD="$(strip $(ASAN_LIBRARIES))" ASAN_OPTIONS=$(UNALIGNED):detect_leaks=0:allocator_may_return_null=1 \
	  UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 $(1) $(ASAN_VENV)/bin/python

# The same package built another way, beside that of the environment.
build/tsan/.built: OPTIONS := -C cmake.define.WEAKLEARN_SANITIZE=thread
build/faults/.built: OPTIONS := -C cmake.define.WEAKLEARN_FAULTS=ON
build/tsan/.built build/faults/.built: $(VENV)/.extra-dev $(SOURCES) $(shell find src -name '*.py')
	@PATH="$(abspath $(BIN)):$$PATH" $(PY) $(PIP) install --no-build-isolation --no-deps --upgrade \
	  --target $(@D) -C build-dir=$(@D)-extension $(OPTIONS) .
	@touch $@

# Python with that package: without the hook of the editable one, which -S leaves out.
other_python = PYTHONPATH=build/$(1):$$($(PY) -c '$(read_packages)')

# ------------------------------------------------------------------------------ hunts for wrong answers

# Options of each hunt: --jobs, --seconds, --count, --seed, --first, and others that its --help names.
ASAN_ARGS   ?= --jobs 2
CPP_ARGS    ?= --jobs 2
FUZZ_ARGS   ?= --count 1000000 --jobs 2
RACES_ARGS  ?=
FAULTS_ARGS ?= --jobs 2
BITS_ARGS   ?= --jobs 2
LIVES_ARGS  ?=
STATISTICS_ARGS ?= --jobs 2
CAMPAIGN_ARGS ?= --jobs 2

asan-built: $(ASAN_VENV)/.built
	$(call cpp_build,build/asan,$(VENV),-DCMAKE_BUILD_TYPE=Debug -DWEAKLEARN_SANITIZE=ON)

asan: asan-cpp asan-suite

asan-cpp: export ASAN_OPTIONS := $(UNALIGNED)
asan-cpp: asan-built
	@$(PY) -m tests.campaign.compiled build/asan $(CPP_ARGS)

asan-suite: $(ASAN_VENV)/.built
	@$(call asan_python,PYTHONMALLOC=malloc) -m tests.campaign.suite $(ASAN_ARGS)

fuzz: $(ASAN_VENV)/.built
	@$(call asan_python) -m tests.files.fuzz $(FUZZ_ARGS)

tsan-built: build/tsan/.built
	$(call cpp_build,build/tsan-tests,$(VENV),-DCMAKE_BUILD_TYPE=Debug -DWEAKLEARN_SANITIZE=thread)

tsan: tsan-cpp races

# Random places of code are switched off: they may lie where the sanitizer keeps its shadow.
tsan-cpp races: export TSAN_OPTIONS := exitcode=66:die_after_fork=0:report_signal_unsafe=0:suppressions=$(abspath tests/campaign/races.supp)
tsan-cpp: tsan-built
	@setarch -R $(PY) -m tests.campaign.compiled build/tsan-tests $(CPP_ARGS)

races: build/tsan/.built
	@$(call other_python,tsan) LD_PRELOAD="$(call find_library,libtsan.so)" \
	  setarch -R $(PY) -S -m tests.campaign.races $(RACES_ARGS)

faults-built: build/faults/.built

faults: build/faults/.built
	@$(call other_python,faults) $(PY) -S -m tests.campaign.allocations $(FAULTS_ARGS)

statistics: $(VENV)/.extra-dev $(VENV)/.built
	@$(PY) -m tests.campaign.statistics $(STATISTICS_ARGS)

bits: $(VENV)/.extra-dev $(VENV)/.built
	@$(PY) -m tests.campaign.bits $(BITS_ARGS)

lives: $(VENV)/.extra-dev $(VENV)/.built
	@$(PY) -m tests.campaign.long_lives $(LIVES_ARGS)

campaign: $(VENV)/.extra-dev $(VENV)/.built
	@$(PY) -m tests.campaign $(CAMPAIGN_ARGS)

# ---------------------------------------------------------------------------------------- coverage

$(COVERAGE_VENV)/.built: $(COVERAGE_VENV)/.tools $(COVERAGE_VENV)/.names $(SOURCES)
	@echo "building the extension with counters of its lines"
	@PATH="$(abspath $(COVERAGE_VENV)/bin):$$PATH" $(COVERAGE_VENV)/bin/python $(PIP) install --no-build-isolation \
	  -C build-dir=build/coverage-extension -C cmake.build-type=Debug -C cmake.define.WEAKLEARN_COVERAGE=ON \
	  --editable '.[coverage]'
	@touch $@

# Both reports are pages: build/coverage/python/index.html and build/coverage/cpp.html.
coverage: $(COVERAGE_VENV)/.built
	@mkdir -p build/coverage
	$(call cpp_tests,build/coverage-tests,$(COVERAGE_VENV),-DCMAKE_BUILD_TYPE=Debug -DWEAKLEARN_COVERAGE=ON)
	@$(COVERAGE_VENV)/bin/python -m pytest tests --cov --cov-report=html --cov-report=term:skip-covered $(PYTEST_ARGS)
	@$(COVERAGE_VENV)/bin/gcovr --root . --filter cpp/ --exclude cpp/tests/ build/coverage-extension build/coverage-tests \
	  --gcov-ignore-parse-errors=negative_hits.warn --print-summary --html-details build/coverage/cpp.html

# ------------------------------------------------------------------------------- running, packaging

demo: $(VENV)/.extra-demo $(VENV)/.built
	@$(PY) -m weaklearn.show.demo $(DEMO_ARGS)

bench: $(VENV)/.extra-bench $(VENV)/.built
	@$(PY) -m benchmarks $(BENCH_ARGS)

results: $(VENV)/.extra-cli $(VENV)/.built
	@mkdir -p build
	@$(PY) -m weaklearn reproduce --output build/results $(RESULTS_ARGS)

define read_smoke_test
import tomllib; print(tomllib.load(open("pyproject.toml", "rb"))["tool"]["cibuildwheel"]["test-command"])
endef

wheel: $(VENV)/.tools
	$(need_compiler)
	@rm -rf dist/weaklearn-*.whl build/wheel-trial
	@$(PY) -m build --wheel --outdir dist -C build-dir=build/wheel
	@$(PYTHON) -m venv build/wheel-trial
	@CC=false CXX=false build/wheel-trial/bin/python $(PIP) install --only-binary :all: dist/weaklearn-*.whl
	@$(PYTHON) -c '$(read_smoke_test)' > build/wheel-trial/trial.sh
	@cd build/wheel-trial && PATH="$$PWD/bin:$$PATH" sh trial.sh
	@echo "installed, fitted and scored: $$(ls dist/weaklearn-*.whl)"

define read_runtime_trial
from distributions.runtime import TRIAL; print(TRIAL)
endef

# The folder of a build is kept: unchanged C++ is not compiled again.
runtime-wheel: $(VENV)/.tools
	$(need_compiler)
	@rm -rf dist/weaklearn_runtime-*.whl build/runtime-trial
	@$(PYTHON) -m distributions.runtime build/runtime-source
	@$(PY) -m build --wheel --outdir dist -C build-dir=$(abspath build/runtime) build/runtime-source
	@$(PYTHON) -m venv build/runtime-trial
	@build/runtime-trial/bin/python $(PIP) install --only-binary :all: dist/weaklearn_runtime-*.whl
	@$(PYTHON) -c '$(read_runtime_trial)' > build/runtime-trial/trial.py
	@build/runtime-trial/bin/python build/runtime-trial/trial.py tests/frozen/3-AdaBoostClassifier-plain-two.weak
	@echo "installed beside numpy alone, loaded and predicted: $$(ls dist/weaklearn_runtime-*.whl)"

clean:
	rm -rf $(VENV) $(ASAN_VENV) $(COVERAGE_VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache src/weaklearn/*.so
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# make build   target/release/ad-opt and target/release/libad_opt.so
# make install copies what `make build` made; DESTDIR=FOLDER INSTALL_PREFIX=/usr/local
# make test    set-up, build, unit tests, lit tests
# make lit     build, lit tests; LITFLAGS="-v --filter=vjp"
# make demo    differentiates a real objective and runs it on real data
# make bench   times the programs beside C++ and JAX; BENCHFLAGS="--problem=gmm", BENCH_VENV=FOLDER
# make cuda    gets NVIDIA's assembler and library of math, which tests of kernels use; README.md has the rest
# make docs    regenerates docs/generated
# make fuzz    random programs: interpreter, compiled code and numeric oracle against each other
# make fuzz-cfg  random control-flow graphs with loops, exits, memory, calls and recursion, as `make fuzz`; one in four is compiled
# make fuzz-loops  random loops over buffers: their derivatives against those of the same in blocks, and on an emulated GPU
# make fuzz-products  random products of matrices, as emulated kernels and as PTX that is interpreted
# make fuzz-atl  random programs of the tensor language: normal forms, derivatives and what they cost, then as `make fuzz`
# make fmt     formats Rust and C++
# make lint    what CI checks besides the tests

PREFIX := $(or $(MLIR_SYS_220_PREFIX),/usr/lib/llvm-22)
export PATH := $(PATH):$(HOME)/.cargo/bin
CPP    := $(wildcard dialect/cpp/* passes/cpp/* tools/*/cpp/* bench/cpp/*)
FORMAT := $(firstword $(shell command -v clang-format-22 clang-format 2>/dev/null))
# The Python environment of `make bench`, made if it is not there.
BENCH_VENV ?= target/bench-venv
# Where `make docs` writes.
DOCS   ?= docs/generated
# Where `make install` puts bin, lib and include, below DESTDIR if that is set.
INSTALL_PREFIX ?= /usr/local
# Programs that `make fuzz` generates, and where it begins.
COUNT  ?= 10000
SEED   ?= 1
# Programs that `make fuzz-loops` generates.
LOOPS  ?= 1000
# Groups of six products that `make fuzz-products` tries.
PRODUCTS ?= 100
# Programs that `make fuzz-atl` generates.
ATL_PROGRAMS ?= 20000

.PHONY: build install test unit lit demo bench cuda docs fuzz fuzz-atl fuzz-cfg fuzz-loops fuzz-products fmt lint setup

setup:
	@tools/setup.sh

build: setup
	cargo build --release --workspace

install:
	@DESTDIR=$(DESTDIR) tools/install.sh target/release $(INSTALL_PREFIX)

test: build
	@python3 tools/test.py --unit $(LITFLAGS) test

unit: setup
	cargo test --release --workspace

lit: build
	@python3 tools/test.py $(LITFLAGS) test

demo: build
	@cargo xtask demo

bench: build
	@bench/venv.sh $(BENCH_VENV)
	@target/release/ad-bench --python=$(BENCH_VENV)/bin/python $(BENCHFLAGS)

cuda:
	@tools/ad-cuda/toolkit.sh target/cuda

docs: setup
	@mkdir -p target
	cmake -S cmake -B target/docs -DMLIR_DIR=$(PREFIX)/lib/cmake/mlir -DLLVM_DIR=$(PREFIX)/lib/cmake/llvm \
	    -DAD_COMPONENT=docs -DAD_DOCS_DIR=$(abspath $(DOCS)) >target/docs.log
	cmake --build target/docs --clean-first >>target/docs.log
	@if [ -x target/release/ad-opt ]; then cargo xtask pages; else echo "docs/tensor-language.md is left: there is no ad-opt yet (make build)"; fi

fuzz: build
	target/release/ad-fuzz --count=$(COUNT) --seed=$(SEED)

fuzz-cfg: build
	target/release/ad-fuzz --cfg --count=$(COUNT) --seed=$(SEED) --compiled-one-in=4

fuzz-loops: build
	@python3 test/raise/Inputs/random_loops.py target/release/ad-opt target/fuzz-loops $(LOOPS) $(SEED)

fuzz-products: build cuda
	@PATH="$(CURDIR)/target/release:$$PATH" AD_CUDA_TOOLKIT=$(CURDIR)/target/cuda/nvidia/cuda_nvcc \
	AD_CUDA_DRIVER=$(CURDIR)/target/release/libad_ptx.so python3 test/gpu/Inputs/random_products.py $(PRODUCTS) $(SEED)

fuzz-atl: build
	ATL_PROGRAMS=$(ATL_PROGRAMS) cargo test --release -p ad-calculus
	target/release/ad-fuzz --atl --count=$(COUNT) --seed=$(SEED)

fmt: setup
	cargo fmt --all
	$(if $(FORMAT),$(FORMAT) -i $(CPP),@echo "clang-format is not installed; C++ left as it is")

lint: setup
	cargo xtask tidy
	cargo fmt --all --check
	cargo clippy --release --workspace --all-targets -- -D warnings
	$(if $(FORMAT),$(FORMAT) --dry-run --Werror $(CPP),@echo "clang-format is not installed; C++ not checked")

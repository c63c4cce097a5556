#!/bin/sh
# Finds or installs what building and testing need, and says so in one line per step.
# Debian packages only. Root is needed only when something is missing.
set -eu

prefix=${MLIR_SYS_220_PREFIX:-/usr/lib/llvm-22}
say() { printf 'setup: %s\n' "$*"; }

# "what it is for : test that it is there : packages that bring it"
missing=
need() {
    if ! eval "$2" >/dev/null 2>&1; then
        missing="$missing $3"
        say "missing: $1 ($3)"
    fi
}

need "C++ compiler and library" "command -v c++ && command -v cc" "g++"
need "clang 22" "test -x $prefix/bin/clang++" "clang-22"
need "make" "command -v make" "make"
need "CMake" "command -v cmake" "cmake"
need "Python 3" "command -v python3" "python3"
# Of a Python that is not the system's, packages are its own matter: two tests that need numpy say so and are left out.
need "numpy" "python3 -c 'import numpy' || { command -v python3 && test \"\$(command -v python3)\" != /usr/bin/python3; }" "python3-numpy"
need "LLVM 22" "test -x $prefix/bin/llvm-config -a -e $prefix/lib/cmake/llvm/LLVMConfig.cmake" "llvm-22-dev"
need "MLIR 22" "test -e $prefix/lib/libMLIR.so -a -e $prefix/lib/cmake/mlir/MLIRConfig.cmake" "libmlir-22-dev"
need "MLIR tools" "test -x $prefix/bin/mlir-tblgen -a -x $prefix/bin/mlir-opt" "mlir-22-tools"
need "FileCheck and lit" "test -x $prefix/bin/FileCheck -a -x $prefix/bin/not -a -d $prefix/utils/lit/lit" "llvm-22-tools"
need "libclang 22" "test -e $prefix/lib/libclang.so && ls $prefix/lib/clang/22/include/stddef.h" "libclang-22-dev"
need "OpenMP of LLVM 22" "test -e $prefix/lib/libomp.so" "libomp-22-dev"
need "Valgrind" "command -v valgrind" "valgrind"
need "zstd headers" "test -e /usr/include/zstd.h" "libzstd-dev"
need "zlib headers" "test -e /usr/include/zlib.h" "zlib1g-dev"

if [ -n "$missing" ]; then
    if [ "$(id -u)" = 0 ]; then
        root=
    elif command -v sudo >/dev/null 2>&1; then
        root=sudo
    else
        say "cannot install without root; as root: apt-get install --no-install-recommends$missing" >&2
        exit 1
    fi
    if ! command -v apt-get >/dev/null 2>&1; then
        say "no apt-get here; install by hand:$missing" >&2
        exit 1
    fi
    say "apt-get update"
    $root apt-get update -qq
    say "apt-get install$missing"
    # shellcheck disable=SC2086
    $root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi

if ! command -v cargo >/dev/null 2>&1 && [ -x "$HOME/.cargo/bin/cargo" ]; then
    PATH=$HOME/.cargo/bin:$PATH
fi
if ! command -v cargo >/dev/null 2>&1; then
    say "Rust is missing: install it with rustup, then try again" >&2
    exit 1
fi
say "LLVM/MLIR $("$prefix/bin/llvm-config" --version) in $prefix, $(cargo --version), $(cmake --version | head -n 1)"

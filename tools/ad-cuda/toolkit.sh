#!/bin/sh
# Gets NVIDIA's assembler and library of math from PyPI, unless they are there: tools/ad-cuda/toolkit.sh FOLDER
# Prints the folder to name in AD_CUDA_TOOLKIT.
set -eu

folder=$1
wanted='nvidia-cuda-nvcc-cu12==12.9.86'
toolkit=$folder/nvidia/cuda_nvcc
fail() {
    printf 'toolkit: %s\n' "$*" >&2
    exit 1
}

if [ "$(cat "$folder/version" 2>/dev/null)" != "$wanted" ]; then
    command -v python3 >/dev/null || fail "Python 3 is missing: apt-get install python3 python3-venv"
    python3 -c 'import venv, ensurepip' 2>/dev/null || fail "Python's venv or pip is missing: apt-get install python3-venv"
    rm -rf "$folder"
    mkdir -p "$folder"
    python3 -m venv "$folder/venv" || fail "no environment could be made in $folder"
    "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$folder" "$wanted" ||
        fail "pip could not install $wanted: it needs the package index"
    rm -rf "$folder/venv"
    chmod +x "$toolkit/bin/ptxas"
    "$toolkit/bin/ptxas" --version >/dev/null || fail "$toolkit/bin/ptxas does not run"
    printf '%s\n' "$wanted" >"$folder/version"
fi
printf '%s\n' "$toolkit"

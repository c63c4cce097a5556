#!/bin/sh
# Makes a Python environment with what the JAX peers need, unless it is there: bench/venv.sh FOLDER
set -eu

folder=$1
wanted=$(dirname "$0")/requirements.txt
fail() {
    printf 'bench: %s\n' "$*" >&2
    exit 1
}

if cmp -s "$wanted" "$folder/requirements.txt"; then
    exit 0
fi
if [ ! -x "$folder/bin/python" ]; then
    command -v python3 >/dev/null || fail "Python 3.11 or later is missing: apt-get install python3 python3-venv"
    python3 -c 'import venv, ensurepip' 2>/dev/null ||
        fail "Python's venv or pip is missing: apt-get install python3-venv"
    printf 'bench: python3 -m venv %s\n' "$folder"
    python3 -m venv "$folder" || fail "no environment could be made in $folder"
fi
"$folder/bin/python" -m pip --version >/dev/null 2>&1 ||
    fail "$folder has no pip: remove it, apt-get install python3-venv, and try again"
printf 'bench: pip install -r %s\n' "$wanted"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check -r "$wanted" ||
    fail "pip could not install $wanted: it needs the package index, and Python 3.11 or later"
cp "$wanted" "$folder/requirements.txt"

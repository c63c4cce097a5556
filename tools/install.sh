#!/bin/sh
# tools/install.sh RELEASE PREFIX: copies what Cargo built in the folder RELEASE, and what C programs need, under PREFIX.
# The variable DESTDIR, for those who make packages, comes before PREFIX and is not a part of it.
set -eu

release=$1
to=${DESTDIR:-}$2
root=$(dirname "$0")/..
if [ ! -x "$release/ad-opt" ]; then
    echo "install: there is no $release/ad-opt: run make build" >&2
    exit 1
fi

install -D -m 755 "$release/ad-opt" "$to/bin/ad-opt"
install -D -m 755 "$release/libad_opt.so" "$to/lib/libad_opt.so"
# `ad-opt compile` links libraries with these.
install -D -m 644 -t "$to/lib/ad-opt" "$release/libad_runtime.a" "$release/libad_cuda.a"
install -D -m 644 -t "$to/include" "$root/tools/ad-plugin/include/ad-opt.h"
install -D -m 644 -t "$to/lib/cmake/ad-opt" \
    "$root/cmake/ad-optConfig.cmake" "$root/cmake/ad-optConfigVersion.cmake"
echo "install: ad-opt is in $to"

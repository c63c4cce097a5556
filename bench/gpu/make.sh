#!/bin/sh
# Makes a folder to be taken to a machine with an NVIDIA GPU: bench/gpu/make.sh FOLDER [PROBLEM...]
# A problem whose name ends with _tf32 is a program whose products are made in TF32 on a GPU, by all tools.
# TARGETS="cuda cpu" are the libraries that it has, AD_OPT is the compiler (target/release/ad-opt).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
compiler=${AD_OPT:-$root/target/release/ad-opt}
targets=${TARGETS:-cuda cpu}
most=$((60 * 1024))
fail() {
    printf 'make: %s\n' "$*" >&2
    exit 1
}

[ $# -gt 0 ] || fail "usage: make.sh FOLDER [PROBLEM...]"
folder=$1
shift
if [ $# -eq 0 ]; then
    set -- gmm lstm_batched lstm_batched_tf32 kmeans kmeans_sparse rsbench xsbench \
        reduce_lse reduce_sumsq reduce_min reduce_mul scan_prod scan_linrec scan_mat2 hist_add hist_max hist_mul
fi
command -v "$compiler" >/dev/null || fail "no $compiler: make build, or name it in AD_OPT"
case " $targets " in
*" cuda "*)
    if [ -z "${AD_CUDA_TOOLKIT:-}" ]; then
        AD_CUDA_TOOLKIT=$("$root/tools/ad-cuda/toolkit.sh" "$root/target/cuda")
    fi
    export AD_CUDA_TOOLKIT
    ;;
esac

mkdir -p "$folder/peers/jax" "$folder/peers/pytorch"
for target in $targets; do
    mkdir -p "$folder/$target"
    for problem; do
        program=${problem%_tf32}
        case $target-$problem in
        cpu-*) options=--cpu=x86-64-v3 ;;
        *_tf32) options="--arrays=device --tensor-cores=tf32" ;;
        # As the libraries of peers do; f64 stays f64.
        *-gmm | *-kmeans) options="--arrays=device --tensor-cores=f64" ;;
        *) options=--arrays=device ;;
        esac
        # The derivative's name is that of one of these two entries.
        entry=gradient
        case $problem in kmeans*) entry=gradient_hessian ;; esac
        # shellcheck disable=SC2086
        "$compiler" compile "$root/bench/programs/$program.mlir" --target="$target" $options --prefix=ad_ \
            --entry=objective --entry="$entry" -o "$folder/$target/$problem.so" ||
            fail "$problem does not compile for $target"
        rm "$folder/$target/$problem.h"
    done
done
cp "$here"/*.py "$folder"
# How much kernels move, which a card does not say.
case " $targets " in
*" cuda "*)
    if python3 -c 'import numpy' 2>/dev/null; then
        python3 "$here/traffic.py" --compiler="$compiler" --streamed --json="$folder/traffic.json" "$@" ||
            fail "the traffic of kernels was not counted"
    else
        printf 'make: what kernels move is not counted: numpy is missing\n' >&2
    fi
    ;;
esac
for problem; do
    program=${problem%_tf32}
    # Those for a GPU take the place of those for one core.
    for peer in "$root/bench/jax/$program.py" "$here/jax/$program.py"; do
        [ ! -f "$peer" ] || cp "$peer" "$folder/peers/jax/$problem.py"
    done
    peer=$here/pytorch/$program.py
    [ ! -f "$peer" ] || cp "$peer" "$folder/peers/pytorch/$problem.py"
done

size=$(du -sk "$folder" | cut -f1)
printf '%s: %s KiB\n' "$folder" "$size"
[ "$size" -le "$most" ] || fail "that is more than $most KiB"

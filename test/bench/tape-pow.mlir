// bench/programs/tape_pow.mlir: the gradient is 10 times 2 to the power 9, and passes the check. One number is kept of each
// iteration, by the type of the tape; compiled, it is a loop that counts, and the number is in an array: 8 bytes for each of a
// million. Instructions are those of bench/counts.json [Z36, Z30].
// RUN: ad-opt check %bench/programs/tape_pow.mlir --entry=objective --input=0.9 --input=20
// RUN: ad-opt check %bench/programs/tape_pow.mlir --entry=objective --input=0.9 --input=0
// RUN: ad-opt run %bench/programs/tape_pow.mlir --entry=gradient --input=2 --input=10 | FileCheck %s
// RUN: ad-opt %bench/programs/tape_pow.mlir --ad-optimize | FileCheck %s --check-prefix=TAPE
// RUN: ad-opt run %bench/programs/tape_pow.mlir --entry=gradient --input=1 --input=1000000 --repeat=1 2>&1 | FileCheck %s --check-prefix=BYTES
// CHECK: {{^}}5120.0
// TAPE: ad.tape_create : !ad.tape<f64>
// TAPE-COUNT-1: ad.tape_push
// TAPE-NOT: ad.tape_push
// BYTES: "peak_bytes":80{{[0-9][0-9][0-9][0-9][0-9]}},

// A function that runs both ways becomes two: what the results need, and what takes the residuals and the seeds [Z01, Z30].
// RUN: ad-opt %s --ad-generate="function=kept mode=split" --ad-optimize | FileCheck %s --check-prefix=KEPT
// RUN: ad-opt %s --ad-generate="function=loop mode=split wrt=0 name=walk" --ad-optimize | FileCheck %s --check-prefix=LOOP
// RUN: ad-opt %s --ad-generate="function=blocks mode=split" --ad-optimize | FileCheck %s --check-prefix=BLOCKS
// RUN: ad-opt %s --ad-generate="function=buffer mode=split" --ad-optimize | FileCheck %s --check-prefix=BUFFER
// RUN: ad-opt %s --ad-generate="function=layer mode=split wrt=0" --ad-optimize | FileCheck %s --check-prefix=RECORD
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-split-sweeps)' | FileCheck %s --check-prefix=HAND

// The exponential is a result, and the sine an array that only the way back reads; both are read there, and none is made
// again. The argument is not kept, since it is given again, and neither are sizes.
// KEPT-LABEL: func.func @kept_forward(
// KEPT-SAME: %[[X:arg[0-9]+]]: tensor<?xf64>, %{{[a-z0-9]+}}: i32) -> (tensor<?xf64>, f64, i32, tensor<?xf64>) {
// KEPT: %[[E:.*]] = math.exp %[[X]]
// KEPT: %[[S:.*]] = math.sin %[[X]]
// KEPT: %[[SUM:.*]] = soac.reduce
// KEPT: return %[[E]], %[[SUM]], %{{.*}}, %[[S]] :
// KEPT-LABEL: func.func @kept_backward(
// KEPT-SAME: %[[X:arg[0-9]+]]: tensor<?xf64>, %{{[a-z0-9]+}}: i32, %[[E:arg[0-9]+]]: tensor<?xf64>, %{{[a-z0-9]+}}: f64, %{{[a-z0-9]+}}: i32, %[[S:arg[0-9]+]]: tensor<?xf64>, %[[E_BAR:arg[0-9]+]]: tensor<?xf64>, %[[SUM_BAR:arg[0-9]+]]: f64) -> tensor<?xf64> {
// KEPT: soac.map ins(%[[E_BAR]], %[[E]], %[[X]], %[[S]] :{{.*}}) (%[[E_BAR_I:.*]]: f64, %[[E_I:.*]]: f64, %[[X_I:.*]]: f64, %[[S_I:.*]]: f64) ->
// KEPT-DAG: arith.mulf %[[E_BAR_I]], %[[E_I]]
// KEPT-DAG: math.cos %[[X_I]]
// KEPT-DAG: arith.mulf %[[SUM_BAR]], %[[S_I]]
// KEPT-NOT: math
// KEPT: return
func.func @kept(%x: tensor<?xf64>, %n: i32) -> (tensor<?xf64>, f64, i32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %e = math.exp %x : tensor<?xf64>
  %s = math.sin %x : tensor<?xf64>
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %twos = tensor.splat %zero[%size] : tensor<?xf64>
  %squares = arith.mulf %s, %s : tensor<?xf64>
  %all = arith.addf %squares, %twos : tensor<?xf64>
  %sum = soac.reduce ins(%all : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %e, %sum, %n : tensor<?xf64>, f64, i32
}

// The loop is run once, with the values that it saves; the other function has the return loop alone.
// LOOP-LABEL: func.func @walk_forward(
// LOOP-SAME: %{{[a-z0-9]+}}: f64, %{{[a-z0-9]+}}: f64, %{{[a-z0-9]+}}: index) -> (f64, tensor<?xf64>) {
// LOOP: scf.for {{.*}} -> (f64, tensor<?xf64>)
// LOOP-NOT: scf.for
// LOOP-LABEL: func.func @walk_backward(
// LOOP-SAME: %{{[a-z0-9]+}}: f64, %{{[a-z0-9]+}}: f64, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: f64, %[[TAPE:arg[0-9]+]]: tensor<?xf64>, %{{[a-z0-9]+}}: f64) -> f64 {
// LOOP: scf.for {{.*}} -> (f64)
// LOOP: tensor.extract %[[TAPE]]
// LOOP-NOT: scf.for
// LOOP: return
func.func @loop(%x: f64, %h: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> f64 {
    %s = math.sin %p : f64
    %step = arith.mulf %h, %s : f64
    %q = arith.addf %p, %step : f64
    scf.yield %q : f64
  }
  return %end : f64
}

// A loop of blocks keeps a tape, which the other function empties and frees.
// BLOCKS-LABEL: func.func @blocks_forward(
// BLOCKS-SAME: -> (f64, !ad.tape<f64>, index) {
// BLOCKS: ad.tape_create
// BLOCKS: scf.while
// BLOCKS: ad.tape_push
// BLOCKS-NOT: ad.tape_free
// BLOCKS-LABEL: func.func @blocks_backward(
// BLOCKS-SAME: %[[TAPE:arg[0-9]+]]: !ad.tape<f64>, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: f64) -> f64 {
// BLOCKS: ad.tape_pop %[[TAPE]]
// BLOCKS: ad.tape_free %[[TAPE]]
func.func @blocks(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^test(%c0, %x : index, f64)
^test(%i: index, %p: f64):
  %goes_on = arith.cmpi slt, %i, %n : index
  cf.cond_br %goes_on, ^body, ^end
^body:
  %q = math.sin %p : f64
  %j = arith.addi %i, %c1 : index
  cf.br ^test(%j, %q : index, f64)
^end:
  return %p : f64
}

// The buffer is read and written on the way forwards only, its shadow on the way back only. What its argument says of it
// stays.
// BUFFER-LABEL: func.func @buffer_forward(
// BUFFER-SAME: %[[X:arg[0-9]+]]: memref<?xf64> {llvm.noalias}, %[[I:arg[0-9]+]]: index) -> (f64, f64) {
// BUFFER: %[[OLD:.*]] = memref.load %[[X]][%[[I]]]
// BUFFER: memref.store %{{.*}}, %[[X]][%[[I]]]
// BUFFER: return %{{.*}}, %[[OLD]]
// BUFFER-LABEL: func.func @buffer_backward(
// BUFFER-SAME: %[[X:arg[0-9]+]]: memref<?xf64> {llvm.noalias}, %[[I:arg[0-9]+]]: index, %{{[a-z0-9]+}}: f64, %[[OLD:arg[0-9]+]]: f64, %{{[a-z0-9]+}}: f64, %[[SHADOW:arg[0-9]+]]: memref<?xf64>)
// BUFFER-NOT: %[[X]]{{\[}}
// BUFFER: memref.load %[[SHADOW]]
// BUFFER: math.cos %[[OLD]]
// BUFFER: memref.store %{{.*}}, %[[SHADOW]]
// BUFFER-NOT: %[[X]]{{\[}}
// BUFFER: return
func.func @buffer(%x: memref<?xf64> {llvm.noalias}, %i: index) -> f64 {
  %a = memref.load %x[%i] : memref<?xf64>
  %s = math.sin %a : f64
  memref.store %s, %x[%i] : memref<?xf64>
  return %s : f64
}

// A record is its fields, and so are its seed and its cotangent.
// RECORD-LABEL: func.func @layer_forward(
// RECORD-SAME: %[[W:arg[0-9]+]]: f64, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: f64, %[[X:arg[0-9]+]]: f64) -> (f64, index, f64, f64) {
// RECORD: %[[E:.*]] = math.exp %[[W]]
// RECORD: return %{{.*}}, %{{.*}}, %{{.*}}, %[[E]] :
// RECORD-LABEL: func.func @layer_backward(
// RECORD-SAME: f64, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: f64, %[[X:arg[0-9]+]]: f64, %{{[a-z0-9]+}}: f64, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: f64, %[[E:arg[0-9]+]]: f64, %[[W_BAR:arg[0-9]+]]: f64, %[[B_BAR:arg[0-9]+]]: f64) -> (f64, f64) {
// RECORD: %[[SUM:.*]] = arith.addf %[[W_BAR]], %[[B_BAR]]
// RECORD: %[[D:.*]] = arith.mulf %[[SUM]], %[[X]]
// RECORD: %[[BAR:.*]] = arith.mulf %[[D]], %[[E]]
// RECORD: return %[[BAR]], %[[B_BAR]]
func.func @layer(%p: !ad.record<w: f64, n: index, b: f64>, %x: f64) -> !ad.record<w: f64, n: index, b: f64> {
  %w = ad.get %p[w] : !ad.record<w: f64, n: index, b: f64>
  %n = ad.get %p[n] : !ad.record<w: f64, n: index, b: f64>
  %b = ad.get %p[b] : !ad.record<w: f64, n: index, b: f64>
  %e = math.exp %w : f64
  %y = arith.mulf %e, %x : f64
  %z = arith.addf %y, %b : f64
  %q = ad.record(%y, %n, %z) : !ad.record<w: f64, n: index, b: f64>
  return %q : !ad.record<w: f64, n: index, b: f64>
}

// Functions that users mark are split as well: in any order of arguments and results. One that is called stays. A part of
// an array that is there is taken once more, and not copied.
// HAND-LABEL: func.func private @marked(
// HAND-SAME: -> (f64 {ad.cotangent}, f64) {
// HAND-LABEL: func.func @caller(
// HAND-LABEL: func.func private @both_forward(
// HAND-SAME: %[[X:arg[0-9]+]]: tensor<8xf64>) -> (f64, f64) {
// HAND: %[[PART:.*]] = tensor.extract_slice %[[X]]
// HAND: %[[A:.*]] = tensor.extract %[[PART]]
// HAND: %[[E:.*]] = math.exp %[[A]]
// HAND: return %{{.*}}, %[[E]] :
// HAND-LABEL: func.func private @both_backward(
// HAND-SAME: %[[X:arg[0-9]+]]: tensor<8xf64>, %{{[a-z0-9]+}}: f64, %[[E:arg[0-9]+]]: f64, %[[SEED:arg[0-9]+]]: f64) -> f64 {
// HAND: %[[PART:.*]] = tensor.extract_slice %[[X]]
// HAND: %[[ALL:.*]] = soac.reduce ins(%[[PART]]
// HAND: arith.mulf %[[E]], %[[ALL]]
// HAND: return
func.func private @marked(%seed: f64 {ad.seed}, %x: tensor<8xf64>) -> (f64 {ad.cotangent}, f64) attributes {ad.split = "both"} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %part = tensor.extract_slice %x[2] [4] [1] : tensor<8xf64> to tensor<4xf64>
  %a = tensor.extract %part[%c0] : tensor<4xf64>
  %e = math.exp %a : f64
  %y = arith.addf %e, %a : f64
  %all = soac.reduce ins(%part : tensor<4xf64>) neutral(%zero : f64) (%u: f64, %v: f64) {
    %w = arith.addf %u, %v : f64
    soac.yield %w : f64
  }
  %d = arith.mulf %e, %all : f64
  %x_bar = arith.mulf %d, %seed : f64
  return %x_bar, %y : f64, f64
}
func.func @caller(%seed: f64, %x: tensor<8xf64>) -> f64 {
  %r:2 = call @marked(%seed, %x) : (f64, tensor<8xf64>) -> (f64, f64)
  return %r#0 : f64
}

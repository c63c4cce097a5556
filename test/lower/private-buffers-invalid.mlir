// What threads hand to each other in registers cannot be done by one thread, as it is where shared memory has no room; nor has
// each block a part of a buffer if nobody knows how large it is.
// RUN: ad-opt %s --lower-private-buffers --verify-diagnostics
func.func @shuffles(%n: index, %sizes: memref<?xindex>) {
  %x = arith.constant 1.0 : f64
  %one = arith.constant 1 : i32
  %lanes = arith.constant 32 : i32
  scf.forall (%i) in (%n) {
    %m = memref.load %sizes[%i] : memref<?xindex>
    %own = memref.alloc(%m) : memref<?xf64>
    scf.forall (%t) in (256) {
      // expected-error @below {{block shares arrays that shared memory has no room for}}
      %y, %valid = gpu.shuffle down %x, %one, %lanes : f64
      memref.store %y, %own[%t] : memref<?xf64>
    } {mapping = [#gpu.thread<linear_dim_0>]}
  }
  return
}

// Tapes of one type are at one place: the host cannot take an array from one where threads of kernels have theirs.
// RUN: ad-opt %s --verify-diagnostics --lower-forall-to-gpu

func.func @of_both(%n: index, %a: memref<?xmemref<?xf64>>, %b: memref<?xf64>) -> memref<?xf64> {
  %h = ad.tape_create : !ad.tape<memref<?xf64>>
  ad.tape_push %h, %b : !ad.tape<memref<?xf64>>
  // expected-error @below {{'ad.tape_pop' op is on a tape of the host, and threads of kernels have tapes of the type; compile for the CPU}}
  %last = ad.tape_pop %h : !ad.tape<memref<?xf64>>
  scf.forall (%i) in (%n) {
    %x = memref.load %a[%i] : memref<?xmemref<?xf64>>
    %t = ad.tape_create : !ad.tape<memref<?xf64>>
    ad.tape_push %t, %x : !ad.tape<memref<?xf64>>
    %y = ad.tape_pop %t : !ad.tape<memref<?xf64>>
    memref.store %y, %a[%i] : memref<?xmemref<?xf64>>
    ad.tape_free %t : !ad.tape<memref<?xf64>>
  }
  ad.tape_free %h : !ad.tape<memref<?xf64>>
  return %last : memref<?xf64>
}

// What would be a tape of a kernel, or one of arrays on the device, is refused, once for a function.
// RUN: ad-opt %s --split-input-file --verify-diagnostics --lower-forall-to-gpu

func.func @in_kernel(%n: index, %a: memref<?xf64>) {
  scf.forall (%i) in (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    // expected-error @+1 {{'ad.tape_create' op is part of a kernel, which has no tapes; compile for the CPU}}
    %t = ad.tape_create : !ad.tape<f64>
    ad.tape_push %t, %x : !ad.tape<f64>
    %y = ad.tape_pop %t : !ad.tape<f64>
    memref.store %y, %a[%i] : memref<?xf64>
    ad.tape_free %t : !ad.tape<f64>
  }
  return
}

// -----

func.func @of_arrays(%t: !ad.tape<tensor<?xf64>>, %a: memref<?xf64>) {
  // expected-error @+1 {{'ad.tape_push' op keeps an array of the device on a tape of the host; compile for the CPU}}
  ad.tape_push %t, %a : !ad.tape<tensor<?xf64>>, memref<?xf64>
  return
}

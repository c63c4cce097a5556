// A number of the device that says how many threads a kernel has, and that these use: the host reads it, and they do.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<i8' '(4,)' 1 3 0 2
// RUN: ad-opt run %s --entry=countdown --input=%t.npy --target=gpu-emulate | FileCheck %s
// CHECK: [3, 2, 1]
func.func @countdown(%x: tensor<?xindex>) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %s = soac.reduce ins(%x : tensor<?xindex>) neutral(%c0 : index) (%a: index, %b: index) {
    %c = arith.maxsi %a, %b : index
    soac.yield %c : index
  }
  %is = soac.iota %s : tensor<?xindex>
  %r = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xindex> {
    %k = arith.subi %s, %i : index
    soac.yield %k : index
  }
  return %r : tensor<?xindex>
}

// Several dynamic sizes in one group, also when they are zero.
// RUN: ad-opt run %s --entry=f --input=2 --input=3 | FileCheck %s
// RUN: ad-opt run %s --entry=f --input=0 --input=3 | FileCheck --check-prefix=NONE %s

// CHECK: {{\[}}[0, 1, 2],
// CHECK-NEXT: [3, 4, 5]]
// NONE: []
func.func @f(%n: index, %m: index) -> tensor<?x?xindex> {
  %size = arith.muli %n, %m : index
  %is = soac.iota %size : tensor<?xindex>
  %r = tensor.expand_shape %is [[0, 1]] output_shape [%n, %m] : tensor<?xindex> into tensor<?x?xindex>
  return %r : tensor<?x?xindex>
}

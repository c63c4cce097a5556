// A map whose iterations choose between rows of two sizes was refused, also if the sizes are equal:
// what the choice depends on is not known in front of the loop. Now equal sizes are required when
// the program runs, but not of a loop without iterations.
// RUN: ad-opt %s --lower-soac-to-loops | FileCheck %s
// RUN: ad-opt %s --ad-bufferize | FileCheck %s --check-prefix=BUFFERS
// RUN: %python %S/../driver/Inputs/npy.py %t.choice.npy '<f8' '(2,)' 1 -1
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(2,)' 1 2
// RUN: %python %S/../driver/Inputs/npy.py %t.y.npy '<f8' '(2,)' 3 4
// RUN: %python %S/../driver/Inputs/npy.py %t.z.npy '<f8' '(3,)' 3 4 5
// DEFINE: %{choose} = ad-opt run %s --entry=choose
// RUN: %{choose} --input=%t.choice.npy --input=%t.x.npy --input=%t.y.npy | FileCheck %s --check-prefix=VALUES
// RUN: %{choose} --input=%t.none.npy --input=%t.x.npy --input=%t.z.npy | FileCheck %s --check-prefix=NONE
// RUN: not %{choose} --input=%t.choice.npy --input=%t.x.npy --input=%t.z.npy 2>&1 | FileCheck %s --check-prefix=DIFFERENT

// VALUES:      {{\[\[}}2.0, 4.0],
// VALUES-NEXT: [9.0, 16.0]]
// NONE: {{^}}[]
// DIFFERENT: the compiled program was stopped: an assertion failed

// CHECK-LABEL: func.func @choose(
// CHECK-SAME:    %[[C:.*]]: tensor<?xf64>{{.*}}, %[[X:.*]]: tensor<?xf64>{{.*}}, %[[Y:.*]]: tensor<?xf64>
// CHECK:         %[[YES:.*]] = tensor.dim %[[X]]
// CHECK:         %[[NO:.*]] = tensor.dim %[[Y]]
// CHECK:         %[[SAME:.*]] = arith.cmpi eq, %[[YES]], %[[NO]]
// CHECK:         %[[FINE:.*]] = arith.ori %{{.*}}, %[[SAME]]
// CHECK:         cf.assert %[[FINE]], "the rows of a soac.map have different sizes; give all rows one size"
// CHECK:         scf.for
// CHECK-NOT:     cf.assert
// CHECK:         return

// BUFFERS-LABEL: func.func @choose(
// BUFFERS:         cf.assert
// BUFFERS:         scf.for
// BUFFERS-NOT:     cf.assert
// BUFFERS:         return

func.func @choose(%cs: tensor<?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %rows = soac.map ins(%cs : tensor<?xf64>) (%c: f64) -> tensor<?x?xf64> {
    %is_x = arith.cmpf ogt, %c, %zero : f64
    %row = scf.if %is_x -> tensor<?xf64> {
      %twice = arith.addf %x, %x : tensor<?xf64>
      scf.yield %twice : tensor<?xf64>
    } else {
      %square = arith.mulf %y, %y : tensor<?xf64>
      scf.yield %square : tensor<?xf64>
    }
    soac.yield %row : tensor<?xf64>
  }
  return %rows : tensor<?x?xf64>
}

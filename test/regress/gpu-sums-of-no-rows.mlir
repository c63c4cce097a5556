// Maps without iterations add rows of another size than that of the accumulator, and the outer one makes something else, too,
// so that the sum has a nest of its own: the sum of no rows is as long as what it is added to. It was as long as the rows that
// there are not, so that sizes did not match, or a kernel left out what there was before. Found by a random program [F49].
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.one.npy '<f8' '(1,)' 2
// RUN: %python %S/../driver/Inputs/npy.py %t.two.npy '<f8' '(2,)' 5 7
// RUN: ad-opt run %s --entry=rows --input=%t.none.npy --input=%t.two.npy --input=0 --input=%t.one.npy --target=gpu-emulate \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=rows --input=%t.none.npy --input=%t.two.npy --input=0 --input=%t.one.npy | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=rows --input=%t.two.npy --input=%t.two.npy --input=1 --input=%t.one.npy --target=gpu-emulate \
// RUN:   | FileCheck %s --check-prefix=SOME
//
// NONE: {{^}}[2.0]
// NONE-NEXT: []
//
// 2 + 2 * 2 * 3, and the squares.
// SOME: {{^}}[14.0]
// SOME-NEXT: [25.0, 49.0]
func.func @rows(%xs: tensor<?xf64>, %ys: tensor<?xf64>, %n: index, %start: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %three = arith.constant 3.0 : f64
  %r, %squares = soac.with_acc ins(%start : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, tensor<?xf64>) {
    %row = soac.replicate %three, %n : f64 -> tensor<?xf64>
    %all:2 = soac.map ins(%xs : tensor<?xf64>) accs(%acc : !soac.acc<tensor<?xf64>>) (%x: f64, %a: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, !soac.acc<tensor<?xf64>>) {
      %square = arith.mulf %x, %x : f64
      %inner = soac.map ins(%ys : tensor<?xf64>) accs(%a : !soac.acc<tensor<?xf64>>) (%y: f64, %b: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
        %c = soac.update_acc %b[], %row : !soac.acc<tensor<?xf64>>, tensor<?xf64>
        soac.yield %c : !soac.acc<tensor<?xf64>>
      }
      soac.yield %square, %inner : f64, !soac.acc<tensor<?xf64>>
    }
    soac.yield %all#1, %all#0 : !soac.acc<tensor<?xf64>>, tensor<?xf64>
  }
  return %r, %squares : tensor<?xf64>, tensor<?xf64>
}

// Sparse Jacobians: which entries there are, and what they are, by one derivative for each colour (F56).
//
//   r_i = x_i^2 x_{i+1}   has two entries in each row, 2 x_i x_{i+1} and x_i^2, also where they are zero.
// RUN: %python %S/Inputs/npy.py %t.x.npy '<f8' '(5,)' 1 2 0 4 5
// RUN: ad-opt jacobian %s --entry=residuals --input=%t.x.npy > %t.residuals 2> %t.note
// RUN: FileCheck %s --check-prefix=RESIDUALS < %t.residuals
// RUN: FileCheck %s --check-prefix=NOTE < %t.note

// RESIDUALS:      {{^}}%%MatrixMarket matrix coordinate real general{{$}}
// RESIDUALS-NEXT: {{^}}4 5 8{{$}}
// RESIDUALS-NEXT: {{^}}1 1 4.0{{$}}
// RESIDUALS-NEXT: {{^}}1 2 1.0{{$}}
// RESIDUALS-NEXT: {{^}}2 2 0.0{{$}}
// RESIDUALS-NEXT: {{^}}2 3 4.0{{$}}
// RESIDUALS-NEXT: {{^}}3 3 0.0{{$}}
// RESIDUALS-NEXT: {{^}}3 4 0.0{{$}}
// RESIDUALS-NEXT: {{^}}4 4 40.0{{$}}
// RESIDUALS-NEXT: {{^}}4 5 16.0{{$}}
// RESIDUALS-NOT:  {{.}}
// NOTE: note: 4 x 5, 8 entries, 2 colours of columns (jvp)
func.func @residuals(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %m = arith.subi %n, %c1 : index
  %is = soac.iota %m : tensor<?xindex>
  %r = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %j = arith.addi %i, %c1 : index
    %a = tensor.extract %x[%i] : tensor<?xf64>
    %b = tensor.extract %x[%j] : tensor<?xf64>
    %aa = arith.mulf %a, %a : f64
    %p = arith.mulf %aa, %b : f64
    soac.yield %p : f64
  }
  return %r : tensor<?xf64>
}

// An objective has one row, which takes one vjp: sum of r_i^2 / 2, by x_k r_k 2 x_k x_{k+1} + r_{k-1} x_{k-1}^2.
// RUN: ad-opt jacobian %s --entry=objective --input=%t.x.npy 2>&1 | FileCheck %s --check-prefix=OBJECTIVE
// OBJECTIVE-DAG: note: 1 x 5, 5 entries, 1 colours of rows (vjp)
// OBJECTIVE-DAG: {{^}}1 1 8.0{{$}}
// OBJECTIVE-DAG: {{^}}1 2 2.0{{$}}
// OBJECTIVE-DAG: {{^}}1 4 3200.0{{$}}
func.func @objective(%x: tensor<?xf64>) -> f64 {
  %r = func.call @residuals(%x) : (tensor<?xf64>) -> tensor<?xf64>
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %s = soac.map ins(%r : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
    %q = arith.mulf %v, %v : f64
    %h = arith.mulf %q, %half : f64
    soac.yield %h : f64
  }
  %y = soac.reduce ins(%s : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %y : f64
}

// The Hessian of an objective is the Jacobian of its gradient: here three diagonals, of as many colours.
// RUN: ad-opt jacobian %s --entry=gradient --input=%t.x.npy 2>&1 | FileCheck %s --check-prefix=HESSIAN
// HESSIAN-DAG: note: 5 x 5, 13 entries, 3 colours of columns (jvp)
// HESSIAN-DAG: {{^}}1 1 24.0{{$}}
// HESSIAN-DAG: {{^}}1 2 8.0{{$}}
// HESSIAN-DAG: {{^}}2 1 8.0{{$}}
// HESSIAN-DAG: {{^}}5 5 256.0{{$}}
func.func @gradient(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @objective(%x) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}

// Large ones, too: ranges of columns that have no row in common are looked at together.
// RUN: %python %S/Inputs/npy.py %t.long.npy '<f8' '(100000,)' --vary=1
// RUN: rm -rf %t.long
// RUN: ad-opt jacobian %s --entry=gradient --input=%t.long.npy --output-dir=%t.long 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: note: 100000 x 100000, 299998 entries, 3 colours of columns (jvp)

// Several results and arguments are numbered one after the other; integers have no derivative. Of
//   v_i s + t   and   s t   by   v, s, t
// RUN: %python %S/Inputs/npy.py %t.v.npy '<f4' '(2,)' 3 4
// RUN: ad-opt jacobian %s --entry=several --input=%t.v.npy --input=7 --input=5 --input=2 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL:      {{^}}3 4 8{{$}}
// SEVERAL-NEXT: {{^}}1 1 5.0{{$}}
// SEVERAL-NEXT: {{^}}1 3 3.0{{$}}
// SEVERAL-NEXT: {{^}}1 4 1.0{{$}}
// SEVERAL-NEXT: {{^}}2 2 5.0{{$}}
// SEVERAL-NEXT: {{^}}2 3 4.0{{$}}
// SEVERAL-NEXT: {{^}}2 4 1.0{{$}}
// SEVERAL-NEXT: {{^}}3 3 2.0{{$}}
// SEVERAL-NEXT: {{^}}3 4 5.0{{$}}
// RUN: ad-opt jacobian %s --entry=several --wrt=3,0 --input=%t.v.npy --input=7 --input=5 --input=2 | FileCheck %s --check-prefix=WRT
// WRT:      {{^}}3 3 5{{$}}
// WRT-NEXT: {{^}}1 1 1.0{{$}}
// WRT-NEXT: {{^}}1 2 5.0{{$}}
// WRT-NEXT: {{^}}2 1 1.0{{$}}
// WRT-NEXT: {{^}}2 3 5.0{{$}}
// WRT-NEXT: {{^}}3 1 5.0{{$}}
func.func @several(%v: tensor<?xf32>, %k: i64, %s: f32, %t: f32) -> (tensor<?xf32>, i64, f32) {
  %r = soac.map ins(%v : tensor<?xf32>) (%x: f32) -> tensor<?xf32> {
    %p = arith.mulf %x, %s : f32
    %q = arith.addf %p, %t : f32
    soac.yield %q : f32
  }
  %st = arith.mulf %s, %t : f32
  return %r, %k, %st : tensor<?xf32>, i64, f32
}

// What was found once serves at other inputs. Files of the same names are written, but for colours of the other side.
// RUN: rm -rf %t.found && mkdir %t.found && touch %t.found/row_colors.npy
// RUN: ad-opt jacobian %s --entry=residuals --input=%t.x.npy --output-dir=%t.found 2> %t.note | count 0
// RUN: ls %t.found | FileCheck %s --check-prefix=FILES
// RUN: %python %S/Inputs/npy.py %t.other.npy '<f8' '(5,)' 1 1 3 1 1
// RUN: ad-opt jacobian %s --entry=residuals --input=%t.other.npy --pattern=%t.found 2>&1 | FileCheck %s --check-prefix=OTHER
// FILES:      {{^}}column_colors.npy
// FILES-NEXT: {{^}}columns.npy
// FILES-NEXT: {{^}}rows.npy
// FILES-NEXT: {{^}}shape.npy
// FILES-NEXT: {{^}}values.npy
// FILES-NOT:  {{.}}
// OTHER-DAG: note: 4 x 5, 8 entries, 2 colours of columns (jvp)
// OTHER-DAG: {{^}}2 2 6.0{{$}}
// OTHER-DAG: {{^}}3 4 9.0{{$}}

// A branch that is not taken has no entries, and that another one is taken elsewhere is found out.
// RUN: rm -rf %t.branch
// RUN: ad-opt jacobian %s --entry=branch --input=2 --input=3 --output-dir=%t.branch
// RUN: ad-opt jacobian %s --entry=branch --input=4 --input=3 --pattern=%t.branch 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not ad-opt jacobian %s --entry=branch --input=-2 --input=3 --pattern=%t.branch 2>&1 | FileCheck %s --check-prefix=OTHERWISE
// TAKEN: {{^}}1 2 1{{$}}
// TAKEN-NEXT: {{^}}1 1 8.0
// OTHERWISE: error: row 0 of the Jacobian has entries at these inputs that the pattern does not have
func.func @branch(%x: f64, %y: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %positive = arith.cmpf ogt, %x, %zero : f64
  %r = scf.if %positive -> f64 {
    %p = arith.mulf %x, %x : f64
    scf.yield %p : f64
  } else {
    %p = arith.mulf %y, %y : f64
    scf.yield %p : f64
  }
  return %r : f64
}

// An element that is read at other inputs is another entry, and that is found out.
// RUN: rm -rf %t.read
// RUN: ad-opt jacobian %s --entry=read --input=%t.x.npy --input=1 --output-dir=%t.read
// RUN: ad-opt jacobian %s --entry=read --input=%t.other.npy --input=1 --pattern=%t.read 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not ad-opt jacobian %s --entry=read --input=%t.x.npy --input=3 --pattern=%t.read 2>&1 | FileCheck %s --check-prefix=READ
// SAME: {{^}}1 2 2.0
// READ: error: row 0 of the Jacobian has entries at these inputs that the pattern does not have
func.func @read(%x: tensor<?xf64>, %k: index) -> f64 {
  %e = tensor.extract %x[%k] : tensor<?xf64>
  %r = arith.mulf %e, %e : f64
  return %r : f64
}

// Flags by which NaN may become anything are no obstacle: derivatives do not have them.
// RUN: ad-opt jacobian %s --entry=fast --input=2 --input=3 --input=0 | FileCheck %s --check-prefix=FLAGS
// FLAGS:      {{^}}1 3 3{{$}}
// FLAGS-NEXT: {{^}}1 1 0.0{{$}}
// FLAGS-NEXT: {{^}}1 2 6.0{{$}}
// FLAGS-NEXT: {{^}}1 3 2.0{{$}}
func.func @fast(%x: f64, %y: f64, %z: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %p = arith.mulf %x, %zero fastmath<fast> : f64
  %q = arith.mulf %y, %y fastmath<fast> : f64
  %r = arith.addf %p, %q fastmath<fast> : f64
  %two = arith.constant 2.0 : f64
  %t = arith.mulf %z, %two fastmath<nnan> : f64
  %s = arith.addf %r, %t fastmath<fast> : f64
  return %s : f64
}

// Nothing is empty.
// RUN: %python %S/Inputs/npy.py %t.none.npy '<f8' '(1,)' 1
// RUN: ad-opt jacobian %s --entry=residuals --input=%t.none.npy 2>&1 | FileCheck %s --check-prefix=NONE
// NONE-DAG: note: 0 x 1, 0 entries
// NONE-DAG: {{^}}0 1 0{{$}}

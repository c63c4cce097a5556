// For every predicate, either way round, and a value before, on, between and behind the bounds, the loop takes the
// iterations that it took: what an entry gives is written in binary, one digit for each iteration taken.
// RUN: sh -ec 'for k in -1 0 1 2 3 4 5 9; do for p in slt sle sgt sge eq ne; do ad-opt run %s --entry=$p --input=1 --input=4 --input=$k; done; done' > %t
// RUN: FileCheck %s < %t
// RUN: sh -ec 'for k in 0 1 2 3 4 5 9; do for p in ult ule ugt uge; do ad-opt run %s --entry=$p --input=1 --input=4 --input=$k; done; done' > %t.u
// RUN: FileCheck %s --check-prefix=UNSIGNED < %t.u
// RUN: ad-opt run %s --entry=ule --input=1 --input=4 --input=-1 | FileCheck %s --check-prefix=LARGE
// RUN: ad-opt run %s --entry=ne --input=4 --input=1 --input=2 | FileCheck %s --check-prefix=EMPTY
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-optimize,ad-place-buffers,ad-split-loops,canonicalize)' | FileCheck %s --check-prefix=SPLIT
// SPLIT-NOT: scf.if

// Iterations 1, 2 and 3 are 2, 4 and 8.
// k = -1
// CHECK: {{^}}0.0
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}14.0
// CHECK-NEXT: {{^}}14.0
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}14.0
// k = 0
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}14.0
// CHECK-NEXT: {{^}}14.0
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}14.0
// k = 1
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}2.0
// CHECK-NEXT: {{^}}12.0
// CHECK-NEXT: {{^}}14.0
// CHECK-NEXT: {{^}}2.0
// CHECK-NEXT: {{^}}12.0
// k = 2
// CHECK-NEXT: {{^}}2.0
// CHECK-NEXT: {{^}}6.0
// CHECK-NEXT: {{^}}8.0
// CHECK-NEXT: {{^}}12.0
// CHECK-NEXT: {{^}}4.0
// CHECK-NEXT: {{^}}10.0
// k = 3
// CHECK-NEXT: {{^}}6.0
// CHECK-NEXT: {{^}}14.0
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}8.0
// CHECK-NEXT: {{^}}8.0
// CHECK-NEXT: {{^}}6.0
// k = 4, 5 and 9
// CHECK-NEXT: {{^}}14.0
// CHECK-NEXT: {{^}}14.0
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}14.0
// CHECK-NEXT: {{^}}14.0
// CHECK-NEXT: {{^}}14.0
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}14.0
// CHECK-NEXT: {{^}}14.0
// CHECK-NEXT: {{^}}14.0
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}0.0
// CHECK-NEXT: {{^}}14.0

// The unsigned ones have the number of the iteration on the right: k < j, k <= j, k > j, k >= j.
// k = 0
// UNSIGNED: {{^}}14.0
// UNSIGNED-NEXT: {{^}}14.0
// UNSIGNED-NEXT: {{^}}0.0
// UNSIGNED-NEXT: {{^}}0.0
// k = 1
// UNSIGNED-NEXT: {{^}}12.0
// UNSIGNED-NEXT: {{^}}14.0
// UNSIGNED-NEXT: {{^}}0.0
// UNSIGNED-NEXT: {{^}}2.0
// k = 2
// UNSIGNED-NEXT: {{^}}8.0
// UNSIGNED-NEXT: {{^}}12.0
// UNSIGNED-NEXT: {{^}}2.0
// UNSIGNED-NEXT: {{^}}6.0
// k = 3
// UNSIGNED-NEXT: {{^}}0.0
// UNSIGNED-NEXT: {{^}}8.0
// UNSIGNED-NEXT: {{^}}6.0
// UNSIGNED-NEXT: {{^}}14.0
// k = 4 and more
// UNSIGNED-NEXT: {{^}}0.0
// UNSIGNED-NEXT: {{^}}0.0
// UNSIGNED-NEXT: {{^}}14.0
// UNSIGNED-NEXT: {{^}}14.0
// UNSIGNED-NEXT: {{^}}0.0
// UNSIGNED-NEXT: {{^}}0.0
// UNSIGNED-NEXT: {{^}}14.0
// UNSIGNED-NEXT: {{^}}14.0

// -1 is larger than all of them; and there may be no iteration.
// LARGE: {{^}}0.0
// EMPTY: {{^}}0.0

func.func @slt(%low: index, %high: index, %k: index) -> f64 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %j = %low to %high step %c1 iter_args(%a = %zero) -> f64 {
    %taken = arith.cmpi slt, %j, %k : index
    %b = scf.if %taken -> f64 {
      %i = arith.index_cast %j : index to i64
      %x = arith.sitofp %i : i64 to f64
      %digit = math.exp2 %x : f64
      %c = arith.addf %a, %digit : f64
      scf.yield %c : f64
    } else {
      scf.yield %a : f64
    }
    scf.yield %b : f64
  }
  return %sum : f64
}

func.func @sle(%low: index, %high: index, %k: index) -> f64 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %j = %low to %high step %c1 iter_args(%a = %zero) -> f64 {
    %taken = arith.cmpi sle, %j, %k : index
    %b = scf.if %taken -> f64 {
      %i = arith.index_cast %j : index to i64
      %x = arith.sitofp %i : i64 to f64
      %digit = math.exp2 %x : f64
      %c = arith.addf %a, %digit : f64
      scf.yield %c : f64
    } else {
      scf.yield %a : f64
    }
    scf.yield %b : f64
  }
  return %sum : f64
}

func.func @sgt(%low: index, %high: index, %k: index) -> f64 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %j = %low to %high step %c1 iter_args(%a = %zero) -> f64 {
    %taken = arith.cmpi sgt, %j, %k : index
    %b = scf.if %taken -> f64 {
      %i = arith.index_cast %j : index to i64
      %x = arith.sitofp %i : i64 to f64
      %digit = math.exp2 %x : f64
      %c = arith.addf %a, %digit : f64
      scf.yield %c : f64
    } else {
      scf.yield %a : f64
    }
    scf.yield %b : f64
  }
  return %sum : f64
}

func.func @sge(%low: index, %high: index, %k: index) -> f64 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %j = %low to %high step %c1 iter_args(%a = %zero) -> f64 {
    %taken = arith.cmpi sge, %j, %k : index
    %b = scf.if %taken -> f64 {
      %i = arith.index_cast %j : index to i64
      %x = arith.sitofp %i : i64 to f64
      %digit = math.exp2 %x : f64
      %c = arith.addf %a, %digit : f64
      scf.yield %c : f64
    } else {
      scf.yield %a : f64
    }
    scf.yield %b : f64
  }
  return %sum : f64
}

func.func @eq(%low: index, %high: index, %k: index) -> f64 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %j = %low to %high step %c1 iter_args(%a = %zero) -> f64 {
    %taken = arith.cmpi eq, %j, %k : index
    %b = scf.if %taken -> f64 {
      %i = arith.index_cast %j : index to i64
      %x = arith.sitofp %i : i64 to f64
      %digit = math.exp2 %x : f64
      %c = arith.addf %a, %digit : f64
      scf.yield %c : f64
    } else {
      scf.yield %a : f64
    }
    scf.yield %b : f64
  }
  return %sum : f64
}

func.func @ne(%low: index, %high: index, %k: index) -> f64 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %j = %low to %high step %c1 iter_args(%a = %zero) -> f64 {
    %taken = arith.cmpi ne, %j, %k : index
    %b = scf.if %taken -> f64 {
      %i = arith.index_cast %j : index to i64
      %x = arith.sitofp %i : i64 to f64
      %digit = math.exp2 %x : f64
      %c = arith.addf %a, %digit : f64
      scf.yield %c : f64
    } else {
      scf.yield %a : f64
    }
    scf.yield %b : f64
  }
  return %sum : f64
}

func.func @ult(%low: index, %high: index, %k: index) -> f64 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %j = %low to %high step %c1 iter_args(%a = %zero) -> f64 {
    %taken = arith.cmpi ult, %k, %j : index
    %b = scf.if %taken -> f64 {
      %i = arith.index_cast %j : index to i64
      %x = arith.sitofp %i : i64 to f64
      %digit = math.exp2 %x : f64
      %c = arith.addf %a, %digit : f64
      scf.yield %c : f64
    } else {
      scf.yield %a : f64
    }
    scf.yield %b : f64
  }
  return %sum : f64
}

func.func @ule(%low: index, %high: index, %k: index) -> f64 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %j = %low to %high step %c1 iter_args(%a = %zero) -> f64 {
    %taken = arith.cmpi ule, %k, %j : index
    %b = scf.if %taken -> f64 {
      %i = arith.index_cast %j : index to i64
      %x = arith.sitofp %i : i64 to f64
      %digit = math.exp2 %x : f64
      %c = arith.addf %a, %digit : f64
      scf.yield %c : f64
    } else {
      scf.yield %a : f64
    }
    scf.yield %b : f64
  }
  return %sum : f64
}

func.func @ugt(%low: index, %high: index, %k: index) -> f64 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %j = %low to %high step %c1 iter_args(%a = %zero) -> f64 {
    %taken = arith.cmpi ugt, %k, %j : index
    %b = scf.if %taken -> f64 {
      %i = arith.index_cast %j : index to i64
      %x = arith.sitofp %i : i64 to f64
      %digit = math.exp2 %x : f64
      %c = arith.addf %a, %digit : f64
      scf.yield %c : f64
    } else {
      scf.yield %a : f64
    }
    scf.yield %b : f64
  }
  return %sum : f64
}

func.func @uge(%low: index, %high: index, %k: index) -> f64 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %j = %low to %high step %c1 iter_args(%a = %zero) -> f64 {
    %taken = arith.cmpi uge, %k, %j : index
    %b = scf.if %taken -> f64 {
      %i = arith.index_cast %j : index to i64
      %x = arith.sitofp %i : i64 to f64
      %digit = math.exp2 %x : f64
      %c = arith.addf %a, %digit : f64
      scf.yield %c : f64
    } else {
      scf.yield %a : f64
    }
    scf.yield %b : f64
  }
  return %sum : f64
}

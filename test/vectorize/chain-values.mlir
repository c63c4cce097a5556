// The Jacobian of a chain of transforms, of which each refers to an earlier one, by a map of one jvp per seed, which runs
// several seeds at once: it is the same as one seed after the other, whether there are too few for a vector, as many as
// it has lanes, or more, of which the last ones share a vector with some that have run.
// RUN: %python %S/../driver/Inputs/npy.py %t.parents.npy '<i8' '(9,)' 0 0 1 0 3 4 2 6 5
// RUN: %python %S/../driver/Inputs/npy.py %t.0.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.1.npy '<f8' '(1,)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.3.npy '<f8' '(3,)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.4.npy '<f8' '(4,)' --vary=3
// RUN: %python %S/../driver/Inputs/npy.py %t.8.npy '<f8' '(8,)' --vary=4
// RUN: %python %S/../driver/Inputs/npy.py %t.11.npy '<f8' '(11,)' --vary=5
// RUN: %python %S/../driver/Inputs/npy.py %t.f1.npy '<f4' '(1,)' --vary=6
// RUN: %python %S/../driver/Inputs/npy.py %t.f11.npy '<f4' '(11,)' --vary=7
// RUN: %python %S/../driver/Inputs/npy.py %t.f21.npy '<f4' '(21,)' --vary=8
// RUN: ad-opt run %s --entry=f64 --input=%t.0.npy --input=%t.parents.npy | FileCheck %s
// RUN: ad-opt run %s --entry=f64 --input=%t.1.npy --input=%t.parents.npy | FileCheck %s
// RUN: ad-opt run %s --entry=f64 --input=%t.3.npy --input=%t.parents.npy | FileCheck %s
// RUN: ad-opt run %s --entry=f64 --input=%t.4.npy --input=%t.parents.npy | FileCheck %s
// RUN: ad-opt run %s --entry=f64 --input=%t.8.npy --input=%t.parents.npy | FileCheck %s
// RUN: ad-opt run %s --entry=f64 --input=%t.11.npy --input=%t.parents.npy | FileCheck %s
// RUN: ad-opt run %s --entry=f32 --input=%t.f1.npy --input=%t.parents.npy | FileCheck %s
// RUN: ad-opt run %s --entry=f32 --input=%t.f11.npy --input=%t.parents.npy | FileCheck %s
// RUN: ad-opt run %s --entry=f32 --input=%t.f21.npy --input=%t.parents.npy | FileCheck %s
// RUN: ad-opt check %s --entry=chain_f64 --input=%t.11.npy --input=%t.parents.npy
// CHECK: true

// The positions in a chain of plane rotations: the root has a transform of its own, the others multiply that of an earlier one.
func.func @chain_f64(%theta: tensor<?xf64>, %parents: tensor<?xi64>) -> tensor<?x2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %theta, %c0 : tensor<?xf64>
  %m = tensor.dim %parents, %c0 : tensor<?xi64>
  %range = soac.iota %m : tensor<?xindex>
  %pair = soac.iota : tensor<2xindex>
  %angles = soac.map ins(%range : tensor<?xindex>) (%b: index) -> tensor<?xf64> {
    %has = arith.cmpi ult, %b, %n : index
    %angle = scf.if %has -> f64 {
      %own = tensor.extract %theta[%b] : tensor<?xf64>
      scf.yield %own : f64
    } else {
      scf.yield %zero : f64
    }
    soac.yield %angle : f64
  }
  %locals = soac.map ins(%angles : tensor<?xf64>) (%angle: f64) -> tensor<?x2x2xf64> {
    %sin = math.sin %angle : f64
    %cos = math.cos %angle : f64
    %minus = arith.negf %sin : f64
    %local = tensor.from_elements %cos, %minus, %sin, %cos : tensor<2x2xf64>
    soac.yield %local : tensor<2x2xf64>
  }
  %start = tensor.splat %zero[%m] : tensor<?x2x2xf64>
  %all = scf.for %b = %c0 to %m step %c1 iter_args(%done = %start) -> tensor<?x2x2xf64> {
    %is_root = arith.cmpi eq, %b, %c0 : index
    %local = tensor.extract_slice %locals[%b, 0, 0] [1, 2, 2] [1, 1, 1] : tensor<?x2x2xf64> to tensor<2x2xf64>
    %absolute = scf.if %is_root -> tensor<2x2xf64> {
      scf.yield %local : tensor<2x2xf64>
    } else {
      %id = tensor.extract %parents[%b] : tensor<?xi64>
      %parent = arith.index_cast %id : i64 to index
      %outer = tensor.extract_slice %done[%parent, 0, 0] [1, 2, 2] [1, 1, 1] : tensor<?x2x2xf64> to tensor<2x2xf64>
      %product = soac.map ins(%pair : tensor<2xindex>) (%i: index) -> tensor<2x2xf64> {
        %a0 = tensor.extract %outer[%i, %c0] : tensor<2x2xf64>
        %a1 = tensor.extract %outer[%i, %c1] : tensor<2x2xf64>
        %row = soac.map ins(%pair : tensor<2xindex>) (%j: index) -> tensor<2xf64> {
          %b0 = tensor.extract %local[%c0, %j] : tensor<2x2xf64>
          %b1 = tensor.extract %local[%c1, %j] : tensor<2x2xf64>
          %p0 = arith.mulf %a0, %b0 : f64
          %p1 = arith.mulf %a1, %b1 : f64
          %s = arith.addf %p0, %p1 : f64
          soac.yield %s : f64
        }
        soac.yield %row : tensor<2xf64>
      }
      scf.yield %product : tensor<2x2xf64>
    }
    %next = tensor.insert_slice %absolute into %done[%b, 0, 0] [1, 2, 2] [1, 1, 1] : tensor<2x2xf64> into tensor<?x2x2xf64>
    scf.yield %next : tensor<?x2x2xf64>
  }
  %ends = soac.map ins(%all : tensor<?x2x2xf64>) (%a: tensor<2x2xf64>) -> tensor<?x2xf64> {
    %x = tensor.extract %a[%c0, %c1] : tensor<2x2xf64>
    %y = tensor.extract %a[%c1, %c1] : tensor<2x2xf64>
    %end = tensor.from_elements %x, %y : tensor<2xf64>
    soac.yield %end : tensor<2xf64>
  }
  return %ends : tensor<?x2xf64>
}

func.func @jacobian_f64(%theta: tensor<?xf64>, %parents: tensor<?xi64>, %first: index, %count: index) -> tensor<?x?x2xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %theta, %c0 : tensor<?xf64>
  %range = soac.iota %n : tensor<?xindex>
  %some = soac.iota %count : tensor<?xindex>
  %rows = soac.map ins(%some : tensor<?xindex>) (%i: index) -> tensor<?x?x2xf64> {
    %k = arith.addi %first, %i : index
    %seed = soac.map ins(%range : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %here = arith.cmpi eq, %j, %k : index
      %entry = arith.select %here, %one, %zero : f64
      soac.yield %entry : f64
    }
    %ends, %row = ad.jvp @chain_f64(%theta, %parents) seed(%seed) {wrt = array<i64: 0>}
        : (tensor<?xf64>, tensor<?xi64>), (tensor<?xf64>) -> (tensor<?x2xf64>, tensor<?x2xf64>)
    soac.yield %row : tensor<?x2xf64>
  }
  return %rows : tensor<?x?x2xf64>
}

func.func @f64(%theta: tensor<?xf64>, %parents: tensor<?xi64>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %small = arith.constant 1.0e-13 : f64
  %n = tensor.dim %theta, %c0 : tensor<?xf64>
  %range = soac.iota %n : tensor<?xindex>
  %all = func.call @jacobian_f64(%theta, %parents, %c0, %n) : (tensor<?xf64>, tensor<?xi64>, index, index) -> tensor<?x?x2xf64>
  %errors = soac.map ins(%range, %all : tensor<?xindex>, tensor<?x?x2xf64>) (%k: index, %row: tensor<?x2xf64>) -> tensor<?xf64> {
    %one = func.call @jacobian_f64(%theta, %parents, %k, %c1) : (tensor<?xf64>, tensor<?xi64>, index, index) -> tensor<?x?x2xf64>
    %m = tensor.dim %row, %c0 : tensor<?x2xf64>
    %alone = tensor.extract_slice %one[0, 0, 0] [1, %m, 2] [1, 1, 1] : tensor<?x?x2xf64> to tensor<?x2xf64>
    %off = arith.subf %row, %alone : tensor<?x2xf64>
    %sizes = math.absf %off : tensor<?x2xf64>
    %flat = tensor.collapse_shape %sizes [[0, 1]] : tensor<?x2xf64> into tensor<?xf64>
    %worst = soac.reduce ins(%flat : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %most = arith.maximumf %a, %b : f64
      soac.yield %most : f64
    }
    soac.yield %worst : f64
  }
  %worst = soac.reduce ins(%errors : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %most = arith.maximumf %a, %b : f64
    soac.yield %most : f64
  }
  %same = arith.cmpf olt, %worst, %small : f64
  return %same : i1
}

// The positions in a chain of plane rotations: the root has a transform of its own, the others multiply that of an earlier one.
func.func @chain_f32(%theta: tensor<?xf32>, %parents: tensor<?xi64>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %theta, %c0 : tensor<?xf32>
  %m = tensor.dim %parents, %c0 : tensor<?xi64>
  %range = soac.iota %m : tensor<?xindex>
  %pair = soac.iota : tensor<2xindex>
  %angles = soac.map ins(%range : tensor<?xindex>) (%b: index) -> tensor<?xf32> {
    %has = arith.cmpi ult, %b, %n : index
    %angle = scf.if %has -> f32 {
      %own = tensor.extract %theta[%b] : tensor<?xf32>
      scf.yield %own : f32
    } else {
      scf.yield %zero : f32
    }
    soac.yield %angle : f32
  }
  %locals = soac.map ins(%angles : tensor<?xf32>) (%angle: f32) -> tensor<?x2x2xf32> {
    %sin = math.sin %angle : f32
    %cos = math.cos %angle : f32
    %minus = arith.negf %sin : f32
    %local = tensor.from_elements %cos, %minus, %sin, %cos : tensor<2x2xf32>
    soac.yield %local : tensor<2x2xf32>
  }
  %start = tensor.splat %zero[%m] : tensor<?x2x2xf32>
  %all = scf.for %b = %c0 to %m step %c1 iter_args(%done = %start) -> tensor<?x2x2xf32> {
    %is_root = arith.cmpi eq, %b, %c0 : index
    %local = tensor.extract_slice %locals[%b, 0, 0] [1, 2, 2] [1, 1, 1] : tensor<?x2x2xf32> to tensor<2x2xf32>
    %absolute = scf.if %is_root -> tensor<2x2xf32> {
      scf.yield %local : tensor<2x2xf32>
    } else {
      %id = tensor.extract %parents[%b] : tensor<?xi64>
      %parent = arith.index_cast %id : i64 to index
      %outer = tensor.extract_slice %done[%parent, 0, 0] [1, 2, 2] [1, 1, 1] : tensor<?x2x2xf32> to tensor<2x2xf32>
      %product = soac.map ins(%pair : tensor<2xindex>) (%i: index) -> tensor<2x2xf32> {
        %a0 = tensor.extract %outer[%i, %c0] : tensor<2x2xf32>
        %a1 = tensor.extract %outer[%i, %c1] : tensor<2x2xf32>
        %row = soac.map ins(%pair : tensor<2xindex>) (%j: index) -> tensor<2xf32> {
          %b0 = tensor.extract %local[%c0, %j] : tensor<2x2xf32>
          %b1 = tensor.extract %local[%c1, %j] : tensor<2x2xf32>
          %p0 = arith.mulf %a0, %b0 : f32
          %p1 = arith.mulf %a1, %b1 : f32
          %s = arith.addf %p0, %p1 : f32
          soac.yield %s : f32
        }
        soac.yield %row : tensor<2xf32>
      }
      scf.yield %product : tensor<2x2xf32>
    }
    %next = tensor.insert_slice %absolute into %done[%b, 0, 0] [1, 2, 2] [1, 1, 1] : tensor<2x2xf32> into tensor<?x2x2xf32>
    scf.yield %next : tensor<?x2x2xf32>
  }
  %ends = soac.map ins(%all : tensor<?x2x2xf32>) (%a: tensor<2x2xf32>) -> tensor<?x2xf32> {
    %x = tensor.extract %a[%c0, %c1] : tensor<2x2xf32>
    %y = tensor.extract %a[%c1, %c1] : tensor<2x2xf32>
    %end = tensor.from_elements %x, %y : tensor<2xf32>
    soac.yield %end : tensor<2xf32>
  }
  return %ends : tensor<?x2xf32>
}

func.func @jacobian_f32(%theta: tensor<?xf32>, %parents: tensor<?xi64>, %first: index, %count: index) -> tensor<?x?x2xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %theta, %c0 : tensor<?xf32>
  %range = soac.iota %n : tensor<?xindex>
  %some = soac.iota %count : tensor<?xindex>
  %rows = soac.map ins(%some : tensor<?xindex>) (%i: index) -> tensor<?x?x2xf32> {
    %k = arith.addi %first, %i : index
    %seed = soac.map ins(%range : tensor<?xindex>) (%j: index) -> tensor<?xf32> {
      %here = arith.cmpi eq, %j, %k : index
      %entry = arith.select %here, %one, %zero : f32
      soac.yield %entry : f32
    }
    %ends, %row = ad.jvp @chain_f32(%theta, %parents) seed(%seed) {wrt = array<i64: 0>}
        : (tensor<?xf32>, tensor<?xi64>), (tensor<?xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>)
    soac.yield %row : tensor<?x2xf32>
  }
  return %rows : tensor<?x?x2xf32>
}

func.func @f32(%theta: tensor<?xf32>, %parents: tensor<?xi64>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %small = arith.constant 1.0e-5 : f32
  %n = tensor.dim %theta, %c0 : tensor<?xf32>
  %range = soac.iota %n : tensor<?xindex>
  %all = func.call @jacobian_f32(%theta, %parents, %c0, %n) : (tensor<?xf32>, tensor<?xi64>, index, index) -> tensor<?x?x2xf32>
  %errors = soac.map ins(%range, %all : tensor<?xindex>, tensor<?x?x2xf32>) (%k: index, %row: tensor<?x2xf32>) -> tensor<?xf32> {
    %one = func.call @jacobian_f32(%theta, %parents, %k, %c1) : (tensor<?xf32>, tensor<?xi64>, index, index) -> tensor<?x?x2xf32>
    %m = tensor.dim %row, %c0 : tensor<?x2xf32>
    %alone = tensor.extract_slice %one[0, 0, 0] [1, %m, 2] [1, 1, 1] : tensor<?x?x2xf32> to tensor<?x2xf32>
    %off = arith.subf %row, %alone : tensor<?x2xf32>
    %sizes = math.absf %off : tensor<?x2xf32>
    %flat = tensor.collapse_shape %sizes [[0, 1]] : tensor<?x2xf32> into tensor<?xf32>
    %worst = soac.reduce ins(%flat : tensor<?xf32>) neutral(%zero : f32) (%a: f32, %b: f32) {
      %most = arith.maximumf %a, %b : f32
      soac.yield %most : f32
    }
    soac.yield %worst : f32
  }
  %worst = soac.reduce ins(%errors : tensor<?xf32>) neutral(%zero : f32) (%a: f32, %b: f32) {
    %most = arith.maximumf %a, %b : f32
    soac.yield %most : f32
  }
  %same = arith.cmpf olt, %worst, %small : f32
  return %same : i1
}

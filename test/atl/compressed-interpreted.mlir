// Compressed lists as the reference interpreter understands them, and as they are compiled: products with
// f32 and f64, with their derivatives, against the same matrix as a list and as a dense one; an array of
// starts that decreases is an error (T17, T45).
// RUN: ad-opt check %s --entry=loss --input=0.5 --input=-1.25 --engine=interpreter | FileCheck %s
// RUN: ad-opt check %s --entry=loss --input=0.5 --input=-1.25 | FileCheck %s
// RUN: ad-opt check %s --entry=loss_of_list --input=0.5 --input=-1.25 | FileCheck %s
// RUN: ad-opt check %s --entry=loss_f32 --input=0.5 --input=-1.25 | FileCheck %s --check-prefix=F32
// RUN: ad-opt run %s --entry=same | FileCheck %s --check-prefix=SAME
// RUN: not ad-opt check %s --entry=decreasing --input=0.5 --engine=interpreter 2>&1 | FileCheck %s --check-prefix=FAULT

// CHECK: 0 f64 {{.*}} ok
// CHECK-NEXT: 1 f64 {{.*}} ok
// CHECK-NEXT: results unchanged {{.*}} ok
// F32: 0 f32 {{.*}} ok
// F32-NEXT: 1 f32 {{.*}} ok
// F32-NEXT: results unchanged {{.*}} ok

// The matrix is 1 0 b, none, 0 (3 + b) 0 and none again, times x = a b 2.
func.func @loss(%a: f64, %b: f64) -> f64 {
  %s = arith.constant dense<[0, 2, 2, 4, 4]> : tensor<5xi64>
  %c = arith.constant dense<[0, 2, 1, 1]> : tensor<4xi32>
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %v = tensor.from_elements %one, %b, %three, %b : tensor<4xf64>
  %x = tensor.from_elements %a, %b, %two : tensor<3xf64>
  %m = arith.constant 4 : index
  %l = call @squares(%s, %c, %v, %x, %m) : (tensor<5xi64>, tensor<4xi32>, tensor<4xf64>, tensor<3xf64>, index) -> f64
  return %l : f64
}

func.func private @squares(%s: tensor<5xi64>, %c: tensor<4xi32>, %v: tensor<4xf64>, %x: tensor<3xf64>, %m: index) -> f64 {
  %three = arith.constant 3 : index
  %four = arith.constant 4 : index
  %l = atl.sum (%i in %m) -> f64 {
    %y = atl.sum (%j in %three, %k in %four) -> f64 {
      %p = atl.member (compressed %s, %c)[%i, %j] at %k : tensor<5xi64>, tensor<4xi32>
      %e = atl.bracket %p -> f64 {
        %vk = atl.access %v[%k] : tensor<4xf64>
        %xj = atl.access %x[%j] : tensor<3xf64>
        %t = arith.mulf %vk, %xj : f64
        atl.yield %t : f64
      }
      atl.yield %e : f64
    }
    %q = math.exp %y : f64
    atl.yield %q : f64
  }
  return %l : f64
}

// The same entries as a list.
func.func @loss_of_list(%a: f64, %b: f64) -> f64 {
  %r = arith.constant dense<[0, 0, 2, 2]> : tensor<4xi64>
  %c = arith.constant dense<[0, 2, 1, 1]> : tensor<4xi32>
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %v = tensor.from_elements %one, %b, %three, %b : tensor<4xf64>
  %x = tensor.from_elements %a, %b, %two : tensor<3xf64>
  %m = arith.constant 4 : index
  %l = call @squares_of_list(%r, %c, %v, %x, %m) : (tensor<4xi64>, tensor<4xi32>, tensor<4xf64>, tensor<3xf64>, index) -> f64
  return %l : f64
}

func.func private @squares_of_list(%r: tensor<4xi64>, %c: tensor<4xi32>, %v: tensor<4xf64>, %x: tensor<3xf64>, %m: index) -> f64 {
  %three = arith.constant 3 : index
  %four = arith.constant 4 : index
  %l = atl.sum (%i in %m) -> f64 {
    %y = atl.sum (%j in %three, %k in %four) -> f64 {
      %p = atl.member (%r, %c)[%i, %j] at %k : tensor<4xi64>, tensor<4xi32>
      %e = atl.bracket %p -> f64 {
        %vk = atl.access %v[%k] : tensor<4xf64>
        %xj = atl.access %x[%j] : tensor<3xf64>
        %t = arith.mulf %vk, %xj : f64
        atl.yield %t : f64
      }
      atl.yield %e : f64
    }
    %q = math.exp %y : f64
    atl.yield %q : f64
  }
  return %l : f64
}

func.func @loss_f32(%a: f32, %b: f32) -> f32 {
  %s = arith.constant dense<[0, 2, 2, 4, 4]> : tensor<5xi32>
  %c = arith.constant dense<[0, 2, 1, 1]> : tensor<4xindex>
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %v = tensor.from_elements %one, %b, %three, %b : tensor<4xf32>
  %x = tensor.from_elements %a, %b, %two : tensor<3xf32>
  %m = arith.constant 4 : index
  %l = call @squares_f32(%s, %c, %v, %x, %m) : (tensor<5xi32>, tensor<4xindex>, tensor<4xf32>, tensor<3xf32>, index) -> f32
  return %l : f32
}

func.func private @squares_f32(%s: tensor<5xi32>, %c: tensor<4xindex>, %v: tensor<4xf32>, %x: tensor<3xf32>, %m: index) -> f32 {
  %three = arith.constant 3 : index
  %four = arith.constant 4 : index
  %y = atl.gen (%i in %m) -> tensor<?xf32> {
    %t = atl.sum (%j in %three, %k in %four) -> f32 {
      %p = atl.member (compressed %s, %c)[%i, %j] at %k : tensor<5xi32>, tensor<4xindex>
      %e = atl.bracket %p -> f32 {
        %vk = atl.access %v[%k] : tensor<4xf32>
        %xj = atl.access %x[%j] : tensor<3xf32>
        %u = arith.mulf %vk, %xj : f32
        atl.yield %u : f32
      }
      atl.yield %e : f32
    }
    atl.yield %t : f32
  }
  %l = atl.sum (%i in %m) -> f32 {
    %e = atl.access %y[%i] : tensor<?xf32>
    %q = arith.mulf %e, %e : f32
    atl.yield %q : f32
  }
  return %l : f32
}

// SAME: 4.64872127070
// SAME: 4.64872127070
func.func @same() -> (f64, f64) {
  %a = arith.constant 0.5 : f64
  %b = arith.constant 0.0 : f64
  %l = call @loss(%a, %b) : (f64, f64) -> f64
  %r = call @loss_of_list(%a, %b) : (f64, f64) -> f64
  return %l, %r : f64, f64
}

func.func @decreasing(%a: f64) -> f64 {
  %s = arith.constant dense<[2, 1]> : tensor<2xindex>
  %x = tensor.from_elements %a, %a : tensor<2xf64>
  %l = call @first(%s, %x) : (tensor<2xindex>, tensor<2xf64>) -> f64
  return %l : f64
}

func.func private @first(%s: tensor<2xindex>, %x: tensor<2xf64>) -> f64 {
  %two = arith.constant 2 : index
  %l = atl.sum (%k in %two) -> f64 {
    // FAULT: compressed-interpreted.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'atl.member' op the tuples of 0 end at 1, but begin at 2
    %p = atl.member (compressed %s)[0] at %k : tensor<2xindex>
    %e = atl.bracket %p -> f64 {
      %xk = atl.access %x[%k] : tensor<2xf64>
      atl.yield %xk : f64
    }
    atl.yield %e : f64
  }
  return %l : f64
}
